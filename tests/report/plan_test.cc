#include "report/plan.h"

#include <algorithm>

#include "report/plan_script.h"
#include "report/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using model::State;

namespace {

const std::string kTopic = "persistent://acme/orders/events";

model::CursorVerdict leftover(const std::string& topic, const std::string& name, std::int64_t entry) {
  auto verdict = report_samples::cursor(topic, name, State::kAbandoned);
  verdict.mark_delete = model::Position{1, entry};
  verdict.group = "group-*";
  return verdict;
}

struct Cluster {
  bool by_curl = true;
  model::Snapshot snapshot;
  model::Verdicts verdicts;

  // Three closed ledgers of 100 bytes and 10 entries, and an open one.
  void topic(const std::string& name, std::vector<model::CursorVerdict> cursors) {
    auto view = std::make_shared<model::TopicView>();
    view->name = name;
    view->ns = "acme/orders";
    view->ledgers = model::Ledgers(
        {{1, 10, 100, 1000, false}, {2, 10, 100, 2000, false}, {3, 10, 100, 3000, false}, {4, 0, 0, {}, false}});
    for (auto& verdict : cursors) {
      model::CursorView cursor;
      cursor.name = verdict.cursor.str();
      cursor.kind = verdict.kind;
      cursor.mark_delete = verdict.mark_delete;
      view->cursors.push_back(std::move(cursor));
    }
    snapshot.topics.push_back(std::move(view));
    for (auto& verdict : cursors) verdicts.cursors.push_back(std::move(verdict));
    auto& ns = snapshot.namespaces["acme/orders"];
    ns.policies_known = true;
    ns.retention = model::Retention{0, 0};
  }

  Plan plan() const { return plan_of(snapshot, verdicts, by_curl); }
};

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const auto& section : plan.sections) {
    for (const auto& removal : section.removals) names.push_back(removal.subscription);
  }
  return names;
}

}  // namespace

TEST_CASE("the slowest of a topic goes first, and each step frees what the next one does not hold") {
  Cluster cluster;
  auto slow = leftover(kTopic, "slow", 3);
  auto fast = leftover(kTopic, "fast", 5);
  fast.mark_delete = model::Position{3, 5};
  auto live = report_samples::cursor(kTopic, "live", State::kOk);
  live.mark_delete = model::Position{4, -1};
  cluster.topic(kTopic, {fast, live, slow});
  const auto plan = cluster.plan();
  REQUIRE(names_of(plan) == std::vector<std::string>{"slow", "fast"});
  CHECK(plan.sections.at(0).removals.at(0).frees_bytes == 200);
  CHECK(plan.sections.at(0).removals.at(1).frees_bytes == 100);
  CHECK((plan.removals == 2 && plan.frees_bytes == 300 && plan.all_told));
}

TEST_CASE("with an unknown position beside it nothing is said of bytes") {
  Cluster cluster;
  auto live = report_samples::cursor(kTopic, "live", State::kOk);
  live.mark_delete.reset();
  cluster.topic(kTopic, {leftover(kTopic, "gone", 3), live});
  const auto plan = cluster.plan();
  CHECK(plan.sections.at(0).removals.at(0).frees_bytes == std::nullopt);
  CHECK_FALSE(plan.all_told);
  const auto script = plan_script(plan, {});
  CHECK(script.find("unsubscribe 'persistent://acme/orders/events' 'gone' 1:3 -\n") != std::string::npos);
  CHECK(script.find("Expected to free at least 0 B") != std::string::npos);
  CHECK(script.find("1 subscription, at least 0 B") != std::string::npos);
}

TEST_CASE("only subscriptions that are abandoned or unused by a fresh verdict are removed") {
  Cluster cluster;
  std::vector<model::CursorVerdict> cursors;
  for (const auto& word : model::kStates) {
    auto one = leftover(kTopic, std::string(word.name), 1);
    one.state = word.state;
    cursors.push_back(one);
  }
  for (const auto kind : {model::CursorKind::kReplicator, model::CursorKind::kDedup, model::CursorKind::kCompaction,
                          model::CursorKind::kSystem, model::CursorKind::kReader}) {
    auto one = leftover(kTopic, model::name_of(kind), 1);
    one.kind = kind;
    cursors.push_back(one);
  }
  auto kept = leftover(kTopic, "kept", 1);
  kept.exception = model::Exception{"read once a year", std::nullopt};
  auto stale = leftover(kTopic, "stale", 1);
  stale.stale = true;
  auto placeless = leftover(kTopic, "placeless", 1);
  placeless.mark_delete.reset();
  auto was_abandoned = leftover(kTopic, "was-abandoned", 1);
  was_abandoned.state = State::kUnknown;
  was_abandoned.last_state = State::kAbandoned;
  auto garbage = leftover(kTopic, "bad\xFF", 1);
  for (const auto& one : {kept, stale, placeless, was_abandoned, garbage}) cursors.push_back(one);
  cluster.topic(kTopic, cursors);
  const auto plan = cluster.plan();
  CHECK(names_of(plan) == std::vector<std::string>{"abandoned", "unused"});
  std::vector<std::string> left;
  for (const auto& one : plan.left_out) left.push_back(one.subscription);
  std::sort(left.begin(), left.end());
  CHECK(left == std::vector<std::string>{"bad\xFF", "kept", "placeless", "stale", "was-abandoned"});
}

TEST_CASE("a topic whose path would mean another is left alone") {
  Cluster cluster;
  cluster.topic("persistent://acme/orders/..", {leftover("persistent://acme/orders/..", "gone", 1)});
  CHECK(names_of(cluster.plan()).empty());
  CHECK(cluster.plan().left_out.size() == 1);
}

