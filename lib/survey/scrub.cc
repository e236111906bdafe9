#include "survey/scrub.h"

#include <algorithm>
#include <array>

#include "formats/json_writer.h"
#include "formats/sax_reader.h"
#include "pulsar/cluster_documents.h"

namespace tidemark::survey {
namespace {

// The last two are no members of any document: who sends the request back puts them there.
constexpr std::array<std::string_view, 8> kBlanked{"address",       "clientAddress",      "proxyAddress",
                                                   "clientHost",    "connectedSinceHost", "password",
                                                   "authorization", "Authorization"};
constexpr std::array<std::string_view, 3> kEmptied{"metadata", "auth_policies", "authPolicies"};

// Allowed by the front of the name: configurations are full of secrets under names that nobody can list.
constexpr std::array<std::string_view, 20> kConfiguration{"managedLedger",
                                                          "retention",
                                                          "defaultRetention",
                                                          "ttlDuration",
                                                          "subscriptionExp",
                                                          "statsUpdate",
                                                          "backlogQuota",
                                                          "preciseTimeBased",
                                                          "clusterName",
                                                          "brokerDeleteInactive",
                                                          "messageExpiry",
                                                          "topicLevelPolicies",
                                                          "systemTopicEnabled",
                                                          "expose",
                                                          "brokerServiceCompaction",
                                                          "brokerDeduplication",
                                                          "replicatorPrefix",
                                                          "additionalSystemCursorNames",
                                                          "isForceGC",
                                                          "diskUsage"};

template <std::size_t N>
bool has(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_about_storage(std::string_view key) {
  return std::any_of(kConfiguration.begin(), kConfiguration.end(), [&](auto front) { return key.starts_with(front); });
}

bool is_list(pulsar::Endpoint endpoint) {
  using pulsar::Endpoint;
  return endpoint == Endpoint::kClusters || endpoint == Endpoint::kBrokers || endpoint == Endpoint::kTenants ||
         endpoint == Endpoint::kNamespaces || endpoint == Endpoint::kTopics || endpoint == Endpoint::kPartitionedTopics;
}

// Copies events into a writer and leaves out what is secret.
class Scrubber final : public formats::SaxHandler {
 public:
  explicit Scrubber(bool configuration) : configuration_(configuration) {}

  std::string take() { return writer_.take(); }

  bool start_object() override { return open(&formats::JsonWriter::begin_object, &formats::JsonWriter::end_object); }
  bool start_array() override { return open(&formats::JsonWriter::begin_array, &formats::JsonWriter::end_array); }
  bool end_object() override { return close(&formats::JsonWriter::end_object); }
  bool end_array() override { return close(&formats::JsonWriter::end_array); }

  bool key(std::string_view name) override {
    if (hidden_ > 0) return true;
    drop_value_ = configuration_ && !is_about_storage(name);
    blank_text_ = has(kBlanked, name);
    empty_value_ = has(kEmptied, name);
    if (!drop_value_) writer_.key(name);
    return true;
  }
  bool integer(std::int64_t v) override {
    return put([&] { writer_.value(v); });
  }
  bool real(double v) override {
    return put([&] { writer_.value(v); });
  }
  bool text(std::string_view v) override {
    return put([&] { writer_.value(blank_text_ ? std::string_view{} : v); });
  }
  bool boolean(bool v) override {
    return put([&] { writer_.value(v); });
  }
  bool null() override {
    return put([&] { writer_.null(); });
  }

 private:
  using Bracket = void (formats::JsonWriter::*)();

  // A hidden container is copied as an empty one, or not at all.
  bool open(Bracket begin, Bracket end) {
    if (hidden_ > 0) return ++hidden_, true;
    if (drop_value_ || empty_value_) {
      if (!drop_value_) {
        (writer_.*begin)();
        (writer_.*end)();
      }
      hidden_ = 1;
      return true;
    }
    (writer_.*begin)();
    return true;
  }

  bool close(Bracket end) {
    if (hidden_ > 0) {
      if (--hidden_ == 0) drop_value_ = empty_value_ = false;
      return true;
    }
    (writer_.*end)();
    return true;
  }

  template <class Write>
  bool put(Write write) {
    if (hidden_ == 0 && !drop_value_) write();
    if (hidden_ == 0) drop_value_ = empty_value_ = blank_text_ = false;
    return true;
  }

  formats::JsonWriter writer_;
  bool configuration_;
  int hidden_ = 0;           // brackets open inside a hidden container
  bool drop_value_ = false;  // the member just named is left out
  bool blank_text_ = false;
  bool empty_value_ = false;
};

}  // namespace

bool is_configuration(pulsar::Endpoint endpoint) {
  return endpoint == pulsar::Endpoint::kRuntimeConfiguration || endpoint == pulsar::Endpoint::kBookieConfiguration;
}

Result<std::string> scrub(pulsar::Endpoint endpoint, std::string_view json) {
  if (is_list(endpoint)) {
    if (auto names = pulsar::decode_string_list(json); !names) return names.error();
  }
  Scrubber scrubber(is_configuration(endpoint));
  if (auto done = formats::read_json(pulsar::name_of(endpoint), json, scrubber); !done) return done.error();
  return scrubber.take();
}

}  // namespace tidemark::survey
