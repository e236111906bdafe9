#pragma once
// Decoding by table: a Shape<T> lists which JSON member fills which member of T, and read_shape() runs a text through
// it without a tree. Unknown members are ignored, a member of the wrong type leaves its field as it was, of a member
// given twice the last one counts. So a decoder is a list like
//
//   Shape<Consumer> shape;
//   shape.value<&Consumer::name>("consumerName").value<&Consumer::permits>("availablePermits");
//
// built once (a function's static) and used for every document.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tidemark::formats {

// One JSON value that is neither object nor array. The getters are empty when it is of another type.
struct Scalar {
  enum class Kind : std::uint8_t { kNull, kBool, kInteger, kReal, kText };

  Kind kind = Kind::kNull;
  bool flag = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text = {};

  std::optional<bool> as_bool() const { return kind == Kind::kBool ? std::optional(flag) : std::nullopt; }
  std::optional<std::string_view> as_text() const { return kind == Kind::kText ? std::optional(text) : std::nullopt; }
  // Brokers write some counts as 5 in one version and 5.0 in another. Cut to what a double holds exactly: nothing in a
  // cluster counts that far, and nobody who adds a few needs to mind an overflow. Empty beyond 64 bits.
  static constexpr std::int64_t kMostInteger = std::int64_t{1} << 53;
  std::optional<std::int64_t> as_integer() const;
  // Finite only.
  std::optional<double> as_real() const;
};

// The table behind a Shape, without its type.
class ShapeTable {
 public:
  enum class Kind : std::uint8_t { kScalar, kObject, kList, kMap };

  // What is done with one member. `self` is the struct it belongs to. Only the functions that its kind needs are set.
  struct Field {
    std::string_view key;
    Kind kind = Kind::kScalar;
    void (*scalar)(void* self, const Scalar& value) = nullptr;                       // the member
    void (*entry)(void* self, std::string_view key, const Scalar& value) = nullptr;  // each scalar of a map or list
    void (*clear)(void* self) = nullptr;
    void* (*element)(void* self, std::string_view key) = nullptr;  // where the next object goes
    void (*done)(void* self) = nullptr;
    const ShapeTable* inner = nullptr;  // of those objects; must outlive this table
    bool objects_only = false;
    bool in_place = false;  // a text is given where it stands in the document
    std::uint32_t bit = 0;  // of needed(), if the table's objects need it
  };

  const Field* find(std::string_view key) const {
    if (key.empty()) return nullptr;
    for (std::size_t slot = slot_of(key); slots_[slot] != 0; slot = (slot + 1) % kSlots) {
      const auto& field = fields_[slots_[slot] - 1U];
      if (field.key == key) return &field;
    }
    return nullptr;
  }

  // Whether it, or a table inside it, has a member that is read in place.
  bool reads_in_place() const { return reads_in_place_; }

  // Of the members without which an object is malformed.
  std::uint32_t needed_bits() const { return needed_; }
  std::string_view key_of(std::uint32_t bits) const;  // the first of them

 protected:
  // Keys are literals; at most kSlots / 2 of them.
  void add(const Field& field);
  void need_last();

 private:
  static constexpr std::size_t kSlots = 64;
  static std::size_t slot_of(std::string_view key) {
    const auto byte = [](char c) { return static_cast<std::size_t>(static_cast<unsigned char>(c)); };
    return (key.size() * 7 + byte(key.front()) + byte(key.back()) * 3 + byte(key[key.size() / 2]) * 5) % kSlots;
  }

  bool reads_in_place_ = false;
  std::uint32_t needed_ = 0;
  std::vector<Field> fields_;
  std::array<std::uint8_t, kSlots> slots_{};  // 1 + index into fields_
};

// For each name whether it occurs again later on. Empty when none does.
std::vector<bool> repeated_later(const std::vector<std::string_view>& names);

namespace shape_detail {

// Each tells whether the value was of its type.
bool assign(std::int64_t& to, const Scalar& value);
bool assign(int& to, const Scalar& value);
bool assign(double& to, const Scalar& value);
bool assign(bool& to, const Scalar& value);
bool assign(std::string& to, const Scalar& value);
template <class V>
bool assign(std::optional<V>& to, const Scalar& value) {
  V got{};
  if (!assign(got, value)) return false;
  to = std::move(got);
  return true;
}

template <class C, class Name>
void keep_last_of_each(std::vector<C>& list, Name name) {
  if (list.size() < 2) return;
  std::vector<std::string_view> names;
  names.reserve(list.size());
  for (const auto& element : list) names.push_back(element.*name);
  const auto repeated = repeated_later(names);
  if (repeated.empty()) return;
  std::vector<C> kept;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!repeated[i]) kept.push_back(std::move(list[i]));
  }
  list = std::move(kept);
}

}  // namespace shape_detail

