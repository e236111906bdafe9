#pragma once
// What a broker has loaded, as a stream: bytes in, decoded topics out, memory bounded by the largest topic allowed.
// What does not decode or is over the cap is counted and left out; the rest of the broker's topics survive.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/member_splitter.h"
#include "pulsar/topic_sweep.h"

namespace tidemark::pulsar {

enum class SweepOf {
  kStatistics,  // broker-stats/topics
  kNames,       // broker-stats/bookieops: topics without anything but a name
};

class SweepReader {
 public:
  using Sink = std::function<void(SweepTopic topic)>;
  // Also sees what comes in, still raw: (namespace, bundle, domain, topic) and the topic's object. For recordings.
  // Comes before the decoded topic, whose name is given along.
  using RawSink =
      std::function<void(std::span<const std::string> path, std::string_view object, const std::string& topic)>;

  SweepReader(std::size_t max_topic_bytes, Sink sink, RawSink raw = {}, SweepOf of = SweepOf::kStatistics);

  SweepReader(const SweepReader&) = delete;
  SweepReader& operator=(const SweepReader&) = delete;

  // kTooLarge when nothing that could be a topic comes for 64 times the largest topic allowed: whatever that is, it may
  // never end.
  Result<void> feed(std::string_view chunk);

  // An Error when the document ended early, was malformed, or topics had to be left out: the sweep is partial.
  Result<void> finish();

  // After finish(): the document came to its end, whatever had to be left out of it.
  bool whole() const { return whole_; }

  std::int64_t topics() const { return topics_; }
  std::int64_t rejected() const { return rejected_ + splitter_.skipped_items(); }

 private:
  Result<void> take(std::span<const std::string> path, std::string_view item);

  SweepOf of_;
  std::uint64_t most_between_;  // bytes from one topic to the next
  std::uint64_t since_topic_ = 0;
  Sink sink_;
  RawSink raw_;
  std::int64_t topics_ = 0;
  std::int64_t rejected_ = 0;
  bool whole_ = false;
  formats::MemberSplitter splitter_;
};

}  // namespace tidemark::pulsar
