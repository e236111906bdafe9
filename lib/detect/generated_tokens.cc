// Generated parts that are one token or two: what Kubernetes appends to a name, numbers, hashes.
#include <array>

#include "detect/generated_parts.h"

namespace tidemark::detect {
namespace {

// Kubernetes makes its random names of these: no vowel, so that no word comes out.
bool is_safe(char c) { return std::string_view("bcdfghjklmnpqrstvwxz2456789").find(c) != std::string_view::npos; }

// Words without a vowel that people do use; with a version behind them ("http2") they look like a pod.
constexpr std::array<std::string_view, 14> kVowelless{"http", "https", "mqtt",  "mqtts", "grpc", "sftp", "smtp",
                                                      "tcpv", "mssql", "pgsql", "xhtml", "html", "mp",   "ctrl"};

// A number behind such a word is a part of the name.
constexpr std::array<std::string_view, 31> kCounted{
    "v",    "ver",  "version", "release", "phase", "stage", "tier",   "level", "layer",  "gen",  "step",
    "wave", "area", "zone",    "region",  "q",     "top",   "iso",    "rfc",   "edi",    "http", "tls",
    "psd",  "java", "ios",     "android", "rev",   "round", "iphone", "log4j", "windows"};

// ... as in us-east-1.
constexpr std::array<std::string_view, 9> kDirections{"east",      "west",      "north",     "south",    "central",
                                                      "northeast", "northwest", "southeast", "southwest"};

// A number behind such a word counts instances, wherever it stands and with or without a separator.
constexpr std::array<std::string_view, 13> kInstances{"worker", "host",         "node",  "server", "instance",
                                                      "pod",    "replica",      "vm",    "thread", "executor",
                                                      "shard",  "streamthread", "runner"};

bool is_year(std::string_view digits) {
  const auto value = number_of(digits);
  return digits.size() == 4 && value && *value >= 1990 && *value <= 2099;
}

// A CronJob names its jobs by the scheduled time in minutes since 1970: here from 2019 to 2034.
bool is_cron_minute(std::string_view digits) {
  const auto value = number_of(digits);
  return digits.size() == 8 && value && *value >= 25'771'680 && *value < 34'187'040;
}

bool is_version(const NamePlace& place, std::string_view digits) {
  const auto before = place.token_before();
  if (place.before() == '.' && !before.empty() && is_digit(before.back())) return true;
  return place.after(digits.size()) == '.' && is_digit(place.after(digits.size() + 1));
}

std::size_t letters_in_front(std::string_view token) {
  return static_cast<std::size_t>(std::ranges::find_if_not(token, is_letter) - token.begin());
}

// How often it goes from letters to digits or back.
std::size_t changes_in(std::string_view token) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < token.size(); ++i) {
    if (is_digit(token[i]) != is_digit(token[i - 1])) ++changes;
  }
  return changes;
}

// worker12, web00012, web-12345 without its separator.
Part counted_token(std::string_view token) {
  const auto letters = letters_in_front(token);
  const auto stem = token.substr(0, letters);
  const auto digits = token.substr(letters);
  if (letters == 0 || !all<is_digit>(digits) || is_one_of(stem, kCounted)) return {};
  const bool padded = digits.size() >= 3 && digits[0] == '0';
  if (!padded && digits.size() < 5 && !is_one_of(stem, kInstances)) return {};
  return {token.size(), digits.size() >= 5 && !padded ? PartKind::kRunId : PartKind::kInstance, letters};
}

}  // namespace

// With a digit among them nearly surely. Without one (22 of 100) a letter must help that people seldom abbreviate to.
bool is_pod_suffix(std::string_view token) {
  if (token.size() != 5 || !all<is_safe>(token)) return false;
  const auto letters = letters_in_front(token);
  auto stem = token.substr(0, letters);
  if (stem.size() > 1 && stem.size() < 5 && stem.back() == 'v') stem.remove_suffix(1);
  if (is_one_of(token.substr(0, letters), kVowelless) || is_one_of(stem, kVowelless)) return false;
  if (letters == 5) return token.find_first_of("jqxzvw") != std::string_view::npos;
  return letters != 1 || !all<is_digit>(token.substr(1));  // v2459, t4545: a version, a model
}

