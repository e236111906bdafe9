#include "detect/generated.h"

#include "detect/generated_parts.h"

namespace tidemark::detect {
namespace {

// In order: what is longer or surer first.
Part part_at(const NamePlace& place, bool after_part) {
  for (const auto find : {anonymous_at, uuid_at, timestamp_at, address_at, machine_at}) {
    if (const auto part = find(place); part.length > 0) return part;
  }
  if (const auto part = pod_at(place, after_part); part.length > 0) return part;
  for (const auto find : {hash_at, number_at}) {
    if (const auto part = find(place); part.length > 0) return part;
  }
  return {};
}

// "etl-*-*" says no more than "etl-*".
void add_star(std::string& group) {
  auto end = group.size();
  while (end > 0 && group.size() - end < 2 && !is_word(group[end - 1]) && group[end - 1] != '*') --end;
  if (end > 0 && end < group.size() && group[end - 1] == '*') {
    group.resize(end);
  } else {
    group += '*';
  }
}

}  // namespace

Generated find_generated(std::string_view name) {
  Generated found;
  bool after_part = false;
  for (std::size_t at = 0; at < name.size();) {
    if (!is_word(name[at])) {
      found.group += name[at++];
      continue;
    }
    const NamePlace place(name, at);
    const auto part = part_at(place, after_part);
    after_part = part.length > 0;
    if (!after_part) {
      found.group += place.token();
      at += place.token().size();
      continue;
    }
    found.group += name.substr(at, part.kept);
    add_star(found.group);
    at += part.length;
    found.any = true;
    found.run_id = found.run_id || part.kind != PartKind::kInstance;
    found.dated = found.dated || part.kind == PartKind::kDate;
  }
  return found;
}

}  // namespace tidemark::detect
