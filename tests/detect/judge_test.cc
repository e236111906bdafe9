#include "detect/bench.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

// A cursor that nobody moved for nine days, as it is found then.
model::CursorVerdict left_behind(Bench& bench) {
  bench.poll(kStart, {101, 19});
  auto found = bench.poll(kStart + 9 * kDay, {101, 19}).cursors.at(0);
  REQUIRE(found.state == State::kAbandoned);
  REQUIRE(found.topic_reclaimable_bytes == 2000);
  return found;
}

}  // namespace

TEST_CASE("abandoned only after the window, by our own observation") {
  Bench bench;
  CHECK(bench.state(kStart, {101, 19}) == State::kIdle);
  CHECK(bench.state(kStart + 8 * kDay - kMinute, {101, 19}) == State::kIdle);
  const auto verdicts = bench.poll(kStart + 8 * kDay, {101, 19});
  const auto& cursor = verdicts.cursors.at(0);
  CHECK(cursor.state == State::kAbandoned);
  CHECK(cursor.evidence_kind == model::EvidenceKind::kObserved);
  CHECK(cursor.age_low_ms == 8 * kDay);
  CHECK(cursor.pinned_entries == 230);
  CHECK(cursor.pinned_bytes == 2300);
  CHECK(cursor.reclaimable_bytes == 2000);
  CHECK(cursor.topic_reclaimable_bytes == 2000);
  REQUIRE(has_finding(verdicts, "abandoned"));
  CHECK(verdicts.findings.at(0).severity == model::Severity::kWarning);
}

TEST_CASE("abandoned at the first look, by the broker's own clocks") {
  Bench bench;
  bench.seen.cursor.flow_ms = kStart - 40 * kDay;
  const auto cursor = bench.poll(kStart, {101, 19}).cursors.at(0);
  CHECK(cursor.state == State::kAbandoned);
  CHECK(cursor.evidence_kind == model::EvidenceKind::kBounded);
  CHECK(cursor.age_low_ms == 40 * kDay);
}

TEST_CASE("a consumer, an ack, an admin reset: each takes the verdict back") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  REQUIRE(bench.state(kStart + 9 * kDay, {101, 19}) == State::kAbandoned);
  SECTION("consumer") { CHECK(bench.state(kStart + 10 * kDay, {101, 19}, 1) == State::kOk); }
  SECTION("reset by a connector that never connects") {
    CHECK(bench.state(kStart + 10 * kDay, {102, 5}) == State::kIdle);
    CHECK(bench.state(kStart + 17 * kDay, {102, 5}) == State::kIdle);
    CHECK(bench.state(kStart + 18 * kDay, {102, 5}) == State::kAbandoned);
  }
}

TEST_CASE("a rewind says nothing else until it moves on or stays too long") {
  Bench bench;
  bench.poll(kStart, {102, 19}, 1);
  CHECK(bench.state(kStart + kMinute, {101, 4}) == State::kRewound);
  CHECK(bench.state(kStart + 20 * kMinute, {101, 4}) == State::kRewound);
  SECTION("moves on") { CHECK(bench.state(kStart + 21 * kMinute, {101, 9}) == State::kIdle); }
  SECTION("stays") { CHECK(bench.state(kStart + 31 * kMinute, {101, 4}) == State::kIdle); }
}

TEST_CASE("nothing pinned: ok, and unused once it is old enough") {
  Bench bench;
  CHECK(bench.state(kStart, {103, 49}) == State::kOk);
  const auto verdicts = bench.poll(kStart + 8 * kDay, {103, 49});
  CHECK(verdicts.cursors.at(0).state == State::kUnused);
  CHECK(verdicts.cursors.at(0).age_low_ms == 0);
  CHECK(has_finding(verdicts, "unused"));
}

TEST_CASE("a weekly job within its own rhythm is idle, not abandoned") {
  Bench bench;
  bench.limits.abandoned_after = Duration{2 * kDay};
  bench.interval = Duration{kDay};
  bench.seen.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}}};
  for (int week = 0; week < 4; ++week) bench.poll(kStart + 7 * week * kDay, {101, week * 10}, 1);
  const auto last = kStart + 21 * kDay;
  bench.poll(last + kMinute, {101, 30});
  CHECK(bench.state(last + 6 * kDay, {101, 30}) == State::kIdle);
  CHECK(bench.state(last + 10 * kDay, {101, 30}) == State::kIdle);
  CHECK(bench.state(last + 11 * kDay, {101, 30}) == State::kAbandoned);
}

