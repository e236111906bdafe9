#include <algorithm>
#include <cmath>
#include <functional>

#include "detect/disks.h"
#include "detect/rules/topic_bench.h"
#include "detect/stored.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

using Usage = std::function<double(double day)>;  // percent

constexpr std::int64_t kGiB = 1LL << 30;

// One bookie with one disk and one topic, looked at twice an hour and judged at the end.
struct DiskBench {
  TopicBench bench;
  model::BookieView bookie;
  std::function<double(double day)> stored = [](double) { return 100; };  // GiB, all of it acknowledged

  DiskBench() {
    bookie.name = "bookie-1:8000";
    bookie.reachable = true;
    bookie.status = 1;
  }

  void look(double day, double percent) {
    bookie.dir_usage_ratio["_data"] = percent / 100;
    bench.topic.total_bytes = static_cast<std::int64_t>(stored(day) * kGiB);
    bench.topic.backlog_bytes = 0;
    bench.snapshot.bookies = {bookie};
    bench.snapshot.at_ms = kStart + static_cast<TimeMs>(day * kDay);
    bench.snapshot.topics = {std::make_shared<model::TopicView>(bench.topic)};
    bench.snapshot.namespaces[bench.topic.ns] = bench.ns;
    detect::observe_disks(bench.snapshot, bench.limits, bench.history.figures());
    const std::vector<model::CursorVerdict> cursors(bench.topic.cursors.size());
    detect::observe_stored(bench.snapshot, cursors, bench.limits, bench.history.figures());
  }

  std::vector<model::Finding> after(double days, const Usage& usage) {
    constexpr double kStep = 1.0 / 48;
    double day = 0;
    for (; day < days; day += kStep) look(day, usage(day));
    verdicts = bench.poll(bench.snapshot.at_ms + 1);
    return findings_of(verdicts, "disk_full_forecast");
  }

  model::Verdicts verdicts;
};

double days_left(const model::Finding& finding, const char* key, TimeMs now) {
  return static_cast<double>(fact<std::int64_t>(finding, key).value_or(0) - now) / static_cast<double>(kDay);
}

bool is_near(double value, double other, double within) { return std::abs(value - other) <= within; }

}  // namespace

TEST_CASE("a forecast for the disks that fill, and none for those that do not") {
  const auto week = [](double day) { return std::fmod(day, 7) / 7; };
  struct Row {
    const char* name;
    double days;
    Usage usage;
    std::optional<model::Severity> severity;
  };
  const auto none = std::optional<model::Severity>();
  const auto warning = std::optional(model::Severity::kWarning);
  const auto critical = std::optional(model::Severity::kCritical);
  const std::vector<Row> rows{
      {"full in nine days", 14, [](double day) { return 50 + 2.5 * day; }, warning},
      {"full in less than a day", 14, [](double day) { return 24.5 + 5 * day; }, critical},
      {"full in two days after two weeks of quiet", 17,
       [](double day) { return day < 13.5 ? 40 : 40 + 10 * (day - 13.5); }, warning},
      {"under waves of the day", 14, [](double day) { return 50 + 2.5 * day + 3 * std::sin(day * 6.28); }, warning},
      {"three days of it are enough", 3.2, [](double day) { return 80 + 3 * day; }, warning},
      {"less are not, however steep", 2.9, [](double day) { return 60 + 11 * day; }, none},
      {"no forecast goes further than was watched", 4, [](double day) { return 50 + 2 * day; }, none},
      {"flat", 14, [](double) { return 90; }, none},
      {"less than two points", 14, [](double day) { return 93 + day / 10; }, none},
      {"empties", 14, [](double day) { return 90 - day; }, none},
      {"fills on workdays, empties on Sundays", 20, [&](double day) { return 60 + 30 * week(day); }, none},
      {"the same, looked at after four days of a week", 18, [&](double day) { return 60 + 30 * week(day); }, none},
      // As a disk with three days of retention does: less comes at weekends, and a week is not quite like another.
      {"the wave of a busy week is higher than the one before", 18.4,
       [&](double day) { return 50 + (day < 14 ? 22 : 28) * std::sin((day - 14) / 7 * 6.28); }, none},
      {"a leak in the middle of such waves", 20.7,
       [&](double day) { return 45 + 11 * std::sin((day - 14) / 7 * 6.28) + std::max(0.0, 7 * (day - 15)); }, warning},
      {"less is published at weekends", 14,
       [](double day) { return 40 + 3 * (5 * std::floor(day / 7) + std::min(5.0, std::fmod(day, 7))); }, warning},
      {"what filled it is removed", 13.5, [](double day) { return day < 12 ? 50 + 2.5 * day : 80 - 10 * (day - 12); },
       none},
      {"what filled it was removed days ago", 15, [](double day) { return day < 12 ? 50 + 2.5 * day : 68; }, none},
      {"a little of it was removed days ago", 17, [](double day) { return day < 12 ? 50 + 2.5 * day : 77; }, none},
      {"a step: another bookie was lost", 14, [](double day) { return day < 9 ? 55 : 80; }, none},
      {"a new bookie takes its share and no more", 6, [](double day) { return 60 * (1 - std::exp(-day)); }, none},
      {"a growth that came to rest", 14, [](double day) { return std::min(70.0, 40 + 5 * day); }, none},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    DiskBench bench;
    const auto found = bench.after(row.days, row.usage);
    REQUIRE(found.size() == (row.severity ? 1 : 0));
    if (!row.severity) continue;
    CHECK(found[0].severity == *row.severity);
    CHECK(found[0].subject == "bookie-1:8000");
    CHECK(found[0].level == model::Level::kBookie);
  }
}

