#include "report/self_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <utility>
#include <vector>

#include "formats/utf8.h"
#include "report/process_stats.h"

namespace tidemark::report {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Labels;
using prometheus::MetricFamily;
using prometheus::MetricType;
using prometheus::Registry;

const Histogram::BucketBoundaries kPollBounds{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300};
const Histogram::BucketBoundaries kRequestBounds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

double seconds(Duration length) { return static_cast<double>(length.count()) / 1000; }
double seconds(TimeMs at) { return static_cast<double>(at) / 1000; }

Labels of_cluster(const std::string& cluster) { return {{"pulsar_cluster", formats::valid_utf8(cluster)}}; }

Labels of_endpoint(const std::string& cluster, const std::string& endpoint) {
  return {{"pulsar_cluster", formats::valid_utf8(cluster)}, {"endpoint", formats::valid_utf8(endpoint)}};
}

void add_process_metric(std::vector<MetricFamily>& families, const char* name, const char* help, MetricType type,
                        std::optional<double> value) {
  if (!value) return;
  prometheus::ClientMetric metric;
  metric.gauge.value = *value;
  metric.counter.value = *value;
  families.push_back({name, help, type, {metric}});
}

void add_process_metrics(std::vector<MetricFamily>& families) {
  const auto stats = read_process_stats();
  const auto add = [&families](const char* name, const char* help, MetricType type, std::optional<double> value) {
    add_process_metric(families, name, help, type, value);
  };
  add("process_cpu_seconds_total", "User and system CPU time used.", MetricType::Counter, stats.cpu_seconds);
  add("process_resident_memory_bytes", "Resident memory.", MetricType::Gauge, stats.resident_bytes);
  add("process_virtual_memory_bytes", "Virtual memory.", MetricType::Gauge, stats.virtual_bytes);
  add("process_start_time_seconds", "Start of the process.", MetricType::Gauge, stats.start_time_seconds);
  add("process_open_fds", "Open file descriptors.", MetricType::Gauge, stats.open_fds);
  add("process_max_fds", "Largest number of open file descriptors.", MetricType::Gauge, stats.max_fds);
}

template <class Builder>
auto& family(Registry& registry, Builder builder, const char* name, const char* help) {
  return builder.Name(name).Help(help).Register(registry);
}

}  // namespace

struct SelfMetrics::Impl {
  Registry registry;
  Family<Gauge>& up = family(registry, prometheus::BuildGauge(), "tidemark_up",
                             "1 if a broker of the cluster answered in the last poll.");
  Family<Gauge>& build_info =
      family(registry, prometheus::BuildGauge(), "tidemark_build_info", "The running program; always 1.");
  Family<Histogram>& poll_duration = family(registry, prometheus::BuildHistogram(), "tidemark_poll_duration_seconds",
                                            "How long polls of the cluster took.");
  Family<Gauge>& last_success = family(registry, prometheus::BuildGauge(), "tidemark_last_success_timestamp_seconds",
                                       "End of the last poll in which a broker answered.");
  Family<Counter>& requests = family(registry, prometheus::BuildCounter(), "tidemark_requests_total",
                                     "Requests to the cluster by kind and by HTTP status, or by why there was none.");
  Family<Histogram>& request_duration =
      family(registry, prometheus::BuildHistogram(), "tidemark_request_duration_seconds",
             "How long requests to the cluster took, the body included.");
  Family<Counter>& rejected =
      family(registry, prometheus::BuildCounter(), "tidemark_documents_rejected_total",
             "Documents, or topics within one, that could not be used: malformed, truncated, too_large.");
  Family<Gauge>& brokers_partial = family(registry, prometheus::BuildGauge(), "tidemark_brokers_partial",
                                          "Brokers whose last sweep failed, ended early or lost most of its topics.");
  Family<Gauge>& history_bytes =
      family(registry, prometheus::BuildGauge(), "tidemark_history_bytes", "Size of what is remembered of cursors.");
  Family<Gauge>& refused =
      family(registry, prometheus::BuildGauge(), "tidemark_history_refused",
             "What has no place in memory (history.max_bytes, history.max_figures) and is judged as just seen.");
  Family<Counter>& forgotten =
      family(registry, prometheus::BuildCounter(), "tidemark_history_forgotten_total",
             "Cursors and topics that are gone and were forgotten before their time (history.max_removed).");
  Family<Gauge>& state_bytes =
      family(registry, prometheus::BuildGauge(), "tidemark_state_bytes", "Size of the cluster's state file.");
  Family<Gauge>& state_time = family(registry, prometheus::BuildGauge(), "tidemark_state_last_write_timestamp_seconds",
                                     "When the state file was last written.");
  Family<Counter>& state_errors = family(registry, prometheus::BuildCounter(), "tidemark_state_write_errors_total",
                                         "Writes of the state file that failed; each poll tries again.");
  Family<Gauge>& reload_good = family(registry, prometheus::BuildGauge(), "tidemark_config_reload_success",
                                      "1 if the last load of the configuration succeeded, 0 if the old one stays.");
  Family<Gauge>& reload_time =
      family(registry, prometheus::BuildGauge(), "tidemark_config_last_reload_success_timestamp_seconds",
             "When the configuration was last loaded.");

