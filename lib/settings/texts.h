#pragma once
// What a text must look like, one function a rule. Each error says what is wrong and what to write; a text that may
// hold a secret (a token, a URL with a password) is not repeated in it.

#include <string_view>

#include "base/result.h"

namespace tidemark::settings {

Result<void> is_any_text(std::string_view text);

// http[s]://host[:port][/], nothing else: no user, path, query or second host.
Result<void> is_url(std::string_view text);
Result<void> is_base_url(std::string_view text);  // the same with a path, or nothing at all

// host:port or [IPv6]:port, port 0 to 65535.
Result<void> is_listen_address(std::string_view text);

// A file's name, and not what should be in the file.
Result<void> is_file_name(std::string_view text);

// A day as 2026-12-31.
Result<void> is_date(std::string_view text);

// The number of a shard, 0 to 999.
Result<void> is_shard(std::string_view text);

// A regular expression as base/pattern.h takes it.
Result<void> is_regex(std::string_view text);

}  // namespace tidemark::settings
