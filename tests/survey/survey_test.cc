#include "survey/survey.h"

#include <algorithm>
#include <set>

#include "survey/questions.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("the cluster is found from one URL, each question once a round") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  answer_topology(survey, kStart, "[\"" + kOrders + "\"]");
  CHECK(survey.known().cluster() == "c1");
  CHECK(survey.known().version() == "4.0.7");
  CHECK(survey.sweeps().size() == 1);
  survey.begin_poll(kStart + kMinute);
  CHECK(survey.topology().empty());
  survey.begin_poll(kStart + 10 * kMinute);
  CHECK_FALSE(survey.topology().empty());
}

TEST_CASE("brokers are asked for by the name that Pulsar knows, not by the label") {
  auto labelled = options();
  labelled.cluster = "blue";
  const auto asked_for = [&](bool told) {
    survey::Survey survey(labelled);
    survey.begin_poll(kStart);
    std::vector<std::string> paths;
    for (auto asks = survey.topology(); !asks.empty(); asks = survey.topology()) {
      for (const auto& ask : asks) {
        if (ask.endpoint == pulsar::Endpoint::kBrokers) paths.push_back(ask.path);
        const bool tells = told && ask.endpoint == pulsar::Endpoint::kRuntimeConfiguration;
        (void)survey.take(from_broker(kStart, ask.path, tells ? R"({"clusterName":"c1"})" : "no", tells ? 200 : 403));
      }
    }
    CHECK(survey.known().cluster() == "blue");
    return paths;
  };
  CHECK(asked_for(true) == std::vector{pulsar::brokers_path("c1")});
  CHECK(asked_for(false) == std::vector{pulsar::brokers_path("blue")});
}

TEST_CASE("no question ever goes to an endpoint with side effects") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  for (auto asks = survey.topology(); !asks.empty(); asks = survey.topology()) {
    for (const auto& ask : asks) {
      CHECK(pulsar::parse_path(ask.path).endpoint == ask.endpoint);
      for (const auto* bad : {"/brokers/health", "backlog-quota-check", "partitioned-stats",
                              "partitioned-internalStats", "/subscriptions"}) {
        CHECK(ask.path.find(bad) == std::string::npos);
      }
      // Names of every kind, a broken one among them.
      (void)survey.take(from_broker(
          kStart, ask.path, ask.endpoint == pulsar::Endpoint::kTenants ? R"(["acme"])" : R"(["acme/shop","acme"])"));
    }
  }
}

TEST_CASE("suspects are asked of the broker that listed them, healthy topics only in turn") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  answer_topology(survey, kStart);
  sweep(survey, kStart, sweep_of({{kOrders, {{"gone", 40, 0}}}, {kOther, {{"live", 0, 1}}}}));
  survey.end_sweeps();
  CHECK(survey.suspects_waiting() >= 1);
  CHECK(survey.next_suspect("broker-9:8080").empty());
  CHECK(asked_topics(survey).contains(kOrders));
}

TEST_CASE("no share for audits, no audits") {
  auto chosen = options();
  chosen.audit_share = 0;
  survey::Survey survey(chosen);
  survey.begin_poll(kStart);
  answer_topology(survey, kStart);
  sweep(survey, kStart, sweep_of({{kOrders, {{"gone", 40, 0}}}, {kOther, {{"live", 50, 1}}}}));
  survey.end_sweeps();
  CHECK(asked_topics(survey) == std::set<std::string>{kOrders});
}

TEST_CASE("a topic that is not in this poll's sweep is never asked for what would load it") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  answer_topology(survey, kStart, "[\"" + kOrders + "\",\"" + kOther + "\"]");
  sweep(survey, kStart, sweep_of({{kOther, {{"live", 0, 1}}}}));
  survey.end_sweeps();
  CHECK_FALSE(asked_topics(survey).contains(kOrders));
  const auto info = survey.next_info();
  REQUIRE(info);
  CHECK(info->path == pulsar::internal_info_path(kOrders));
}

TEST_CASE("an empty sweep right after a start means nothing") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  answer_topology(survey, kStart, "[\"" + kOrders + "\"]");
  sweep(survey, kStart, "{}");
  survey.end_sweeps();
  CHECK_FALSE(survey.next_info());
  auto snapshot = survey.end_poll();
  CHECK(find(*snapshot, kOrders)->loaded == model::Loaded::kUnknown);
  CHECK(snapshot->brokers.at(0).partial);
  // After two statistics periods it is believed.
  survey.begin_poll(kStart + 2 * kMinute);
  sweep(survey, kStart + 2 * kMinute, "{}");
  survey.end_sweeps();
  CHECK(survey.next_info());
  CHECK_FALSE(survey.end_poll()->brokers.at(0).partial);
}

