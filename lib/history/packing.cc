#include "history/packing.h"

#include <algorithm>
#include <stdexcept>

namespace tidemark::history {
namespace {

constexpr std::size_t kLongest = 10;                    // bytes of a number
constexpr std::size_t kRoom = (64 + 3 * 8) * kLongest;  // a record's members, and an item of a list

char* put(char* at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) *at++ = static_cast<char>(value | 0x80U);
  *at++ = static_cast<char>(value);
  return at;
}

}  // namespace

void put_text(std::string_view text, std::string& out) {
  char length[kLongest];
  const auto* end = put(length, text.size());
  out.append(length, static_cast<std::size_t>(end - length));
  out.append(text);
}

void Packer::start(TimeMs poll_ms) {
  poll_ms_ = poll_ms;
  last_time_ = kTimesFrom;
}

void Packer::begin() {
  mask_ = 0;
  bit_ = 0;
  at_ = body_.data();
  make_room();
  last_position_ = {};
}

void Packer::end(std::string& out) const {
  if (bit_ > 64) throw std::logic_error("a record of more members than its mask has bits");
  char mask[kLongest];
  const auto* mask_end = put(mask, mask_);
  out.append(mask, static_cast<std::size_t>(mask_end - mask));
  out.append(body_.data(), static_cast<std::size_t>(at_ - body_.data()));
}

void Packer::make_room(std::size_t more) {
  const auto used = static_cast<std::size_t>(at_ - body_.data());
  if (body_.size() - used >= kRoom + more) return;
  body_.resize(2 * (used + kRoom + more));
  at_ = body_.data() + used;
}

void Packer::next_text(std::string_view text) {
  make_room(text.size());
  plain(text.size());
  at_ = std::copy(text.begin(), text.end(), at_);
  make_room();
}

void Packer::next_position(const model::Position& value) {
  signed_number(wrapped(value.ledger_id, -1, last_position_.ledger_id));
  signed_number(wrapped(value.entry_id, -1, last_position_.entry_id));
  last_position_ = value;
}

void Unpacker::start(TimeMs poll_ms) {
  poll_ms_ = poll_ms;
  last_time_ = kTimesFrom;
}

void Unpacker::begin() {
  mask_ = plain();
  bit_ = 0;
  last_position_ = {};
}

std::string_view Unpacker::text() {
  const auto size = plain();
  if (size > static_cast<std::size_t>(end_ - at_)) {
    fail();
    return {};
  }
  const std::string_view text(at_, size);
  at_ += size;
  return text;
}

std::string_view Unpacker::rest() {
  const std::string_view left(at_, static_cast<std::size_t>(end_ - at_));
  at_ = end_;
  return left;
}

std::uint64_t Unpacker::long_number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at_++);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  fail();
  return 0;
}

void Unpacker::fail() {
  failed_ = true;
  at_ = end_;
  mask_ = 0;
}

model::Position Unpacker::next_position() {
  last_position_.ledger_id = wrapped(last_position_.ledger_id, 1, signed_number());
  last_position_.entry_id = wrapped(last_position_.entry_id, 1, signed_number());
  return last_position_;
}

}  // namespace tidemark::history
