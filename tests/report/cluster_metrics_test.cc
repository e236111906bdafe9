#include "report/cluster_metrics.h"

#include <prometheus/collectable.h>
#include <prometheus/text_serializer.h>

#include "formats/utf8.h"
#include "model/names.h"
#include "report/metric_families.h"
#include "report/metrics_text.h"
#include "report/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using report_samples::kDay;
using report_samples::kNow;
using report_samples::MetricsText;

namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;

// The same series as prometheus-cpp writes them, from the samples' values as a person reads them.
class Oracle final : public prometheus::Collectable {
 public:
  Oracle(const model::Snapshot& snapshot, const model::Verdicts& verdicts) : cluster_(snapshot.cluster) {
    for (const auto& verdict : verdicts.cursors) add_cursor(verdict);
    add_topics();
    add_namespaces();
    add_cluster();
  }

  std::vector<prometheus::MetricFamily> Collect() const override {
    std::vector<prometheus::MetricFamily> all;
    for (const auto& [name, family] : families_) all.push_back(family);
    return all;
  }

 private:
  void add(const std::string& name, const Labels& labels, double value) {
    auto& family = families_["tidemark_" + name];
    family.name = "tidemark_" + name;
    family.help = "help";
    const bool counter = name.ends_with("_total");
    family.type = counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
    prometheus::ClientMetric metric;
    metric.label.push_back({"pulsar_cluster", cluster_});
    for (const auto& [label, its_value] : labels) metric.label.push_back({label, formats::valid_utf8(its_value)});
    (counter ? metric.counter.value : metric.gauge.value) = value;
    family.metric.push_back(std::move(metric));
  }

  void add_cursor(const model::CursorVerdict& verdict) {
    const auto state = verdict.last_state.value_or(verdict.state);
    if (verdict.kind == model::CursorKind::kReader || !model::word_of(state).is_finding) return;
    const auto topic = model::parse_topic(verdict.topic).value();
    const Labels labels{{"tenant", std::string(topic.tenant)},
                        {"pulsar_namespace", std::string(topic.ns)},
                        {"topic", verdict.topic.str()},
                        {"subscription", verdict.cursor.str()}};
    const auto with = [&labels](const char* name, const std::string& value) {
      auto more = labels;
      more.emplace_back(name, value);
      return more;
    };
    add("cursor_last_activity_timestamp_seconds", with("bound", "earliest"),
        static_cast<double>(kNow - 9 * kDay - 1500) / 1000);
    add("cursor_last_activity_timestamp_seconds", with("bound", "latest"), static_cast<double>(kNow - 9 * kDay) / 1000);
    add("cursor_state_since_timestamp_seconds", with("state", std::string(model::name_of(state))),
        static_cast<double>(kNow - kDay) / 1000);
    add("cursor_backlog_entries", labels, 42);
    add("cursor_pinned_bytes", labels, static_cast<double>(*verdict.pinned_bytes));
    add("cursor_reclaimable_bytes", labels, static_cast<double>(*verdict.reclaimable_bytes));
    add("cursor_mark_delete_ledger_id", labels, 101);
    add("cursor_mark_delete_entry_id", labels, -1);
  }

  void add_topic(const std::string& ns, const std::string& topic, std::optional<double> reclaimable, double count) {
    const Labels labels{{"tenant", ns.substr(0, ns.find('/'))}, {"pulsar_namespace", ns}, {"topic", topic}};
    if (reclaimable) add("topic_reclaimable_bytes", labels, *reclaimable);
    add("topic_subscriptions", labels, count);
  }

  void add_topics() {
    add_topic("acme/orders", "persistent://acme/orders/audit", 900, 3);
    add_topic("acme/orders", "persistent://acme/orders/events-partition-0", 4000, 1);
    add_topic("acme/orders", "persistent://acme/orders/events-partition-1", 0, 1);  // a finding names it
    add_topic("acme/orders", "persistent://acme/orders/other", 700, 2);
    add_topic("beta/jobs", report_samples::hostile_topic(), std::nullopt, 1);
    add_topic("beta/jobs", "persistent://beta/jobs/kept", std::nullopt, 2);
  }

