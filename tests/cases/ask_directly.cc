// What lib/collect does over HTTP, without it: whatever the survey wants to know next is taken from the recording.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "asked.h"
#include "daemon/from_settings.h"
#include "detect/judge.h"
#include "history/history.h"
#include "pulsar/sweep_reader.h"
#include "report/api_json.h"
#include "survey/survey.h"

namespace tidemark::cases {
namespace {

constexpr std::size_t kMaxTopicBytes = std::size_t{64} << 20;

class Asker {
 public:
  Asker(RecordedCluster& cluster, survey::Options options, std::size_t chunk_bytes)
      : cluster_(cluster), survey_(std::move(options)), chunk_bytes_(chunk_bytes) {}

  std::shared_ptr<const model::Snapshot> poll(TimeMs at) {
    cluster_.go_to(at);
    survey_.begin_poll(at);
    topology();
    for (const auto& ask : survey_.sweeps()) sweep(ask);
    survey_.end_sweeps();
    topology();
    for (auto asks = survey_.bookies(); !asks.empty(); asks = survey_.bookies()) all(asks);
    for (auto page = survey_.next_ledger_page(); page; page = survey_.next_ledger_page()) take(*page);
    for (const auto& broker : survey_.known().brokers()) {
      for (auto asks = survey_.next_suspect(broker); !asks.empty(); asks = survey_.next_suspect(broker)) all(asks);
    }
    for (auto ask = survey_.next_info(); ask; ask = survey_.next_info()) take(*ask);
    return survey_.end_poll();
  }

 private:
  void topology() {
    for (auto asks = survey_.topology(); !asks.empty(); asks = survey_.topology()) all(asks);
  }

  void all(const std::vector<survey::Ask>& asks) {
    for (const auto& ask : asks) take(ask);
  }

  // A document that is no good is part of what happened.
  void take(const survey::Ask& ask) { (void)survey_.take(cluster_.answer(ask.target, ask.name, ask.path)); }

  void sweep(const survey::Ask& ask) {
    const auto exchange = cluster_.answer(ask.target, ask.name, ask.path);
    if (exchange.status != 200) return take(ask);
    survey_.begin_sweep(ask.name);
    pulsar::SweepReader reader(kMaxTopicBytes,
                               [&](pulsar::SweepTopic topic) { survey_.sweep_topic(ask.name, std::move(topic)); });
    const std::string_view body = exchange.body;
    const auto step = chunk_bytes_ == 0 ? std::max<std::size_t>(1, body.size()) : chunk_bytes_;
    Result<void> done;
    for (std::size_t i = 0; i < body.size() && done; i += step) done = reader.feed(body.substr(i, step));
    if (done) done = reader.finish();
    survey_.end_sweep(ask.name, done ? std::nullopt : std::optional(done.error()),
                      reader.whole() ? reader.rejected() : 0);
  }

  RecordedCluster& cluster_;
  survey::Survey survey_;
  std::size_t chunk_bytes_;
};

}  // namespace

void spend_freely(Asking& asking) {
  auto& sets = asking.common.sets;
  // What the case itself sets comes after and wins. The default share of the default rate is 6 audits a poll.
  sets.insert(sets.begin(), {"poll.suspect_rate=10000", "poll.internal_info_rate=10000",
                             asking.audits ? "poll.audit_share=0.00001" : "poll.audit_share=0",
                             "poll.topology_interval=100ms", "detect.held_min_bytes=0"});
}

Result<std::string> ask_directly(RecordedCluster& cluster, Asking asking) {
  spend_freely(asking);
  auto settings = daemon::load_settings(asking.common, false);
  if (!settings) return settings.error();
  auto limits = daemon::limits_of(*settings);
  limits.report_gauges = true;  // as in a replay
  auto origins = detect::OriginPatterns::compile(limits.origins);
  if (!origins) return origins.error();
  auto options = daemon::survey_options_of(*settings, settings->clusters.front(), {});
  options.seed = kService;
  options.cluster = cluster.cluster();
  options.bookies = cluster.bookies();
  Asker asker(cluster, std::move(options), asking.chunk_bytes);
  history::History history(daemon::tuning_of(*settings));
  model::Verdicts verdicts;
  for (const auto at : cluster.polls()) verdicts = detect::judge(*asker.poll(at), history, *origins, limits);
  return report::findings_json(verdicts);
}

}  // namespace tidemark::cases
