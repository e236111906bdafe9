#pragma once
// What must never be in a recording: client addresses, roles, passwords, keys, whatever clients put into their
// metadata. A document is rewritten on its way into the file, so that nobody has to remember to clean it afterwards.

#include <string>
#include <string_view>

#include "base/result.h"
#include "pulsar/paths.h"

namespace tidemark::survey {

// The same JSON without: values of `address` and its kin, consumers' and producers' `metadata`, `auth_policies`; of a
// configuration only the keys about storage and statistics stay. An Error when `json` is no JSON, and where a list of
// names is expected, when it is anything else.
Result<std::string> scrub(pulsar::Endpoint endpoint, std::string_view json);

// A broker's or a bookie's: full of secrets, so only what is known to be harmless may be copied.
bool is_configuration(pulsar::Endpoint endpoint);

}  // namespace tidemark::survey