template <class T>
class Shape : public ShapeTable {
 public:
  // A number, string, bool, or an optional of one.
  template <auto Member>
  Shape& value(std::string_view key) {
    return set<[](T& self, const Scalar& scalar) { shape_detail::assign(self.*Member, scalar); }>(key);
  }

  // Whatever Setter(T&, const Scalar&) makes of it.
  template <auto Setter>
  Shape& set(std::string_view key) {
    add({.key = key, .scalar = [](void* self, const Scalar& scalar) { Setter(of(self), scalar); }});
    return *this;
  }

  // The same for a text that may be megabytes long: it is not copied before Setter sees it.
  template <auto Setter>
  Shape& set_in_place(std::string_view key) {
    add({.key = key, .scalar = [](void* self, const Scalar& scalar) { Setter(of(self), scalar); }, .in_place = true});
    return *this;
  }

  // The member just added must be there, as the object or list that it is: an object without it is not what it is taken
  // for, and its silence would be believed.
  Shape& needed() {
    need_last();
    return *this;
  }

  // An object into a member, or into an optional member that it makes.
  template <auto Member, class C>
  Shape& object(std::string_view key, const Shape<C>& inner) {
    add({.key = key,
         .kind = Kind::kObject,
         .element = [](void* self, std::string_view) -> void* { return fresh(of(self).*Member); },
         .inner = &inner});
    return *this;
  }

  // An object whose members are read as if they were T's own.
  Shape& flat(std::string_view key, const Shape<T>& inner) {
    add({.key = key,
         .kind = Kind::kObject,
         .element = [](void* self, std::string_view) { return self; },
         .inner = &inner});
    return *this;
  }

  // [{...}, ...] into a std::vector<C>.
  template <auto Member, class C>
  Shape& list(std::string_view key, const Shape<C>& inner) {
    add({.key = key,
         .kind = Kind::kList,
         .clear = [](void* self) { (of(self).*Member).clear(); },
         .element = [](void* self, std::string_view) -> void* { return &(of(self).*Member).emplace_back(); },
         .inner = &inner});
    return *this;
  }

  // [{...}, ...] whose elements are read into T itself, one after another; Count says how many there were.
  template <auto Count>
  Shape& each(std::string_view key, const Shape<T>& inner) {
    add({.key = key,
         .kind = Kind::kList,
         .clear = [](void* self) { of(self).*Count = 0; },
         .element = [](void* self, std::string_view) { return ++number(of(self).*Count), self; },
         .inner = &inner});
    return *this;
  }

  // {"name": {...}, ...} into a std::vector<C>, each with its key in Name. With `objects_only` anything else for a
  // value makes the text malformed.
  template <auto Member, auto Name, class C>
  Shape& named(std::string_view key, const Shape<C>& inner, bool objects_only = false) {
    add({.key = key,
         .kind = Kind::kMap,
         .clear = [](void* self) { (of(self).*Member).clear(); },
         .element = [](void* self, std::string_view name) -> void* {
           auto& element = (of(self).*Member).emplace_back();
           element.*Name = name;
           return &element;
         },
         .done = [](void* self) { shape_detail::keep_last_of_each(of(self).*Member, Name); },
         .inner = &inner,
         .objects_only = objects_only});
    return *this;
  }

  // ["text", ...] into a std::vector<std::string>.
  template <auto Member>
  Shape& strings(std::string_view key) {
    add({.key = key,
         .kind = Kind::kList,
         .entry =
             [](void* self, std::string_view, const Scalar& scalar) {
               if (const auto text = scalar.as_text()) (of(self).*Member).emplace_back(*text);
             },
         .clear = [](void* self) { (of(self).*Member).clear(); }});
    return *this;
  }

  // {"key": "text", ...} into a std::map<std::string, std::string>.
  template <auto Member>
  Shape& texts(std::string_view key) {
    add({.key = key,
         .kind = Kind::kMap,
         .entry =
             [](void* self, std::string_view name, const Scalar& scalar) {
               if (const auto text = scalar.as_text()) (of(self).*Member)[std::string(name)] = *text;
             },
         .clear = [](void* self) { (of(self).*Member).clear(); }});
    return *this;
  }

 private:
  static T& of(void* self) { return *static_cast<T*>(self); }
  template <class C>
  static C& number(C& member) {
    return member;
  }
  template <class C>
  static C& number(std::optional<C>& member) {
    return *member;  // set when the list began
  }
  template <class C>
  static void* fresh(C& member) {
    return &(member = C{});
  }
  template <class C>
  static void* fresh(std::optional<C>& member) {
    return &member.emplace();
  }
};

Result<void> read_shape(std::string_view document, std::string_view json, const ShapeTable& shape, void* out);

// kMalformed when the text is not one JSON object; what was read before an error stays in `out`.
template <class T>
Result<void> read_shape(std::string_view document, std::string_view json, const Shape<T>& shape, T& out) {
  return read_shape(document, json, static_cast<const ShapeTable&>(shape), static_cast<void*>(&out));
}

}  // namespace tidemark::formats
