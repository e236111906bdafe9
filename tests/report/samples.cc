#include "report/samples.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tidemark::report_samples {
namespace {

using model::CursorVerdict;
using model::State;

const std::string kEvents = "persistent://acme/orders/events-partition-";
const std::string kAudit = "persistent://acme/orders/audit";
const std::string kOther = "persistent://acme/orders/other";

void add_partitioned(model::Verdicts& out) {
  auto stuck = cursor(kEvents + "0", "billing", State::kAbandoned);
  stuck.pinned_bytes = 5000;
  stuck.reclaimable_bytes = stuck.topic_reclaimable_bytes = 4000;
  stuck.owner = std::string("payments");
  auto moving = cursor(kEvents + "1", "billing", State::kOk);
  moving.pinned_bytes = 10;
  moving.topic_reclaimable_bytes = 0;
  out.cursors.push_back(std::move(stuck));
  out.cursors.push_back(std::move(moving));
}

// Two tied at the end, one ahead of them; on `other` a leftover of another group is the slowest.
void add_groups(model::Verdicts& out) {
  for (const auto* name : {"worker-1", "worker-2", "worker-3"}) {
    auto leftover = cursor(kAudit, name, State::kAbandoned);
    leftover.group = "worker-*";
    leftover.origin = model::Origin::kPerInstance;
    leftover.pinned_bytes = 3000;
    leftover.reclaimable_bytes = 100;
    leftover.topic_reclaimable_bytes = 900;
    out.cursors.push_back(std::move(leftover));
  }
  auto& all = out.cursors;
  all[all.size() - 3].tie = all[all.size() - 2].tie = tie({"worker-1", "worker-2"});
  all.back().reclaimable_bytes = 0;
  all.back().pinned_bytes = 1000;

  auto ahead = cursor(kOther, "worker-4", State::kUnused);
  ahead.group = "worker-*";
  ahead.pinned_bytes = 0;
  ahead.reclaimable_bytes = 0;
  ahead.topic_reclaimable_bytes = 700;
  auto slowest = cursor(kOther, "spark-7", State::kAbandoned);
  slowest.group = "spark-*";
  slowest.origin = model::Origin::kBatchJob;
  slowest.pinned_bytes = 800;
  slowest.reclaimable_bytes = slowest.topic_reclaimable_bytes = 700;
  slowest.drain = model::Drain::kTtl;
  out.cursors.push_back(std::move(ahead));
  out.cursors.push_back(std::move(slowest));
}

void add_odd_ones(model::Verdicts& out) {
  auto hostile = cursor(hostile_topic(), hostile_name(), State::kIdle);
  hostile.evidence.emplace_back("note", hostile_name());
  hostile.group = hostile_name();
  hostile.hole = model::Hole{{100, 15}, {100, 19}, 5, 1, 90, std::nullopt};
  out.cursors.push_back(std::move(hostile));

  const std::string kept_topic = "persistent://beta/jobs/kept";
  auto kept = cursor(kept_topic, "nightly", State::kUnknown);
  kept.last_state = State::kAbandoned;
  kept.stale = true;
  out.cursors.push_back(std::move(kept));
  CursorVerdict blank;
  blank.topic = kept_topic;
  blank.cursor = "blank";
  out.cursors.push_back(std::move(blank));
  auto reader = cursor(kept_topic, "reader-1", State::kOk);
  reader.kind = model::CursorKind::kReader;
  reader.pinned_bytes = reader.reclaimable_bytes = 0;
  out.cursors.push_back(std::move(reader));
  auto replicator = cursor(kept_topic, "pulsar.repl.eu", State::kRewound);
  replicator.kind = model::CursorKind::kReplicator;
  replicator.pinned_bytes = 50;
  replicator.evidence_kind = model::EvidenceKind::kBounded;
  out.cursors.push_back(std::move(replicator));
}

// As the judge does it: one a cursor whose state, or kept state, is a finding.
void add_findings(model::Verdicts& out) {
  for (const auto& verdict : out.cursors) {
    const auto state = verdict.state == State::kUnknown ? verdict.last_state.value_or(State::kOk) : verdict.state;
    if (!model::word_of(state).is_finding) continue;
    model::Finding finding;
    finding.rule = model::name_of(state);
    finding.severity = verdict.severity;
    finding.topic = verdict.topic.str();
    finding.cursor = verdict.cursor.str();
    finding.ns = "acme/orders";
    finding.subject = *finding.topic + " [" + *finding.cursor + "]";
    finding.since_ms = verdict.since_ms;
    finding.summary = "why of " + *finding.cursor;
    finding.evidence = {{"text", std::string("a \"b\"")},
                        {"count", std::int64_t{9007199254740993}},
                        {"ratio", 0.25},
                        {"flag", true},
                        {"none", nullptr}};
    out.findings.push_back(std::move(finding));
  }
  model::Finding held;
  held.rule = "held_without_cursor";
  held.level = model::Level::kTopic;
  held.topic = kEvents + "1";
  held.subject = *held.topic;
  held.summary = "2.0 GB in the open ledger";
  out.findings.push_back(std::move(held));
}

std::shared_ptr<const model::TopicView> topic(const std::string& name, const std::string& tenant, const std::string& ns,
                                              model::Loaded loaded, std::optional<std::int64_t> bytes) {
  auto view = std::make_shared<model::TopicView>();
  view->name = name;
  view->tenant = tenant;
  view->ns = ns;
  view->listed = true;
  view->loaded = loaded;
  view->total_bytes = bytes;
  return view;
}

}  // namespace

