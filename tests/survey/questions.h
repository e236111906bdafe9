#pragma once
// A survey of a small cluster, asked and answered: what the tests of its planning have in common.

#include <set>
#include <string>

#include "support/catch.h"
#include "survey/documents.h"
#include "survey/survey.h"

namespace tidemark::testing {

inline const std::string kBroker = "broker-0:8080";
inline const std::string kOther = "persistent://acme/shop/other";

inline survey::Options options() {
  survey::Options made;
  made.seed = kBroker;
  return made;
}

// Answers whatever topology question comes, for one tenant with one namespace and `topics`.
// `list_status`: of the topic list.
inline void answer_topology(survey::Survey& survey, TimeMs at, const std::string& topics = "[]",
                            int list_status = 200) {
  for (auto asks = survey.topology(); !asks.empty(); asks = survey.topology()) {
    for (const auto& ask : asks) {
      std::string body = "[]";
      switch (ask.endpoint) {
        case pulsar::Endpoint::kVersion:
          body = "4.0.7";
          break;
        case pulsar::Endpoint::kRuntimeConfiguration:
          body = R"({"clusterName":"c1"})";
          break;
        case pulsar::Endpoint::kBrokers:
          body = "[\"" + kBroker + "\"]";
          break;
        case pulsar::Endpoint::kTenants:
          body = R"(["acme"])";
          break;
        case pulsar::Endpoint::kNamespaces:
          body = R"(["acme/shop"])";
          break;
        case pulsar::Endpoint::kPolicies:
          body = "{}";
          break;
        case pulsar::Endpoint::kBookies:
          body = R"({"bookies":[]})";
          break;
        case pulsar::Endpoint::kTopics:
          body = topics;
          break;
        default:
          break;
      }
      const bool is_list = ask.endpoint == pulsar::Endpoint::kTopics;
      REQUIRE(survey.take(from_broker(at, ask.path, body, is_list ? list_status : 200)).has_value());
    }
  }
}

inline void sweep(survey::Survey& survey, TimeMs at, const std::string& body, int status = 200) {
  (void)survey.take(from_broker(at, pulsar::sweep_path(), body, status));
}

inline std::set<std::string> asked_topics(survey::Survey& survey) {
  std::set<std::string> topics;
  for (auto asks = survey.next_suspect(kBroker); !asks.empty(); asks = survey.next_suspect(kBroker)) {
    REQUIRE(asks.size() == 2);
    CHECK(asks[0].endpoint == pulsar::Endpoint::kInternalStats);
    CHECK(asks[1].endpoint == pulsar::Endpoint::kStats);
    topics.insert(pulsar::parse_path(asks[0].path).topic);
  }
  return topics;
}

inline const model::TopicView* find(const model::Snapshot& snapshot, const std::string& name) {
  for (const auto& topic : snapshot.topics) {
    if (topic->name == name) return topic.get();
  }
  return nullptr;
}

}  // namespace tidemark::testing
