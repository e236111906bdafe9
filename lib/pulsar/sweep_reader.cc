#include "pulsar/sweep_reader.h"

#include <utility>

namespace tidemark::pulsar {

SweepReader::SweepReader(std::size_t max_topic_bytes, Sink sink, RawSink raw)
    : sink_(std::move(sink)),
      raw_(std::move(raw)),
      splitter_(split_sweep(max_topic_bytes, [this](std::span<const std::string> path, std::string_view item) {
        return take(path, item);
      })) {}

Result<void> SweepReader::take(std::span<const std::string> path, std::string_view item) {
  // By its own name: after a fault the keys above it may be missing.
  if (path.back().starts_with("non-persistent://")) return {};
  auto topic = decode_sweep_topic(path.back(), item);
  if (!topic) {
    ++rejected_;
    return {};
  }
  if (raw_) raw_(path, item, topic->name);
  ++topics_;
  sink_(std::move(*topic));
  return {};
}

Result<void> SweepReader::finish() {
  if (auto done = splitter_.finish(); !done) return done;
  whole_ = true;
  if (rejected() > 0) {
    return Error{Errc::kMalformed, std::to_string(rejected()) + " topics were damaged or too large and were left out"};
  }
  return {};
}

}  // namespace tidemark::pulsar
