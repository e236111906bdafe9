#pragma once
// The memory as bytes, in memory and on disk. A record is a mask of its members that differ from their usual value,
// then those: numbers in as few bytes as they need (zigzag, seven bits a byte), times and positions as distances to the
// one before. A cursor that nobody moves takes some sixty bytes so, where its members take eight hundred.
//
// The time of the poll has a code of its own, and no other time is told by it: what a poll saw as it was before packs
// into the same bytes, so that what is on disk of it need not be written again (history/state.h).
//
// Whoever changes a fields() changes what the state file means: docs/state.md says what is due then.
//
// A type lists its members once, in `template <class Archive> void fields(Archive&)`, for Packer and Unpacker alike;
// what is usual comes first, because the mask ends with the last member that is there. At most 64 members a record.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "model/position.h"

namespace tidemark::history {

// a + sign * b; documents may hold any number.
inline std::int64_t wrapped(std::int64_t a, std::int64_t sign, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                   static_cast<std::uint64_t>(sign) * static_cast<std::uint64_t>(b));
}

inline std::uint64_t folded(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unfolded(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

// The poll's time always has this code: the distance that it stands for changes places with the poll's own.
constexpr std::uint64_t kPollCode = 1;
inline std::uint64_t poll_code(TimeMs poll_ms, TimeMs last) { return folded(wrapped(poll_ms, -1, last)); }
inline std::uint64_t swapped(std::uint64_t code, std::uint64_t of_poll) {
  if (code == kPollCode) return of_poll;
  return code == of_poll ? kPollCode : code;
}

// Of the first time in a topic, since when it counts.
constexpr TimeMs kTimesFrom = 1767225600000;  // 2026-01-01

// A text with its length before it, outside of records; Unpacker::text() reads it.
void put_text(std::string_view text, std::string& out);

class Packer {
 public:
  // Before the first record: `poll_ms` is the time that most others are.
  void start(TimeMs poll_ms);
  // Starts a record.
  void begin();
  // Appends what was packed since begin().
  void end(std::string& out) const;

  // Values other than `usual`.
  void number(std::int64_t value, std::int64_t usual = 0) {
    if (take(value != usual)) signed_number(value);
  }
  void number(const std::optional<std::int64_t>& value) {
    if (take(value.has_value())) signed_number(*value);
  }
  void count(std::uint64_t value) {
    if (take(value != 0)) plain(value);
  }
  void flag(bool value) { take(value); }
  template <class Word>
  void word(Word value, Word /*last*/) {
    count(static_cast<std::uint64_t>(value));
  }
  // Often equal to `other`.
  void near(std::int64_t value, std::int64_t other) {
    if (take(value != other)) signed_number(wrapped(value, -1, other));
  }
  void near(const std::optional<std::int64_t>& value, std::int64_t other) {
    if (take(value.has_value())) next_to(*value, other);
  }
  void near_count(std::uint64_t value, std::uint64_t other) {
    if (take(value != other)) plain(value);
  }
  void time(TimeMs value) {
    if (take(value != 0)) next_time(value);
  }
  void time(const std::optional<TimeMs>& value) {
    if (take(value.has_value())) next_time(*value);
  }
  void position(const std::optional<model::Position>& value) {
    if (take(value.has_value())) next_position(*value);
  }
  // A part that may be absent, with its own fields().
  template <class Part>
  void part(std::optional<Part>& value) {
    if (take(value.has_value())) value->fields(*this);
  }

  // The first `count` of `items`; `each(*this, item, the one before)`.
  template <class Items, class Each>
  void list(Items& items, std::size_t& count, Each each) {
    if (!take(count != 0)) return;
    plain(count);
    typename Items::value_type before{};
    for (std::size_t i = 0; i < count; ++i) {
      make_room();
      each(*this, items[i], before);
      before = items[i];
    }
  }
  template <class Item, class Each>
  void list(std::vector<Item>& items, Each each) {
    auto count = items.size();
    list(items, count, each);
  }

  // Inside of a list or a part, where every value is there: no bits of the mask.
  void next_time(TimeMs value) {
    plain(swapped(folded(wrapped(value, -1, last_time_)), poll_code(poll_ms_, last_time_)));
    if (value != poll_ms_) last_time_ = value;
  }
  void next_to(std::int64_t value, std::int64_t other) { signed_number(wrapped(value, -1, other)); }
  void next_to(Duration value, Duration other) { next_to(value.count(), other.count()); }
  void next_text(std::string_view text);

  // What follows is there only if this says so.
  bool take(bool present) {
    mask_ |= static_cast<std::uint64_t>(present) << bit_++;
    return present;
  }

 private:
  // There is room: begin() and list() see to that.
  void plain(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) *at_++ = static_cast<char>(value | 0x80U);
    *at_++ = static_cast<char>(value);
  }
  void make_room(std::size_t more = 0);
  void signed_number(std::int64_t value) { plain(folded(value)); }
  void next_position(const model::Position& value);

  std::uint64_t mask_ = 0;
  unsigned bit_ = 0;
  TimeMs poll_ms_ = 0;
  TimeMs last_time_ = 0;  // other than poll_ms_
  model::Position last_position_;
  std::vector<char> body_;
  char* at_ = nullptr;  // in body_
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  // As Packer's.
  void start(TimeMs poll_ms);
  void begin();
  char byte() { return at_ != end_ ? *at_++ : '\0'; }
  std::string_view text();
  // What follows, up to the end.
  std::string_view rest();
  // Bytes that no Packer made: everything read since is a usual value.
  bool failed() const { return failed_; }
  bool at_end() const { return at_ == end_; }

  void number(std::int64_t& value, std::int64_t usual = 0) { value = take() ? signed_number() : usual; }
  void number(std::optional<std::int64_t>& value) {
    if (take()) value = signed_number();
  }
  void count(std::uint64_t& value) { value = take() ? plain() : 0; }
  void flag(bool& value) { value = take(); }
  template <class Word>
  void word(Word& value, Word last) {
    const auto number = take() ? plain() : 0;
    if (number > static_cast<std::uint64_t>(last)) return fail();
    value = static_cast<Word>(number);
  }
  void near(std::int64_t& value, std::int64_t other) { value = take() ? wrapped(other, 1, signed_number()) : other; }
  void near(std::optional<std::int64_t>& value, std::int64_t other) {
    if (take()) next_to(value.emplace(), other);
  }
  void near_count(std::uint64_t& value, std::uint64_t other) { value = take() ? plain() : other; }
  void time(TimeMs& value) {
    if (take()) next_time(value);
  }
  void time(std::optional<TimeMs>& value) {
    if (take()) next_time(value.emplace());
  }
  void position(std::optional<model::Position>& value) {
    if (take()) value = next_position();
  }
  template <class Part>
  void part(std::optional<Part>& value) {
    if (!take()) return;
    Part part{};
    part.fields(*this);
    value = std::move(part);
  }

  template <class Items, class Each>
  void list(Items& items, std::size_t& count, Each each) {
    count = take() ? plain() : 0;
    if (count > items.size()) {
      count = 0;
      return fail();
    }
    typename Items::value_type before{};
    for (std::size_t i = 0; i < count; ++i) {
      each(*this, items[i], before);
      before = items[i];
    }
  }
  template <class Item, class Each>
  void list(std::vector<Item>& items, Each each) {
    items.clear();
    if (!take()) return;
    const auto count = plain();
    if (count > static_cast<std::size_t>(end_ - at_)) return fail();
    Item before{};
    for (std::size_t i = 0; i < count; ++i) {
      each(*this, items.emplace_back(), before);
      before = items.back();
    }
  }

  void next_time(TimeMs& value) {
    value = wrapped(last_time_, 1, unfolded(swapped(plain(), poll_code(poll_ms_, last_time_))));
    if (value != poll_ms_) last_time_ = value;
  }
  void next_to(std::int64_t& value, std::int64_t other) { value = wrapped(other, 1, signed_number()); }
  void next_to(Duration& value, Duration other) { value = Duration{wrapped(other.count(), 1, signed_number())}; }
  void next_text(std::string& value) { value = text(); }
  bool take(bool = false) { return ((mask_ >> bit_++) & 1U) != 0; }

 private:
  void fail();
  std::uint64_t plain() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) return static_cast<unsigned char>(*at_++);
    return long_number();
  }
  std::uint64_t long_number();
  std::int64_t signed_number() { return unfolded(plain()); }
  model::Position next_position();

  const char* at_;
  const char* end_;
  std::uint64_t mask_ = 0;
  unsigned bit_ = 0;
  TimeMs poll_ms_ = 0;
  TimeMs last_time_ = 0;
  model::Position last_position_;
  bool failed_ = false;
};

}  // namespace tidemark::history