TEST_CASE("a sweep that lost most of its topics does not unload them") {
  survey::Survey survey(options());
  std::vector<std::pair<std::string, std::vector<Sub>>> topics;
  for (int i = 0; i < 10; ++i) topics.push_back({kOrders + std::to_string(i), {{"gone", 40, 0}}});
  survey.begin_poll(kStart);
  sweep(survey, kStart, sweep_of(topics));
  survey.end_poll();
  topics.resize(3);
  survey.begin_poll(kStart + kMinute);
  sweep(survey, kStart + kMinute, sweep_of(topics));
  const auto snapshot = survey.end_poll();
  CHECK(snapshot->topics.size() == 10);
  CHECK(snapshot->brokers.at(0).partial);
  // And nobody bothers that broker with questions meanwhile.
  CHECK(survey.next_suspect(kBroker).empty());
}

TEST_CASE("a broker that fails leaves its topics as they were") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  sweep(survey, kStart, sweep_of({{kOrders, {{"gone", 40, 0}}}}));
  survey.end_poll();
  const auto [body, status] = GENERATE(table<std::string, int>(
      {{"", 500}, {"", 401}, {"", 0}, {"not json", 200}, {R"({"acme/shop":{"0x0_0x1":{"persistent":{)", 200}}));
  survey.begin_poll(kStart + kMinute);
  sweep(survey, kStart + kMinute, body, status);
  const auto snapshot = survey.end_poll();
  REQUIRE(find(*snapshot, kOrders) != nullptr);
  CHECK(find(*snapshot, kOrders)->cursors.size() == 1);
  CHECK(snapshot->brokers.at(0).partial);
  CHECK_FALSE(snapshot->brokers.at(0).problem.empty());
}

TEST_CASE("a topic that the list and the sweep lost is dropped") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  answer_topology(survey, kStart, "[\"" + kOrders + "\",\"" + kOther + "\"]");
  sweep(survey, kStart, sweep_of({{kOrders, {{"gone", 40, 0}}}, {kOther, {{"live", 0, 1}}}}));
  CHECK(survey.end_poll()->topics.size() == 2);
  const auto later = kStart + 10 * kMinute;
  survey.begin_poll(later);
  answer_topology(survey, later, "[\"" + kOther + "\"]");
  sweep(survey, later, sweep_of({{kOther, {{"live", 0, 1}}}}));
  CHECK(survey.end_poll()->topics.size() == 1);
}

TEST_CASE("a load within our own poll is counted, one from before is not") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  sweep(survey, kStart, sweep_of({{kOrders, {{"sub", 40, 0}}}}));
  survey.end_sweeps();
  SECTION("from before") {
    REQUIRE(survey
                .take(from_broker(kStart, pulsar::internal_stats_path(kOrders),
                                  internal_of("7:19", "2025-01-01T00:00:00Z")))
                .has_value());
    CHECK(survey.end_poll()->topics_loaded_by_us == 0);
  }
  // Clocks are trusted to agree within two seconds: topics that were made just before the first poll were counted as
  // ours.
  SECTION("a moment before the poll") {
    survey.asks({pulsar::Endpoint::kStats, model::Target::kBroker, "broker-0:8080", pulsar::stats_path(kOrders)},
                kStart + 1000);
    REQUIRE(survey
                .take(from_broker(kStart, pulsar::internal_stats_path(kOrders),
                                  internal_of("7:19", "2025-01-01T23:59:59.500Z")))
                .has_value());
    CHECK(survey.end_poll()->topics_loaded_by_us == 0);
  }
  // On the demo's clock a poll is half a day, and what loaded in it by itself was counted as ours.
  SECTION("within the poll, and before it was asked for") {
    const survey::Ask ask{pulsar::Endpoint::kStats, model::Target::kBroker, "broker-0:8080",
                          pulsar::stats_path(kOrders)};
    const bool ours = GENERATE(false, true);
    survey.asks(ask, kStart + (ours ? 20'000 : 40'000));
    survey.asks(ask, kStart + 50'000);  // the second of the two questions
    REQUIRE(survey
                .take(from_broker(kStart, pulsar::internal_stats_path(kOrders),
                                  internal_of("7:19", "2025-01-02T00:00:30Z")))
                .has_value());
    CHECK(survey.end_poll()->topics_loaded_by_us == (ours ? 1 : 0));
  }
  // Polls closer than clocks are trusted to agree counted one load twice.
  SECTION("once, however close the polls") {
    const survey::Ask ask{pulsar::Endpoint::kStats, model::Target::kBroker, "broker-0:8080",
                          pulsar::stats_path(kOrders)};
    for (const TimeMs now : {kStart, kStart + 1000}) {
      if (now > kStart) survey.begin_poll(now);
      sweep(survey, now, sweep_of({{kOrders, {{"sub", 40, 0}}}}));
      survey.end_sweeps();
      survey.asks(ask, now);
      REQUIRE(survey
                  .take(from_broker(now, pulsar::internal_stats_path(kOrders),
                                    internal_of("7:19", "2025-01-02T00:00:00.500Z")))
                  .has_value());
      CHECK(survey.end_poll()->topics_loaded_by_us == 1);
    }
  }
  SECTION("within") {
    REQUIRE(survey
                .take(from_broker(kStart, pulsar::internal_stats_path(kOrders),
                                  internal_of("7:19", "2025-01-02T00:00:01Z")))
                .has_value());
    CHECK(survey.end_poll()->topics_loaded_by_us == 1);
  }
}

