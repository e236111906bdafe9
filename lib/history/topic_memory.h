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
#include "history/topic_history.h"

namespace tidemark::history {

struct Topic {
  std::vector<std::pair<std::string, CursorHistory>> cursors;  // by name, ascending; the removed ones too
  TopicHistory whole;

  // Null: nothing is known of it.
  const CursorHistory* find(std::string_view cursor) const;
};

// Name and memory in one piece.
class PackedTopic {
 public:
  explicit PackedTopic(std::string_view name) { assign(name, {}, {}); }

  std::string_view name() const { return {piece_.get() + sizeof(Head), head().name}; }
  TimeMs seen_ms() const { return head().seen_ms; }
  std::size_t cursors() const { return head().cursors; }
  std::size_t bytes() const { return sizeof(Head) + head().name + head().packed; }

  void pack(Topic& topic, Packer& packer, std::string& scratch);
  // False: damaged, and `topic` is what could be read.
  bool unpack(Topic& topic) const;

 private:
  struct Head {
    TimeMs seen_ms = 0;
    std::uint32_t name = 0;
    std::uint32_t packed = 0;
    std::uint32_t cursors = 0;
  };

  Head head() const;
  void assign(std::string_view name, Head head, std::string_view packed);

  std::unique_ptr<char[]> piece_;
};

}  // namespace tidemark::history
