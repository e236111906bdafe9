#pragma once
// A subscription's name as tokens: runs of letters and digits between separators. Bytes outside ASCII are letters, so
// that a name in any script stays in one piece. Plain character tests, because std::regex is some hundred times slower.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tidemark::detect {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_letter(char c) { return is_upper(c) || is_lower(c) || static_cast<unsigned char>(c) >= 0x80; }
inline bool is_word(char c) { return is_digit(c) || is_letter(c); }
inline char lower(char c) { return is_upper(c) ? static_cast<char>(c | 0x20) : c; }
inline bool is_hex(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

template <bool (*test)(char)>
bool all(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, test);
}
template <bool (*test)(char)>
std::size_t count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, test));
}

// Without regard to case; `b` is in lower case.
inline bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == y; });
}
template <class Words>
bool is_one_of(std::string_view text, const Words& words) {
  return std::ranges::any_of(words, [text](std::string_view word) { return same_word(text, word); });
}

// The value of a few digits, all of them.
inline std::optional<int> number_of(std::string_view text) {
  if (!all<is_digit>(text) || text.size() > 9) return std::nullopt;
  int value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return value;
}

// One place in a name, at the start of a token. Views live as long as the name.
class NamePlace {
 public:
  NamePlace(std::string_view name, std::size_t at) : name_(name), at_(at) {}

  std::string_view rest() const { return name_.substr(at_); }
  // '\0' beyond either end.
  char before() const { return at_ == 0 ? '\0' : name_[at_ - 1]; }
  char after(std::size_t length) const { return at_ + length < name_.size() ? name_[at_ + length] : '\0'; }

  std::string_view token() const {
    const auto text = rest();
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin()));
  }
  // The token behind the separator that ends a part of `length`; empty when there is none.
  std::string_view token_after(std::size_t length) const {
    if (at_ + length >= name_.size()) return {};
    return NamePlace(name_, at_ + length + 1).token();
  }
  // The token before the separator in front of this place.
  std::string_view token_before() const {
    if (at_ < 2) return {};
    auto begin = at_ - 1;
    while (begin > 0 && is_word(name_[begin - 1])) --begin;
    return name_.substr(begin, at_ - 1 - begin);
  }

  bool ends_token(std::size_t length) const { return at_ + length <= name_.size() && !is_word(after(length)); }
  // The name ends behind `length`, or what follows only says where: "web-0.web.svc", "4711@host".
  bool ends_name(std::size_t length) const {
    const char next = after(length);
    return at_ + length == name_.size() || next == '@' || (next == '.' && !is_digit(after(length + 1)));
  }

 private:
  std::string_view name_;
  std::size_t at_;
};

}  // namespace tidemark::detect
