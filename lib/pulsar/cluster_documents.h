#pragma once
// The small documents about a cluster: lists, versions, policies, configuration. Each decoder takes a body and nothing
// else.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/snapshot.h"
#include "pulsar/paths.h"

namespace tidemark::pulsar {

// ["a","b"]: clusters, brokers, tenants, namespaces.
Result<std::vector<std::string>> decode_string_list(std::string_view body);

// /brokers/version is plain text, in some versions and in recordings a JSON string.
std::string decode_version(std::string_view body);
// "4.0.7", "2.10.5.3-SNAPSHOT": what may be shown and kept as one; a page of something else is none.
bool is_version(std::string_view text);

// Topic lists may hold millions of names: feed the body in pieces, each name is handed over unescaped.
class StringListReader {
 public:
  explicit StringListReader(std::function<void(std::string)> sink) : sink_(std::move(sink)) {}
  Result<void> feed(std::string_view chunk);
  Result<void> finish();  // kTruncated when the list did not end

 private:
  std::function<void(std::string)> sink_;
  std::string item_;
  bool started_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
  bool ended_ = false;
};

// /namespaces/{tenant}/{ns}; `name` is filled by the caller. Absent and null both mean "broker default".
Result<model::NamespaceView> decode_policies(std::string_view body);

// One of a topic's own policies (Endpoint::kTopicRetention ...) into `policies`. An empty body or null: it has none.
Result<void> decode_topic_policy(Endpoint endpoint, std::string_view body, model::TopicPolicies& policies);

// /brokers/configuration/runtime: a flat map of strings. Keys that are absent stay empty.
Result<model::BrokerDefaults> decode_runtime_configuration(std::string_view body);

// How many partitions a topic has; 0: it is none that is partitioned.
Result<int> decode_partitions(std::string_view body);

// /bookies/all: {"bookies":[{"bookieId":"host:port"}]} -> "host:port" each.
Result<std::vector<std::string>> decode_bookies(std::string_view body);

}  // namespace tidemark::pulsar
