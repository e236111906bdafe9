#include "daemon/watch_observer.h"

namespace tidemark::daemon {

void WatchObserver::answered(pulsar::Endpoint endpoint, int status, Duration took) {
  metrics_.request_done(cluster_, pulsar::name_of(endpoint), status, took);
  if (next_ != nullptr) next_->answered(endpoint, status, took);
}

void WatchObserver::failed(pulsar::Endpoint endpoint, const Error& error, Duration took) {
  metrics_.request_failed(cluster_, pulsar::name_of(endpoint), error.code(), took);
  if (next_ != nullptr) next_->failed(endpoint, error, took);
}

void WatchObserver::rejected(pulsar::Endpoint endpoint, const Error& error, std::int64_t count) {
  metrics_.document_rejected(cluster_, pulsar::name_of(endpoint), error.code(), count);
  if (next_ != nullptr) next_->rejected(endpoint, error, count);
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