TEST_CASE("the range of a forecast holds the day on which it is full") {
  DiskBench bench;
  const auto found =
      bench.after(14, [](double day) { return 50 + 2.5 * day + 2 * std::sin(day * 6.28) + std::sin(day * 40); });
  REQUIRE(found.size() == 1);
  const auto now = bench.verdicts.at_ms;
  CHECK(is_near(days_left(found[0], "full_ms", now), 4, 1));
  CHECK(days_left(found[0], "full_earliest_ms", now) < days_left(found[0], "full_ms", now));
  CHECK(days_left(found[0], "full_ms", now) < days_left(found[0], "full_latest_ms", now));
  CHECK(is_near(fact<double>(found[0], "percent_per_day").value_or(0), 2.5, 0.2));
  REQUIRE(bench.verdicts.disks.size() == 1);
  CHECK(bench.verdicts.disks[0].grows);
}

TEST_CASE("a bookie's own limit counts, and a read-only bookie is no forecast") {
  const auto usage = [](double day) { return 50 + 2.5 * day; };
  DiskBench lower;
  lower.bookie.usage_threshold = 0.86;
  const auto found = lower.after(14, usage);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kCritical);
  DiskBench full;
  full.bookie.status = 0;
  CHECK(full.after(14, usage).empty());
}

TEST_CASE("a bookie that does not answer fills no window") {
  DiskBench bench;
  bench.bookie.reachable = false;
  CHECK(bench.after(14, [](double day) { return 50 + 2.5 * day; }).empty());
  CHECK(bench.verdicts.disks.empty());
}

// 10 days of retention, filled from the first day on at 5 % a day: 45 + 50 = 95 would be full, 40 + 50 is not.
TEST_CASE("a namespace that fills its retention stops by itself") {
  const auto fills = [](double from) { return [from](double day) { return from + 5 * std::min(day, 10.0); }; };
  const auto judged = [&](double from, std::int64_t minutes, double days) {
    DiskBench bench;
    bench.bench.ns.retention = model::Retention{minutes, -1};
    bench.bench.snapshot.defaults.max_rollover_minutes = 60;
    bench.stored = [](double day) { return 10 + 100 * std::min(day, 10.0); };
    return bench.after(days, fills(from));
  };
  constexpr std::int64_t kTenDays = 10 * 24 * 60;
  CHECK(judged(35, kTenDays, 7).empty());
  CHECK(judged(35, kTenDays, 9).empty());
  CHECK(judged(35, kTenDays, 13).empty());
  CHECK(judged(35, -1, 9).size() == 1);        // without end
  CHECK(judged(35, 0, 9).size() == 1);         // no retention: somebody holds it
  CHECK(judged(55, kTenDays, 7).size() == 1);  // full before retention is
}

TEST_CASE("what the worst group's removal would change") {
  DiskBench bench;
  bench.bookie.capacity_bytes = 100 * kGiB;
  bench.bench.snapshot.defaults.write_quorum = 2;
  bench.bench.topic.ledgers = model::Ledgers{
      {{101, 100, 5 * kGiB, kStart, false}, {102, 100, 5 * kGiB, kStart, false}, {103, 0, 0, {}, false}}};
  bench.bench.topic.last_confirmed = model::Position{102, 99};
  bench.bench.add("orders-7f9c4d5b6-x2x4z", {101, -1}).created_ms = kStart;
  bench.bench.limits.abandoned_after = Duration{kMinute};
  bench.stored = [](double) { return 10; };
  // Judged twice, since an abandoned one is known by its own history.
  bench.after(1, [](double) { return 50; });
  const auto found = bench.after(14, [](double day) { return 50 + 2.5 * day; });
  REQUIRE(found.size() == 1);
  REQUIRE(findings_of(bench.verdicts, "abandoned").size() == 1);
  CHECK(fact<std::int64_t>(found[0], "worst_group_physical_bytes") == 20 * kGiB);
  const auto now = bench.verdicts.at_ms;
  const auto gained = days_left(found[0], "full_without_worst_group_ms", now) - days_left(found[0], "full_ms", now);
  CHECK(is_near(gained, 20 / 2.5, 0.3));  // a fifth of the only disk
}
