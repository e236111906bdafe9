#include "report/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/overview.h"
#include "report/overview_text.h"
#include "report/table_layout.h"
#include "report/visible_text.h"

namespace tidemark::report {
namespace {

std::string title(const std::string& text, const TableOptions& options) {
  const auto line = wrap(text, options.width);
  return "\n" + (options.color ? "\x1b[1m" + line.substr(0, line.size() - 1) + "\x1b[0m\n" : line);
}

TableRow row_of(const GroupRow& group) {
  TableRow row;
  row.head = model::name_of(group.state);
  row.severity = group.severity;
  row.names = {std::string(group.group), std::string(group.ns)};
  row.figures = {std::to_string(group.members), age_text(group), bytes_text(group.pinned_bytes),
                 bytes_text(group.reclaimable_bytes), model::name_of(group.origin)};
  if (group.counts.size() > 1 || group.topics > 1 || group.silenced > 0 || group.owner) row.note = members_text(group);
  return row;
}

// On a terminal room is scarce, and pulsar-admin takes the short form too.
std::string topic_text(std::string_view topic, const TableOptions& options) {
  constexpr std::string_view kScheme = "persistent://";
  if (options.width > 0 && topic.starts_with(kScheme)) topic.remove_prefix(kScheme.size());
  return std::string(topic);
}

TableRow row_of(const SubscriptionRow& line, TimeMs now, const TableOptions& options) {
  const auto& subscription = line.subscription;
  const auto& worst = *subscription.worst;
  const bool one = subscription.partitions.size() == 1;
  std::string place = "-";
  if (!one) {
    place = fmt::format("{} partitions", subscription.partitions.size());
  } else if (worst.mark_delete) {
    place = model::to_string(*worst.mark_delete);
  }
  TableRow row;
  row.head = state_text(subscription);
  row.severity = worst.severity;
  row.names = {topic_text(one ? worst.topic.view() : subscription.place.parent, options), worst.cursor.str()};
  row.figures = {age_text(worst, now), place,
                 subscription.backlog_entries ? std::to_string(*subscription.backlog_entries) : "-",
                 bytes_text(subscription.pinned_bytes), bytes_text(subscription.reclaimable_bytes)};
  row.note = line.why;
  return row;
}

TableRow row_of(const model::Finding& finding) {
  TableRow row;
  row.head = finding.rule;
  row.severity = finding.severity;
  row.names = {finding.subject};
  row.figures = {model::name_of(finding.severity)};
  row.note = finding.summary;
  return row;
}

// A titled table of the first `options.rows` of `items`; nothing without any.
template <class Items, class MakeRow>
std::string section(const std::string& name, const TableShape& shape, const Items& items, const TableOptions& options,
                    MakeRow make_row) {
  if (items.empty()) return {};
  std::vector<TableRow> rows;
  for (std::size_t i = 0; i < std::min(items.size(), options.rows); ++i) rows.push_back(make_row(items[i]));
  auto text = title(name, options) + lay_out(shape, std::move(rows), options.width, options.color);
  if (items.size() > options.rows) {
    text += wrap(fmt::format("... and {} more; --format json lists all.", items.size() - options.rows), options.width);
  }
  return text;
}

TableRow row_of(const model::RemovedCursor& removed, const TableOptions& options) {
  TableRow row;
  row.head = model::name_of(removed.state);
  row.severity = model::Severity::kInfo;
  row.names = {topic_text(removed.topic, options), removed.cursor};
  row.figures = {bytes_text(removed.removed_reclaimable_bytes), bytes_text(removed.freed_bytes),
                 bytes_text(removed.freed_open_bytes)};
  return row;
}

}  // namespace

std::string findings_table(const model::Verdicts& verdicts, const TableOptions& options) {
  const auto overview = overview_of(verdicts);
  std::string text = wrap(fmt::format("{}  {}", format_iso8601(verdicts.at_ms), summary_text(overview)), options.width);
  text += section("Groups: names that differ only in a generated part",
                  {"STATE", {"GROUP", "NAMESPACE"}, {"COUNT", "AGE", "PINNED", "RECLAIMABLE", "ORIGIN"}},
                  overview.groups, options, [](const GroupRow& group) { return row_of(group); });
  text += section(
      "Subscriptions", {"STATE", {"TOPIC", "SUBSCRIPTION"}, {"AGE", "MARK-DELETE", "BACKLOG", "PINNED", "FREED ALONE"}},
      overview.rows, options, [&](const SubscriptionRow& row) { return row_of(row, verdicts.at_ms, options); });
  text += section("Other findings", {"RULE", {"SUBJECT"}, {"SEVERITY"}}, overview.findings, options,
                  [](const model::Finding* finding) { return row_of(*finding); });
  text +=
      section("Removed within a day", {"WAS", {"TOPIC", "SUBSCRIPTION"}, {"TO FREE", "FREED", "OPEN OF IT"}},
              verdicts.removed, options, [&](const model::RemovedCursor& removed) { return row_of(removed, options); });
  if (overview.groups.empty() && overview.rows.empty() && overview.findings.empty()) {
    text += title("No findings.", options);
  }
  text += "\n" + wrap(visible(coverage_text(verdicts)), options.width);
  for (const auto& problem : options.problems) text += wrap("Not whole: " + visible(problem), options.width);
  return text;
}

std::vector<std::string> problems_of(const model::Snapshot& snapshot) {
  std::vector<std::string> problems;
  const auto say = [&problems](const std::string& name, bool reachable, const std::string& problem) {
    const std::string_view otherwise = reachable ? "partial" : "not reachable";
    problems.push_back(fmt::format("{}: {}", name, problem.empty() ? otherwise : problem));
  };
  for (const auto& broker : snapshot.brokers) {
    if (!broker.reachable || broker.partial) say(broker.name, broker.reachable, broker.problem);
  }
  for (const auto& bookie : snapshot.bookies) {
    if (!bookie.reachable) say(bookie.name, false, bookie.problem);
  }
  return problems;
}

}  // namespace tidemark::report