  void count_request(const std::string& cluster, const std::string& endpoint, std::string code, Duration took) {
    auto labels = of_endpoint(cluster, endpoint);
    request_duration.Add(labels, kRequestBounds).Observe(seconds(took));
    labels.emplace("code", std::move(code));
    requests.Add(labels).Increment();
  }
};

SelfMetrics::SelfMetrics(const std::string& version, const std::string& revision) : impl_(std::make_unique<Impl>()) {
  Labels labels{{"version", version}};
  if (!revision.empty()) labels.emplace("revision", revision);
  impl_->build_info.Add(labels).Set(1);
}

SelfMetrics::~SelfMetrics() = default;

void SelfMetrics::add_cluster(const std::string& cluster) {
  const auto labels = of_cluster(cluster);
  impl_->up.Add(labels);
  impl_->brokers_partial.Add(labels);
  impl_->poll_duration.Add(labels, kPollBounds);
}

void SelfMetrics::poll_done(const std::string& cluster, Duration took, bool reached, TimeMs now) {
  const auto labels = of_cluster(cluster);
  impl_->up.Add(labels).Set(reached ? 1 : 0);
  impl_->poll_duration.Add(labels, kPollBounds).Observe(seconds(took));
  if (reached) impl_->last_success.Add(labels).Set(seconds(now));
}

void SelfMetrics::request_done(const std::string& cluster, const std::string& endpoint, int status, Duration took) {
  impl_->count_request(cluster, endpoint, std::to_string(status), took);
}

void SelfMetrics::request_failed(const std::string& cluster, const std::string& endpoint, Errc why, Duration took) {
  impl_->count_request(cluster, endpoint, name_of(why), took);
}

void SelfMetrics::document_rejected(const std::string& cluster, const std::string& endpoint, Errc why,
                                    std::int64_t count) {
  auto labels = of_endpoint(cluster, endpoint);
  labels.emplace("reason", name_of(why));
  impl_->rejected.Add(labels).Increment(static_cast<double>(count));
}

void SelfMetrics::set_brokers_partial(const std::string& cluster, std::int64_t brokers) {
  impl_->brokers_partial.Add(of_cluster(cluster)).Set(static_cast<double>(brokers));
}

void SelfMetrics::history_used(const std::string& cluster, const HistoryUse& use) {
  const auto labels = of_cluster(cluster);
  impl_->history_bytes.Add(labels).Set(static_cast<double>(use.bytes));
  const auto set_refused = [&](const char* what, std::int64_t count) {
    auto of_kind = labels;
    of_kind.emplace("what", what);
    impl_->refused.Add(of_kind).Set(static_cast<double>(count));
  };
  set_refused("cursors", use.refused_cursors);
  set_refused("topics", use.refused_topics);
  set_refused("figures", use.refused_figures);
  impl_->forgotten.Add(labels).Increment(static_cast<double>(use.forgotten));
}

void SelfMetrics::state_written(const std::string& cluster, std::int64_t bytes, TimeMs now) {
  const auto labels = of_cluster(cluster);
  impl_->state_bytes.Add(labels).Set(static_cast<double>(bytes));
  impl_->state_time.Add(labels).Set(seconds(now));
  impl_->state_errors.Add(labels);
}

void SelfMetrics::state_failed(const std::string& cluster) { impl_->state_errors.Add(of_cluster(cluster)).Increment(); }

void SelfMetrics::config_loaded(bool good, TimeMs now) {
  impl_->reload_good.Add({}).Set(good ? 1 : 0);
  if (good) impl_->reload_time.Add({}).Set(seconds(now));
}

std::string SelfMetrics::serialize() const {
  auto families = impl_->registry.Collect();
  std::erase_if(families, [](const MetricFamily& each) { return each.metric.empty(); });
  add_process_metrics(families);
  return prometheus::TextSerializer{}.Serialize(families);
}

}  // namespace tidemark::report