  void add_namespaces() {
    const Labels orders{{"tenant", "acme"}, {"pulsar_namespace", "acme/orders"}};
    const Labels jobs{{"tenant", "beta"}, {"pulsar_namespace", "beta/jobs"}};
    const Labels quiet{{"tenant", "gamma"}, {"pulsar_namespace", "gamma/quiet"}};
    const auto with = [](Labels labels, const char* name, const std::string& value) {
      labels.emplace_back(name, value);
      return labels;
    };
    add("namespace_pinned_bytes", orders, 8810);
    add("namespace_pinned_bytes", jobs, 2000);
    add("namespace_reclaimable_bytes", orders, 5600);
    add("subscription_growth_per_day", orders, 2.5);
    add("namespace_held_bytes", with(orders, "cause", "open_ledger"), 2000);
    add("namespace_held_bytes", with(orders, "cause", "retention"), 300);
    add("namespace_removed_reclaimable_bytes", orders, 807);
    add("namespace_removed_freed_bytes", orders, 500);
    add("namespace_removed_freed_open_bytes", orders, 40);
    add("oldest_abandoned_timestamp_seconds", orders, static_cast<double>(kNow - 9 * kDay) / 1000);
    add("oldest_abandoned_timestamp_seconds", jobs, static_cast<double>(kNow - 9 * kDay) / 1000);
    add("group_reclaimable_bytes", with(orders, "group", "billing"), 4000);
    add("group_reclaimable_bytes", with(orders, "group", "worker-*"), 900);
    add("group_reclaimable_bytes", with(orders, "group", "spark-*"), 700);
    const auto group = [&](const Labels& ns, const char* name, const char* state, int count) {
      add("group_subscriptions", with(with(ns, "group", name), "state", state), count);
    };
    const auto billing = with(with(orders, "group", "billing"), "subscription_owner", "payments");
    add("group_subscriptions", with(billing, "state", "abandoned"), 1);
    group(orders, "worker-*", "abandoned", 3);
    group(orders, "worker-*", "unused", 1);
    group(orders, "spark-*", "abandoned", 1);
    group(jobs, "nightly", "abandoned", 1);
    add("subscriptions", with(orders, "state", "abandoned"), 5);  // billing's two partitions are one
    add("subscriptions", with(orders, "state", "unused"), 1);
    add("subscriptions", with(jobs, "state", "abandoned"), 1);
    add("subscriptions", with(jobs, "state", "idle"), 1);
    add("subscriptions", with(jobs, "state", "unknown"), 1);
    for (const auto* state : {"abandoned", "unused"}) add("subscriptions_silenced", with(orders, "state", state), 0);
    for (const auto* state : {"abandoned", "idle", "unknown"})
      add("subscriptions_silenced", with(jobs, "state", state), 0);
    for (const auto& [state, count] : {std::pair{"listed", 3}, {"loaded", 2}, {"empty", 1}}) {
      add("topics", with(orders, "state", state), count);
    }
    for (const auto& [state, count] : {std::pair{"listed", 1}, {"loaded", 0}, {"empty", 0}}) {
      add("topics", with(quiet, "state", state), count);
    }
  }

  void add_cluster() {
    add("findings", {{"rule", "abandoned"}, {"severity", "warning"}}, 5);
    add("findings", {{"rule", "abandoned"}, {"severity", "info"}}, 1);
    add("findings", {{"rule", "unused"}, {"severity", "info"}}, 1);
    add("findings", {{"rule", "idle"}, {"severity", "info"}}, 1);
    add("findings", {{"rule", "rewound"}, {"severity", "info"}}, 1);
    add("findings", {{"rule", "held_without_cursor"}, {"severity", "info"}}, 1);
    add("findings", {{"rule", "bookie_read_only"}, {"severity", "critical"}}, 1);
    add("bookie_findings", {{"bookie", "bookie-1:8000"}, {"rule", "bookie_read_only"}, {"severity", "critical"}}, 1);
    add("bookie_dir_usage_ratio", {{"bookie", "bookie-0:8000"}, {"dir", "/data/a"}}, 0.5);
    add("bookie_dir_usage_ratio", {{"bookie", "bookie-0:8000"}, {"dir", "/data/b"}}, 0.8125);
    const Labels disk{{"bookie", "bookie-0:8000"}, {"dir", "/data/b"}};
    const auto full = [&disk](const char* bound) {
      auto labels = disk;
      labels.emplace_back("bound", bound);
      return labels;
    };
    add("bookie_dir_usage_slope_per_day", disk, 0.025);
    add("bookie_full_timestamp_seconds", full("earliest"), static_cast<double>(kNow + 4 * kDay) / 1000);
    add("bookie_full_timestamp_seconds", full("expected"), static_cast<double>(kNow + 5 * kDay) / 1000);
    for (const auto& [cause, bytes] : {std::pair{"pinned", 1000},
                                       {"garbage", 200},
                                       {"unexplained", 0},
                                       {"lagging", 0},
                                       {"replication", 0},
                                       {"retention_filling", -10},
                                       {"re_replication", 0}}) {
      add("disk_growth_bytes_per_day", {{"cause", cause}}, bytes);
    }
    add("namespace_disk_growth_bytes_per_day", {{"tenant", "acme"}, {"pulsar_namespace", "acme/orders"}}, 1100);
    add("bookie_state", {{"bookie", "bookie-0:8000"}}, 1);
    add("bookie_state", {{"bookie", "bookie-1:8000"}}, 0);
    add("shards", {{"shard", "0"}}, 1);
    add("suspects_waiting", {}, 17);
    add("suspect_oldest_timestamp_seconds", {}, static_cast<double>(kNow - 4500) / 1000);
    add("snapshot_timestamp_seconds", {}, static_cast<double>(kNow) / 1000);
    add("clock_offset_seconds", {}, 0);
    add("series_suppressed", {}, 0);
    add("topics_loaded_total", {}, 3);
    add("topics_stale", {}, 1);
  }

