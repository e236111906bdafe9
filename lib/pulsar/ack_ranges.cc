// The text of individuallyDeletedMessages: "[(100:19..100:60],(101:-1..101:4]]". Guava's older versions print one
// character for the two dots, and a range type of another flavour may close or open its ends differently.

#include <charconv>

#include "pulsar/internal_stats.h"

namespace tidemark::pulsar {
namespace {

// U+2025 and U+2026 in UTF-8, and what takes their place.
constexpr std::string_view kDots[] = {"..", "\xE2\x80\xA5", "\xE2\x80\xA6"};

class RangeScanner {
 public:
  explicit RangeScanner(std::string_view text) : text_(text) {}

  // The next well-formed range; what is none is stepped over.
  bool next(model::AckRange& range) {
    while (true) {
      at_ = text_.find_first_of("([", at_);
      if (at_ == std::string_view::npos) return false;
      if (read(range)) return true;
    }
  }

 private:
  bool read(model::AckRange& range) {
    const bool closed_below = text_[at_++] == '[';
    if (!position(range.after) || !dots() || !position(range.through) || at_ == text_.size()) return false;
    const char end = text_[at_];
    if (end != ']' && end != ')') return false;
    ++at_;
    range = {model::with_bounded_entry(range.after), model::with_bounded_entry(range.through)};
    if (closed_below) --range.after.entry_id;
    if (end == ')') --range.through.entry_id;
    return true;
  }

  bool number(std::int64_t& value) {
    const char* end = text_.data() + text_.size();
    const auto got = std::from_chars(text_.data() + at_, end, value);
    if (got.ec != std::errc{}) return false;
    at_ = static_cast<std::size_t>(got.ptr - text_.data());
    return true;
  }

  bool position(model::Position& value) {
    if (!number(value.ledger_id) || at_ == text_.size() || text_[at_] != ':') return false;
    ++at_;
    return number(value.entry_id);
  }

  bool dots() {
    for (const auto spelling : kDots) {
      if (text_.substr(at_).starts_with(spelling)) {
        at_ += spelling.size();
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<model::AckRange> parse_ack_ranges(std::string_view text, std::size_t most) {
  std::vector<model::AckRange> ranges;
  RangeScanner scanner(text);
  model::AckRange range;
  while (ranges.size() < most && scanner.next(range)) ranges.push_back(range);
  return ranges;
}

}  // namespace tidemark::pulsar
