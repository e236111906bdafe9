#pragma once
// Turns what collecting reports into self metrics, and passes it on to a second observer (the tee of `record`, the
// progress line of `scan`) when there is one.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "collect/observer.h"
#include "report/self_metrics.h"

namespace tidemark::daemon {

class WatchObserver final : public collect::Observer {
 public:
  // References must outlive the observer; `next` may be null. What is told before the cluster has a name is kept until
  // then.
  WatchObserver(report::SelfMetrics& metrics, collect::Observer* next) : metrics_(metrics), next_(next) {}

  void name_cluster(std::string cluster);
  const std::string& cluster() const { return cluster_; }  // empty before it has a name

  void begins(pulsar::Endpoint endpoint, const std::string& name) override;
  void ends(pulsar::Endpoint endpoint, const std::string& name) override;
  void answered(pulsar::Endpoint endpoint, int status, Duration took) override;
  void failed(pulsar::Endpoint endpoint, const Error& error, Duration took) override;
  void rejected(pulsar::Endpoint endpoint, const Error& error, std::int64_t count_of_them) override;
  void exchange(const model::Exchange& exchange) override;
  void sweep_begins(const model::Exchange& exchange) override;
  void sweep_topic(std::span<const std::string> path, std::string_view object) override;
  void sweep_ends() override;
  bool records() const override { return next_ != nullptr && next_->records(); }
  void progress(std::size_t asked, std::size_t waiting) override;

 private:
  void count(std::function<void()> what);

  std::string cluster_;
  std::vector<std::function<void()>> waiting_;
  report::SelfMetrics& metrics_;
  collect::Observer* next_;
};

}  // namespace tidemark::daemon