  std::string cluster_;
  std::map<std::string, prometheus::MetricFamily> families_;
};

std::string rendered(const model::Snapshot& snapshot, const model::Verdicts& verdicts, std::size_t max = 5000) {
  SeriesKeeper keeper;
  return render_cluster_metrics(snapshot, verdicts, {max}, keeper);
}

model::Verdicts sample_verdicts() {
  auto verdicts = report_samples::verdicts();
  model::Finding finding;
  finding.rule = "bookie_read_only";
  finding.level = model::Level::kBookie;
  finding.severity = model::Severity::kCritical;
  finding.subject = "bookie-1:8000";
  verdicts.findings.push_back(std::move(finding));
  return verdicts;
}

}  // namespace

TEST_CASE("prometheus-cpp writes the same samples") {
  const auto snapshot = report_samples::snapshot();
  const auto verdicts = sample_verdicts();
  const MetricsText ours(rendered(snapshot, verdicts));
  const MetricsText theirs(prometheus::TextSerializer{}.Serialize(Oracle(snapshot, verdicts).Collect()));
  CHECK(ours.types == theirs.types);
  for (const auto& [sample, value] : theirs.samples) {
    INFO(sample);
    CHECK(ours[sample] == value);
  }
  for (const auto& [sample, value] : ours.samples) {
    INFO(sample);
    CHECK(theirs[sample] == value);
  }
}

TEST_CASE("every family can have a sample, and no label is a forbidden one") {
  const auto text = rendered(report_samples::snapshot(), sample_verdicts());
  const MetricsText metrics(text);
  for (const auto families : {cursor_families(), cluster_families()}) {
    for (const auto& family : families) {
      INFO(family.name);
      CHECK(metrics.has(std::string(family.name)));
    }
  }
  for (const auto* label : {"cluster", "namespace", "type", "owner"}) {
    INFO(label);
    CHECK(text.find("{" + std::string(label) + "=") == std::string::npos);
    CHECK(text.find("," + std::string(label) + "=") == std::string::npos);
  }
}

TEST_CASE("what is silenced is counted beside its true state, and ages no namespace") {
  auto verdicts = report_samples::verdicts();
  for (auto& cursor : verdicts.cursors) {
    if (cursor.cursor == "nightly" || cursor.cursor == "billing") cursor.exception = model::Exception{"kept", {}};
  }
  const MetricsText metrics(rendered(report_samples::snapshot(), verdicts));
  const auto of = [](const std::string& family, const std::string& ns) {
    const auto tenant = ns.substr(0, ns.find('/'));
    return family + R"({pulsar_cluster="prod \"eu\"",tenant=")" + tenant + R"(",pulsar_namespace=")" + ns + "\"";
  };
  const std::string abandoned = R"(,state="abandoned"})";
  CHECK(metrics[of("tidemark_subscriptions", "acme/orders") + abandoned] == 5);
  CHECK(metrics[of("tidemark_subscriptions_silenced", "acme/orders") + abandoned] == 1);
  CHECK(metrics[of("tidemark_subscriptions_silenced", "beta/jobs") + abandoned] == 1);
  CHECK(metrics.has("tidemark_oldest_abandoned_timestamp_seconds"));
  CHECK_FALSE(metrics.samples.contains(of("tidemark_oldest_abandoned_timestamp_seconds", "beta/jobs") + "}"));
}

