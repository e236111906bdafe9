#pragma once
// Numbers that look random and depend on nothing but the seed: the same on every machine and standard library, so that
// a failing seed replays exactly. (std::uniform_* may differ between libraries.)

#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark::sim {

// SplitMix64's finaliser: a good hash of one number.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(hash);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mix(state_++); }

  // In [0, 1).
  double fraction() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // In [low, high], high >= low.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }

  // `length` characters of `alphabet`, e.g. the hash in a pod's name.
  std::string letters(std::size_t length, std::string_view alphabet) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += alphabet[next() % alphabet.size()];
    return text;
  }

 private:
  std::uint64_t state_;
};

inline constexpr std::string_view kHexDigits = "0123456789abcdef";
inline constexpr std::string_view kPodLetters = "bcdfghjklmnpqrstvwxz2456789";  // what Kubernetes draws from

}  // namespace tidemark::sim
