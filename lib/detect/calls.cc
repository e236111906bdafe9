#include "detect/calls.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "detect/kept_figure.h"

namespace tidemark::detect {
namespace {

constexpr Duration kDay{86400000};
constexpr std::int64_t kLeastMs = 1000;
constexpr std::int64_t kTimes = 3;

using Points = std::vector<history::Point>;

// How much of the time since the first of them somebody looked: what lies between looks that are further apart was not
// seen. `apart`: two looks, at most.
Duration watched(const Points& points, TimeMs now, Duration apart) {
  Duration sum{0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto next = i + 1 < points.size() ? points[i + 1].at : now;
    sum += std::min(Duration{next - points[i].at}, apart);
  }
  return sum;
}

// Of the day before now; empty while less than half of it was watched.
std::optional<std::int64_t> middle_of_day(const history::Figures& figures, const std::string& name,
                                          const model::Snapshot& snapshot) {
  const auto* series = figures.find(name);
  if (series == nullptr) return std::nullopt;
  const auto points = series->points();
  const auto apart = std::max<Duration>(2 * snapshot.interval, kDay / history::Series::kSlots);
  if (watched(points, snapshot.at_ms, apart) < kDay / 2) return std::nullopt;
  std::vector<std::int64_t> values;
  values.reserve(points.size());
  for (const auto& point : points) values.push_back(point.value);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool is_slow(const model::SlowCalls& calls) {
  if (calls.timeouts > 0) return true;
  return calls.p90_ms && calls.usual_ms && *calls.p90_ms >= std::max(kLeastMs, kTimes * *calls.usual_ms);
}

model::SlowCalls look(const model::BrokerView& broker, const model::Snapshot& snapshot, history::Figures& figures) {
  const auto now = snapshot.at_ms;
  model::SlowCalls calls;
  calls.broker = broker.name;
  calls.p90_ms = broker.calls_p90_ms;
  calls.timeouts = broker.calls_timed_out;
  // Who was away for a day comes back to what was usual before, not to what the first looks after it show.
  KeptFigure usual(figures, "calls usual", broker.name, now, kDay);
  const auto middle = middle_of_day(figures, "calls p90 " + broker.name, snapshot);
  if (middle) usual.put(*middle);
  calls.usual_ms = middle ? middle : usual.before();
  if (calls.p90_ms) KeptFigure(figures, "calls p90", broker.name, now, kDay).put(*calls.p90_ms);
  KeptFigure polls(figures, "calls slow", broker.name, now, kDay);
  KeptFigure since(figures, "calls slow since", broker.name, now, kDay);
  KeptFigure timed_out(figures, "calls timed out", broker.name, now, kDay);
  // A poll without a call tells nothing, neither way; but who did not answer in time and now gives its sweep, answers.
  const bool answers_again = timed_out.before().value_or(0) > 0 && broker.reachable;
  const bool known = calls.p90_ms || calls.timeouts > 0 || answers_again;
  calls.polls = !known ? polls.before().value_or(0) : is_slow(calls) ? polls.before().value_or(0) + 1 : 0;
  calls.since_ms = calls.polls == 0 ? 0 : since.before().value_or(0) != 0 ? *since.before() : now;
  if (known) timed_out.put(calls.timeouts);
  polls.put(calls.polls);
  since.put(calls.since_ms);
  return calls;
}

}  // namespace

std::vector<model::SlowCalls> observe_calls(const model::Snapshot& snapshot, history::Figures& figures) {
  std::vector<model::SlowCalls> found;
  for (const auto& broker : snapshot.brokers) {
    auto calls = look(broker, snapshot, figures);
    if (calls.polls > 0) found.push_back(std::move(calls));
  }
  return found;
}

}  // namespace tidemark::detect
