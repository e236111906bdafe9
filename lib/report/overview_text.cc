#include "report/overview_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/units.h"

namespace tidemark::report {
namespace {

constexpr std::size_t kNamesShown = 3;

// One unit is enough for a range.
std::string coarse(Duration length) {
  const auto text = format_duration(length);
  return text.substr(0, text.find(' '));
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

template <class Counts>
std::string counts_text(const Counts& counts) {
  std::string text;
  for (const auto& [state, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, model::name_of(state));
  }
  return text;
}

// "a, b, c and 4 more"
template <class Name>
std::string names_text(const std::vector<Name>& names, std::size_t count) {
  const auto shown = std::min(names.size(), kNamesShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  if (count > shown) text += fmt::format(" and {} more", count - shown);
  return text;
}

}  // namespace

std::optional<Duration> age_of(const model::CursorVerdict& verdict, TimeMs now) {
  // The age proper is 0 for a cursor without backlog; how long nobody used it is what a person asks.
  if (verdict.age_low_ms.value_or(0) > 0) return Duration{*verdict.age_low_ms};
  if (verdict.since_ms) return Duration{std::max<TimeMs>(0, now - *verdict.since_ms)};
  if (verdict.age_low_ms) return Duration{*verdict.age_low_ms};
  return std::nullopt;
}

std::string age_text(const model::CursorVerdict& verdict, TimeMs now) {
  const auto age = age_of(verdict, now);
  if (!age) return "-";
  // Nothing proves that it was not active just now.
  const bool unproven = age->count() <= 0 && verdict.age_high_ms.value_or(0) > 0;
  if (unproven) return "<= " + format_duration(Duration{*verdict.age_high_ms});
  return (verdict.evidence_kind == model::EvidenceKind::kBounded ? ">= " : "") + format_duration(*age);
}

std::string age_text(const GroupRow& group) {
  if (!group.age_least || !group.age_longest) return "-";
  const auto least = coarse(*group.age_least);
  const auto longest = coarse(*group.age_longest);
  return (group.bounded ? ">= " : "") + (least == longest ? least : least + " to " + longest);
}

std::string bytes_text(std::optional<std::int64_t> bytes) { return bytes ? format_bytes(*bytes) : "-"; }

std::string state_text(const LogicalSubscription& subscription) {
  std::string text{model::name_of(subscription.state)};
  if (subscription.worst->state == model::State::kUnknown) text += " (kept)";
  if (subscription.worst->exception) text += " (silenced)";
  return text;
}

std::string summary_text(const Overview& overview) {
  auto text = overview.subscriptions == 0 ? std::string("No subscriptions seen")
                                          : fmt::format("{} of {}", counts_text(overview.counts),
                                                        plural(overview.subscriptions, "subscription"));
  if (!overview.internal.empty()) text += "; of the brokers' own cursors " + counts_text(overview.internal);
  if (overview.subscriptions == 0 && overview.internal.empty()) return text + ".";
  const auto* least = overview.pinned_whole ? "" : "at least ";
  if (overview.pinned_bytes) text += fmt::format("; {}{} pinned", least, bytes_text(overview.pinned_bytes));
  if (overview.reclaimable_bytes) text += ", " + bytes_text(overview.reclaimable_bytes) + " reclaimable";
  if (overview.untold_topics > 0) {
    text += fmt::format("; not known for {} with leftovers", plural(overview.untold_topics, "topic"));
  }
  return text + ".";
}

std::string coverage_text(const model::Verdicts& verdicts) {
  const auto& all = verdicts.coverage;
  auto text =
      fmt::format("Evaluated {} of {} topics and partitions; {} unknown", all.evaluated, all.listed, all.unknown);
  if (all.unknown == 0) return text + ".";
  std::vector<std::pair<std::int64_t, std::string>> worst;
  for (const auto& [ns, coverage] : verdicts.coverage_by_namespace) {
    if (coverage.unknown > 0) worst.emplace_back(coverage.unknown, ns);
  }
  std::ranges::stable_sort(worst, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  names.reserve(worst.size());
  for (const auto& [count, ns] : worst) names.push_back(fmt::format("{} {}", ns, count));
  return names.empty() ? text + "." : fmt::format("{} ({}).", text, names_text(names, names.size()));
}

std::string why_text(const LogicalSubscription& subscription, std::string_view summary) {
  const auto& worst = *subscription.worst;
  std::string text{summary.empty() ? model::word_of(subscription.state).meaning : summary};
  if (worst.drain == model::Drain::kTtl) text += "; only its TTL moves it";
  if (worst.drain == model::Drain::kEviction) text += "; only quota eviction moves it";
  if (worst.tie) {
    text += "; its bytes are freed only together with " + names_text(tied_with(worst), worst.tie->count - 1);
  }
  if (subscription.partitions.size() > 1) {
    const auto affected = std::ranges::count_if(subscription.partitions, [&](const auto* partition) {
      return counted_state(*partition) == subscription.state;
    });
    text += fmt::format("; on {} of {} partitions", affected, subscription.partitions.size());
  }
  if (worst.owner) text += "; owner " + *worst.owner;
  return text;
}

std::string members_text(const GroupRow& group) {
  std::vector<std::pair<model::State, std::size_t>> counts(group.counts.begin(), group.counts.end());
  std::ranges::sort(counts, [](const auto& a, const auto& b) { return is_worse(a.first, b.first); });
  auto text = fmt::format("{} on {}", counts_text(counts), plural(group.topics, "topic"));
  if (group.silenced > 0) text += fmt::format("; {} silenced", group.silenced);
  if (group.owner) text += fmt::format("; owner {}", *group.owner);
  return text;
}

}  // namespace tidemark::report