TEST_CASE("a document that is no good is asked for once more at the next poll, then rarely") {
  survey::Survey survey(options());
  const auto asked_at = [&](TimeMs now) {
    survey.begin_poll(now);
    sweep(survey, now, sweep_of({{kOrders, {{"gone", 40, 0}}}}));
    survey.end_sweeps();
    return asked_topics(survey).contains(kOrders);
  };
  const auto answer_at = [&](TimeMs now) {
    // Half an answer of a real 2.8.2: entries, and no ledger that holds them.
    const auto* half =
        R"({"numberOfEntries":70,"totalSize":17000,"ledgers":[],"cursors":{"gone":{"markDeletePosition":"3:9"}}})";
    CHECK(survey.take(from_broker(now, pulsar::internal_stats_path(kOrders), half)).has_error());
    CHECK(survey.take(from_broker(now, pulsar::stats_path(kOrders), stats_of({"gone", 40, 0}))).has_value());
    CHECK_FALSE(survey.end_poll()->topics.at(0)->cursors.at(0).mark_delete);
  };
  CHECK(asked_at(kStart));
  answer_at(kStart);
  CHECK(asked_at(kStart + kMinute));
  answer_at(kStart + kMinute);
  CHECK_FALSE(asked_at(kStart + 2 * kMinute));
  CHECK(asked_at(kStart + 11 * kMinute));
}

TEST_CASE("in a replay a document is good for as long as it was when it was recorded") {
  const auto reask = [](bool replay) {
    auto made = options();
    made.replay = replay;
    survey::Survey survey(made);
    survey.begin_poll(kStart);
    sweep(survey, kStart, sweep_of({{kOrders, {{"gone", 40, 0}}}}));
    survey.end_sweeps();
    CHECK(survey.take(from_broker(kStart, pulsar::internal_stats_path(kOrders), internal_of("7:19"))).has_value());
    CHECK(survey.take(from_broker(kStart, pulsar::stats_path(kOrders), stats_of({"gone", 40, 0}))).has_value());
    return find(*survey.end_poll(), kOrders)->reask;
  };
  CHECK(reask(true) == reask(false));
  CHECK(reask(true) == kHour * Duration{1});
}

TEST_CASE("after a rewind the topic is watched closely until it moves on") {
  survey::Survey survey(options());
  const auto poll = [&](TimeMs now, std::int64_t backlog, const std::string& mark_delete) {
    survey.begin_poll(now);
    sweep(survey, now, sweep_of({{kOrders, {{"sub", backlog, 1}}}}));
    survey.end_sweeps();
    const bool asked = asked_topics(survey).contains(kOrders);
    if (asked) {
      (void)survey.take(from_broker(now, pulsar::internal_stats_path(kOrders), internal_of(mark_delete)));
      (void)survey.take(from_broker(now, pulsar::stats_path(kOrders), stats_of({"sub", backlog, 1})));
    }
    survey.end_poll();
    return asked;
  };
  CHECK(poll(kStart, 50, "7:99"));                // the audit
  CHECK(poll(kStart + kMinute, 140, "7:9"));      // more waits than was published: a seek
  CHECK(poll(kStart + 2 * kMinute, 90, "7:59"));  // the same consumer acknowledges again
  CHECK(survey.end_poll()->topics.at(0)->cursors.at(0).mark_delete == model::Position{7, 59});
}

