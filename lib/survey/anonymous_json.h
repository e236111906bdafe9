#pragma once
// A document without anybody's names. What may stay is listed, the rest goes: a member of an object is copied only if
// it is known, names that are keys or texts are replaced by what they name. So a member that a later Pulsar adds is
// left out until it is listed here.

#include <string>
#include <string_view>

#include "pulsar/paths.h"
#include "survey/anonymous_names.h"

namespace tidemark::survey {

struct AnonymousJson {
  std::string text;
  bool whole = true;  // false: `json` is damaged and `text` is what stands before the damage, no JSON either
};

AnonymousJson anonymous_json(pulsar::Endpoint endpoint, std::string_view json, AnonymousNames& names);

// The keys of a sweep that stay: "0x00000000_0x40000000" and "persistent".
bool is_bundle(std::string_view key);
bool is_domain(std::string_view key);

}  // namespace tidemark::survey
