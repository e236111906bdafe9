#include "formats/member_splitter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tidemark::formats {
namespace {

constexpr std::size_t kMaxKeyBytes = 65536;
constexpr int kMaxNest = 64;  // the decoders' own limit, see formats/sax_reader.h

constexpr std::array<bool, 256> table_of(std::string_view chars) {
  std::array<bool, 256> table{};
  for (const char c : chars) table[static_cast<unsigned char>(c)] = true;
  return table;
}

constexpr auto kStructural = table_of("\"{}[]");
constexpr auto kBlank = table_of(" \t\r\n");
constexpr auto kScalarEnd = table_of(" \t\r\n,:\"{}[]");

bool is(const std::array<bool, 256>& table, char c) { return table[static_cast<unsigned char>(c)]; }

// Appends as far as `limit`, which is also the most that capacity grows to: the last step goes there at once, because
// std::string takes less than a doubling for a doubling.
void append_within(std::string& to, std::string_view part, std::size_t limit) {
  part = part.substr(0, limit - std::min(limit, to.size()));
  const std::size_t needed = to.size() + part.size();
  if (needed > to.capacity()) {
    const std::size_t wanted = std::max(needed, 2 * to.capacity());
    to.reserve(wanted > limit / 2 ? limit : wanted);
  }
  to.append(part);
}

}  // namespace

MemberSplitter::MemberSplitter(int depth, std::size_t max_item_bytes, Sink sink, Resync resync)
    : depth_(depth),
      max_item_bytes_(max_item_bytes),
      sink_(std::move(sink)),
      resync_(std::move(resync)),
      path_(static_cast<std::size_t>(depth)) {
  for (const auto& prefix : resync_.key_prefixes) {
    if (!prefix.empty()) prefix_starts_[static_cast<unsigned char>(prefix.front())] = true;
  }
}

Result<void> MemberSplitter::feed(std::string_view chunk) {
  if (failed_) return *failed_;
  if (chunk.empty()) return {};
  from_ = 0;
  string_from_ = 0;
  std::size_t i = 0;
  while (i < chunk.size() && !failed_) i = step(chunk, i);
  if (failed_) return *failed_;
  keep_rest(chunk);
  offset_ += static_cast<std::int64_t>(chunk.size());
  last_byte_ = chunk.back();
  return {};
}

Result<void> MemberSplitter::finish() {
  if (failed_) return *failed_;
  if (state_ == State::kDone) return {};
  if (state_ == State::kLost) return Error{Errc::kMalformed, lost_why_ + ", and nothing to go on with after it"};
  return Error{Errc::kTruncated, at_byte(0, "the document ends early")};
}

std::size_t MemberSplitter::step(std::string_view chunk, std::size_t i) {
  if (state_ == State::kItem || state_ == State::kLost) return read_value(chunk, i);
  if (state_ == State::kInKey) return read_key(chunk, i);
  const char c = chunk[i];
  if (is(kBlank, c)) return i + 1;
  switch (state_) {
    case State::kStart:
      if (c != '{') return fault(i, "not a JSON object");
      level_ = 1;
      state_ = State::kFirstKey;
      return i + 1;
    case State::kFirstKey:
    case State::kKey:
      if (c == '"') {
        state_ = State::kInKey;
        return begin_string(i);
      }
      if (c != '}' || state_ == State::kKey) return fault(i, "a key was expected");
      end_level();
      return i + 1;
    case State::kColon:
      if (c != ':') return fault(i, "':' was expected");
      state_ = State::kValue;
      return i + 1;
    case State::kValue:
      return begin_value(chunk, i);
    case State::kAfter:
      if (c == '}') {
        end_level();
      } else if (c == ',') {
        state_ = State::kKey;
      } else {
        return fault(i, "',' or '}' was expected");
      }
      return i + 1;
    default:
      return fault(i, "text after the end of the object");
  }
}

std::size_t MemberSplitter::begin_string(std::size_t i) {
  in_string_ = true;
  string_cut_ = false;
  string_from_ = i + 1;
  return i + 1;
}

