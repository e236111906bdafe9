#include "by_documents.h"

#include <string>

namespace tidemark::weeks {
namespace {

// What the configured URL names: whichever broker is up.
const std::string kService = "pulsar:8080";

constexpr Duration kAnswerTakes{20};

survey::Options options_of(Duration interval) {
  survey::Options options;
  options.seed = kService;
  options.interval = interval;
  return options;
}

}  // namespace

ByDocuments::ByDocuments(sim::SimulatedCluster& cluster, sim::VirtualClock& clock, Duration interval)
    : cluster_(cluster), clock_(clock), survey_(options_of(interval)) {}

std::shared_ptr<const model::Snapshot> ByDocuments::poll(TimeMs at, const Weather& weather, Sky& sky) {
  clock_.set(at);
  cluster_.advance_to(at);
  now_ = at + weather.skew.count();
  lost_ = weather.lost;
  set_faults(weather);
  survey_.begin_poll(now_);
  topology();
  sweeps(weather, sky);
  survey_.end_sweeps();
  topology();
  // The topics' own documents come later than the sweep, sometimes after the world has moved on.
  clock_.advance(std::chrono::seconds{45});
  suspects();
  return survey_.end_poll();
}

void ByDocuments::set_faults(const Weather& weather) {
  auto& faults = cluster_.faults();
  faults.clear();
  if (weather.failing_broker) {
    sim::FaultRule rule;
    rule.name = cluster_.world().brokers()[*weather.failing_broker].address();
    faults.add(rule);
  }
  if (weather.errors > 0) {
    sim::FaultRule rule;
    rule.status = 500;
    rule.path_contains = "/admin/v2/persistent/";
    rule.probability = weather.errors;
    faults.add(rule);
  }
  if (weather.truncated > 0) {
    sim::FaultRule rule;
    rule.kind = sim::FaultKind::kTruncated;
    rule.probability = weather.truncated;
    faults.add(rule);
  }
}

void ByDocuments::ask(const survey::Ask& ask) {
  auto exchange =
      ask.name == kService ? cluster_.answer(ask.target, ask.path) : cluster_.answer(ask.target, ask.name, ask.path);
  clock_.advance(kAnswerTakes);
  exchange.at_ms = now_;
  exchange.name = ask.name;
  if (lost_) {
    exchange.status = 0;
    exchange.body.clear();
  }
  // A document that is no good is one of the faults; the survey has noted it.
  static_cast<void>(survey_.take(exchange));
}

void ByDocuments::topology() {
  for (auto asks = survey_.topology(); !asks.empty(); asks = survey_.topology()) {
    for (const auto& one : asks) ask(one);
  }
}

void ByDocuments::sweeps(const Weather& weather, Sky& sky) {
  bool first = true;
  for (const auto& one : survey_.sweeps()) {
    ask(one);
    if (first && weather.moves_a_bundle) sky.move_a_bundle(cluster_.world());
    first = false;
  }
}

void ByDocuments::suspects() {
  for (const auto& broker : survey_.known().brokers()) {
    for (auto asks = survey_.next_suspect(broker); !asks.empty(); asks = survey_.next_suspect(broker)) {
      for (const auto& one : asks) ask(one);
    }
  }
  while (const auto info = survey_.next_info()) ask(*info);
}

}  // namespace tidemark::weeks