TEST_CASE("stale documents neither escalate nor clear") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  REQUIRE(bench.state(kStart + 9 * kDay, {101, 19}) == State::kAbandoned);
  const auto verdicts = bench.poll(kStart + 9 * kDay + 10 * kMinute, {101, 19}, 0, false);
  const auto& cursor = verdicts.cursors.at(0);
  CHECK(cursor.state == State::kUnknown);
  CHECK(cursor.last_state == State::kAbandoned);
  CHECK(cursor.stale);
  CHECK(has_finding(verdicts, "abandoned"));
  CHECK(verdicts.coverage.unknown == 1);

  Bench young;
  young.poll(kStart, {101, 19});
  const auto later = young.poll(kStart + 30 * kDay, {101, 19}, 0, false);
  CHECK(later.cursors.at(0).state == State::kUnknown);
  CHECK_FALSE(has_finding(later, "abandoned"));
}

TEST_CASE("a position that grew old while nobody came keeps its verdict, marked stale, and makes no new one") {
  const auto later = [](Bench& bench, TimeMs now) {
    // The sweep goes on to show nobody; the topic's own documents are from before.
    const auto read_at = bench.seen.cursor.position_at_ms;
    bench.seen.at(now, {101, 19});
    bench.seen.cursor.position_at_ms = bench.seen.cursor.stats_at_ms = read_at;
    bench.seen.cursor.backlog_entries = 230;
    return bench.poll(now, {101, 19}, 0, false);
  };
  Bench bench;
  bench.poll(kStart, {101, 19});
  REQUIRE(bench.state(kStart + 9 * kDay, {101, 19}) == State::kAbandoned);
  const auto kept = later(bench, kStart + 9 * kDay + kHour);
  CHECK(kept.cursors.at(0).state == State::kUnknown);
  CHECK(kept.cursors.at(0).last_state == State::kAbandoned);
  CHECK(has_finding(kept, "abandoned"));

  // After a restart of the daemon no position has been read yet; its history has the last one.
  bench.seen.at(kStart + 9 * kDay + 2 * kHour, {101, 19});
  bench.seen.cursor.mark_delete.reset();
  bench.seen.cursor.position_at_ms = bench.seen.cursor.stats_at_ms = 0;
  bench.seen.cursor.backlog_entries = 230;
  const auto restarted = bench.poll(kStart + 9 * kDay + 2 * kHour, {}, 0, false);
  CHECK(restarted.cursors.at(0).state == State::kUnknown);
  CHECK(restarted.cursors.at(0).last_state == State::kAbandoned);
  CHECK(restarted.cursors.at(0).mark_delete == model::Position{101, 19});
  CHECK(restarted.cursors.at(0).stale);

  Bench young;
  young.poll(kStart, {101, 19});
  CHECK(later(young, kStart + 30 * kDay).cursors.at(0).state == State::kIdle);
}

TEST_CASE("after a restart, before any document of its topic came, a cursor is as it was") {
  Bench bench;
  const auto before = left_behind(bench);

  const auto name = bench.seen.cursor.name;
  bench.seen.topic.loaded = model::Loaded::kUnknown;
  bench.seen.topic.ledgers = {};
  bench.seen.cursor = {};
  bench.seen.cursor.name = name;
  const auto after = bench.poll(kStart + 9 * kDay + kMinute, {}, 0, false);
  const auto& cursor = after.cursors.at(0);
  CHECK(cursor.state == State::kUnknown);
  CHECK(cursor.last_state == State::kAbandoned);
  CHECK(cursor.stale);
  CHECK(cursor.since_ms == before.since_ms);
  CHECK(cursor.mark_delete == before.mark_delete);
  CHECK(cursor.pinned_bytes == before.pinned_bytes);
  CHECK(cursor.reclaimable_bytes == before.reclaimable_bytes);
  CHECK(cursor.topic_reclaimable_bytes == before.topic_reclaimable_bytes);
  CHECK(has_finding(after, "abandoned"));
  CHECK(after.removed.empty());
}