// Just behind the closing quote, or the end of the chunk with in_string_ still set.
std::size_t MemberSplitter::skip_string(std::string_view chunk, std::size_t i) {
  if (escaped_ && i < chunk.size()) {
    escaped_ = false;
    ++i;
  }
  while (i < chunk.size()) {
    const char c = chunk[i++];
    if (c == '"') {
      in_string_ = false;
      return i;
    }
    if (c == '\\') {
      escaped_ = i == chunk.size();
      ++i;
    }
  }
  return chunk.size();
}

// The string whose closing quote is at `end`; at most kMaxKeyBytes of it when it was cut.
std::string_view MemberSplitter::string_text(std::string_view chunk, std::size_t end) {
  const auto part = chunk.substr(string_from_, end - string_from_);
  if (!string_cut_) return part;
  append_within(key_, part, kMaxKeyBytes);
  return key_;
}

std::size_t MemberSplitter::read_key(std::string_view chunk, std::size_t i) {
  const std::size_t after = skip_string(chunk, i);
  if (in_string_) return after;
  const auto text = string_text(chunk, after - 1);
  if (text.size() >= kMaxKeyBytes) return fault(after, "a key of more than 64 KiB");
  path_[static_cast<std::size_t>(level_ - 1)].assign(text);
  state_ = State::kColon;
  return after;
}

std::size_t MemberSplitter::begin_value(std::string_view chunk, std::size_t i) {
  const char c = chunk[i];
  if (c == '{' && level_ < depth_) {
    const auto& key = path_[static_cast<std::size_t>(level_ - 1)];
    if (has_prefix(key)) {  // brackets too many before it
      key_ = key;
      resume_at(i);
      return i;
    }
    ++level_;
    state_ = State::kFirstKey;
    return i + 1;
  }
  if (c == '}' || c == ']' || c == ',' || c == ':') return fault(i, "a value was expected");
  begin_item(i, level_ == depth_ ? Fate::kDeliver : Fate::kIgnore);
  if (c == '"') return begin_string(i);
  scalar_ = c != '{' && c != '[';
  return i;
}

void MemberSplitter::begin_item(std::size_t i, Fate fate) {
  state_ = State::kItem;
  fate_ = fate;
  scalar_ = false;
  nest_ = 0;
  last_is_free_ = false;
  below_free_ = false;
  carry_.clear();
  from_ = i;
  key_end_ = -1;
}

std::size_t MemberSplitter::read_value(std::string_view chunk, std::size_t i) {
  if (scalar_) return read_scalar(chunk, i);
  while (i < chunk.size()) {
    if (in_string_) {
      i = skip_string(chunk, i);
      if (in_string_) return i;
      note_string(chunk, i - 1);
      if (state_ == State::kItem && nest_ == 0) {
        end_value(chunk, i);
        return i;
      }
    }
    while (i < chunk.size() && !is(kStructural, chunk[i])) ++i;
    if (i == chunk.size()) return i;
    const char c = chunk[i];
    if (c == '"') {
      i = begin_string(i);
      continue;
    }
    if (c == '{' && starts_member(chunk, i)) resume_at(i);
    if (state_ == State::kItem) {
      if (c == '{' || c == '[') {
        open(c == '[');
      } else if (!close(c == ']', i)) {
        return i;
      } else if (nest_ == 0) {
        end_value(chunk, i + 1);
        return i + 1;
      }
    }
    ++i;
  }
  return i;
}

std::size_t MemberSplitter::read_scalar(std::string_view chunk, std::size_t i) {
  while (i < chunk.size() && !is(kScalarEnd, chunk[i])) ++i;
  if (i < chunk.size()) end_value(chunk, i);
  return i;
}

void MemberSplitter::end_value(std::string_view chunk, std::size_t end) {
  state_ = State::kAfter;
  scalar_ = false;
  if (fate_ != Fate::kDeliver) return;
  auto item = chunk.substr(from_, end - from_);
  if (carry_.size() + item.size() > max_item_bytes_) {
    ++skipped_;
    return;
  }
  if (!carry_.empty()) {
    append_within(carry_, item, max_item_bytes_);
    item = carry_;
  }
  ++items_;
  if (auto taken = sink_(path_, item); taken.has_error()) failed_ = taken.error();
}

