#include "report/api_json.h"

#include <charconv>
#include <string_view>
#include <type_traits>
#include <variant>

#include "formats/json_writer.h"
#include "model/names.h"
#include "report/logical.h"

namespace tidemark::report {
namespace {

using formats::JsonWriter;

// Seconds with milliseconds, as a number.
std::optional<double> seconds(std::optional<std::int64_t> ms) {
  if (!ms) return std::nullopt;
  return static_cast<double>(*ms) / 1000;
}

std::optional<std::string> text_of(const std::optional<model::Position>& position) {
  if (!position) return std::nullopt;
  return model::to_string(*position);
}

std::optional<std::string_view> text_of(const std::optional<model::State>& state) {
  if (!state) return std::nullopt;
  return model::name_of(*state);
}

void write_facts(JsonWriter& json, std::string_view name, const model::Evidence& facts) {
  json.key(name);
  json.begin_object();
  for (const auto& [fact, its_value] : facts) {
    json.key(fact);
    std::visit([&json](const auto& plain) { json.value(plain); }, its_value);
  }
  json.end_object();
}

void write_hole(JsonWriter& json, const model::SharedOptional<model::Hole>& hole) {
  json.key("hole");
  if (!hole) {
    json.null();
    return;
  }
  json.begin_object();
  json.member("first", model::to_string(hole->first));
  json.member("last", model::to_string(hole->last));
  json.member("entries", hole->entries);
  json.member("holes", hole->holes);
  json.member("acked_entries_behind", hole->acked_entries_behind);
  json.member("holder", hole->holder);
  json.end_object();
}

void write_bytes(JsonWriter& json, const model::CursorVerdict& cursor) {
  json.member("backlog_entries", cursor.backlog_entries.get());
  json.member("pinned_entries", cursor.pinned_entries.get());
  json.member("pinned_bytes", cursor.pinned_bytes.get());
  json.member("reclaimable_bytes", cursor.reclaimable_bytes.get());
  json.member("topic_reclaimable_bytes", cursor.topic_reclaimable_bytes.get());
  json.key("reclaimable_shared_with");
  json.begin_array();
  for (const auto& name : tied_with(cursor)) json.value(name);
  json.end_array();
}

void write_exception(JsonWriter& json, const model::SharedOptional<model::Exception>& exception) {
  json.key("exception");
  if (!exception) {
    json.null();
    return;
  }
  json.begin_object();
  json.member("reason", exception->reason);
  json.member("until_ms", exception->until_ms);
  json.end_object();
}

void write_cursor(JsonWriter& json, const model::CursorVerdict& cursor) {
  json.begin_object();
  json.member("topic", cursor.topic.view());
  json.member("cursor", cursor.cursor.view());
  json.member("kind", model::name_of(cursor.kind));
  json.member("state", model::name_of(cursor.state));
  json.member("last_state", text_of(cursor.last_state));
  json.member("state_since_ms", cursor.state_since_ms.get());
  json.member("severity", model::name_of(cursor.severity));
  json.member("drain", model::name_of(cursor.drain));
  json.member("origin", model::name_of(cursor.origin));
  json.member("group", cursor.group.empty() ? cursor.cursor.view() : cursor.group);
  json.member("owner", cursor.owner.get());
  write_exception(json, cursor.exception);
  json.member("since_ms", cursor.since_ms.get());
  json.member("created_ms", cursor.created_ms.get());
  json.key("age_seconds");
  json.begin_object();
  json.member("low", seconds(cursor.age_low_ms));
  json.member("high", seconds(cursor.age_high_ms));
  json.end_object();
  json.member("evidence", model::name_of(cursor.evidence_kind));
  json.member("mark_delete", text_of(cursor.mark_delete));
  json.member("last_confirmed", text_of(cursor.last_confirmed));
  json.member("consumers", cursor.consumers);
  write_bytes(json, cursor);
  write_hole(json, cursor.hole);
  json.member("stale", cursor.stale);
  write_facts(json, "evidence_facts", cursor.evidence);
  json.end_object();
}

void write_finding(JsonWriter& json, const model::Finding& finding) {
  json.begin_object();
  json.member("rule", finding.rule);
  json.member("level", model::name_of(finding.level));
  json.member("severity", model::name_of(finding.severity));
  json.member("topic", finding.topic);
  json.member("cursor", finding.cursor);
  json.member("namespace", finding.ns);
  json.member("subject", finding.subject);
  json.member("since_ms", finding.since_ms);
  json.member("summary", finding.summary);
  write_facts(json, "evidence", finding.evidence);
  json.end_object();
}

// Without its braces.
void write_counts(JsonWriter& json, const model::Coverage& coverage) {
  json.member("listed", coverage.listed);
  json.member("evaluated", coverage.evaluated);
  json.member("unknown", coverage.unknown);
}

void write_unattributed(JsonWriter& json, const std::optional<model::UnattributedLedgers>& ledgers) {
  json.key("unattributed_ledgers");
  if (!ledgers) return json.null();
  json.begin_object();
  json.member("count", ledgers->count);
  json.member("bytes", ledgers->bytes);
  json.member("oldest_ms", ledgers->oldest_ms);
  json.end_object();
}

void write_coverage(JsonWriter& json, const model::Verdicts& verdicts) {
  json.key("coverage");
  json.begin_object();
  write_counts(json, verdicts.coverage);
  write_unattributed(json, verdicts.unattributed_ledgers);
  json.key("by_namespace");
  json.begin_object();
  for (const auto& [ns, coverage] : verdicts.coverage_by_namespace) {
    json.key(ns);
    json.begin_object();
    write_counts(json, coverage);
    json.end_object();
  }
  json.end_object();
  json.end_object();
}

void write_removed(JsonWriter& json, const std::vector<model::RemovedCursor>& removed) {
  json.key("removed");
  json.begin_array();
  for (const auto& cursor : removed) {
    json.begin_object();
    json.member("topic", cursor.topic);
    json.member("cursor", cursor.cursor);
    json.member("state", model::name_of(cursor.state));
    json.member("removed_ms", cursor.removed_ms);
    json.member("since_ms", cursor.since_ms);
    json.member("pinned_bytes", cursor.pinned_bytes);
    json.member("reclaimable_bytes", cursor.reclaimable_bytes);
    json.member("topic_reclaimable_bytes", cursor.topic_reclaimable_bytes);
    json.member("removed_reclaimable_bytes", cursor.removed_reclaimable_bytes);
    json.member("freed_bytes", cursor.freed_bytes);
    json.member("freed_open_bytes", cursor.freed_open_bytes);
    json.end_object();
  }
  json.end_array();
}

std::optional<model::State> state_named(std::string_view name) {
  for (const auto& word : model::kStates) {
    if (word.name == name) return word.state;
  }
  return std::nullopt;
}

bool read_count(std::string_view text, std::size_t& out) {
  std::int64_t number = -1;
  const auto got = std::from_chars(text.data(), text.data() + text.size(), number);
  if (got.ec != std::errc{} || got.ptr != text.data() + text.size() || number < 0) return false;
  out = static_cast<std::size_t>(number);
  return true;
}

Error refusal(const std::string& text) { return {Errc::kConfig, text}; }

}  // namespace

std::string findings_json(const model::Verdicts& verdicts) {
  JsonWriter json;
  json.begin_object();
  json.member("at_ms", verdicts.at_ms);
  json.key("cursors");
  json.begin_array();
  for (const auto& cursor : verdicts.cursors) write_cursor(json, cursor);
  json.end_array();
  json.key("findings");
  json.begin_array();
  for (const auto& finding : verdicts.findings) write_finding(json, finding);
  json.end_array();
  write_removed(json, verdicts.removed);
  write_coverage(json, verdicts);
  json.end_object();
  return json.take();
}

Result<CursorFilter> parse_cursor_filter(const std::vector<std::pair<std::string, std::string>>& query) {
  CursorFilter filter;
  for (const auto& [name, wanted] : query) {
    if (name == "tenant") {
      filter.tenant = wanted;
    } else if (name == "namespace") {
      if (wanted.find('/') == std::string::npos) return refusal("namespace is written tenant/namespace");
      filter.ns = wanted;
    } else if (name == "topic") {
      if (!model::parse_topic(wanted)) return refusal("topic is written persistent://tenant/namespace/topic");
      filter.topic = wanted;
    } else if (name == "cursor") {
      filter.cursor = wanted;
    } else if (name == "state") {
      filter.state = state_named(wanted);
      if (!filter.state) return refusal("state is none of the states in the documentation");
    } else if (name == "limit" || name == "offset") {
      auto& count = name == "limit" ? filter.limit : filter.offset;
      if (!read_count(wanted, count)) return refusal(name + " is a whole number from 0 on");
    } else {
      return refusal("only tenant, namespace, topic, cursor, state, limit and offset can be asked for");
    }
  }
  return filter;
}

bool matches(const CursorFilter& filter, const model::CursorVerdict& verdict) {
  const auto place = place_of(verdict.topic);
  return (!filter.tenant || *filter.tenant == place.tenant) && (!filter.ns || *filter.ns == place.ns) &&
         (!filter.topic || *filter.topic == verdict.topic || *filter.topic == place.parent) &&
         (!filter.cursor || *filter.cursor == verdict.cursor) &&
         (!filter.state || *filter.state == counted_state(verdict));
}

std::string cursors_json(const model::Verdicts& verdicts, const CursorFilter& filter) {
  JsonWriter json;
  json.begin_object();
  json.member("at_ms", verdicts.at_ms);
  json.key("cursors");
  json.begin_array();
  std::size_t total = 0;
  for (const auto& cursor : verdicts.cursors) {
    if (!matches(filter, cursor)) continue;
    if (total >= filter.offset && total - filter.offset < filter.limit) write_cursor(json, cursor);
    ++total;
  }
  json.end_array();
  json.member("total", static_cast<std::int64_t>(total));
  json.member("offset", static_cast<std::int64_t>(filter.offset));
  json.member("limit", static_cast<std::int64_t>(filter.limit));
  write_coverage(json, verdicts);
  json.end_object();
  return json.take();
}

}  // namespace tidemark::report