// Before the statistics are read again, and with internal-info there already, which of a loaded topic tells no place.
TEST_CASE("after a restart whoever is kept stays kept, and owners and places stay known") {
  Bench bench;
  bench.seen.cursor.properties = {{"tidemark.keep", "audit of 2026"}, {"owner", "team-a"}};
  bench.poll(kStart, {101, 19});
  const auto before = bench.poll(kStart + 9 * kDay, {101, 19}).cursors.at(0);
  REQUIRE(before.exception);
  REQUIRE(before.severity == model::Severity::kInfo);

  const auto name = bench.seen.cursor.name;
  bench.seen.cursor = {};
  bench.seen.cursor.name = name;
  bench.seen.cursor.position_at_ms = kStart + 9 * kDay + kMinute;
  bench.seen.cursor.position_stale_by_rule = true;
  const auto after = bench.poll(kStart + 9 * kDay + kMinute, {}, 0, false);
  const auto& cursor = after.cursors.at(0);
  CHECK(cursor.last_state == State::kAbandoned);
  CHECK(cursor.owner == "team-a");
  REQUIRE(cursor.exception);
  CHECK(cursor.exception->reason == "audit of 2026");
  CHECK(cursor.severity == model::Severity::kInfo);
  CHECK(cursor.mark_delete == before.mark_delete);
  CHECK(cursor.pinned_bytes == before.pinned_bytes);
  CHECK(cursor.stale);

  // Statistics that say otherwise count at once.
  bench.seen.cursor.stats_at_ms = kStart + 9 * kDay + 2 * kMinute;
  const auto told = bench.poll(kStart + 9 * kDay + 2 * kMinute, {}, 0, false).cursors.at(0);
  CHECK_FALSE(told.exception);
  CHECK_FALSE(told.owner);
}

TEST_CASE("a doubt does not clear what was concluded before it is settled") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  REQUIRE(bench.state(kStart + 9 * kDay, {101, 19}) == State::kAbandoned);
  bench.seen.cursor.doubted = true;
  bench.seen.cursor.backlog_entries = 100;
  const auto cursor = bench.poll(kStart + 9 * kDay + kMinute, {101, 19}).cursors.at(0);
  CHECK(cursor.state == State::kUnknown);
  CHECK(cursor.last_state == State::kAbandoned);
}

TEST_CASE("a position that a newer sweep speaks against is not enough for abandoned") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  bench.seen.cursor.doubted = true;
  bench.seen.cursor.backlog_entries = 100;
  CHECK(bench.state(kStart + 9 * kDay, {101, 19}) == State::kIdle);
}

TEST_CASE("an unloaded topic is judged by its stored position, or not at all") {
  Bench bench;
  bench.seen.topic.loaded = model::Loaded::kNo;
  bench.seen.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}, {102, {}, {}, {}, false}}};
  bench.seen.cursor.modified_ms = kStart - 30 * kDay;
  auto cursor = bench.poll(kStart, {101, 19}).cursors.at(0);
  CHECK(cursor.state == State::kAbandoned);
  CHECK(cursor.consumers == 0);
  CHECK_FALSE(cursor.pinned_bytes);

  SECTION("behind it lies only the last ledger, which nothing describes") {
    CHECK(bench.state(kStart + kMinute, {101, 99}) == State::kUnknown);
  }
  SECTION("the stored position is only a lower bound") {
    bench.seen.cursor.position_stale_by_rule = true;
    cursor = bench.poll(kStart + kMinute, {101, 19}).cursors.at(0);
    CHECK(cursor.state == State::kUnknown);
    CHECK_FALSE(cursor.mark_delete);
  }
}

TEST_CASE("what is known to be unloaded stands still, until that knowledge is old") {
  Bench bench;
  bench.seen.topic.loaded = model::Loaded::kNo;
  bench.seen.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}, {102, {}, {}, {}, false}}};
  bench.seen.topic.read_since_absent = true;
  bench.seen.cursor.modified_ms = kStart - 7 * kDay;
  CHECK(bench.state(kStart, {101, 19}) == State::kIdle);
  // No sweep says so any more: nothing escalates.
  auto cursor = bench.poll(kStart + 2 * kDay, {101, 19}, 0, false).cursors.at(0);
  CHECK(cursor.state == State::kUnknown);
  CHECK(cursor.last_state == State::kIdle);
  // The sweeps still lack it though its metadata was read long ago: it is judged.
  bench.seen.at(kStart + 3 * kDay, {101, 19});
  bench.seen.cursor.position_at_ms = kStart;
  bench.absent_at = kStart + 3 * kDay;
  cursor = bench.poll(kStart + 3 * kDay, {101, 19}, 0, false).cursors.at(0);
  CHECK(cursor.state == State::kAbandoned);
  // And nothing clears it when they fail.
  const auto later = bench.poll(kStart + 4 * kDay, {101, 19}, 0, false);
  CHECK(later.cursors.at(0).state == State::kUnknown);
  CHECK(has_finding(later, "abandoned"));
}

