#pragma once
// Pulsar's names, taken apart once. A topic name is kept whole as the cluster writes it; parts are views computed on
// demand.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark::model {

// Views into the text they were parsed from.
struct TopicName {
  bool persistent = true;
  std::string_view tenant;
  std::string_view ns;      // "tenant/namespace"; of a V1 name "tenant/cluster"
  std::string_view local;   // everything after it, "-partition-N" included; of a V1 name "namespace/topic"
  std::string_view parent;  // the whole name without "-partition-N"
  std::optional<int> partition;
};

// "persistent://tenant/namespace/topic". `text` must outlive the result. Empty when it is not a topic name.
std::optional<TopicName> parse_topic(std::string_view text);

// Broker-made topics, judged as `system` only: local name starts with "__" (change events, transaction buffers ...).
bool is_system_topic(const TopicName& name);

// Left out of everything: non-persistent topics, heartbeat and SLA-monitor namespaces.
bool is_excluded_topic(const TopicName& name);
bool is_excluded_namespace(std::string_view ns);

enum class CursorKind : std::uint8_t { kSubscription, kReplicator, kDedup, kCompaction, kSystem, kReader };
const char* name_of(CursorKind kind);

// What the brokers' configuration makes of cursor names.
struct CursorNames {
  std::string replicator_prefix = "pulsar.repl";  // ".<cluster>" follows, or "-<shadow topic>"
  std::vector<std::string> system;                // additionalSystemCursorNames, 4.x

  bool operator==(const CursorNames&) const = default;
};

// The kind by name alone (a reader is told by its document). `system_topic` makes every cursor there `system`.
CursorKind kind_of_cursor(std::string_view decoded_name, bool system_topic, const CursorNames& names);

// The front of a name that a client made for a reader, "reader-" of "reader-8aa60f73f6"; empty for any other. Where no
// document has a durable flag, readers are told by it.
std::string_view generated_reader_front(std::string_view name);
inline constexpr std::size_t kReaderDigits = 10;  // hexadecimal, behind that front

// "[one, other]", as Java prints a set. Empty when it is none.
std::vector<std::string> names_of_set(std::string_view printed);

// internalStats and internal-info write cursor names by Java's URLEncoder: "%2F" for '/', '+' for ' '. Broken escapes
// stay as they are, since a wrong name is better than a lost cursor.
std::string decode_cursor_name(std::string_view encoded);

}  // namespace tidemark::model
