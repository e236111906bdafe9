#include "pulsar/sweep_reader.h"

#include <utility>

#include "base/units.h"

namespace tidemark::pulsar {

namespace {

constexpr std::uint64_t kMostBetween = 64;
constexpr std::uint64_t kLargeTopic = std::uint64_t{8} << 20;

formats::MemberSplitter splitter_of(SweepOf of, std::size_t max_topic_bytes, formats::MemberSplitter::Sink sink) {
  return of == SweepOf::kNames ? split_loaded_topics(std::move(sink)) : split_sweep(max_topic_bytes, std::move(sink));
}

}  // namespace

SweepReader::SweepReader(std::size_t max_topic_bytes, Sink sink, RawSink raw, SweepOf of)
    : of_(of),
      most_between_(kMostBetween * (of == SweepOf::kNames ? kLargeTopic : std::uint64_t{max_topic_bytes})),
      sink_(std::move(sink)),
      raw_(std::move(raw)),
      splitter_(splitter_of(of, max_topic_bytes, [this](std::span<const std::string> path, std::string_view item) {
        return take(path, item);
      })) {}

Result<void> SweepReader::feed(std::string_view chunk) {
  since_topic_ += chunk.size();
  if (auto fed = splitter_.feed(chunk); !fed) return fed;
  if (since_topic_ <= most_between_) return {};
  return Error{Errc::kTooLarge, "no topic in " + format_bytes(static_cast<std::int64_t>(since_topic_)) +
                                    ": these are no statistics of topics"};
}

Result<void> SweepReader::take(std::span<const std::string> path, std::string_view item) {
  since_topic_ = 0;
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
