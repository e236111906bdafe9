#pragma once
// What a topic did as a whole, kept as change points: since when nobody published to it, when its ledgers were closed
// (2.x tell nobody), and where its trimming stood.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "history/growth.h"
#include "history/receipt.h"
#include "history/trail.h"
#include "model/snapshot.h"

namespace tidemark::history {

class TopicHistory {
 public:
  // Older or repeated documents change nothing. `growth_window`: of `growth`.
  void observe(const model::TopicView& topic, Duration growth_window);

  // First document of those in a row that show no producer and nothing published; empty while there are some.
  std::optional<TimeMs> no_producer_since() const { return no_producer_since_ms_; }

  // When a ledger that is listed without a close time was seen closed first, at the latest. Empty when its closing was
  // not watched.
  std::optional<TimeMs> closed_ms(std::int64_t ledger) const;

  // The newest load and what was published in it, as far as we saw.
  std::uint64_t epoch() const { return epoch_; }
  std::int64_t messages_in() const { return messages_in_; }

  // The newest ledger and its size as its last load confirmed it, which no metadata tells; empty when none did.
  std::optional<model::Ledger> last_ledger() const;

  bool saw_closings() const { return !closings_.empty(); }

  // The first listed ledger is a closed one that no durable cursor needs: first and newest document that showed it.
  struct Unneeded {
    TimeMs since_ms = 0;
    TimeMs seen_ms = 0;
  };
  std::optional<Unneeded> first_unneeded() const;

  Growth growth;

  // While there are leftovers, or were lately. Whoever judges begins and ends it.
  std::optional<Receipt> receipt;

  // The first ledger that some durable cursor needs, as it was over the last retention checks. Whoever judges adds to
  // it.
  Trail bound;
  TimeMs seen_ms = 0;  // last poll that had the topic

  bool operator==(const TopicHistory&) const = default;

  // Every member but seen_ms, for history/packing.h.
  template <class Archive>
  void fields(Archive& archive) {
    archive.time(producers_ms_);
    archive.time(ledgers_ms_);
    archive.time(no_producer_since_ms_);
    archive.number(messages_in_);
    archive.count(epoch_);
    archive.number(last_ledger_, -1);
    archive.number(first_ledger_, -1);
    archive.time(first_unneeded_since_ms_);
    growth.fields(archive);
    bound.fields(archive);
    archive.part(receipt);
    archive.list(closings_, [](Archive& each, auto& closing, const auto& before) {
      each.next_to(closing.first, before.first);
      each.next_time(closing.second);
    });
    archive.number(last_entries_);
    archive.number(last_bytes_);
  }

 private:
  void observe_producers(const model::TopicView& topic);
  void observe_ledgers(const model::TopicView& topic);
  void observe_last_ledger(const model::Ledger& last);
  void observe_first_ledger(const model::TopicView& topic);

  TimeMs producers_ms_ = 0;
  std::int64_t messages_in_ = 0;
  std::uint64_t epoch_ = 0;
  std::optional<TimeMs> no_producer_since_ms_;

  TimeMs ledgers_ms_ = 0;
  std::int64_t last_ledger_ = -1;
  std::optional<std::int64_t> last_entries_;  // of it
  std::optional<std::int64_t> last_bytes_;
  std::int64_t first_ledger_ = -1;
  TimeMs first_unneeded_since_ms_ = 0;                     // 0 = it is needed
  std::vector<std::pair<std::int64_t, TimeMs>> closings_;  // by ledger, those still listed
};

}  // namespace tidemark::history
