#pragma once
// The daemon's series about itself: prometheus-cpp keeps them and its serializer writes them at each scrape. Thread
// safe. prometheus-cpp stays behind this header.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace tidemark::report {

// What is remembered of a cluster, and what had no place there in the last poll.
struct HistoryUse {
  std::int64_t bytes = 0;
  std::int64_t refused_topics = 0;
  std::int64_t refused_cursors = 0;
  std::int64_t refused_figures = 0;
  std::int64_t forgotten = 0;  // what is gone and was dropped before its time
};

class SelfMetrics {
 public:
  // `revision` may be empty.
  SelfMetrics(const std::string& version, const std::string& revision);
  ~SelfMetrics();
  SelfMetrics(const SelfMetrics&) = delete;
  SelfMetrics& operator=(const SelfMetrics&) = delete;

  // Makes a cluster's series exist from the start, so that an alert on them can fire before the first poll ends.
  void add_cluster(const std::string& cluster);

  // `reached`: at least one broker answered. Only such a poll moves the last success.
  void poll_done(const std::string& cluster, Duration took, bool reached, TimeMs now);

  // One request of ours that got a status, or none. `endpoint` is a template ("internalStats"), never a whole path.
  void request_done(const std::string& cluster, const std::string& endpoint, int status, Duration took);
  void request_failed(const std::string& cluster, const std::string& endpoint, Errc why, Duration took);

  // A document or a part of one that could not be used: kMalformed, kTruncated, kTooLarge.
  void document_rejected(const std::string& cluster, const std::string& endpoint, Errc why, std::int64_t count = 1);

  void set_brokers_partial(const std::string& cluster, std::int64_t brokers);
  void history_used(const std::string& cluster, const HistoryUse& use);

  // The state file, after a write; or one that failed.
  void state_written(const std::string& cluster, std::int64_t bytes, TimeMs now);
  void state_failed(const std::string& cluster);

  // Told at start and at each reload.
  void config_loaded(bool good, TimeMs now);

  // Prometheus text 0.0.4; reads /proc for the process_* series.
  std::string serialize() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tidemark::report
