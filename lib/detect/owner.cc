#include "detect/owner.h"

namespace tidemark::detect {
namespace {

constexpr std::size_t kLongest = 200;  // of a property, which may hold anything

}  // namespace

Result<Owners> Owners::compile(const std::vector<OwnerPattern>& patterns) {
  Owners owners;
  for (const auto& [text, owner] : patterns) {
    auto pattern = CursorPattern::compile(text);
    if (!pattern) return pattern.error().at("owners");
    owners.patterns_.emplace_back(std::move(*pattern), owner);
  }
  return owners;
}

std::optional<std::string> Owners::by_property(const Properties* subscription, const Properties* ns) {
  for (const auto* properties : {subscription, ns}) {
    if (properties == nullptr) continue;
    const auto owner = properties->find("owner");
    if (owner != properties->end() && !owner->second.empty()) return owner->second.substr(0, kLongest);
  }
  return std::nullopt;
}

std::optional<std::string> Owners::by_pattern(const Subject& subject) const {
  for (const auto& [pattern, owner] : patterns_) {
    if (pattern.matches(subject)) return owner;
  }
  return std::nullopt;
}

}  // namespace tidemark::detect
