#pragma once
// An optional 64-bit number in the room of a number, for what there are millions of: the least one means none, as an
// empty optional is less than any.

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

namespace tidemark::model {

class Figure {
 public:
  constexpr Figure() = default;
  constexpr Figure(std::nullopt_t) {}
  constexpr Figure(std::int64_t number) : number_(number) {}
  constexpr Figure(const std::optional<std::int64_t>& number) : number_(number.value_or(kNone)) {}

  constexpr bool has_value() const { return number_ != kNone; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr std::int64_t operator*() const { return number_; }
  constexpr std::int64_t value_or(std::int64_t other) const { return has_value() ? number_ : other; }
  constexpr std::optional<std::int64_t> get() const { return has_value() ? std::optional(number_) : std::nullopt; }
  constexpr operator std::optional<std::int64_t>() const { return get(); }

  friend constexpr auto operator<=>(Figure, Figure) = default;
  friend constexpr bool operator==(Figure a, std::int64_t b) { return a.has_value() && a.number_ == b; }
  friend constexpr bool operator==(Figure a, const std::optional<std::int64_t>& b) { return a.get() == b; }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  std::int64_t number_ = kNone;
};

}  // namespace tidemark::model
