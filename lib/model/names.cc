#include "model/names.h"

#include <algorithm>
#include <charconv>

namespace tidemark::model {
namespace {

constexpr std::string_view kPersistent = "persistent://";
constexpr std::string_view kNonPersistent = "non-persistent://";
constexpr std::string_view kPartition = "-partition-";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void split_partition(std::string_view text, TopicName& name) {
  name.parent = text;
  const auto at = text.rfind(kPartition);
  if (at == std::string_view::npos || at + kPartition.size() == text.size()) return;
  const auto digits = text.substr(at + kPartition.size());
  if (digits.size() > 1 && digits.front() == '0') return;  // "-partition-01" is somebody's own name
  int number = 0;
  const auto got = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (got.ec != std::errc{} || got.ptr != digits.data() + digits.size() || number < 0) return;
  name.partition = number;
  name.parent = text.substr(0, at);
}

}  // namespace

std::optional<TopicName> parse_topic(std::string_view text) {
  TopicName name;
  std::size_t start = 0;
  if (text.starts_with(kPersistent)) {
    start = kPersistent.size();
  } else if (text.starts_with(kNonPersistent)) {
    start = kNonPersistent.size();
    name.persistent = false;
  } else {
    return std::nullopt;
  }
  const auto tenant_end = text.find('/', start);
  if (tenant_end == std::string_view::npos || tenant_end == start) return std::nullopt;
  const auto ns_end = text.find('/', tenant_end + 1);
  if (ns_end == std::string_view::npos || ns_end == tenant_end + 1 || ns_end + 1 == text.size()) return std::nullopt;
  name.tenant = text.substr(start, tenant_end - start);
  name.ns = text.substr(start, ns_end - start);
  name.local = text.substr(ns_end + 1);
  split_partition(text, name);
  return name;
}

bool is_system_topic(const TopicName& name) {
  const auto own = name.local.substr(name.local.rfind('/') + 1);  // of a V1 name the namespace's end comes first
  if (own.starts_with("__")) return true;
  return name.ns == "pulsar/system" || name.local.find("__transaction_pending_ack") != std::string_view::npos;
}

bool is_excluded_namespace(std::string_view ns) {
  if (ns.starts_with("sla-monitor/")) return true;
  // Heartbeats: pulsar/<cluster>/<host>:<port> and pulsar/<host>:<port>.
  return ns.starts_with("pulsar/") && ns.find(':') != std::string_view::npos;
}

bool is_excluded_topic(const TopicName& name) {
  // A V1 heartbeat name hides its host in the local part.
  const bool v1_heartbeat =
      name.tenant == "pulsar" && name.local.ends_with("/healthcheck") && name.local.find(':') != std::string_view::npos;
  return !name.persistent || v1_heartbeat || is_excluded_namespace(name.ns);
}

const char* name_of(CursorKind kind) {
  switch (kind) {
    case CursorKind::kSubscription:
      return "subscription";
    case CursorKind::kReplicator:
      return "replicator";
    case CursorKind::kDedup:
      return "dedup";
    case CursorKind::kCompaction:
      return "compaction";
    case CursorKind::kSystem:
      return "system";
    case CursorKind::kReader:
      return "reader";
  }
  return "subscription";
}

CursorKind kind_of_cursor(std::string_view name, bool system_topic, const CursorNames& names) {
  if (name == "__compaction") return CursorKind::kCompaction;
  if (name == "pulsar.dedup") return CursorKind::kDedup;
  if (name.starts_with(names.replicator_prefix)) {
    const auto rest = name.substr(names.replicator_prefix.size());
    if (rest.starts_with('.') || rest.starts_with('-')) return CursorKind::kReplicator;
  }
  if (system_topic || name == "__pending_ack_state" || name == "transaction.subscription") return CursorKind::kSystem;
  const bool declared = std::find(names.system.begin(), names.system.end(), name) != names.system.end();
  return declared ? CursorKind::kSystem : CursorKind::kSubscription;
}

std::string_view generated_reader_front(std::string_view name) {
  // The third reads system topics, 4.x.
  for (const std::string_view front : {"reader-", "multiTopicsReader-", "__system_reader-reader-"}) {
    if (!name.starts_with(front) || name.size() != front.size() + kReaderDigits) continue;
    const bool generated = name.find_first_not_of("0123456789abcdef", front.size()) == std::string_view::npos;
    return generated ? front : std::string_view{};
  }
  return {};
}

std::vector<std::string> names_of_set(std::string_view printed) {
  std::vector<std::string> names;
  if (printed.size() < 2 || printed.front() != '[' || printed.back() != ']') return names;
  auto rest = printed.substr(1, printed.size() - 2);
  constexpr std::string_view kBetween = ", ";
  while (!rest.empty()) {
    const auto end = std::min(rest.find(kBetween), rest.size());
    names.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + kBetween.size(), rest.size()));
  }
  return names;
}

std::string decode_cursor_name(std::string_view encoded) {
  if (encoded.find_first_of("%+") == std::string_view::npos) return std::string(encoded);
  std::string out;
  out.reserve(encoded.size());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    const char c = encoded[i];
    if (c == '%' && i + 2 < encoded.size() && hex_value(encoded[i + 1]) >= 0 && hex_value(encoded[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(encoded[i + 1]) * 16 + hex_value(encoded[i + 2]));
      i += 2;
    } else {
      out += c == '+' ? ' ' : c;
    }
  }
  return out;
}

}  // namespace tidemark::model
