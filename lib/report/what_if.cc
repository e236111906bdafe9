#include "report/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

#include "base/units.h"
#include "detect/expiration.h"
#include "formats/json_writer.h"
#include "model/lookup.h"
#include "report/logical.h"
#include "report/topic_trim.h"
#include "report/visible_text.h"

namespace tidemark::report {
namespace {

using Key = std::pair<std::string_view, std::string_view>;  // topic, cursor

detect::Absence absence_of(const model::CursorVerdict& verdict, TimeMs now, const std::map<Key, Duration>& pauses) {
  detect::Absence absence;
  if (is_consumerless(verdict.state) && verdict.consumers.value_or(0) == 0 && verdict.since_ms) {
    absence.present = Duration{now - *verdict.since_ms};
  }
  const auto pause = pauses.find({verdict.topic, verdict.cursor});
  if (pause != pauses.end()) absence.longest = pause->second;
  return absence;
}

Expired expired_of(const model::CursorVerdict& verdict, Duration pause) {
  Expired one;
  one.topic = verdict.topic.str();
  one.subscription = verdict.cursor.str();
  one.state = verdict.state;
  one.pause = pause;
  one.pinned_bytes = verdict.pinned_bytes;
  one.frees_bytes = 0;
  if (verdict.exception) one.exception = verdict.exception->reason;
  return one;
}

void fill_figures(WhatIf& what, const model::Snapshot& snapshot) {
  std::map<std::string_view, std::vector<Expired*>> of_topic;
  for (auto& one : what.deleted) of_topic[one.topic].push_back(&one);
  for (const auto& [topic, expired] : of_topic) {
    std::vector<std::string_view> names;
    for (const auto* one : expired) names.push_back(one->subscription);
    const auto figures = freed_in_order(snapshot, topic, names);
    for (std::size_t i = 0; i < expired.size(); ++i) expired[i]->frees_bytes = figures[i];
  }
  for (const auto& one : what.deleted) {
    what.frees_bytes += one.frees_bytes.value_or(0);
    what.all_told = what.all_told && one.frees_bytes.has_value();
  }
}

std::string lines_of(const std::vector<Expired>& expired) {
  std::string text;
  for (const auto& one : expired) {
    text += visible(fmt::format("  {} [{}]: {}, a pause of {}; pins {}, frees {}{}{}", one.topic, one.subscription,
                                model::name_of(one.state), format_duration(one.pause),
                                one.pinned_bytes ? format_bytes(*one.pinned_bytes) : "an unknown amount",
                                one.frees_bytes ? format_bytes(*one.frees_bytes) : "an unknown amount",
                                one.away_again ? "; away again" : "",
                                one.exception ? "; shall stay: " + *one.exception : "")) +
            "\n";
  }
  return text;
}

void write(formats::JsonWriter& json, std::string_view name, const std::vector<Expired>& expired) {
  json.key(name);
  json.begin_array();
  for (const auto& one : expired) {
    json.begin_object();
    json.member("topic", one.topic);
    json.member("cursor", one.subscription);
    json.member("state", model::name_of(one.state));
    json.member("pause_seconds", one.pause.count() / 1000);
    json.member("pinned_bytes", one.pinned_bytes);
    json.member("frees_bytes", one.frees_bytes);
    json.member("away_again", one.away_again);
    json.member("exception", one.exception);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

Result<Duration> parse_expiration(std::string_view text) {
  auto length = parse_duration(text);
  if (length && *length < std::chrono::minutes{1})
    return Error{Errc::kConfig, "Pulsar counts an expiration in minutes"};
  return length;
}

WhatIf what_if(const model::Snapshot& snapshot, const model::Verdicts& verdicts, Duration expire) {
  WhatIf what;
  what.expire = expire;
  std::map<Key, Duration> pauses;
  for (const auto& one : verdicts.pauses) pauses[{one.topic, one.cursor}] = one.longest;
  for (const auto& verdict : verdicts.cursors) {
    if (verdict.kind != model::CursorKind::kSubscription) continue;
    ++what.subscriptions;
    const auto absence = absence_of(verdict, verdicts.at_ms, pauses);
    if (absence.longest) ++what.with_rhythm;
    auto fate = detect::under_expiration(absence, expire);
    const bool at_risk = fate == detect::Expiry{} && detect::may_come_back_too_late(absence, expire);
    if (fate == detect::Expiry{} && !at_risk) continue;
    const auto* topic = model::find_topic(snapshot, verdict.topic);
    const auto* cursor = topic != nullptr ? model::find_cursor(*topic, verdict.cursor) : nullptr;
    if (cursor != nullptr && cursor->replicated) {
      ++what.replicated;
      continue;
    }
    if (!fate.missed && topic != nullptr && topic->loaded == model::Loaded::kNo) {
      ++what.unloaded;
      continue;
    }
    if (topic != nullptr && topic->loaded == model::Loaded::kNo) fate.gone = false;
    if (at_risk) what.at_risk.push_back(expired_of(verdict, *absence.longest));
    if (fate.missed) what.hurt.push_back(expired_of(verdict, *absence.longest));
    if (fate.missed) what.hurt.back().away_again = fate.gone;
    if (fate.gone) what.deleted.push_back(expired_of(verdict, *absence.present));
    if (fate.missed && fate.gone) ++what.away_again;
    if ((fate.missed || fate.gone) && verdict.exception) ++what.silenced;
  }
  what.would_go = what.hurt.size() + what.deleted.size() - what.away_again;
  fill_figures(what, snapshot);
  const auto longer = [](const Expired& a, const Expired& b) { return a.pause > b.pause; };
  std::stable_sort(what.hurt.begin(), what.hurt.end(), longer);
  std::stable_sort(what.at_risk.begin(), what.at_risk.end(), longer);
  std::stable_sort(what.deleted.begin(), what.deleted.end(),
                   [](const auto& a, const auto& b) { return a.frees_bytes > b.frees_bytes; });
  return what;
}

std::string what_if_text(const WhatIf& what) {
  auto text = fmt::format(
      "An expiration of {} would have deleted {} of {} subscriptions: {} still away, which frees {}{}, and {} that "
      "came back and would have lost what they had not read{}.\n",
      format_duration(what.expire), what.would_go, what.subscriptions, what.deleted.size(),
      what.all_told ? "" : "at least ", format_bytes(what.frees_bytes), what.hurt.size(),
      what.away_again > 0 ? fmt::format(" ({} of them away again)", what.away_again) : "");
  if (what.silenced > 0) text += fmt::format("{} of them shall stay: an exception keeps them.\n", what.silenced);
  if (!what.hurt.empty())
    text += "\nHurt: came back after a longer pause, and would have lost what they had not read\n";
  text += lines_of(what.hurt);
  if (!what.deleted.empty()) text += "\nGone: still away, for so long at least\n";
  text += lines_of(what.deleted);
  if (!what.at_risk.empty())
    text +=
        "\nAt risk: always came back in time, but may take half as long again as the longest pause, and that would be "
        "too late\n";
  text += lines_of(what.at_risk);
  text += fmt::format(
      "\nPauses are known of {} subscriptions, those seen to come back twice or more; of the others nobody can say "
      "whom it hurts.\n",
      what.with_rhythm);
  if (what.unloaded > 0)
    text += fmt::format("{} are on unloaded topics, which the broker does not look at.\n", what.unloaded);
  if (what.replicated > 0) text += fmt::format("{} are replicated, and never expire.\n", what.replicated);
  return text;
}

std::string what_if_json(const WhatIf& what) {
  formats::JsonWriter json;
  json.begin_object();
  json.member("expire_seconds", what.expire.count() / 1000);
  json.member("subscriptions", static_cast<std::int64_t>(what.subscriptions));
  json.member("would_go", static_cast<std::int64_t>(what.would_go));
  json.member("away_again", static_cast<std::int64_t>(what.away_again));
  json.member("silenced", static_cast<std::int64_t>(what.silenced));
  json.member("with_rhythm", static_cast<std::int64_t>(what.with_rhythm));
  json.member("frees_bytes", what.frees_bytes);
  json.member("all_told", what.all_told);
  write(json, "hurt", what.hurt);
  write(json, "deleted", what.deleted);
  write(json, "at_risk", what.at_risk);
  json.member("unloaded", static_cast<std::int64_t>(what.unloaded));
  json.member("replicated", static_cast<std::int64_t>(what.replicated));
  json.end_object();
  return json.take();
}

}  // namespace tidemark::report