TEST_CASE("an unload changes neither verdict nor age") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  REQUIRE(bench.state(kStart + 9 * kDay, {101, 19}) == State::kAbandoned);
  ++bench.seen.topic.epoch;
  bench.seen.topic.epoch_started_ms = kStart + 9 * kDay + kMinute;
  bench.seen.cursor.type = "None";
  const auto cursor = bench.poll(kStart + 9 * kDay + 2 * kMinute, {101, 19}).cursors.at(0);
  CHECK(cursor.state == State::kAbandoned);
  CHECK(cursor.age_low_ms == 9 * kDay + 2 * kMinute);
}

TEST_CASE("TTL alone at work is a drain, and no more than information") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  bench.seen.cursor.expired_total = 30;
  bench.seen.cursor.expired_ms = bench.seen.cursor.mark_delete_advanced_ms = kStart + 9 * kDay - kMinute;
  const auto verdicts = bench.poll(kStart + 9 * kDay, {101, 49});
  CHECK(verdicts.cursors.at(0).state == State::kAbandoned);
  CHECK(verdicts.cursors.at(0).drain == model::Drain::kTtl);
  CHECK(verdicts.findings.at(0).severity == model::Severity::kInfo);
}

TEST_CASE("what came after the ledgers were read is no less a backlog for a place read since") {
  Bench bench;
  CHECK(bench.state(kStart, {103, 49}) == State::kOk);
  bench.seen.topic.reask = Duration{kHour};
  auto& cursor = bench.seen.cursor;
  cursor.consumers_at_ms = cursor.backlog_at_ms = kStart + kMinute;
  cursor.backlog_entries = 10;
  CHECK(bench.poll(kStart + kMinute, {}, 0, false).cursors.at(0).state == State::kOk);  // counted before, perhaps
  cursor.consumers_at_ms = cursor.backlog_at_ms = kStart + 2 * kMinute;
  const auto idle = bench.poll(kStart + 2 * kMinute, {}, 0, false).cursors.at(0);
  CHECK(idle.state == State::kIdle);
  CHECK_FALSE(idle.pinned_bytes);
}

TEST_CASE("a healthy cursor that was read long ago shows no position rather than an old one") {
  Bench bench;
  CHECK(bench.poll(kStart, {102, 19}, 1).cursors.at(0).pinned_entries == 130);
  bench.seen.at(kStart + kDay, {102, 19}, 1);
  bench.seen.cursor.position_at_ms = kStart;
  const auto cursor = bench.poll(kStart + kDay, {102, 19}, 1, false).cursors.at(0);
  CHECK(cursor.state == State::kOk);
  CHECK_FALSE(cursor.mark_delete);
  CHECK_FALSE(cursor.pinned_bytes);
  CHECK_FALSE(cursor.reclaimable_bytes);
  CHECK_FALSE(cursor.stale);
}

TEST_CASE("delayed messages, with somebody there to receive them") {
  Bench bench;
  bench.seen.cursor.type = "Shared";
  bench.seen.cursor.backlog_entries = 230;
  bench.seen.cursor.delayed_entries = 230;
  CHECK(bench.state(kStart, {101, 19}, 1) == State::kDelayed);
  CHECK(bench.state(kStart + kDay, {101, 19}) == State::kDelayed);
  bench.seen.cursor.delayed_entries = 100;
  CHECK(bench.state(kStart + kDay + kMinute, {101, 19}, 1) == State::kOk);
  CHECK(bench.state(kStart + kDay + 2 * kMinute, {101, 19}) == State::kIdle);
}

