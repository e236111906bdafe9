#pragma once
// Which members of the documents an anonymous recording keeps, and what becomes of their values. What is not listed in
// anonymous_members.cc is left out.

#include <string_view>

#include "survey/anonymous_names.h"

namespace tidemark::survey {

// What the keys of an object are.
enum class Shape {
  kMembers,  // words of Pulsar's, see kCopied and kNamed
  kProperties,
  kConfiguration,
  kNamespaces,
  kBundles,
  kDomains,
  kTopics,
  kCursors,
  kEncodedCursors,
  kClusters,
  kHosts,
};

enum class Texts { kLeaveOut, kCopy, kCopyFigures, kFlag, kReplace };

// What becomes of a value: an object's shape, and the rule for a text or an array's texts.
struct Use {
  bool kept = false;
  Shape shape = Shape::kMembers;
  Texts texts = Texts::kLeaveOut;
  NameKind kind = NameKind::kCursor;
};

inline constexpr Use kDropped{};
inline constexpr Use kAsItIs{true, Shape::kMembers, Texts::kCopy, {}};

constexpr Use map_of(Shape shape) { return {true, shape, Texts::kLeaveOut, {}}; }
constexpr Use named(NameKind kind, Shape shape = Shape::kMembers) { return {true, shape, Texts::kReplace, kind}; }

Use use_of_member(std::string_view name);
Use use_of_property(std::string_view name);
Use use_of_setting(std::string_view name);

}  // namespace tidemark::survey
