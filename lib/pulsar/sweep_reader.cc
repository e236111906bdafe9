#include "pulsar/sweep_reader.h"

#include <utility>

namespace tidemark::pulsar {

namespace {

formats::MemberSplitter splitter_of(SweepOf of, std::size_t max_topic_bytes, formats::MemberSplitter::Sink sink) {
  return of == SweepOf::kNames ? split_loaded_topics(std::move(sink)) : split_sweep(max_topic_bytes, std::move(sink));
}

}  // namespace

SweepReader::SweepReader(std::size_t max_topic_bytes, Sink sink, RawSink raw, SweepOf of)
    : of_(of),
      sink_(std::move(sink)),
      raw_(std::move(raw)),
      splitter_(splitter_of(of, max_topic_bytes, [this](std::span<const std::string> path, std::string_view item) {
        return take(path, item);
      })) {}

Result<void> SweepReader::take(std::span<const std::string> path, std::string_view item) {
  // By its own name: after a fault the keys above it may be missing.
  if (path.back().starts_with("non-persistent://")) return {};
  auto topic = of_ == SweepOf::kNames ? decode_sweep_name(path.back()) : decode_sweep_topic(path.back(), item);
  if (!topic) {
    ++rejected_;
    return {};
  }
  if (raw_ && of_ == SweepOf::kStatistics) raw_(path, item, topic->name);
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