TEST_CASE("a filter lets through what it names and its partitions") {
  const survey::Filter topic{"", "", kOrders};
  CHECK(topic.lets_topic(kOrders));
  CHECK(topic.lets_topic(kOrders + "-partition-3"));
  CHECK_FALSE(topic.lets_topic(kOther));
  CHECK(topic.lets_tenant("acme"));
  CHECK_FALSE(topic.lets_namespace("acme/else"));
  const survey::Filter ns{"", "acme/shop", ""};
  CHECK(ns.lets_topic(kOrders));
  CHECK(ns.lets_tenant("acme"));
  CHECK_FALSE(ns.lets_tenant("ac"));
  CHECK(survey::Filter{}.lets_topic(kOrders));
}

TEST_CASE("ten thousand namespaces are asked about over several polls, not before the first sweep") {
  survey::Survey survey(options());
  std::string namespaces = "[";
  for (int i = 0; i < 10000; ++i) namespaces += fmt::format(R"({}"acme/ns-{}")", i > 0 ? "," : "", i);
  namespaces += "]";
  std::set<std::string> asked;
  int polls = 0;
  while (asked.size() < 20000 && polls < 40) {
    survey.begin_poll(kStart + polls++ * kMinute);
    std::size_t in_this_poll = 0;
    for (auto asks = survey.topology(); !asks.empty(); asks = survey.topology()) {
      for (const auto& ask : asks) {
        ++in_this_poll;
        const bool of_namespace =
            ask.endpoint == pulsar::Endpoint::kPolicies || ask.endpoint == pulsar::Endpoint::kTopics;
        if (of_namespace) CHECK(asked.insert(ask.path).second);
        const auto* body = ask.endpoint == pulsar::Endpoint::kTenants ? R"(["acme"])" : "[]";
        (void)survey.take(
            from_broker(kStart, ask.path, ask.endpoint == pulsar::Endpoint::kNamespaces ? namespaces : body));
      }
    }
    CHECK(in_this_poll <= 1200);
  }
  CHECK(asked.size() == 20000);
  CHECK(polls < 20);
}

TEST_CASE("the configuration may come after the sweep, and what was assembled before it is assembled anew") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  sweep(survey, kStart, sweep_of({{kOrders, {{"auditor", 40, 0}}}}));
  CHECK(find(*survey.end_poll(), kOrders)->cursors.at(0).kind == model::CursorKind::kSubscription);
  survey.begin_poll(kStart + kMinute);
  REQUIRE(survey
              .take(from_broker(kStart + kMinute, pulsar::runtime_configuration_path(),
                                R"({"additionalSystemCursorNames":"[auditor]"})"))
              .has_value());
  CHECK(find(*survey.end_poll(), kOrders)->cursors.at(0).kind == model::CursorKind::kSystem);
}

TEST_CASE("a topic that two brokers list belongs to the one that began later") {
  survey::Survey survey(options());
  const std::string old_broker = "broker-0:8080";
  const std::string new_broker = "broker-1:8080";
  TimeMs now = kStart;
  // The old one remembers a consumer and high counters, the new one has loaded the topic since.
  const auto list = [&](const std::string& broker) {
    const bool is_old = broker == old_broker;
    const auto body =
        sweep_of({{kOrders, {{"sub", 40, is_old ? 1 : 0}}}}, is_old ? 5000 : 10 + (now - kStart) / kMinute);
    REQUIRE(survey.take(from_broker(now, pulsar::sweep_path(), body, 200, broker)).has_value());
  };
  const auto poll = [&](const std::vector<std::string>& brokers) {
    survey.begin_poll(now);
    const auto* brokers_list = R"(["broker-0:8080","broker-1:8080"])";
    REQUIRE(survey.take(from_broker(now, pulsar::brokers_path("c1"), brokers_list)).has_value());
    for (const auto& broker : brokers) list(broker);
    now += kMinute;
    return *find(*survey.end_poll(), kOrders);
  };
  CHECK(poll({old_broker}).owner == old_broker);
  const auto both = GENERATE(std::vector<std::string>{"broker-0:8080", "broker-1:8080"},
                             std::vector<std::string>{"broker-1:8080", "broker-0:8080"});
  for (int i = 0; i < 3; ++i) {
    const auto moved = poll(both);
    CHECK(moved.owner == new_broker);
    CHECK(moved.cursors.at(0).consumers == 0);
    CHECK(moved.epoch == 1);  // one load, however often the old counters come by
  }
  CHECK(poll({new_broker}).owner == new_broker);
  // It came back to whom it had before: as soon as the other no longer lists it.
  CHECK(poll({old_broker}).owner == old_broker);
}