TEST_CASE("owners, groups and topics with the most to give come first") {
  Cluster cluster;
  const auto add = [&](const std::string& topic, const std::string& name, const char* owner, const char* group,
                       std::int64_t bytes) {
    auto one = leftover("persistent://acme/orders/" + topic, name, 1);
    one.topic_reclaimable_bytes = bytes;
    one.group = group;
    if (owner != nullptr) one.owner = std::string(owner);
    cluster.topic(one.topic.str(), {one});
  };
  add("a", "1", "anna", "x", 10);
  add("b", "2", nullptr, "y", 50);
  add("c", "3", "anna", "y", 90);
  add("d", "4", "anna", "x", 20);
  add("e", "5", nullptr, "z", 60);
  CHECK(names_of(cluster.plan()) == std::vector<std::string>{"3", "4", "1", "5", "2"});
  CHECK(cluster.plan().sections.size() == 4);
}

TEST_CASE("what pulsar-admin cannot name stays, and gives nothing") {
  Cluster cluster;
  cluster.topic(kTopic, {leftover(kTopic, "-f", 1), leftover(kTopic, "b", 1)});
  auto plan = cluster.plan();
  CHECK(plan.removals == 2);
  CHECK(plan.frees_bytes == 300);
  cluster.by_curl = false;
  plan = cluster.plan();
  CHECK(names_of(plan) == std::vector<std::string>{"b"});
  CHECK(plan.frees_bytes == 0);  // the other one keeps the same
  REQUIRE(plan.left_out.size() == 1);
  CHECK(plan.left_out[0].subscription == "-f");
}

TEST_CASE("metadata that was left or lost is told as comments") {
  Cluster cluster;
  cluster.topic(kTopic, {leftover(kTopic, "gone", 3)});
  const auto script = [&] { return plan_script(cluster.plan(), {}); };
  CHECK(script().find("Metadata") == std::string::npos);
  model::Finding finding;
  finding.rule = model::name_of(model::Rule::kStaleTopicMetadata);
  finding.subject = "acme/orders";
  finding.summary = "1 partition missing\nrm -rf /";
  cluster.verdicts.findings.push_back(finding);
  const auto text = script();
  CHECK(text.find("\n# --- Metadata that was left or lost, which nothing here mends") != std::string::npos);
  CHECK(text.find("\n# acme/orders: 1 partition missing") != std::string::npos);
  CHECK(text.find("\nrm -rf") == std::string::npos);
}

TEST_CASE("no text of others becomes a line of the script") {
  Cluster cluster;
  const std::string evil = "x\nrm -rf /\r\nunsubscribe";
  auto one = leftover(kTopic, evil, 1);
  one.group = evil;
  one.owner = evil;
  auto kept = leftover(kTopic, evil + "2", 1);
  kept.exception = model::Exception{evil, std::nullopt};
  cluster.topic(kTopic, {one, kept});
  cluster.snapshot.cluster = evil;
  model::Finding finding;
  finding.rule = "abandoned";
  finding.topic = kTopic;
  finding.cursor = evil;
  finding.summary = evil;
  cluster.verdicts.findings.push_back(finding);
  for (const bool by_curl : {false, true}) {
    ScriptOptions options;
    options.by_curl = cluster.by_curl = by_curl;
    options.url = "http://broker:8080";
    const auto script = plan_script(cluster.plan(), options);
    CHECK(script.find("\nrm -rf") == std::string::npos);
    CHECK(script.find('\r') == std::string::npos);
    CHECK(script.find("\nunsubscribe 'persistent://acme/orders/events' $'x\\nrm -rf /\\x0d\\nunsubscribe' 1:1 ") !=
          std::string::npos);
  }
}

TEST_CASE("an expiration is advised that nobody's pause exceeds") {
  Cluster cluster;
  cluster.topic(kTopic, {leftover(kTopic, "gone", 1)});
  auto plan = cluster.plan();
  REQUIRE(plan.namespaces.size() == 1);
  CHECK(plan.namespaces.at(0).name == "acme/orders");
  CHECK(plan_script(plan, {}).find("-t 11520 'acme/orders'") != std::string::npos);
  plan.namespaces.at(0).longest_pause = Duration{7LL * 86400000 + 1};  // half as much again: over 10.5 days
  CHECK(plan_script(plan, {}).find("-t 15840 'acme/orders'") != std::string::npos);
}

// Whatever an exception keeps, the advised expiration would have deleted it without a word.
TEST_CASE("no expiration is advised where an exception keeps somebody") {
  Cluster cluster;
  std::vector<model::CursorVerdict> cursors{leftover(kTopic, "gone", 1)};
  for (const auto* name : {"yearly", "quarterly\nx", "monthly", "weekly"}) {
    cursors.push_back(leftover(kTopic, name, 2));
    cursors.back().exception = model::Exception{"read now and then", {}};
  }
  cluster.topic(kTopic, cursors);
  for (const bool by_curl : {false, true}) {
    ScriptOptions options;
    options.by_curl = cluster.by_curl = by_curl;
    const auto script = plan_script(cluster.plan(), options);
    const auto advice = script.substr(script.find("# --- So that it does not come back"));
    CHECK(advice.find("set-subscription-expiration-time") == std::string::npos);
    CHECK(advice.find("subscriptionExpirationTime'") == std::string::npos);
    CHECK(advice.find("it would delete persistent://acme/orders/events [yearly], too, which shall stay: read now and "
                      "then\n") != std::string::npos);
    CHECK(advice.find("#   and 1 more\n") != std::string::npos);
    CHECK(advice.find("\nx]") == std::string::npos);
  }
}
