// What operators and owners say about a cursor: whose it is, and that it is meant to be so.
#include "detect/exceptions.h"
#include "detect/judge.h"
#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::Severity;
using model::State;

namespace {

constexpr TimeMs kNow = kStart + 20 * kDay;

// `names` left behind by all for twenty days, the first ones furthest; judged once.
struct Leftovers {
  detect::Limits limits;
  model::NamespaceView ns;
  OneCursor seen;
  std::vector<model::CursorView> cursors;
  history::History history;

  Leftovers() {
    ns.policies_known = true;
    ns.retention = model::Retention{0, 0};
    ns.ttl_seconds = 0;
    limits.report_gauges = true;
    limits.held_min_bytes = 0;
  }

  void add(const std::string& name, model::Position position, int consumers = 0) {
    auto cursor = seen.at(kNow, position, consumers).cursor;
    cursor.name = name;
    cursor.flow_ms = kStart;
    cursors.push_back(cursor);
  }

  model::Verdicts judge(TimeMs now = kNow) {
    model::Snapshot snapshot;
    snapshot.at_ms = now;
    snapshot.version = "4.0.7";
    snapshot.namespaces["acme/shop"] = ns;
    auto topic = std::make_shared<model::TopicView>(seen.topic);
    topic->sweep_at_ms = topic->internal_at_ms = kNow;
    topic->cursors = cursors;
    snapshot.topics = {topic};
    const auto patterns = detect::Patterns::compile(limits);
    REQUIRE(patterns.has_value());
    return detect::judge(snapshot, history, *patterns, limits);
  }
};

const model::Finding& finding_on(const model::Verdicts& verdicts, const std::string& cursor) {
  for (const auto& finding : verdicts.findings) {
    if (finding.cursor == cursor) return finding;
  }
  throw std::runtime_error("no finding on " + cursor);
}

std::optional<std::string> text_in(const model::Evidence& evidence, const std::string& key) {
  for (const auto& [name, fact] : evidence) {
    if (name == key) return std::get<std::string>(fact);
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("an owner is told by the subscription, else by its namespace, else by a pattern") {
  Leftovers bench;
  bench.limits.owners = {{" \\[audit-", "team-audit"}, {"^persistent://acme/shop/", "team-shop"}, {".", "platform"}};
  bench.add("mine", {101, 19});
  bench.add("audit-1", {101, 19});
  bench.add("other", {101, 19});
  auto& mine = bench.cursors.at(0);
  const auto owners = [&] {
    std::string text;
    for (const auto& cursor : bench.judge().cursors) text += cursor.owner.value_or("-") + " ";
    return text;
  };
  CHECK(owners() == "team-shop team-audit team-shop ");
  mine.properties["owner"] = "anna";
  CHECK(owners() == "anna team-audit team-shop ");
  bench.ns.properties["owner"] = "team-ns";
  CHECK(owners() == "anna team-ns team-ns ");
  mine.properties["owner"] = "";  // says nothing
  bench.ns.properties["owner"] = "";
  CHECK(owners() == "team-shop team-audit team-shop ");
  CHECK(text_in(finding_on(bench.judge(), "audit-1").evidence, "owner") == "team-audit");
}

TEST_CASE("patterns are for what is not ok, properties for all") {
  Leftovers bench;
  bench.limits.owners = {{".", "platform"}};
  bench.limits.exceptions = {{".", {"all is well", {}}}};
  bench.add("alive", {103, 49}, 1);
  CHECK(bench.judge().cursors.at(0).state == State::kOk);
  CHECK_FALSE(bench.judge().cursors.at(0).owner);
  CHECK_FALSE(bench.judge().cursors.at(0).exception);
  bench.cursors.at(0).properties["owner"] = "anna";
  CHECK(bench.judge().cursors.at(0).owner == "anna");
}

TEST_CASE("nothing is silenced where nothing is said yet") {
  Leftovers bench;
  bench.limits.owners = {{".", "platform"}};
  bench.limits.exceptions = {{".", {"all is well", {}}}};
  bench.add("new", {101, 19});
  bench.cursors.at(0).consumers.reset();
  bench.cursors.at(0).consumers_at_ms = 0;
  const auto verdicts = bench.judge();
  CHECK(verdicts.cursors.at(0).state == State::kUnknown);
  CHECK_FALSE(verdicts.cursors.at(0).exception);
  CHECK(verdicts.findings.empty());
}

TEST_CASE("an exception keeps state and figures and takes the finding down") {
  Leftovers bench;
  bench.add("slow", {101, 19});
  bench.add("gone", {102, 19});
  const auto before = bench.judge();
  REQUIRE(finding_on(before, "slow").severity == Severity::kWarning);
  REQUIRE(before.cursors.at(0).topic_reclaimable_bytes > before.cursors.at(1).reclaimable_bytes);

  bench.limits.exceptions = {{" \\[slow\\]$", {"read once a year", kNow + kDay}}};
  const auto verdicts = bench.judge();
  const auto& slow = verdicts.cursors.at(0);
  CHECK(slow.state == State::kAbandoned);
  CHECK(slow.severity == Severity::kInfo);
  CHECK(slow.pinned_bytes == before.cursors.at(0).pinned_bytes);
  CHECK(slow.reclaimable_bytes == before.cursors.at(0).reclaimable_bytes);
  REQUIRE(slow.exception);
  CHECK(slow.exception->reason == "read once a year");
  CHECK(slow.exception->until_ms == kNow + kDay);
  // What the other one frees while this one stays: nothing.
  CHECK(slow.topic_reclaimable_bytes == 0);
  CHECK(verdicts.cursors.at(1).topic_reclaimable_bytes == 0);
  CHECK(verdicts.cursors.at(1).severity == Severity::kWarning);
  const auto& finding = finding_on(verdicts, "slow");
  CHECK(finding.rule == "abandoned");
  CHECK(finding.severity == Severity::kInfo);
  CHECK(text_in(finding.evidence, "exception") == "read once a year");
  CHECK(finding.summary.find("; silenced until ") != std::string::npos);
  CHECK(finding_on(verdicts, "gone").severity == Severity::kWarning);
  CHECK_FALSE(text_in(finding_on(verdicts, "gone").evidence, "exception"));
}

TEST_CASE("a verdict that is only kept stays silenced") {
  Leftovers bench;
  bench.add("slow", {101, 19});
  bench.limits.exceptions = {{"slow", {"why", {}}}};
  REQUIRE(bench.judge().cursors.at(0).state == State::kAbandoned);
  const auto later = bench.judge(kNow + 3 * kDay);  // no document since
  CHECK(later.cursors.at(0).state == State::kUnknown);
  CHECK(later.cursors.at(0).last_state == State::kAbandoned);
  CHECK(later.cursors.at(0).severity == Severity::kInfo);
  CHECK(finding_on(later, "slow").severity == Severity::kInfo);
}

TEST_CASE("the property tidemark.keep is an exception, unless it says false") {
  Leftovers bench;
  bench.add("slow", {101, 19});
  auto& slow = bench.cursors.at(0);
  struct Row {
    const char* value;
    std::optional<std::string> reason;
  };
  const Row rows[] = {{"true", "property tidemark.keep"},
                      {"", "property tidemark.keep"},
                      {"read by hand", "read by hand"},
                      {"False", "False"},
                      {"false", std::nullopt}};
  for (const auto& [value, reason] : rows) {
    INFO(value);
    slow.properties["tidemark.keep"] = value;
    const auto verdicts = bench.judge();
    const auto& exception = verdicts.cursors.at(0).exception;
    CHECK((exception ? std::optional(exception->reason) : std::nullopt) == reason);
    CHECK(finding_on(verdicts, "slow").severity == (reason ? Severity::kInfo : Severity::kWarning));
  }
  slow.properties["tidemark.keep"] = std::string(5000, 'x');
  CHECK(bench.judge().cursors.at(0).exception->reason.size() == 200);
}

TEST_CASE("an exception ends, and the next one that matches takes its place") {
  detect::Limits limits;
  limits.exceptions = {{"slow", {"first", kNow}}, {"slow", {"second", kNow + kDay}}, {"[", {"bad", {}}}};
  const auto bad = detect::Exceptions::compile(limits.exceptions);
  REQUIRE(bad.has_error());
  CHECK(bad.error().text() == "exceptions: '[' is not a regular expression: a '[' is without its ']'");
  limits.exceptions.pop_back();
  const auto exceptions = detect::Exceptions::compile(limits.exceptions).value();
  const auto reason = [&](TimeMs now) {
    const auto found = exceptions.find(detect::Subject("persistent://acme/shop/orders", "slow"), now);
    return found ? found->reason : "none";
  };
  CHECK(reason(kNow - 1) == "first");
  CHECK(reason(kNow) == "second");
  CHECK(reason(kNow + kDay) == "none");
  CHECK(exceptions.ended(kNow - 1).empty());
  CHECK(exceptions.ended(kNow).size() == 1);
  REQUIRE(exceptions.ended(kNow + kDay).size() == 2);
  CHECK(exceptions.ended(kNow)[0] ==
        "the exception 'slow' ended with 2025-01-21: what it silenced speaks again (it was: first)");
}

TEST_CASE("a finding about a topic has an owner and an exception, too") {
  Leftovers bench;
  bench.seen.topic.ledger_open = true;
  bench.add("alive", {103, 49}, 1);
  bench.limits.owners = {{"/orders$", "team-shop"}};
  bench.limits.exceptions = {{"/orders$", {"small", {}}}};
  const auto verdicts = bench.judge();
  REQUIRE(verdicts.findings.size() == 1);
  CHECK(verdicts.findings[0].rule == "held_without_cursor");
  CHECK(text_in(verdicts.findings[0].evidence, "owner") == "team-shop");
  CHECK(text_in(verdicts.findings[0].evidence, "exception") == "small");
}

TEST_CASE("a pattern for a topic is one for its partitions") {
  const auto matches = [](const char* pattern, const char* topic) {
    return detect::CursorPattern::compile(pattern).value().matches(detect::Subject(topic, "s"));
  };
  const char* const partition = "persistent://acme/shop/orders-partition-3";
  CHECK(matches(R"(/orders \[s\]$)", partition));
  CHECK(matches(R"(/orders-partition-3 \[s\]$)", partition));
  CHECK_FALSE(matches(R"(/orders-partition-4 \[)", partition));
  CHECK(matches(R"(/orders \[)", "persistent://acme/shop/orders"));
  CHECK_FALSE(matches(R"(/orders \[)", "persistent://acme/shop/orders-eu"));
}

TEST_CASE("no name is too long for a pattern") {
  Leftovers bench;
  bench.limits.exceptions = {{R"(\[(a|b)*c)", {"why", {}}}};
  bench.add(std::string(1 << 20, 'a'), {101, 19});
  CHECK_FALSE(bench.judge().cursors.at(0).exception);
}
