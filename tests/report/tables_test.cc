#include "report/tables.h"

#include "report/overview_text.h"
#include "report/samples.h"
#include "report/table_layout.h"
#include "report/visible_text.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using model::State;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The line that holds all of `words`.
std::string line_with(const std::string& text, const std::vector<std::string>& words) {
  for (const auto& line : lines_of(text)) {
    if (std::ranges::all_of(words, [&](const auto& word) { return line.find(word) != std::string::npos; })) return line;
  }
  return "no such line in:\n" + text;
}

bool holds(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("what a person must be told") {
  const auto text = findings_table(report_samples::verdicts(), {});
  CHECK(holds(text,
              "6 abandoned, 1 idle, 1 unused, 1 unknown of 9 subscriptions; of the brokers' own cursors 1 rewound; at "
              "least 10.8 kB pinned, 5.6 kB reclaimable; "
              "not known for 1 topic with leftovers."));
  const auto group = line_with(text, {"worker-*", "acme/orders"});
  for (const auto* cell : {"abandoned", " 4 ", " 9d ", "3.0 kB", "900 B", "per_instance"}) {
    INFO(group);
    CHECK(holds(group, cell));
  }
  CHECK(holds(text, "3 abandoned, 1 unused on 2 topics"));
  CHECK_FALSE(holds(text, "worker-1"));  // the group's line speaks for it
  const auto billing = line_with(text, {"persistent://acme/orders/events ", "billing"});
  for (const auto* cell : {"abandoned", " 9d ", "2 partitions", " 84 ", "5.0 kB", "4.0 kB"}) {
    INFO(billing);
    CHECK(holds(billing, cell));
  }
  CHECK(holds(text, "why of billing; on 1 of 2 partitions; owner payments"));
  CHECK(holds(text, "why of spark-7; only its TTL moves it"));
  CHECK(holds(line_with(text, {"nightly"}), "abandoned (kept)"));
  CHECK(holds(line_with(text, {"pulsar.repl.eu"}), ">= 9d"));
  CHECK(holds(line_with(text, {"spark-7", "101:-1"}), "101:-1"));
  CHECK(holds(line_with(text, {"held_without_cursor"}), "persistent://acme/orders/events-partition-1"));
  CHECK(holds(text, "2.0 GB in the open ledger"));
  CHECK(holds(text, "Evaluated 5 of 7 topics and partitions; 2 unknown (beta/jobs 2)."));
  CHECK_FALSE(holds(text, "\x1b"));
  CHECK_FALSE(holds(text, "reader-1"));
}

TEST_CASE("what is silenced is marked, comes last and is no leftover") {
  auto verdicts = report_samples::verdicts();
  for (auto& cursor : verdicts.cursors) {
    if (cursor.cursor == "billing" || cursor.cursor == "worker-4") cursor.exception = model::Exception{"kept", {}};
  }
  const auto text = findings_table(verdicts, {});
  CHECK(holds(line_with(text, {"billing"}), "abandoned (silenced)"));
  CHECK(text.find("spark-7") < text.find("billing"));
  CHECK(holds(text, "3 abandoned, 1 unused on 2 topics; 1 silenced"));
}

TEST_CASE("a group has an owner when all of it has the same") {
  auto verdicts = report_samples::verdicts();
  model::CursorVerdict* last = nullptr;
  for (auto& cursor : verdicts.cursors) {
    if (cursor.group != "worker-*") continue;
    cursor.owner = std::string("team-a");
    last = &cursor;
  }
  CHECK(holds(findings_table(verdicts, {}), "3 abandoned, 1 unused on 2 topics; owner team-a"));
  last->owner = std::string("team-b");
  CHECK_FALSE(holds(findings_table(verdicts, {}), "owner team-a"));
}

TEST_CASE("never wider than the terminal, whatever the names") {
  TableOptions options;
  options.problems = problems_of(report_samples::snapshot());
  for (std::size_t width = 10; width <= 200; width += width < 40 ? 3 : 10) {
    options.width = width;
    for (const auto& line : lines_of(findings_table(report_samples::verdicts(), options))) {
      INFO(width << ": " << line);
      CHECK(columns(line) <= width);
      CHECK(visible(line) == line);
    }
  }
}

TEST_CASE("colors are words around the same text") {
  TableOptions options;
  options.width = 120;
  const auto plain = findings_table(report_samples::verdicts(), options);
  options.color = true;
  auto colored = findings_table(report_samples::verdicts(), options);
  CHECK(holds(colored, "\x1b[33mabandoned"));
  for (auto at = colored.find('\x1b'); at != std::string::npos; at = colored.find('\x1b')) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  CHECK(colored == plain);
}

TEST_CASE("an empty cluster") {
  const auto text = findings_table({}, {});
  CHECK(holds(text, "No subscriptions seen."));
  CHECK(holds(text, "No findings."));
  CHECK(holds(text, "Evaluated 0 of 0 topics and partitions; 0 unknown."));
}

TEST_CASE("long lists end with what was left out") {
  model::Verdicts verdicts;
  for (int i = 0; i < 30; ++i) {
    auto cursor =
        report_samples::cursor("persistent://t/n/x" + std::to_string(i), "s" + std::to_string(i), State::kIdle);
    cursor.topic_reclaimable_bytes = i;
    verdicts.cursors.push_back(cursor);
  }
  TableOptions options;
  options.rows = 5;
  const auto text = findings_table(verdicts, options);
  CHECK(holds(text, "... and 25 more; --format json lists all."));
  CHECK(holds(text, " s29 "));
  CHECK_FALSE(holds(text, " s24 "));
}

TEST_CASE("brokers and bookies that are not whole are named") {
  const auto problems = problems_of(report_samples::snapshot());
  CHECK(problems == std::vector<std::string>{"broker-1:8080: timed out", "bookie-1:8000: not reachable"});
  TableOptions options;
  options.problems = problems;
  CHECK(holds(findings_table({}, options), "Not whole: broker-1:8080: timed out"));
}

TEST_CASE("ages") {
  using report_samples::kDay;
  using report_samples::kNow;
  struct Row {
    std::optional<std::int64_t> low;
    std::optional<TimeMs> since;
    model::EvidenceKind kind;
    const char* text;
  };
  const std::vector<Row> rows{
      {8 * kDay + 7'200'000, kNow, model::EvidenceKind::kObserved, "8d 2h"},
      {8 * kDay + 7'200'000, kNow, model::EvidenceKind::kBounded, ">= 8d 2h"},
      {0, kNow - 3 * kDay, model::EvidenceKind::kObserved, "3d"},  // caught up: since when nobody used it
      {0, std::nullopt, model::EvidenceKind::kObserved, "<= 9d"},
      {std::nullopt, kNow + 5, model::EvidenceKind::kObserved, "<= 9d"},
      {std::nullopt, std::nullopt, model::EvidenceKind::kBounded, "-"},
  };
  for (const auto& row : rows) {
    auto cursor = report_samples::cursor("persistent://t/n/x", "s", State::kIdle);
    cursor.age_low_ms = row.low;
    cursor.since_ms = row.since;
    cursor.evidence_kind = row.kind;
    CHECK(age_text(cursor, kNow) == row.text);
  }
  GroupRow group;
  CHECK(age_text(group) == "-");
  group.age_least = Duration{8 * kDay + 7'200'000};
  group.age_longest = Duration{41 * kDay + 7'200'000};
  CHECK(age_text(group) == "8d to 41d");
  group.bounded = true;
  group.age_longest = group.age_least;
  CHECK(age_text(group) == ">= 8d");
}

TEST_CASE("wrapping") {
  CHECK(wrap("one two three", 0) == "one two three\n");
  CHECK(wrap("one two three", 8) == "one two\nthree\n");
  CHECK(wrap("one two three", 8, 2) == "  one\n  two\n  three\n");
  CHECK(wrap("abcdefghijklmnop", 10) == "abcd..mnop\n");
  CHECK(wrap("", 10).empty());
}
