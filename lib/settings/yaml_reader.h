#pragma once
// YAML text to Settings, by the table of keys. For load.cc; yaml-cpp stays in the .cc.

#include <string>

#include "base/result.h"
#include "settings/mistakes.h"
#include "settings/settings.h"

namespace tidemark::settings {

// One document, a mapping at the top. What in it is wrong goes to `mistakes`, what is no such document is the Error:
// "NAME:LINE:COLUMN: what", lines and columns from 1.
Result<Settings> read_yaml(const std::string& text, const std::string& name, Mistakes& mistakes);

// ":LINE:COLUMN" of a key such as "exceptions.0.reason", or of the innermost thing around it that is there; empty where
// there is none.
std::string find_place(const std::string& text, const std::string& key);

}  // namespace tidemark::settings
