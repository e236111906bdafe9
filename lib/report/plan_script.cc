#include "report/plan_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/units.h"
#include "report/plan_parts.h"
#include "report/shell_text.h"
#include "report/visible_text.h"

namespace tidemark::report {
namespace {

constexpr std::int64_t kDayMinutes = 24LL * 60;

// A comment: one line, whatever the names in it hold.
std::string comment(const std::string& text) { return "# " + visible(text) + "\n"; }

std::string count_of(std::size_t count) { return fmt::format("{} subscription{}", count, count == 1 ? "" : "s"); }

std::string bytes_of(const std::optional<std::int64_t>& bytes) {
  return bytes ? format_bytes(*bytes) : std::string("an untold amount");
}

std::string header(const Plan& plan, const ScriptOptions& options) {
  std::string text = "#!/usr/bin/env bash\n";
  text +=
      comment(fmt::format("Removes {} that tidemark {} found left behind on cluster {} at {}.", count_of(plan.removals),
                          options.version, plan.cluster.empty() ? "?" : plan.cluster, format_iso8601(plan.at_ms)));
  text += comment(fmt::format("Expected to free {}{} (logical bytes: one copy).", plan.all_told ? "" : "at least ",
                              format_bytes(plan.frees_bytes)));
  text +=
      "#\n"
      "#   bash FILE         looks at each one again and says what would be done; changes nothing\n"
      "#   bash FILE --yes   does it\n"
      "#\n"
      "# Read it first, and take out the lines of what shall stay. A removed subscription's unread messages are gone "
      "for it. One that\n"
      "# has a consumer by then, or that moved, stays; one that is gone already is no fault, so it may be run again. "
      "To look at a\n"
      "# subscription loads its topic if it is unloaded. Ends with 1 when something failed.\n"
      "# Needs bash, python3 and ";
  text += options.by_curl ? "curl.\n" : "pulsar-admin.\n";
  return text;
}

std::string by_curl(const Plan& plan, const ScriptOptions& options) {
  std::string text = "url=" + shell_word(options.url) + "\nbrokers=(";
  for (const auto& broker : plan.brokers) text += (text.back() == '(' ? "" : " ") + shell_word(broker);
  return text + ")\n" + std::string(kPlanByCurl);
}

std::string line_of(const PlannedRemoval& removal) {
  std::string text;
  const auto command = fmt::format("unsubscribe {} {} {} {}", shell_word(removal.topic),
                                   shell_word(removal.subscription), model::to_string(removal.mark_delete),
                                   removal.frees_bytes ? std::to_string(*removal.frees_bytes) : "-");
  auto why = fmt::format("{}: {}; frees {}", model::name_of(removal.state), removal.why, bytes_of(removal.frees_bytes));
  if (removal.replicated) why += "; replicated: other clusters keep theirs";
  text += comment(why);
  return text + command + "\n";
}

std::string section_of(const PlanSection& section) {
  std::int64_t frees = 0;
  bool all_told = true;
  for (const auto& removal : section.removals) {
    frees += removal.frees_bytes.value_or(0);
    all_told = all_told && removal.frees_bytes;
  }
  std::string text = "\n";
  text += comment(fmt::format("--- {}{}: {}, {}", section.group.empty() ? "" : section.group + ", ",
                              section.owner.empty() ? "no known owner" : "owner " + section.owner,
                              count_of(section.removals.size()), (all_told ? "" : "at least ") + format_bytes(frees)));
  for (const auto& removal : section.removals) text += line_of(removal);
  return text;
}

std::string left_out(const Plan& plan) {
  if (plan.left_out.empty()) return {};
  std::string text = "\n# --- Left as they are\n";
  for (const auto& one : plan.left_out)
    text += comment(fmt::format("{} [{}]: {}", one.topic, one.subscription, one.why));
  return text;
}

std::string stale(const Plan& plan) {
  if (plan.stale.empty()) return {};
  std::string text = "\n# --- Metadata that was left or lost, which nothing here mends: see `stale_topic_metadata`\n";
  for (const auto& one : plan.stale) text += comment(one);
  return text;
}

// Whole days, not below anybody's pause and half of it again.
std::int64_t advised_minutes(const PlanNamespace& ns, Duration abandoned_after) {
  const auto pause = ns.longest_pause.value_or(Duration{0}).count();
  const auto minutes = std::max(std::max(abandoned_after.count(), pause + pause / 2) / 60000, kDayMinutes);
  return (minutes + kDayMinutes - 1) / kDayMinutes * kDayMinutes;
}

std::string expiration_text(const PlanNamespace& ns) {
  if (!ns.policies_known) return "its policies could not be read";
  const auto text = [](std::int64_t minutes) {
    return minutes > 0 ? format_duration(Duration{minutes * 60000}) : std::string("never");
  };
  if (ns.expiration_minutes) return "expiration set to " + text(*ns.expiration_minutes);
  if (!ns.broker_expiration_minutes) return "no expiration of its own, the broker's is unknown";
  return "no expiration of its own, the broker's is " + text(*ns.broker_expiration_minutes);
}

// An expiration knows no exceptions, so where some subscription shall stay no time is advised.
std::string kept_by_exceptions(const PlanNamespace& ns) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, ns.kept.size()); ++i) {
    const auto& one = ns.kept[i];
    text += comment(fmt::format("  no time is advised, it would delete {} [{}], too, which shall stay: {}", one.topic,
                                one.subscription, one.why));
  }
  if (ns.kept.size() > kNamed) text += comment(fmt::format("  and {} more", ns.kept.size() - kNamed));
  return text;
}