TEST_CASE("the oldest message that waits is asked for once a day where a TTL applies") {
  struct Row {
    const char* why;
    const char* version;
    const char* policies;
    const char* configuration;
    bool asks;
  };
  const Row kRows[] = {
      {"a TTL of the namespace", "2.10.5", R"({"message_ttl_in_seconds":60})", "{}", true},
      {"a TTL of the broker", "4.0.7", "{}", R"({"ttlDurationDefaultInSeconds":"60"})", true},
      {"none", "4.0.7", "{}", R"({"ttlDurationDefaultInSeconds":"0"})", false},
      {"none in this namespace", "4.0.7", R"({"message_ttl_in_seconds":0})", R"({"ttlDurationDefaultInSeconds":"60"})",
       false},
      {"a broker that cannot tell", "2.9.3", R"({"message_ttl_in_seconds":60})", "{}", false},
  };
  for (const auto& row : kRows) {
    INFO(row.why);
    survey::Survey survey(options());
    const auto asked = [&](TimeMs at) {
      survey.begin_poll(at);
      answer_topology(survey, at, "[\"" + kOrders + "\"]");
      for (const auto& [path, body] :
           {std::pair(pulsar::version_path(), row.version), std::pair(pulsar::policies_path("acme/shop"), row.policies),
            std::pair(pulsar::runtime_configuration_path(), row.configuration)}) {
        REQUIRE(survey.take(from_broker(at, path, body)).has_value());
      }
      sweep(survey, at, sweep_of({{kOrders, {{.name = "sub", .backlog = 5}}}}));
      survey.end_sweeps();
      const auto asks = survey.next_suspect(kBroker);
      REQUIRE(asks.size() == 2);
      REQUIRE(survey.take(from_broker(at, asks[0].path, internal_of("7:19"))).has_value());
      REQUIRE(survey.take(from_broker(at, asks[1].path, stats_of({.name = "sub", .backlog = 5}))).has_value());
      (void)survey.end_poll();
      return pulsar::asks_for_earliest(asks[1].path);
    };
    CHECK(asked(kStart) == row.asks);
    CHECK_FALSE(asked(kStart + 7 * kHour));
    CHECK(asked(kStart + 25 * kHour) == row.asks);
  }
}

TEST_CASE("a namespace that was deleted is forgotten with its topics, unless a sweep still lists one") {
  const std::string gone = "persistent://acme/ci/job";
  survey::Survey survey(options());
  const auto poll = [&](TimeMs at, bool deleted, bool swept) {
    survey.begin_poll(at);
    for (auto asks = survey.topology(); !asks.empty(); asks = survey.topology()) {
      for (const auto& ask : asks) {
        std::string body = "[]";
        if (ask.endpoint == pulsar::Endpoint::kRuntimeConfiguration) body = R"({"clusterName":"c1"})";
        if (ask.endpoint == pulsar::Endpoint::kVersion) body = "4.0.7";
        if (ask.endpoint == pulsar::Endpoint::kTenants) body = R"(["acme"])";
        if (ask.endpoint == pulsar::Endpoint::kNamespaces)
          body = deleted ? R"(["acme/shop"])" : R"(["acme/ci","acme/shop"])";
        if (ask.endpoint == pulsar::Endpoint::kPolicies) body = "{}";
        if (ask.endpoint == pulsar::Endpoint::kBookies) body = R"({"bookies":[]})";
        if (ask.endpoint == pulsar::Endpoint::kTopics && ask.path == pulsar::topics_path("acme/ci"))
          body = "[\"" + gone + "\"]";
        (void)survey.take(from_broker(at, ask.path, body));
      }
    }
    sweep(survey, at,
          swept ? R"({"acme/ci":{"0x0_0xf":{"persistent":{")" + gone + R"(":{"subscriptions":{}}}}}})" : "{}");
    return survey.end_poll();
  };
  auto snapshot = poll(kStart, false, true);
  CHECK(find(*snapshot, gone) != nullptr);
  CHECK(snapshot->namespaces.contains("acme/ci"));
  CHECK(snapshot->namespaces.contains("acme/shop"));
  snapshot = poll(kStart + 10 * kMinute, true, true);
  CHECK(find(*snapshot, gone) != nullptr);
  snapshot = poll(kStart + 20 * kMinute, true, false);
  CHECK(find(*snapshot, gone) == nullptr);
  CHECK_FALSE(snapshot->namespaces.contains("acme/ci"));
  CHECK(snapshot->namespaces.contains("acme/shop"));
  CHECK_FALSE(survey.known().lists("acme/ci"));
}
