#pragma once
// A value that knows how many of its kind are alive, so that one freed twice or never shows without a crash. The string
// in it is long enough to sit on the heap, for the address sanitizer.

#include <string>
#include <utility>

namespace tidemark::test {

class Tracked {
 public:
  static inline int live = 0;

  explicit Tracked(int value) : value_(value), text_(100, 'x') { ++live; }
  Tracked(const Tracked& other) : value_(other.value_), text_(other.text_) { ++live; }
  Tracked(Tracked&& other) noexcept : value_(other.value_), text_(std::move(other.text_)) { ++live; }
  Tracked& operator=(const Tracked&) = default;
  Tracked& operator=(Tracked&&) = default;
  ~Tracked() { --live; }

  int value() const { return value_; }

 private:
  int value_;
  std::string text_;
};

// The struct that must not be a temporary in a co_await expression, and the one that may.
struct Aggregate {
  Tracked a;
  int b = 0;
};

struct WithConstructor {
  explicit WithConstructor(Tracked a_in, int b_in = 0) : a(std::move(a_in)), b(b_in) {}
  Tracked a;
  int b;
};

}  // namespace tidemark::test