std::string prevention_of(const PlanNamespace& ns, const ScriptOptions& options) {
  const auto minutes = advised_minutes(ns, options.abandoned_after);
  const auto pause = ns.longest_pause
                         ? "the longest pause after which one came back was " + format_duration(*ns.longest_pause)
                         : std::string("nobody was seen to come back after a pause");
  auto text = comment(fmt::format("{}: {}; {}", ns.name, expiration_text(ns), pause));
  if (!ns.kept.empty()) return text + kept_by_exceptions(ns);
  const auto place = shell_word(ns.name);
  const bool legacy_zero = ns.expiration_minutes == 0;
  if (!options.by_curl) {
    if (legacy_zero) text += "#   \"$pulsar_admin\" namespaces remove-subscription-expiration-time " + place + "\n";
    return text +
           fmt::format("#   \"$pulsar_admin\" namespaces set-subscription-expiration-time -t {} {}\n", minutes, place);
  }
  const auto path = shell_word("/admin/v2/namespaces/" + ns.name + "/subscriptionExpirationTime");
  if (legacy_zero) text += "#   curl -X DELETE --config <(credentials) \"$url\"" + path + "\n";
  return text +
         fmt::format("#   curl -X POST -H 'Content-Type: application/json' -d {} --config <(credentials) \"$url\"{}\n",
                     minutes, path);
}

std::string prevention(const Plan& plan, const ScriptOptions& options) {
  if (plan.namespaces.empty()) return {};
  std::string text =
      "\n# --- So that it does not come back: nothing below is run\n"
      "# Expiration deletes a subscription that has no consumer for so long, with all that it has not read. Ask its "
      "users for the longest\n"
      "# pause they may ever make first; `tidemark plan --what-if expire=TIME` says whom a time would have hurt. Not "
      "reached are topics\n"
      "# that are unloaded and replicated subscriptions. A stored 0 was 'as the broker has it' before 2.8.1 and 2.9.0, "
      "and is 'never'\n"
      "# since: take it away first.\n";
  for (const auto& ns : plan.namespaces) text += prevention_of(ns, options);
  text +=
      "# `pulsar-admin topics truncate` frees everything at once, by moving EVERY subscription of a topic to its end: "
      "those in use lose\n"
      "# what they have not read. It is no part of this plan.\n";
  return text;
}

}  // namespace

std::string plan_script(const Plan& plan, const ScriptOptions& options) {
  auto text = header(plan, options) + std::string(kPlanStart);
  text += fmt::format("plan_ms={}\n", plan.broker_at_ms);
  text += "cluster=" + shell_word(plan.pulsar_cluster) + "\n";
  text += options.by_curl ? by_curl(plan, options) : std::string(kPlanByAdmin);
  text += kPlanCommon;
  for (const auto& section : plan.sections) text += section_of(section);
  text += left_out(plan);
  text += stale(plan);
  text += prevention(plan, options);
  text += kPlanEnd;
  return text;
}

}  // namespace tidemark::report