TEST_CASE("delayed messages, while more come than the last statistics told of") {
  Bench bench;
  auto& cursor = bench.seen.cursor;
  cursor.type = "Shared";
  cursor.backlog_entries = cursor.delayed_entries = 230;
  REQUIRE(bench.state(kStart, {101, 19}, 1) == State::kDelayed);
  // The next sweep counts more, and only statistics tell whether that is delayed, too.
  const auto swept = [&](TimeMs now, std::int64_t backlog) {
    cursor.consumers_at_ms = cursor.backlog_at_ms = now;
    cursor.backlog_entries = backlog;
    return bench.poll(now, {101, 19}, 1, false).cursors.at(0);
  };
  bench.seen.topic.reask = Duration{10 * kMinute};
  CHECK(swept(kStart + kMinute, 240).state == State::kDelayed);
  SECTION("the next statistics do") {
    CHECK(bench.state(kStart + 10 * kMinute, {101, 19}, 1) == State::kOk);
    CHECK(swept(kStart + 11 * kMinute, 250).state == State::kOk);
  }
  SECTION("none come: nothing new is said") {
    const auto kept = swept(kStart + kHour, 250);
    CHECK(kept.state == State::kUnknown);
    CHECK(kept.last_state == State::kDelayed);
  }
  SECTION("nothing waits any more") { CHECK(swept(kStart + kMinute * 2, 0).state == State::kOk); }
  SECTION("after a restart the sweep comes first") {
    cursor.mark_delete.reset();
    cursor.delayed_entries.reset();
    cursor.position_at_ms = cursor.stats_at_ms = 0;
    const auto kept = swept(kStart + 2 * kMinute, 240);
    CHECK(kept.state == State::kUnknown);
    CHECK(kept.last_state == State::kDelayed);
  }
}

TEST_CASE("internal cursors are never called abandoned, and readers pin nothing") {
  Bench bench;
  bench.seen.cursor.kind = model::CursorKind::kCompaction;
  bench.poll(kStart, {101, 19});
  CHECK(bench.state(kStart + 9 * kDay, {101, 19}) == State::kStalled);
  bench.seen.cursor.kind = model::CursorKind::kReader;
  const auto verdicts = bench.poll(kStart + 10 * kDay, {101, 19});
  CHECK(verdicts.cursors.at(0).pinned_bytes == 0);
  CHECK(verdicts.findings.empty());
}

TEST_CASE("retention that nobody told leaves reclaimable empty, never zero") {
  Bench bench;
  bench.retention.reset();
  CHECK_FALSE(bench.poll(kStart, {101, 19}).cursors.at(0).reclaimable_bytes);
}

TEST_CASE("the open ledger that nobody needs is reported in a replay, not by a daemon") {
  Bench bench;
  bench.limits.held_min_bytes = 0;
  CHECK_FALSE(has_finding(bench.poll(kStart, {103, 49}, 1), "held_without_cursor"));
  bench.limits.report_gauges = true;
  CHECK(has_finding(bench.poll(kStart + kMinute, {103, 49}, 1), "held_without_cursor"));
  CHECK_FALSE(has_finding(bench.poll(kStart + 2 * kMinute, {103, 48}, 1), "held_without_cursor"));
}

TEST_CASE("a finding whose cursor goes ends as removed, and one of the same name has no past") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  REQUIRE(bench.state(kStart + 9 * kDay, {101, 19}) == State::kAbandoned);
  bench.listed = false;
  const auto gone = kStart + 9 * kDay + kMinute;
  auto verdicts = bench.poll(gone, {101, 19});
  CHECK_FALSE(has_finding(verdicts, "abandoned"));
  CHECK(has_finding(verdicts, "reclaim_pending"));
  REQUIRE(verdicts.removed.size() == 1);
  CHECK(verdicts.removed.at(0).cursor == "sub");
  CHECK(verdicts.removed.at(0).state == State::kAbandoned);
  CHECK(verdicts.removed.at(0).removed_ms == gone);
  CHECK(verdicts.removed.at(0).pinned_bytes == 2300);
  SECTION("it is told for a day") {
    CHECK(bench.poll(gone + kDay - kMinute, {101, 19}).removed.size() == 1);
    CHECK(bench.poll(gone + kDay, {101, 19}).removed.empty());
  }
  SECTION("made anew at the same place") {
    bench.listed = true;
    verdicts = bench.poll(gone + kMinute, {101, 19});
    CHECK(verdicts.removed.size() == 1);  // the receipt stays
    CHECK(verdicts.cursors.at(0).state == State::kIdle);
    CHECK(verdicts.cursors.at(0).age_low_ms == 0);
  }
}

