#pragma once
// One topic out of GET /admin/v2/broker-stats/topics. The whole document may be hundreds of MB, so it is split as it
// arrives (formats/member_splitter.h, depth 4: namespace, bundle, domain, topic) and each topic is decoded on its own.
// It has no positions, no durable flag and, but for connectedSince, no timestamps; names in it are already decoded.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "formats/member_splitter.h"
#include "pulsar/replicator.h"

namespace tidemark::pulsar {

struct SweepSubscription {
  std::string name;
  std::string type;                    // "None" = nobody since load
  std::optional<int> consumers;        // empty: no list of them, which is not the same as nobody
  std::optional<TimeMs> connected_ms;  // the earliest connectedSince of them
  std::int64_t backlog_entries = 0;
  std::int64_t acked_ranges = 0;  // totalNonContiguousDeletedMessagesRange
  std::int64_t unacked_messages = 0;
  bool blocked_on_unacked = false;  // the subscription's flag or any consumer's
  double rate_out = 0;
};

struct SweepTopic {
  std::string name;  // "persistent://t/n/x", unescaped
  std::int64_t storage_bytes = 0;
  std::int64_t backlog_bytes = 0;
  std::int64_t messages_in = 0;  // since load
  std::int64_t bytes_in = 0;
  std::int64_t publishers = 0;  // producerCount, or the length of publishers[]
  double rate_in = 0;
  std::vector<SweepSubscription> subscriptions;
  std::vector<Replicator> replicators;
};

// `raw_name` is the key as it stands between the quotes (still escaped), `object` the topic's JSON object.
Result<SweepTopic> decode_sweep_topic(std::string_view raw_name, std::string_view object);

// One topic of which a broker's document gives nothing but the name.
Result<SweepTopic> decode_sweep_name(std::string_view raw_name);

// The splitter for the whole document: hands over each topic (`path.back()` is its raw name), and finds the next one
// when the broker left a topic unfinished.
formats::MemberSplitter split_sweep(std::size_t max_topic_bytes, formats::MemberSplitter::Sink sink);
// The same for GET /admin/v2/broker-stats/bookieops: namespace, topic, counts.
formats::MemberSplitter split_loaded_topics(formats::MemberSplitter::Sink sink);

}  // namespace tidemark::pulsar
