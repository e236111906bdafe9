#include "history/growth.h"

#include <algorithm>

namespace tidemark::history {
namespace {

// What was on its way when the two figures were taken makes no more than this.
constexpr double kExplained = 1.1;

}  // namespace

bool Growth::exceeds() const {
  const auto grown = newest_.total - first_.total;
  const auto published = newest_.published - first_.published;
  return grown > 0 && static_cast<double>(grown) > kExplained * static_cast<double>(published);
}

// Both figures are of one document. A load or a deletion of ledgers begins anew, and so does a window in which what was
// published explains the growth, or in which there is none.
void Growth::observe(const model::TopicView& topic, Duration window) {
  const auto at = std::max(topic.sweep_at_ms, topic.stats_at_ms);
  if (!topic.total_bytes || !topic.bytes_in || at <= newest_.at) return;
  const Look now{at, *topic.total_bytes, *topic.bytes_in};
  const bool anew =
      newest_.at == 0 || topic.epoch != epoch_ || now.published < newest_.published || now.total < newest_.total;
  if (now.total > newest_.total) risen_ms_ = at;
  newest_ = now;
  epoch_ = topic.epoch;
  const bool explained = at - first_.at >= window.count() && !exceeds();
  if (!anew && !explained && at - risen_ms_ < window.count()) return;
  first_ = newest_;
  risen_ms_ = at;
}

std::optional<Growth::Unexplained> Growth::unexplained(Duration window) const {
  if (newest_.at - first_.at < window.count() || !exceeds()) return std::nullopt;
  return Unexplained{first_.at, newest_.total - first_.total, newest_.published - first_.published};
}

}  // namespace tidemark::history