Part pod_at(const NamePlace& place, bool after_part) {
  const auto token = place.token();
  const auto next = place.after(token.size()) == '-' ? place.token_after(token.size()) : std::string_view{};
  const bool before_five = next.size() == 5 && all<is_safe>(next) && place.ends_token(token.size() + 6);
  // A Deployment's pod: the template's hash (in old clusters a number), then five.
  const bool hash = token.size() >= 6 && token.size() <= 10 && all<is_safe>(token) && !is_cron_minute(token);
  const bool number = token.size() >= 9 && token.size() <= 10 && all<is_digit>(token);
  const bool sure = token.size() >= 8 || (count<is_digit>(token) > 0 && count<is_digit>(next) > 0);
  if (before_five && (hash || number) && sure) return {token.size() + 6, PartKind::kInstance, 0};
  if (place.before() != '-' || !place.ends_name(token.size())) return {};
  // The pod of a Job, a CronJob's job, a DaemonSet.
  if (is_pod_suffix(token) || (after_part && token.size() == 5 && all<is_safe>(token)))
    return {token.size(), PartKind::kRunId, 0};
  // GKE's nodes end in a hash of eight and four more characters.
  const bool odd = count<is_digit>(token) > 0 || token.find_first_of("aeiou") == std::string_view::npos;
  const auto before = place.token_before();
  if (after_part && token.size() == 4 && before.size() == 8 && all<is_hex>(before) && odd)
    return {4, PartKind::kInstance, 0};
  return {};
}

Part number_at(const NamePlace& place) {
  const auto digits = place.token();
  if (!all<is_digit>(digits)) return counted_token(digits);
  const auto length = digits.size();
  // Seconds since 1970 may have a fraction.
  if (length >= 9) {
    const bool fraction = place.after(length) == '.' && all<is_digit>(place.token_after(length));
    return {length + (fraction ? 1 + place.token_after(length).size() : 0), PartKind::kRunId, 0};
  }
  const auto before = place.token_before();
  if (is_version(place, digits) || is_year(digits) || is_one_of(before, kCounted)) return {};
  const auto next = place.token_after(length);
  const bool in_pod = place.after(length) == '-' && next.size() == 5 && all<is_safe>(next) &&
                      place.ends_name(length + 6) && (is_cron_minute(digits) || is_pod_suffix(next));
  const bool last = place.ends_name(length) || in_pod;
  if (last && is_cron_minute(digits)) return {length, PartKind::kDate, 0};
  if (length >= 6) return {length, PartKind::kRunId, 0};
  if (is_one_of(before, kInstances)) return {length, PartKind::kInstance, 0};
  if (!last || is_one_of(before, kDirections)) return {};
  return {length, length >= 3 ? PartKind::kRunId : PartKind::kInstance, 0};
}

// Spring's anonymous consumers: 22 characters of base64, '-' and '_' among them.
Part anonymous_at(const NamePlace& place) {
  const auto text = place.rest();
  const auto is_base64 = [](char c) { return is_word(c) || c == '-' || c == '_'; };
  if (place.before() != '.' || !same_word(place.token_before(), "anonymous") || text.size() != 22) return {};
  return std::ranges::all_of(text, is_base64) ? Part{22, PartKind::kInstance, 0} : Part{};
}

Part hash_at(const NamePlace& place) {
  const auto token = place.token();
  const auto length = token.size();
  const auto digits = count<is_digit>(token);
  // Hex of eight and more; seven are a short commit id when they are mixed well.
  const bool hex = all<is_hex>(token) && digits >= 2 && digits < length;
  if (hex && (length >= 8 || (length == 7 && changes_in(token) >= 2))) return {length, PartKind::kRunId, 0};
  if (length >= 8 && changes_in(token) >= 4) return {length, PartKind::kRunId, 0};
  return {};
}

}  // namespace tidemark::detect
