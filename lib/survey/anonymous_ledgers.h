#pragma once
// A list of ledgers with other names: they stand in it in base64, so it is written anew from what is read of it.

#include <string>
#include <string_view>

#include "survey/anonymous_names.h"

namespace tidemark::survey {

// What is no list becomes a JSON text that is none either.
std::string anonymous_ledgers(std::string_view json, AnonymousNames& names);

}  // namespace tidemark::survey