void MemberSplitter::open(bool array) {
  if (nest_ < kMaxNest) {
    const auto bit = std::uint64_t{1} << nest_;
    arrays_ = array ? arrays_ | bit : arrays_ & ~bit;
  } else if (fate_ == Fate::kDeliver) {  // no decoder takes it; from here on levels are only counted
    fate_ = Fate::kDiscard;
    ++skipped_;
  }
  if (++nest_ == 2) below_free_ = last_is_free_;
}

bool MemberSplitter::close(bool array, std::size_t i) {
  --nest_;
  if (nest_ >= kMaxNest || ((arrays_ >> nest_) & 1) == (array ? 1U : 0U)) return true;
  fault(i, array ? "']' closes an object" : "'}' closes an array");
  return false;
}

void MemberSplitter::end_level() { state_ = --level_ == 0 ? State::kDone : State::kAfter; }

void MemberSplitter::note_string(std::string_view chunk, std::size_t end) {
  if (resync_.key_prefixes.empty()) return;
  const auto text = string_text(chunk, end);
  if (nest_ == 1) last_is_free_ = text == resync_.free_member;
  if (text.size() >= kMaxKeyBytes || !has_prefix(text)) return;
  if (!string_cut_) key_.assign(text);
  key_end_ = offset_ + static_cast<std::int64_t>(end);
}

// Whether the '{' at `i` belongs to a key that can only stand at depth_.
bool MemberSplitter::starts_member(std::string_view chunk, std::size_t i) const {
  if (key_end_ < 0 || key_end_ + 2 != offset_ + static_cast<std::int64_t>(i)) return false;
  if ((i > 0 ? chunk[i - 1] : last_byte_) != ':') return false;
  const bool users_key = state_ == State::kItem && nest_ == 2 && below_free_ && has_prefix(path_.back());
  return !users_key;
}

bool MemberSplitter::has_prefix(std::string_view text) const {
  if (text.empty() || !is(prefix_starts_, text.front())) return false;  // nearly every string
  const auto& prefixes = resync_.key_prefixes;
  return std::any_of(prefixes.begin(), prefixes.end(), [text](const auto& prefix) { return text.starts_with(prefix); });
}

// Goes on with the member key_ whose value opens at `i`.
void MemberSplitter::resume_at(std::size_t i) {
  const bool counted = state_ == State::kLost || (state_ == State::kItem && fate_ == Fate::kDiscard);
  if (!counted) ++skipped_;
  for (auto& key : path_) key.clear();
  path_.back() = key_;
  level_ = depth_;
  begin_item(i, Fate::kDeliver);
}

void MemberSplitter::keep_rest(std::string_view chunk) {
  if (in_string_) {
    if (!string_cut_) key_.clear();
    string_cut_ = true;
    append_within(key_, chunk.substr(std::min(string_from_, chunk.size())), kMaxKeyBytes);
  }
  if (state_ != State::kItem || fate_ != Fate::kDeliver) return;
  const auto part = chunk.substr(from_);
  if (carry_.size() + part.size() > max_item_bytes_) {
    fate_ = Fate::kDiscard;
    ++skipped_;
    carry_.clear();
  } else {
    append_within(carry_, part, max_item_bytes_);
  }
}

std::size_t MemberSplitter::fault(std::size_t i, const char* what) {
  auto text = at_byte(i, what);
  const bool counted = state_ == State::kItem && fate_ == Fate::kDiscard;
  if (!counted) ++skipped_;
  if (resync_.key_prefixes.empty()) {
    failed_ = Error{Errc::kMalformed, std::move(text)};
    return i;
  }
  lost_why_ = std::move(text);
  state_ = State::kLost;
  nest_ = 0;
  return i;
}

std::string MemberSplitter::at_byte(std::size_t i, const char* what) const {
  return "byte " + std::to_string(offset_ + static_cast<std::int64_t>(i)) + ": " + what;
}

}  // namespace tidemark::formats