TEST_CASE("an empty cluster still says when it was looked at") {
  model::Snapshot snapshot;
  snapshot.at_ms = snapshot.reached_ms = 5000;
  snapshot.cluster = "c";
  const MetricsText metrics(rendered(snapshot, {}));
  CHECK(metrics.samples ==
        std::map<std::string, double>{{R"(tidemark_snapshot_timestamp_seconds{pulsar_cluster="c"})", 5},
                                      {R"(tidemark_clock_offset_seconds{pulsar_cluster="c"})", 0},
                                      {R"(tidemark_series_suppressed{pulsar_cluster="c"})", 0},
                                      {R"(tidemark_shards{pulsar_cluster="c",shard="0"})", 1},
                                      {R"(tidemark_suspects_waiting{pulsar_cluster="c"})", 0},
                                      {R"(tidemark_topics_loaded_total{pulsar_cluster="c"})", 0},
                                      {R"(tidemark_topics_stale{pulsar_cluster="c"})", 0}});
}

TEST_CASE("series per cursor are limited and the rest is counted") {
  const auto text = rendered(report_samples::snapshot(), report_samples::verdicts(), 2);
  const MetricsText metrics(text);
  const auto count = [&metrics](const std::string& family) {
    return std::ranges::count_if(metrics.samples,
                                 [&](const auto& sample) { return sample.first.starts_with(family + "{"); });
  };
  CHECK(count("tidemark_cursor_pinned_bytes") == 2);
  CHECK(count("tidemark_topic_subscriptions") == 2);
  CHECK(count("tidemark_group_reclaimable_bytes") == 2);
  CHECK(metrics[R"(tidemark_series_suppressed{pulsar_cluster="prod \"eu\""})"] == 7);
  CHECK(text.find(R"(subscription="billing")") != std::string::npos);
}

TEST_CASE("leftovers of groups without series of their own count by owner, silenced ones not at all") {
  auto verdicts = report_samples::verdicts();
  const auto of = [&verdicts](const std::string& name) {
    return std::ranges::find_if(verdicts.cursors, [&](const auto& one) { return one.cursor == name; });
  };
  of("nightly")->exception = model::Exception{"read once a year", std::nullopt};
  const MetricsText metrics(rendered(report_samples::snapshot(), verdicts, 1));
  const std::string ns = R"(tidemark_group_subscriptions{pulsar_cluster="prod \"eu\"",tenant="acme",)"
                         R"(pulsar_namespace="acme/orders",)";
  std::map<std::string, double> found;
  for (const auto& [series, value] : metrics.samples) {
    if (series.starts_with("tidemark_group_subscriptions{")) found[series] = value;
  }
  CHECK(found ==
        std::map<std::string, double>{{ns + R"(group="billing",subscription_owner="payments",state="abandoned"})", 1},
                                      {ns + R"(state="abandoned"})", 4},
                                      {ns + R"(state="unused"})", 1}});
}

TEST_CASE("several clusters share one text, each family once") {
  auto first = report_samples::snapshot();
  auto second = report_samples::snapshot();
  first.cluster = "one";
  second.cluster = "two";
  const auto verdicts = report_samples::verdicts();
  SeriesKeeper keepers[2];
  const MetricsText both(
      render_cluster_metrics({{&first, &verdicts, &keepers[0]}, {&second, &verdicts, &keepers[1]}}, {}));
  CHECK(both.samples.size() == MetricsText(rendered(first, verdicts)).samples.size() * 2);
  CHECK(both[R"(tidemark_suspects_waiting{pulsar_cluster="two"})"] == 17);
}

TEST_CASE("the bounds of the last activity") {
  struct Row {
    const char* what;
    std::optional<TimeMs> since;
    std::optional<std::int64_t> age_high;
    std::optional<double> earliest;
    std::optional<double> latest;
  };
  const std::vector<Row> rows{
      {"nothing known", std::nullopt, std::nullopt, std::nullopt, std::nullopt},
      {"a lower bound only", kNow - 5000, std::nullopt, std::nullopt, 1736467195},
      {"both", kNow - 5000, 8000, 1736467192, 1736467195},
      {"caught up: an age of 0 is no activity", kNow - 5000, 0, 1736467195, 1736467195},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    model::Verdicts verdicts;
    verdicts.at_ms = kNow;
    auto cursor = report_samples::cursor("persistent://t/n/x", "s", model::State::kIdle);
    cursor.since_ms = row.since;
    cursor.age_high_ms = row.age_high;
    verdicts.cursors = {cursor};
    const MetricsText metrics(rendered(report_samples::snapshot(), verdicts));
    const auto value = [&metrics](const std::string& bound) -> std::optional<double> {
      for (const auto& [sample, its_value] : metrics.samples) {
        if (sample.find("bound=\"" + bound) != std::string::npos) return its_value;
      }
      return std::nullopt;
    };
    CHECK(value("earliest") == row.earliest);
    CHECK(value("latest") == row.latest);
  }
}
