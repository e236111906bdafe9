#include "folded_sweep.h"

#include <limits>
#include <utility>
#include <vector>

#include "formats/json_writer.h"
#include "formats/member_splitter.h"
#include "model/names.h"

namespace tidemark::cases {
namespace {

constexpr const char* kBundle = "0x00000000_0xffffffff";

// Name in `stats` -> name in the sweep.
using Names = std::map<std::string, std::string, std::less<>>;
using Members = std::vector<std::pair<std::string, std::string>>;

const Names kTopic = {{"publishers", "publishers"},
                      {"replication", "replication"},
                      {"averageMsgSize", "averageMsgSize"},
                      {"msgRateIn", "msgRateIn"},
                      {"msgRateOut", "msgRateOut"},
                      {"msgInCounter", "msgInCount"},
                      {"bytesInCounter", "bytesInCount"},
                      {"msgOutCounter", "msgOutCount"},
                      {"bytesOutCounter", "bytesOutCount"},
                      {"msgThroughputIn", "msgThroughputIn"},
                      {"msgThroughputOut", "msgThroughputOut"},
                      {"storageSize", "storageSize"},
                      {"backlogSize", "backlogSize"}};
const Names kSubscription = {{"consumers", "consumers"},
                             {"msgBacklog", "msgBacklog"},
                             {"msgRateExpired", "msgRateExpired"},
                             {"msgRateOut", "msgRateOut"},
                             {"messageAckRate", "messageAckRate"},
                             {"msgThroughputOut", "msgThroughputOut"},
                             {"msgRateRedeliver", "msgRateRedeliver"},
                             {"nonContiguousDeletedMessagesRanges", "totalNonContiguousDeletedMessagesRange"},
                             {"type", "type"},
                             {"blockedSubscriptionOnUnackedMsgs", "blockedSubscriptionOnUnackedMsgs"},
                             {"unackedMessages", "unackedMessages"}};
const Names kReplicator = {{"connected", "connected"},
                           {"msgRateExpired", "msgRateExpired"},
                           {"msgRateIn", "msgRateIn"},
                           {"msgRateOut", "msgRateOut"},
                           {"msgThroughputIn", "msgThroughputIn"},
                           {"msgThroughputOut", "msgThroughputOut"},
                           {"replicationBacklog", "replicationBacklog"},
                           {"replicationDelayInSeconds", "replicationDelayInSeconds"}};

// Keys stay escaped as they are. False when `json` is no whole object.
bool read_members(std::string_view json, Members& members) {
  formats::MemberSplitter splitter(1, std::numeric_limits<std::size_t>::max(),
                                   [&](formats::MemberSplitter::Path path, std::string_view item) -> Result<void> {
                                     members.emplace_back(path.back(), item);
                                     return {};
                                   });
  return splitter.feed(json).has_value() && splitter.finish().has_value();
}

void append(std::string& object, const std::string& raw_key, const std::string& value) {
  object += (object.size() > 1 ? ",\"" : "\"") + raw_key + "\":" + value;
}

std::string renamed(std::string_view json, const Names& names) {
  Members members;
  if (!read_members(json, members)) return "{}";
  std::string object = "{";
  for (const auto& [key, value] : members) {
    if (const auto name = names.find(key); name != names.end()) append(object, name->second, value);
  }
  return object + "}";
}

// {"sub":{...},...} with each inner object renamed.
std::string each_renamed(std::string_view json, const Names& names) {
  Members members;
  if (!read_members(json, members)) return "{}";
  std::string object = "{";
  for (const auto& [key, value] : members) append(object, key, renamed(value, names));
  return object + "}";
}

}  // namespace

std::string json_text(std::string_view text) {
  formats::JsonWriter writer;
  writer.value(text);
  return writer.take();
}

std::string folded_topic(std::string_view stats) {
  Members members;
  if (!read_members(stats, members)) return {};
  std::string object = "{";
  for (const auto& [key, value] : members) {
    const auto name = kTopic.find(key);
    if (name == kTopic.end()) {
      if (key == "subscriptions") append(object, key, each_renamed(value, kSubscription));
    } else {
      append(object, name->second, key == "replication" ? each_renamed(value, kReplicator) : value);
    }
  }
  return object + "}";
}

std::string sweep_document(const std::map<std::string, std::string>& topics) {
  std::map<std::string, std::string> namespaces;
  for (const auto& [topic, object] : topics) {
    const auto name = model::parse_topic(topic);
    if (!name) continue;
    auto& inner = namespaces[std::string(name->ns)];
    inner += (inner.empty() ? "" : ",") + json_text(topic) + ":" + object;
  }
  std::string document = "{";
  for (const auto& [ns, inner] : namespaces) {
    document +=
        (document.size() > 1 ? "," : "") + json_text(ns) + ":{\"" + kBundle + "\":{\"persistent\":{" + inner + "}}}";
  }
  return document + "}";
}

}  // namespace tidemark::cases
