#include "report/landing_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/overview.h"
#include "report/overview_text.h"
#include "report/visible_text.h"

namespace tidemark::report {
namespace {

constexpr std::size_t kRows = 20;

constexpr std::string_view kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:.5em 0 1.5em}th,td{text-align:left;padding:.25em .9em .25em 0;"
    "border-bottom:1px solid #ddd;vertical-align:top;overflow-wrap:anywhere}td.n,th.n{text-align:right;"
    "white-space:nowrap}.warning{color:#8a5a00}.critical{color:#b00020}.note{color:#555}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}a{color:#8ab4f8}"
    ".warning{color:#e0b050}.critical{color:#ff7080}.note{color:#aaa}}";

constexpr std::string_view kLinks =
    "<p><a href=\"/metrics\">/metrics</a> &middot; <a href=\"/api/v1/findings\">/api/v1/findings</a> &middot; "
    "<a href=\"/api/v1/cursors\">/api/v1/cursors</a> &middot; <a href=\"/-/healthy\">/-/healthy</a> &middot; "
    "<a href=\"/-/ready\">/-/ready</a></p>\n";

std::string text_cell(std::string_view text) { return "<td>" + html(text) + "</td>"; }
std::string figure_cell(std::string_view text) { return "<td class=\"n\">" + html(text) + "</td>"; }

std::string head_cell(std::string_view text, model::Severity severity) {
  return fmt::format("<td class=\"{}\">{}</td>", model::name_of(severity), html(text));
}

// A section of at most kRows rows; nothing without any.
template <class Items, class MakeRow>
std::string section(std::string_view title, std::string_view header, const Items& items, MakeRow make_row) {
  if (items.empty()) return {};
  auto text = fmt::format("<h3>{}</h3>\n<table>\n<tr>{}</tr>\n", title, header);
  for (std::size_t i = 0; i < std::min(items.size(), kRows); ++i) text += "<tr>" + make_row(items[i]) + "</tr>\n";
  text += "</table>\n";
  if (items.size() > kRows) text += fmt::format("<p class=\"note\">and {} more.</p>\n", items.size() - kRows);
  return text;
}

std::string group_cells(const GroupRow& group) {
  return head_cell(model::name_of(group.state), group.severity) + text_cell(group.group) + text_cell(group.ns) +
         figure_cell(std::to_string(group.members)) + figure_cell(age_text(group)) +
         figure_cell(bytes_text(group.pinned_bytes)) + figure_cell(bytes_text(group.reclaimable_bytes)) +
         text_cell(model::name_of(group.origin));
}

std::string subscription_cells(const SubscriptionRow& row, TimeMs now) {
  const auto& worst = *row.subscription.worst;
  return head_cell(state_text(row.subscription), worst.severity) + text_cell(row.subscription.place.parent) +
         text_cell(worst.cursor) + figure_cell(age_text(worst, now)) +
         figure_cell(bytes_text(row.subscription.pinned_bytes)) +
         figure_cell(bytes_text(row.subscription.reclaimable_bytes)) + text_cell(row.why);
}

std::string finding_cells(const model::Finding& finding) {
  return head_cell(finding.rule, finding.severity) + text_cell(finding.subject) + text_cell(finding.summary);
}

std::string cluster_part(const PagePart& part) {
  auto text = fmt::format("<h2>{}</h2>\n", html(part.cluster));
  for (const auto& problem : part.problems) text += fmt::format("<p class=\"critical\">{}</p>\n", html(problem));
  if (part.verdicts == nullptr) return text + "<p>The first poll has not ended yet.</p>\n";
  const auto& verdicts = *part.verdicts;
  const auto overview = overview_of(verdicts);
  text += fmt::format("<p>{}<br><span class=\"note\">As of {}. {}</span></p>\n", html(summary_text(overview)),
                      format_iso8601(verdicts.at_ms), html(coverage_text(verdicts)));
  text += section("Groups: names that differ only in a generated part",
                  "<th>state</th><th>group</th><th>namespace</th><th class=\"n\">count</th><th class=\"n\">age</th>"
                  "<th class=\"n\">pinned</th><th class=\"n\">reclaimable</th><th>origin</th>",
                  overview.groups, group_cells);
  text += section("Subscriptions",
                  "<th>state</th><th>topic</th><th>subscription</th><th class=\"n\">age</th><th class=\"n\">pinned</th>"
                  "<th class=\"n\">freed alone</th><th>why</th>",
                  overview.rows, [&](const SubscriptionRow& row) { return subscription_cells(row, verdicts.at_ms); });
  text += section("Other findings", "<th>rule</th><th>subject</th><th>what</th>", overview.findings,
                  [](const model::Finding* finding) { return finding_cells(*finding); });
  if (overview.groups.empty() && overview.rows.empty() && overview.findings.empty()) text += "<p>No findings.</p>\n";
  return text;
}

}  // namespace

std::string landing_page(const std::vector<PagePart>& clusters, const std::string& version) {
  auto text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Tidemark</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"><style>{}</style></head>\n<body>\n"
      "<h1>Tidemark</h1>\n<p class=\"note\">Pulsar cursors that stopped moving, and what they pin. Version {}.</p>\n",
      kStyle, html(version));
  text += kLinks;
  for (const auto& part : clusters) text += cluster_part(part);
  return text + "</body>\n</html>\n";
}

}  // namespace tidemark::report
