#pragma once
// Who wants to know what collecting does: self metrics, the recording, the progress line. All calls come on the io
// thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "model/exchange.h"
#include "pulsar/paths.h"

namespace tidemark::collect {

class Observer {
 public:
  virtual ~Observer() = default;

  // A request is under way to a broker, or to whoever `name` is, and is no more, however it ended.
  virtual void begins(pulsar::Endpoint, const std::string& /*name*/) {}
  virtual void ends(pulsar::Endpoint, const std::string& /*name*/) {}

  // One request ended: with an HTTP status, or with an Error before there was one.
  virtual void answered(pulsar::Endpoint, int /*status*/, Duration /*took*/) {}
  virtual void failed(pulsar::Endpoint, const Error&, Duration /*took*/) {}
  // A document, or `count` parts of one, that were no good.
  virtual void rejected(pulsar::Endpoint, const Error&, std::int64_t /*count*/) {}

  // The tee. A sweep comes in pieces between its begin and end.
  virtual void exchange(const model::Exchange&) {}
  virtual void sweep_begins(const model::Exchange&) {}
  virtual void sweep_topic(std::span<const std::string> /*path*/, std::string_view /*object*/) {}
  virtual void sweep_ends() {}
  // True: whole bodies are kept for exchange(), and brokers are swept one after the other, because a tee follows one
  // stream.
  virtual bool records() const { return false; }

  // Topics asked for so far and still waiting; while a poll runs.
  virtual void progress(std::size_t /*asked*/, std::size_t /*waiting*/) {}
};

}  // namespace tidemark::collect
