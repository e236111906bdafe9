#pragma once
// Turns what collecting reports into self metrics, and passes it on to a second observer (the tee of `record`, the
// progress line of `scan`) when there is one.

#include <string>
#include <utility>

#include "collect/observer.h"
#include "report/self_metrics.h"

namespace tidemark::daemon {

class WatchObserver final : public collect::Observer {
 public:
  // References must outlive the observer; `next` may be null.
  WatchObserver(std::string cluster, report::SelfMetrics& metrics, collect::Observer* next)
      : cluster_(std::move(cluster)), metrics_(metrics), next_(next) {}

  void answered(pulsar::Endpoint endpoint, int status, Duration took) override;
  void failed(pulsar::Endpoint endpoint, const Error& error, Duration took) override;
  void rejected(pulsar::Endpoint endpoint, const Error& error, std::int64_t count) override;
  void exchange(const model::Exchange& exchange) override;
  void sweep_begins(const model::Exchange& exchange) override;
  void sweep_topic(std::span<const std::string> path, std::string_view object) override;
  void sweep_ends() override;
  bool records() const override { return next_ != nullptr && next_->records(); }
  void progress(std::size_t asked, std::size_t waiting) override;

 private:
  std::string cluster_;
  report::SelfMetrics& metrics_;
  collect::Observer* next_;
};

}  // namespace tidemark::daemon