TEST_CASE("a clean-up ends with what it was to free and what went") {
  Bench bench;
  const auto found = left_behind(bench);
  bench.listed = false;
  const auto gone = kStart + 9 * kDay + kMinute;
  auto removed = bench.poll(gone, {101, 19}).removed.at(0);
  CHECK(removed.reclaimable_bytes == 2000);
  CHECK(removed.topic_reclaimable_bytes == 2000);
  CHECK(removed.freed_bytes == 0);
  auto& topic = bench.seen.topic;
  topic.ledgers = model::Ledgers{{{102, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
  topic.gone = {{101, 100, 1000, {}, false}};
  CHECK(bench.poll(gone + kMinute, {101, 19}).removed.at(0).freed_bytes == 1000);
  topic.ledgers = model::Ledgers{{{103, 50, 500, {}, false}, {104, 50, 500, {}, false}}};
  topic.gone = {{102, 100, 1000, {}, false}};
  CHECK(bench.poll(gone + 2 * kMinute, {101, 19}).removed.at(0).freed_bytes == 2000);
  CHECK(bench.poll(gone + kHour, {101, 19}, 0, false).removed.at(0).freed_bytes == 2000);
  SECTION("a document counts once, also when its topic is unloaded and its metadata are read again") {
    topic.loaded = model::Loaded::kNo;
    topic.info_at_ms = gone + 2 * kHour;
    CHECK(bench.poll(gone + 2 * kHour, {101, 19}, 0, false).removed.at(0).freed_bytes == 2000);
  }
  topic.gone.clear();
  SECTION("one that comes later counts from its own time") {
    bench.listed = true;
    bench.seen.cursor.flow_ms = kStart;
    bench.poll(gone + kDay, {103, 19});
    bench.poll(gone + 10 * kDay, {103, 19});
    bench.listed = false;
    removed = bench.poll(gone + 10 * kDay + kMinute, {103, 19}).removed.at(0);
    CHECK(removed.reclaimable_bytes == 500);
    CHECK(removed.freed_bytes == 0);
  }
}

TEST_CASE("a topic that went with its last subscription gave all") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  REQUIRE(bench.state(kStart + 9 * kDay, {101, 19}) == State::kAbandoned);
  model::Snapshot empty;
  const auto gone = kStart + 9 * kDay + kMinute;
  for (const auto at : {gone, gone + kMinute}) {
    empty.at_ms = at;
    const auto verdicts = detect::judge(empty, bench.history, bench.origins, bench.limits);
    REQUIRE(verdicts.removed.size() == 1);
    CHECK(verdicts.removed.at(0).topic == "persistent://acme/shop/orders");
    CHECK(verdicts.removed.at(0).removed_ms == gone);
    CHECK(verdicts.removed.at(0).topic_reclaimable_bytes == 2000);
    CHECK(verdicts.removed.at(0).freed_bytes == 2500);
  }
  empty.at_ms = gone + kDay;
  CHECK(detect::judge(empty, bench.history, bench.origins, bench.limits).removed.empty());
}

TEST_CASE("what is kept while nothing is known keeps its weight too") {
  Bench bench;
  bench.poll(kStart, {101, 19});
  bench.seen.cursor.expired_total = 30;
  bench.seen.cursor.expired_ms = bench.seen.cursor.mark_delete_advanced_ms = kStart + 9 * kDay - kMinute;
  REQUIRE(bench.poll(kStart + 9 * kDay, {101, 49}).cursors.at(0).state == State::kAbandoned);
  const auto kept = bench.poll(kStart + 9 * kDay + kHour, {101, 49}, 0, false).cursors.at(0);
  CHECK(kept.state == State::kUnknown);
  CHECK(kept.severity == model::Severity::kInfo);
  CHECK(kept.drain == model::Drain::kTtl);
}

TEST_CASE("a cursor without a place in memory is judged as just seen: nothing that only watching proves") {
  Bench bench;
  history::Tuning tuning;
  tuning.max_bytes = 0;
  bench.history = history::History(tuning);
  SECTION("no document tells how long") {
    for (int day = 0; day < 20; ++day) CHECK(bench.state(kStart + day * kDay, {101, 19}) == State::kIdle);
  }
  SECTION("the broker's clocks do") {
    bench.seen.cursor.flow_ms = kStart - 40 * kDay;
    for (int day = 0; day < 3; ++day) {
      const auto cursor = bench.poll(kStart + day * kDay, {101, 19}).cursors.at(0);
      CHECK(cursor.state == State::kAbandoned);
      CHECK(cursor.evidence_kind == model::EvidenceKind::kBounded);
      CHECK(cursor.reclaimable_bytes == 2000);
    }
  }
  CHECK(bench.history.topics() == 0);
}
