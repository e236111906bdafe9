#pragma once
// Cuts a huge JSON object, as it arrives, into the members at one depth and hands each over as raw text: a broker's
// sweep may be hundreds of MB, so neither the document nor a tree of it is ever held. It looks only at quotes and
// brackets; whether an item is good JSON its decoder finds out. All state survives a cut anywhere, also inside an
// escape.
//
// A broker that fails while it renders one topic logs that and goes on, leaving an object or array of that topic open.
// With `Resync` the splitter finds its feet again at the next member whose key starts with one of the prefixes and
// whose value is an object, written without blanks ("persistent://t/n/x":{) as brokers do: such a key can only stand at
// `depth`, wherever the brackets claim to be. Everything between the fault and that key is lost and counted once.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tidemark::formats {

struct Resync {
  std::vector<std::string> key_prefixes;
  // The member of an item below which keys are chosen by users and may look like anything ("subscriptions"): a key
  // there is no sign of a fault.
  std::string free_member;
};

class MemberSplitter {
 public:
  // `path`: the raw (still escaped) keys from the top down to the member's own, `depth` of them. After a resync the
  // keys above the member are empty until they are seen again. Both views die with the call. An error of the sink ends
  // the stream; an item that merely fails to decode is the caller's to count.
  using Path = std::span<const std::string>;
  using Sink = std::function<Result<void>(Path path, std::string_view item)>;

  // Depth 1 is the root's own members. Items over `max_item_bytes` are left out and counted.
  MemberSplitter(int depth, std::size_t max_item_bytes, Sink sink, Resync resync = {});

  // After an error every further call returns the same one: kMalformed, or the sink's.
  Result<void> feed(std::string_view chunk);
  // kTruncated when the root did not close; kMalformed when it was still searching for a place to resync.
  Result<void> finish();

  // Items lost: over the cap, or to a fault. Not zero = the document is partial.
  std::int64_t skipped_items() const { return skipped_; }
  std::int64_t items() const { return items_; }
  // The memory it holds on to; never more than the cap (and 64 KiB for a key).
  std::size_t carry_capacity() const { return carry_.capacity(); }

 private:
  enum class State : std::uint8_t { kStart, kFirstKey, kKey, kInKey, kColon, kValue, kItem, kAfter, kLost, kDone };
  // What becomes of the value being read: an item; an item already counted as lost; a value above `depth` that is no
  // object.
  enum class Fate : std::uint8_t { kDeliver, kDiscard, kIgnore };

  std::size_t step(std::string_view chunk, std::size_t i);
  std::size_t begin_string(std::size_t i);
  std::size_t skip_string(std::string_view chunk, std::size_t i);
  std::string_view string_text(std::string_view chunk, std::size_t end);
  std::size_t read_key(std::string_view chunk, std::size_t i);
  std::size_t begin_value(std::string_view chunk, std::size_t i);
  void begin_item(std::size_t i, Fate fate);
  std::size_t read_value(std::string_view chunk, std::size_t i);
  std::size_t read_scalar(std::string_view chunk, std::size_t i);
  void end_value(std::string_view chunk, std::size_t end);
  void open(bool array);
  bool close(bool array, std::size_t i);
  void end_level();
  void note_string(std::string_view chunk, std::size_t end);
  bool starts_member(std::string_view chunk, std::size_t i) const;
  bool has_prefix(std::string_view text) const;
  void resume_at(std::size_t i);
  void keep_rest(std::string_view chunk);
  std::size_t fault(std::size_t i, const char* what);
  std::string at_byte(std::size_t i, const char* what) const;

  int depth_;
  std::size_t max_item_bytes_;
  Sink sink_;
  Resync resync_;
  std::array<bool, 256> prefix_starts_{};  // first bytes of its prefixes

  State state_ = State::kStart;
  std::optional<Error> failed_;
  std::string lost_why_;
  int level_ = 0;                  // objects open around the value
  std::vector<std::string> path_;  // depth_ keys
  std::int64_t items_ = 0;
  std::int64_t skipped_ = 0;
  std::int64_t offset_ = 0;  // of the chunk's first byte in the document
  char last_byte_ = 0;       // the one before the chunk

  // Inside a value.
  Fate fate_ = Fate::kDeliver;
  bool scalar_ = false;
  int nest_ = 0;
  std::uint64_t arrays_ = 0;   // one bit a level
  bool last_is_free_ = false;  // the last string on the item's first level was the free member's name
  bool below_free_ = false;    // and its value was opened
  std::string carry_;          // the item's part from earlier chunks
  std::size_t from_ = 0;       // where its part in this chunk starts

  // Strings, in keys and values alike.
  bool in_string_ = false;
  bool escaped_ = false;
  bool string_cut_ = false;      // key_ has its beginning, from earlier chunks
  std::size_t string_from_ = 0;  // where its part in this chunk starts
  std::string key_;              // never longer than kMaxKeyBytes
  std::int64_t key_end_ = -1;    // where key_, a candidate for resync, had its closing quote
};

}  // namespace tidemark::formats
