#pragma once
// An optional that is rarely there, for what there are millions of: one pointer pair while empty, and copies share the
// value. Its interface is that of std::optional, as far as it is used.

#include <memory>
#include <optional>
#include <utility>

namespace tidemark::model {

template <class T>
class SharedOptional {
 public:
  SharedOptional() = default;
  SharedOptional(std::nullopt_t) {}
  SharedOptional(T value) : value_(std::make_shared<const T>(std::move(value))) {}
  SharedOptional(std::optional<T> value) {
    if (value) value_ = std::make_shared<const T>(std::move(*value));
  }

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  template <class Other>
  T value_or(Other&& other) const {
    return has_value() ? *value_ : static_cast<T>(std::forward<Other>(other));
  }
  std::optional<T> get() const { return has_value() ? std::optional<T>(*value_) : std::nullopt; }

  friend bool operator==(const SharedOptional& a, const T& b) { return a.has_value() && *a == b; }
  friend bool operator==(const SharedOptional& a, const SharedOptional& b) { return b ? a == *b : !a; }

 private:
  std::shared_ptr<const T> value_;
};

}  // namespace tidemark::model
