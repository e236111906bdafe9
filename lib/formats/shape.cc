#include "formats/shape.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "formats/rapidjson_parse.h"

namespace tidemark::formats {

std::optional<std::int64_t> Scalar::as_integer() const {
  if (kind == Kind::kInteger) return std::clamp(integer, -kMostInteger, kMostInteger);
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (kind != Kind::kReal || !(real >= -kLimit && real < kLimit)) return std::nullopt;
  return std::clamp(static_cast<std::int64_t>(real), -kMostInteger, kMostInteger);
}

std::optional<double> Scalar::as_real() const {
  if (kind == Kind::kInteger) return static_cast<double>(integer);
  if (kind != Kind::kReal || !std::isfinite(real)) return std::nullopt;
  return real;
}

void ShapeTable::add(const Field& field) {
  if (fields_.size() == kSlots / 2) throw std::logic_error("shape: too many members");
  fields_.push_back(field);
  reads_in_place_ = reads_in_place_ || field.in_place || (field.inner != nullptr && field.inner->reads_in_place());
  std::size_t slot = slot_of(field.key);
  while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
  slots_[slot] = static_cast<std::uint8_t>(fields_.size());
}

void ShapeTable::need_last() {
  auto& field = fields_.back();
  field.bit = std::uint32_t{1} << (fields_.size() - 1);  // there are fewer fields than bits, or as many
  needed_ |= field.bit;
}

std::string_view ShapeTable::key_of(std::uint32_t bits) const {
  for (const auto& field : fields_) {
    if ((field.bit & bits) != 0) return field.key;
  }
  return {};
}

std::vector<bool> repeated_later(const std::vector<std::string_view>& names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&names](auto a, auto b) { return names[a] < names[b]; });
  std::vector<bool> repeated;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (names[order[i - 1]] != names[order[i]]) continue;
    repeated.resize(names.size());
    repeated[order[i - 1]] = true;
  }
  return repeated;
}

namespace shape_detail {
namespace {

template <class T, class V>
bool take(T& to, const std::optional<V>& got) {
  if (got) to = *got;
  return got.has_value();
}

}  // namespace

bool assign(std::int64_t& to, const Scalar& value) { return take(to, value.as_integer()); }
bool assign(double& to, const Scalar& value) { return take(to, value.as_real()); }
bool assign(bool& to, const Scalar& value) { return take(to, value.as_bool()); }
bool assign(std::string& to, const Scalar& value) { return take(to, value.as_text()); }
bool assign(int& to, const Scalar& value) {
  const auto got = value.as_integer();
  if (!got || !std::in_range<int>(*got)) return false;
  to = static_cast<int>(*got);
  return true;
}

}  // namespace shape_detail

namespace {

using Kind = ShapeTable::Kind;
using Field = ShapeTable::Field;

// Follows the events with one frame for every object or list that a table knows; whatever no table knows is only
// counted through.
class ShapeReader {
 public:
  ShapeReader(const ShapeTable& root, void* out) : root_(root), out_(out) { frames_.reserve(8); }

  bool start_object() {
    if (unknown_ > 0) return ++unknown_, true;
    if (frames_.empty()) return push({&root_, nullptr, out_, root_.needed_bits()});
    Frame& top = frames_.back();
    const Field* field = current();
    if (!field) return ++unknown_, true;
    if (in_members(top) && field->kind == Kind::kMap) {
      top.missing &= ~field->bit;
      field->clear(top.self);
      return push({nullptr, field, top.self});
    }
    const bool expected = in_members(top) ? field->kind == Kind::kObject : field->inner != nullptr;
    if (!expected) return ++unknown_, true;
    top.missing &= ~field->bit;
    return push({field->inner, nullptr, field->element(top.self, key_), field->inner->needed_bits()});
  }

  bool start_array() {
    if (unknown_ > 0) return ++unknown_, true;
    if (frames_.empty()) return complain("not an object");
    Frame& top = frames_.back();
    const Field* field = current();
    if (misplaced(top)) return complain("a list where objects belong");
    if (!field || !in_members(top) || field->kind != Kind::kList) return ++unknown_, true;
    top.missing &= ~field->bit;
    field->clear(top.self);
    return push({nullptr, field, top.self});
  }

  bool end_object() { return end(); }
  bool end_array() { return end(); }

  bool key(std::string_view text) {
    if (unknown_ > 0) return true;
    Frame& top = frames_.back();
    if (in_members(top)) {
      top.field = top.table->find(text);
    } else {
      key_ = text;
    }
    return true;
  }

  // Of the key just read: its text may be given where it stands, instead of being built first.
  bool wants_text_in_place() const {
    return unknown_ == 0 && in_members(frames_.back()) && current() != nullptr && current()->in_place;
  }

  bool integer(std::int64_t value) { return scalar({.kind = Scalar::Kind::kInteger, .integer = value}); }
  bool real(double value) { return scalar({.kind = Scalar::Kind::kReal, .real = value}); }
  bool text(std::string_view value) { return scalar({.kind = Scalar::Kind::kText, .text = value}); }
  bool boolean(bool value) { return scalar({.kind = Scalar::Kind::kBool, .flag = value}); }
  bool null() { return scalar({}); }

  std::string_view complaint() const { return complaint_; }

 private:
  // An object read by a table (`field` = the member whose value comes next, null when unknown), or a list or map of
  // `field` (`table` null).
  struct Frame {
    const ShapeTable* table;
    const Field* field;
    void* self;
    std::uint32_t missing = 0;  // of what `table` needs
  };

  static bool in_members(const Frame& frame) { return frame.table != nullptr; }
  static bool misplaced(const Frame& frame) { return !in_members(frame) && frame.field->objects_only; }
  const Field* current() const { return frames_.back().field; }

  bool push(const Frame& frame) {
    frames_.push_back(frame);
    return true;
  }

  bool end() {
    if (unknown_ > 0) return --unknown_, true;
    const Frame top = frames_.back();
    frames_.pop_back();
    if (top.missing != 0) return complain("without '" + std::string(top.table->key_of(top.missing)) + "'");
    if (!in_members(top) && top.field->done) top.field->done(top.self);
    return true;
  }

  bool scalar(const Scalar& value) {
    if (unknown_ > 0) return true;
    if (frames_.empty()) return complain("not an object");
    const Frame& top = frames_.back();
    const Field* field = top.field;
    if (!field) return true;
    if (in_members(top)) {
      if (field->scalar && field->kind == Kind::kScalar) field->scalar(top.self, value);
      return true;
    }
    if (field->objects_only && value.kind != Scalar::Kind::kNull) return complain("a value where objects belong");
    if (field->entry) field->entry(top.self, key_, value);
    return true;
  }

  bool complain(std::string what) {
    complaint_ = std::move(what);
    return false;
  }

  const ShapeTable& root_;
  void* out_;
  std::vector<Frame> frames_;
  int unknown_ = 0;  // levels open inside something that no table knows
  std::string key_;  // in a map
  std::string complaint_;
};

}  // namespace

Result<void> read_shape(std::string_view document, std::string_view json, const ShapeTable& shape, void* out) {
  ShapeReader reader(shape, out);
  if (shape.reads_in_place()) return parse_json<LeapingStream>(document, json, reader);
  return parse_json(document, json, reader);
}

}  // namespace tidemark::formats