std::string hostile_name() {
  return "evil\"'\n\t\x1b[2J<script>alert(1)</script>&\\ \xC3\xBC\xE2\x80\xAE\xE6\xBD\xAE\xFF";
}

std::string hostile_topic() { return "persistent://beta/jobs/a<b>\"c\n\\d"; }

model::CursorVerdict cursor(const std::string& topic, const std::string& name, State state) {
  model::CursorVerdict verdict;
  verdict.topic = topic;
  verdict.cursor = name;
  verdict.state = state;
  verdict.severity = model::word_of(state).severity;
  verdict.group = name;
  verdict.evidence_kind = model::EvidenceKind::kObserved;
  verdict.since_ms = kNow - 9 * kDay;
  verdict.state_since_ms = kNow - kDay;
  verdict.age_low_ms = 9 * kDay;
  verdict.age_high_ms = 9 * kDay + 1500;
  verdict.mark_delete = model::Position{101, -1};
  verdict.last_confirmed = model::Position{107, 3};
  verdict.consumers = 0;
  verdict.backlog_entries = 42;
  verdict.pinned_entries = 42;
  verdict.pinned_bytes = 1000;
  verdict.reclaimable_bytes = 0;
  return verdict;
}

std::shared_ptr<const model::Tie> tie(const std::vector<std::string>& names) {
  auto made = std::make_shared<model::Tie>();
  made->cursors.assign(names.begin(), names.end());
  made->count = names.size();
  return made;
}

model::Verdicts verdicts() {
  model::Verdicts out;
  out.at_ms = kNow;
  add_partitioned(out);
  add_groups(out);
  add_odd_ones(out);
  std::ranges::stable_sort(out.cursors, [](const CursorVerdict& a, const CursorVerdict& b) {
    return std::pair{a.topic, a.cursor} < std::pair{b.topic, b.cursor};
  });
  add_findings(out);
  model::DiskOutlook disk;
  disk.bookie = "bookie-0:8000";
  disk.dir = "/data/b";
  disk.per_day = 0.025;
  disk.full_earliest_ms = kNow + 4 * kDay;
  disk.full_ms = kNow + 5 * kDay;
  out.disks = {disk};
  model::DiskGrowth grown;
  grown.from_ms = kNow - 4 * kDay;
  grown.to_ms = kNow;
  grown.by_cause = {4000, 800, 0, 0, 0, -40, 0};
  grown.namespaces = {{"acme/orders", 4400, model::GrowthCause::kPinned}};
  out.growths = {grown};
  model::CountGrowth growth;
  growth.level = model::Level::kNamespace;
  growth.name = "acme/orders";
  growth.per_day = 2.5;
  out.counts = {growth};
  out.coverage = {7, 5, 2};
  out.removed.push_back(
      {"persistent://acme/orders/old", "a", State::kAbandoned, kNow - 5000, {}, 900, 0, 900, 800, 500, 40});
  out.removed.push_back(
      {"persistent://acme/orders/old", "b", State::kUnused, kNow - 5000, {}, 0, 0, 900, 600, 300, 40});
  out.removed.push_back({"persistent://acme/orders/other", "c", State::kAbandoned, kNow, {}, 9, 7, 9, 7, 0, 0});
  out.removed.push_back({"persistent://beta/jobs/x", "idle", State::kIdle, kNow, {}, 9, {}, {}, {}, {}, {}});
  out.held_by_namespace = {{"acme/orders", {{"open_ledger", 2000}, {"retention", 300}}}, {"beta/jobs", {}}};
  out.coverage_by_namespace = {{"acme/orders", {5, 5, 0}}, {"beta/jobs", {2, 0, 2}}};
  return out;
}

model::Snapshot snapshot() {
  model::Snapshot out;
  out.at_ms = out.reached_ms = kNow;
  out.cluster = "prod \"eu\"";
  out.version = "4.0.7";
  out.topics = {topic(kAudit, "acme", "acme/orders", model::Loaded::kYes, 5000),
                topic(kEvents + "0", "acme", "acme/orders", model::Loaded::kYes, 0),
                topic(kOther, "acme", "acme/orders", model::Loaded::kNo, std::nullopt),
                topic("persistent://gamma/quiet/t", "gamma", "gamma/quiet", model::Loaded::kNo, std::nullopt)};
  model::BrokerView whole;
  whole.name = "broker-0:8080";
  whole.reachable = true;
  model::BrokerView partial = whole;
  partial.name = "broker-1:8080";
  partial.partial = true;
  partial.problem = "timed out";
  out.brokers = {whole, partial};
  model::BookieView bookie;
  bookie.name = "bookie-0:8000";
  bookie.reachable = true;
  bookie.status = 1;
  bookie.dir_usage_ratio = {{"/data/a", 0.5}, {"/data/b", 0.8125}};
  model::BookieView read_only;
  read_only.name = "bookie-1:8000";
  read_only.status = 0;
  out.bookies = {bookie, read_only};
  out.topics_loaded_by_us = 3;
  out.suspects_waiting = 17;
  out.oldest_suspect_ms = kNow - 4500;
  return out;
}

}  // namespace tidemark::report_samples
