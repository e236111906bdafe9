#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::LedgerUse;
using model::Unreferenced;

namespace {

constexpr auto kUnlisted = Unreferenced::kUnlisted;
constexpr auto kUnproven = Unreferenced::kUnproven;

model::LooseLedger loose(std::int64_t id, TimeMs created, Unreferenced why = kUnlisted,
                         std::optional<std::int64_t> bytes = 1000) {
  model::LooseLedger made;
  made.ledger.id = id;
  made.ledger.use = LedgerUse::kData;
  made.ledger.topic = "persistent://acme/shop/orders";
  made.ledger.bytes = bytes;
  made.ledger.copies = 2;
  made.ledger.created_ms = created;
  made.why = why;
  return made;
}

std::shared_ptr<const model::LedgerPass> pass(TimeMs at, std::vector<model::LooseLedger> ledgers) {
  auto made = std::make_shared<model::LedgerPass>();
  made->at_ms = at;
  made->ledgers = 500;
  made->loose = std::move(ledgers);
  return made;
}

constexpr TimeMs kFirst = kStart;
constexpr TimeMs kSecond = kStart + kDay;

model::Verdicts judged(std::shared_ptr<const model::LedgerPass> before, std::shared_ptr<const model::LedgerPass> now) {
  TopicBench bench;
  bench.snapshot.cluster = "west";
  bench.snapshot.ledgers_before = std::move(before);
  bench.snapshot.ledgers = std::move(now);
  return bench.poll(kSecond + kMinute);
}

}  // namespace

TEST_CASE("a ledger is an orphan when two looks prove it and it is a day old at both") {
  struct Row {
    const char* why;
    std::optional<model::LooseLedger> before;
    std::optional<model::LooseLedger> now;
    bool fires;
  };
  const auto old = kFirst - 2 * kDay;
  const std::vector<Row> rows{
      {"at both", loose(7, old), loose(7, old), true},
      {"a day old to the millisecond", loose(7, kFirst - kDay), loose(7, kFirst - kDay), true},
      {"its topic is gone", loose(7, old, Unreferenced::kTopicGone), loose(7, old, Unreferenced::kTopicGone), true},
      {"its cursor went between the two", loose(7, old), loose(7, old, Unreferenced::kCursorGone), true},
      {"of an open one the size is not known", loose(7, old, kUnlisted, {}), loose(7, old, kUnlisted, {}), true},
      {"too young at the first look", loose(7, kFirst - kDay + 1), loose(7, kFirst - kDay + 1), false},
      {"no proof at the first look", loose(7, old, kUnproven), loose(7, old), false},
      {"no proof at the second", loose(7, old), loose(7, old, kUnproven), false},
      {"deleted between the two", loose(7, old), {}, false},
      {"referred to at the first look", {}, loose(7, old), false},
      {"another one", loose(6, old), loose(7, old), false},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    const auto list = [](const auto& one) {
      return one ? std::vector<model::LooseLedger>{*one} : std::vector<model::LooseLedger>{};
    };
    const auto verdicts = judged(pass(kFirst, list(row.before)), pass(kSecond, list(row.now)));
    CHECK(findings_of(verdicts, "orphan_ledgers").size() == (row.fires ? 1 : 0));
  }
}

TEST_CASE("one look proves nothing, nor do two that are too near") {
  const auto one = loose(7, kFirst - 2 * kDay);
  CHECK(findings_of(judged(nullptr, nullptr), "orphan_ledgers").empty());
  CHECK(findings_of(judged(nullptr, pass(kSecond, {one})), "orphan_ledgers").empty());
  CHECK(findings_of(judged(pass(kSecond - kHour + 1, {one}), pass(kSecond, {one})), "orphan_ledgers").empty());
  CHECK(findings_of(judged(pass(kSecond - kHour, {one}), pass(kSecond, {one})), "orphan_ledgers").size() == 1);
}

TEST_CASE("all orphans of a cluster are one finding, by their bytes") {
  const auto old = kFirst - 2 * kDay;
  auto schema = loose(31, old - kDay, kUnlisted, 856);
  schema.ledger.use = LedgerUse::kSchema;
  const std::vector<model::LooseLedger> all{schema, loose(42, old, Unreferenced::kTopicGone, 5000),
                                            loose(50, old, kUnlisted, {}), loose(60, old, kUnproven, 70000)};
  const auto verdicts = judged(pass(kFirst, all), pass(kSecond, all));
  const auto found = findings_of(verdicts, "orphan_ledgers");
  REQUIRE(found.size() == 1);
  const auto& finding = found.front();
  CHECK(finding.level == model::Level::kCluster);
  CHECK(finding.severity == model::Severity::kWarning);
  CHECK(finding.subject == "west");
  CHECK(finding.summary == "nothing refers to 3 ledgers any more: 11.7 kB with all copies, and 1 that tell no size");
  CHECK(fact<std::int64_t>(finding, "ledgers") == 3);
  CHECK(fact<std::int64_t>(finding, "bytes") == 5856);
  CHECK(fact<std::int64_t>(finding, "physical_bytes") == 11712);
  CHECK(fact<std::int64_t>(finding, "ledgers_without_size") == 1);
  CHECK(fact<std::int64_t>(finding, "data") == 2);
  CHECK(fact<std::int64_t>(finding, "schema") == 1);
  CHECK(fact<std::int64_t>(finding, "topic_gone") == 1);
  CHECK(fact<std::int64_t>(finding, "oldest_ms") == old - kDay);
  CHECK(fact<std::string>(finding, "ledger_ids") == "42, 31, 50");
}

TEST_CASE("what cannot be proven is counted and is no finding") {
  CHECK_FALSE(judged(nullptr, nullptr).unattributed_ledgers);
  const auto old = kFirst - 2 * kDay;
  auto untold = loose(9, 0, kUnproven, {});  // of no metadata
  untold.ledger.created_ms.reset();
  const std::vector<model::LooseLedger> all{loose(7, old), loose(8, old, kUnproven, 300), untold,
                                            loose(10, kSecond - kHour, kUnproven)};
  const auto verdicts = judged(nullptr, pass(kSecond, all));
  CHECK(findings_of(verdicts, "orphan_ledgers").empty());
  CHECK(verdicts.unattributed_ledgers == model::UnattributedLedgers{2, 300, old});
}
