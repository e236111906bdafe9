#include "daemon/watch_observer.h"

namespace tidemark::daemon {

void WatchObserver::name_cluster(std::string cluster) {
  if (!cluster_.empty()) return;
  cluster_ = std::move(cluster);
  metrics_.add_cluster(cluster_);
  for (const auto& what : std::exchange(waiting_, {})) what();
}

void WatchObserver::count(std::function<void()> what) {
  if (cluster_.empty()) {
    waiting_.push_back(std::move(what));
  } else {
    what();
  }
}

void WatchObserver::begins(pulsar::Endpoint endpoint, const std::string& name) {
  if (next_ != nullptr) next_->begins(endpoint, name);
}

void WatchObserver::ends(pulsar::Endpoint endpoint, const std::string& name) {
  if (next_ != nullptr) next_->ends(endpoint, name);
}

void WatchObserver::answered(pulsar::Endpoint endpoint, int status, Duration took) {
  count([=, this] { metrics_.request_done(cluster_, pulsar::name_of(endpoint), status, took); });
  if (next_ != nullptr) next_->answered(endpoint, status, took);
}

void WatchObserver::failed(pulsar::Endpoint endpoint, const Error& error, Duration took) {
  count([=, this, code = error.code()] { metrics_.request_failed(cluster_, pulsar::name_of(endpoint), code, took); });
  if (next_ != nullptr) next_->failed(endpoint, error, took);
}

void WatchObserver::rejected(pulsar::Endpoint endpoint, const Error& error, std::int64_t count_of_them) {
  count([=, this, code = error.code()] {
    metrics_.document_rejected(cluster_, pulsar::name_of(endpoint), code, count_of_them);
  });
  if (next_ != nullptr) next_->rejected(endpoint, error, count_of_them);
}

void WatchObserver::exchange(const model::Exchange& exchange) {
  if (next_ != nullptr) next_->exchange(exchange);
}

void WatchObserver::sweep_begins(const model::Exchange& exchange) {
  if (next_ != nullptr) next_->sweep_begins(exchange);
}

void WatchObserver::sweep_topic(std::span<const std::string> path, std::string_view object) {
  if (next_ != nullptr) next_->sweep_topic(path, object);
}

void WatchObserver::sweep_ends() {
  if (next_ != nullptr) next_->sweep_ends();
}

void WatchObserver::progress(std::size_t asked, std::size_t waiting) {
  if (next_ != nullptr) next_->progress(asked, waiting);
}

}  // namespace tidemark::daemon
