#pragma once
// All that is remembered of one topic: open, as it is worked with, and packed, as it is kept. Of a million topics only
// the one being judged is open.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "history/cursor_history.h"
#include "history/packing.h"
#include "history/pieces.h"
#include "history/topic_history.h"

namespace tidemark::history {

struct Topic {
  // By name, ascending; the removed ones too, also leftovers whose name is there anew, behind that.
  std::vector<std::pair<std::string, CursorHistory>> cursors;
  TopicHistory whole;

  // Null: nothing is known of it.
  const CursorHistory* find(std::string_view cursor) const;
};

// Name and memory in one piece, which must not outlive the `pieces` it is of.
class PackedTopic {
 public:
  PackedTopic(Pieces& pieces, std::string_view name) : piece_(nullptr, {&pieces}) { assign(name, {}, {}); }
  PackedTopic(Pieces& pieces, const PackedTopic& other) : piece_(nullptr, {&pieces}) {
    assign(other.name(), other.head(), other.packed());
  }
  // As it was saved: `packed` came from packed().
  PackedTopic(Pieces& pieces, std::string_view name, TimeMs seen_ms, std::size_t cursors, std::string_view packed);

  std::string_view name() const { return {piece_.get() + sizeof(Head), head().name}; }
  TimeMs seen_ms() const { return head().seen_ms; }
  std::size_t cursors() const { return head().cursors; }
  std::size_t bytes() const { return size_of(head()); }

  std::string_view packed() const { return {piece_.get() + sizeof(Head) + head().name, head().packed}; }

  // What the state file has of it. `kSeen`: these bytes, of the last poll that was saved; `kMissed`: these bytes and
  // seen_ms(), with which it was missing then.
  enum class Saved : std::uint8_t { kNot, kSeen, kMissed };
  Saved saved() const { return head().saved; }
  void mark(Saved saved);
  // It is seen in the poll of `now` as it was before.
  void seen_again(TimeMs now);

  void pack(Topic& topic, Packer& packer, std::string& scratch);
  // False: damaged, and `topic` is what could be read.
  bool unpack(Topic& topic) const;

 private:
  struct Head {
    TimeMs seen_ms = 0;
    std::uint32_t name = 0;
    std::uint32_t packed = 0;
    std::uint32_t cursors = 0;
    Saved saved = Saved::kNot;
  };

  struct GiveBack {
    Pieces* pieces;
    void operator()(char* piece) const { pieces->give_back(piece, size_of(head_of(piece))); }
  };

  static Head head_of(const char* piece);
  static std::size_t size_of(const Head& head) { return Pieces::size_of(sizeof head + head.name + head.packed); }

  Head head() const { return head_of(piece_.get()); }
  void assign(std::string_view name, Head head, std::string_view packed);

  std::unique_ptr<char[], GiveBack> piece_;
};

}  // namespace tidemark::history
