#include "survey/anonymous_names.h"

#include <algorithm>
#include <array>
#include <optional>

#include "model/names.h"

namespace tidemark::survey {
namespace {

// Pulsar's own, which rules go by.
constexpr std::array<std::string_view, 14> kPulsars{"pulsar",
                                                    "system",
                                                    "sla-monitor",
                                                    "healthcheck",
                                                    "transaction_coordinator_assign",
                                                    "__change_events",
                                                    "__transaction_buffer_snapshot",
                                                    "__transaction_buffer_snapshot_segments",
                                                    "__transaction_buffer_snapshot_indexes",
                                                    "__compaction",
                                                    "pulsar.dedup",
                                                    "__pending_ack_state",
                                                    "transaction.subscription",
                                                    "transaction-buffer-sub"};
constexpr std::string_view kPendingAck = "__transaction_pending_ack";
constexpr std::string_view kReplicatorPrefix = "pulsar.repl";

bool is_pulsars(std::string_view name) { return std::ranges::find(kPulsars, name) != kPulsars.end(); }

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The other way round of model::decode_cursor_name, for what replacements are made of.
std::string encode_cursor_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '/') {
      out += "%2F";
    } else if (c == ':') {
      out += "%3A";
    } else if (c == '%') {
      out += "%25";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string AnonymousNames::one(std::string_view word, std::string_view name) {
  if (name.empty() || is_pulsars(name)) return std::string(name);
  if (const auto at = known_.find(name); at != known_.end()) return at->second;
  auto replacement = std::string(word) + "-" + std::to_string(++counts_[std::string(word)]);
  return known_.emplace(name, std::move(replacement)).first->second;
}

// Part by part between slashes.
std::string AnonymousNames::each(std::string_view first_word, std::string_view word, std::string_view name) {
  std::string out;
  auto now = first_word;
  while (true) {
    const auto slash = name.find('/');
    const auto part = name.substr(0, slash);
    // A heartbeat's namespace is a broker's address.
    out += part.find(':') == std::string_view::npos ? one(now, part) : host(part);
    if (slash == std::string_view::npos) return out;
    out += '/';
    name.remove_prefix(slash + 1);
    now = word;
  }
}

std::string AnonymousNames::host(std::string_view name) {
  if (const auto scheme = name.find("://"); scheme != std::string_view::npos) {
    return std::string(name.substr(0, scheme + 3)) + host(name.substr(scheme + 3));
  }
  const auto colon = name.rfind(':');
  const bool has_port = colon != std::string_view::npos && colon > 0 && is_number(name.substr(colon + 1)) &&
                        (name.find(':') == colon || name[colon - 1] == ']');
  if (!has_port) return one("host", name);
  return one("host", name.substr(0, colon)) + std::string(name.substr(colon));
}

// "orders-partition-3", "__change_events", "orders-sub__transaction_pending_ack", of a V1 heartbeat
// "host:port/healthcheck".
std::string AnonymousNames::local_part(std::string_view name) {
  if (const auto slash = name.find('/'); slash != std::string_view::npos) {
    const auto first = name.substr(0, slash);
    const auto made = first.find(':') == std::string_view::npos ? local_part(first) : host(first);
    return made + "/" + local_part(name.substr(slash + 1));
  }
  constexpr std::string_view kPartition = "-partition-";
  const auto partition = name.rfind(kPartition);
  if (partition != std::string_view::npos && is_number(name.substr(partition + kPartition.size()))) {
    return local_part(name.substr(0, partition)) + std::string(name.substr(partition));
  }
  if (name.size() > kPendingAck.size() && name.ends_with(kPendingAck)) {
    name.remove_suffix(kPendingAck.size());
    return one("topic", name) + std::string(kPendingAck);
  }
  if (is_pulsars(name)) return std::string(name);
  if (name.starts_with("__")) return "__" + one("topic", name.substr(2));
  return one("topic", name);
}

std::string AnonymousNames::topic(std::string_view name) {
  const auto parsed = model::parse_topic(name);
  if (!parsed) return one("topic", name);
  const auto domain = name.substr(0, name.find("://") + 3);
  // In the order of reading, so that numbers are given in that order.
  auto made = std::string(domain) + each("tenant", "namespace", parsed->ns) + "/";
  return made += local_part(parsed->local);
}

std::string AnonymousNames::cursor(std::string_view name) {
  if (is_pulsars(name)) return std::string(name);
  if (name.starts_with(replicator_prefix_)) {
    const auto remote = name.substr(replicator_prefix_.size());
    if (remote.starts_with('.')) return std::string(kReplicatorPrefix) + "." + one("cluster", remote.substr(1));
    if (remote.starts_with('-')) {
      // A shadow topic, whose name may be encoded on its own.
      const auto shadow = model::decode_cursor_name(remote.substr(1));
      const auto renamed = topic(shadow);
      const bool plain = shadow == remote.substr(1);
      return std::string(kReplicatorPrefix) + "-" + (plain ? renamed : encode_cursor_name(renamed));
    }
  }
  if (const auto front = model::generated_reader_front(name); !front.empty()) {
    return std::string(front) + reader_digits(name.substr(front.size()));
  }
  if (model::parse_topic(name)) return topic(name);
  return each("sub", "sub", name);
}

std::string AnonymousNames::cursors(std::string_view set) {
  std::string out;
  for (const auto& name : model::names_of_set(set)) out += (out.empty() ? "" : ", ") + cursor(name);
  return "[" + out + "]";
}

// Other digits, and as many: by these a reader is told. Counted on their own, else a consumer that is called by the
// digits of one reader would give two readers one name.
std::string AnonymousNames::reader_digits(std::string_view digits) {
  const auto [at, is_new] = readers_.try_emplace(std::string(digits));
  if (is_new) {
    const auto number = std::to_string(readers_.size());
    at->second = std::string(model::kReaderDigits - std::min(number.size(), model::kReaderDigits), '0') + number;
  }
  return at->second;
}

std::string AnonymousNames::replace(NameKind kind, std::string_view name) {
  switch (kind) {
    case NameKind::kCluster:
      return one("cluster", name);
    case NameKind::kTenant:
      return one("tenant", name);
    case NameKind::kNamespace:
      return each("tenant", "namespace", name);
    case NameKind::kTopic:
      return topic(name);
    case NameKind::kCursor:
      return cursor(name);
    case NameKind::kEncodedCursor:
      return encode_cursor_name(cursor(model::decode_cursor_name(name)));
    case NameKind::kCursorSet:
      return cursors(name);
    case NameKind::kReplicatorPrefix:
      replicator_prefix_ = name;
      return std::string(kReplicatorPrefix);
    case NameKind::kHost:
      return host(name);
    case NameKind::kProducer:
      return one("producer", name);
    case NameKind::kConsumer:
      return one("consumer", name);
    case NameKind::kOwner:
      return one("owner", name);
    case NameKind::kDirectory: {
      auto made = one("dir", name);
      std::ranges::replace(made, '-', '_');
      return made;
    }
  }
  return {};
}

}  // namespace tidemark::survey
