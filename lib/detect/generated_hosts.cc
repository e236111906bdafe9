// Generated parts that say where or when: addresses, UUIDs, cloud machines, dates.
#include <array>
#include <span>

#include "detect/generated_parts.h"

namespace tidemark::detect {
namespace {

// How many characters the groups of hex digits take that are parted by `separator`, `lengths[i]` digits each; 0 if not.
std::size_t hex_groups(std::string_view text, char separator, std::span<const std::size_t> lengths) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (i > 0) {
      if (at >= text.size() || text[at] != separator) return 0;
      ++at;
    }
    for (std::size_t digits = 0; digits < lengths[i]; ++digits, ++at) {
      if (at >= text.size() || !is_hex(text[at])) return 0;
    }
  }
  return at;
}

constexpr std::array<std::size_t, 5> kUuid{8, 4, 4, 4, 12};
constexpr std::array<std::size_t, 6> kMac{2, 2, 2, 2, 2, 2};

// 10.0.13.7, or as in ip-10-0-13-7.
std::size_t ipv4_length(const NamePlace& place) {
  const auto text = place.rest();
  std::size_t at = 0;
  char separator = '\0';
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      if (at >= text.size() || is_word(text[at]) || (i > 1 && text[at] != separator)) return 0;
      separator = text[at++];
    }
    const auto digits = text.substr(at, 4).find_first_not_of("0123456789");
    const auto part = text.substr(at, digits == std::string_view::npos ? 4 : digits);
    const auto value = number_of(part);
    if (!value || *value > 255 || (part.size() > 1 && part[0] == '0')) return 0;
    at += part.size();
  }
  const bool dotted = separator == '.' || separator == '-' || separator == '_';
  const bool goes_on = place.after(at) == separator && is_digit(place.after(at + 1));
  return dotted && !goes_on ? at : 0;
}

// Eight groups of up to four hex digits, or "::" in place of some; with '-' for ':' only when written out.
std::size_t ipv6_length(const NamePlace& place) {
  const auto text = place.rest();
  for (const char separator : {':', '-'}) {
    std::size_t at = 0;
    std::size_t digits = 0;
    int separators = 0;
    bool shortened = false;
    for (; at < text.size() && (is_hex(text[at]) || text[at] == separator); ++at) {
      if (is_hex(text[at])) {
        if (++digits > 4) break;
        continue;
      }
      if (digits == 0) shortened = true;
      digits = 0;
      if (++separators > 7) break;
    }
    const bool whole = separators == 7 || (shortened && separators >= 2 && separators < 7 && separator == ':');
    if (digits <= 4 && whole && count<is_digit>(text.substr(0, at)) >= 2) return at;
  }
  return 0;
}

// "Number" of two digits at the front, at most `most`.
bool two_digits(std::string_view text, int least, int most) {
  const auto value = number_of(text.substr(0, 2));
  return text.size() >= 2 && value && *value >= least && *value <= most;
}

bool is_year(std::string_view text) {
  const auto value = number_of(text.substr(0, 4));
  return text.size() >= 4 && value && *value >= 1990 && *value <= 2099;
}

// 2024-01-15, 20240115, and a run's month 2024-01; with separators the same one twice.
std::size_t date_length(std::string_view text) {
  if (!is_year(text)) return 0;
  if (two_digits(text.substr(4), 1, 12) && text.size() >= 8 && two_digits(text.substr(6), 1, 31)) return 8;
  if (text.size() < 7 || is_word(text[4]) || !two_digits(text.substr(5), 1, 12)) return 0;
  if (text.size() >= 10 && text[7] == text[4] && two_digits(text.substr(8), 1, 31)) return 10;
  return 7;
}

// What may follow a date: [T_ -]10:30[:00[.123]][Z|+00:00], the colons also as '-', '_', '.' or left out.
std::size_t time_length(std::string_view text) {
  std::size_t at = !text.empty() && !is_digit(text[0]) ? 1 : 0;
  int parts = 0;
  while (parts < 3 && two_digits(text.substr(std::min(at, text.size())), 0, parts == 0 ? 23 : 59)) {
    at += 2;
    ++parts;
    if (parts < 3 && at + 1 < text.size() && !is_word(text[at]) && is_digit(text[at + 1])) ++at;
  }
  if (parts < 2) return 0;
  if (at < text.size() && text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1])) {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  if (at < text.size() && text[at] == 'Z') return at + 1;
  const bool offset = at + 5 < text.size() && text[at] == '+' && text[at + 3] == ':' &&
                      two_digits(text.substr(at + 1), 0, 14) && two_digits(text.substr(at + 4), 0, 59);
  return offset ? at + 6 : at;
}

constexpr std::array<std::string_view, 4> kMachines{"instance", "host", "vm", "node"};

}  // namespace

Part uuid_at(const NamePlace& place) {
  for (const char separator : {'-', '_'}) {
    const auto length = hex_groups(place.rest(), separator, kUuid);
    if (length > 0 && place.ends_token(length)) return {length, PartKind::kRunId, 0};
  }
  return {};
}

Part address_at(const NamePlace& place) {
  for (const auto length : {ipv4_length(place), hex_groups(place.rest(), ':', kMac), ipv6_length(place),
                            hex_groups(place.rest(), '-', kMac)}) {
    if (length > 0 && place.ends_token(length)) return {length, PartKind::kInstance, 0};
  }
  return {};
}

// A machine that is named by the time of its start is still a machine.
Part timestamp_at(const NamePlace& place) {
  const auto kind = is_one_of(place.token_before(), kMachines) ? PartKind::kInstance : PartKind::kDate;
  const auto date = date_length(place.rest());
  if (date == 0) return {};
  const auto time = time_length(place.rest().substr(date));
  if (time > 0 && place.ends_token(date + time)) return {date + time, kind, 0};
  return place.ends_token(date) ? Part{date, kind, 0} : Part{};
}

Part machine_at(const NamePlace& place) {
  const auto token = place.token();
  const auto before = place.token_before();
  const auto digits = count<is_digit>(token);
  // EC2: i-0abc123def4567890, i-1a2b3c4d.
  if (token == "i" && place.after(1) == '-') {
    const auto id = place.token_after(1);
    if ((id.size() == 8 || id.size() == 17) && all<is_hex>(id)) return {2 + id.size(), PartKind::kInstance, 0};
  }
  // Azure scale sets: six characters of base 36 without a separator.
  if (token.starts_with("vmss") && token.size() == 10) return {token.size(), PartKind::kInstance, 4};
  // GCE managed groups: four characters.
  if (token.size() == 4 && same_word(before, "mig") && place.ends_name(4)) return {4, PartKind::kInstance, 0};
  // Windows: DESKTOP-AB12CD3, WIN-1A2B3C4D5E6.
  const bool windows = before == "DESKTOP" || before == "LAPTOP" || before == "WIN";
  const auto is_capital = [](char c) { return is_digit(c) || is_upper(c); };
  if (windows && token.size() >= 7 && digits > 0 && std::ranges::all_of(token, is_capital))
    return {token.size(), PartKind::kInstance, 0};
  return {};
}

}  // namespace tidemark::detect
