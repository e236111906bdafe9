#pragma once
// The Date header: what the server's clock says, in the one form that RFC 9110 lets servers send. Any thread.

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace tidemark::http {

// "Fri, 10 Jan 2025 00:00:00 GMT"; empty for anything else (the two obsolete forms included).
std::optional<TimeMs> parse_http_date(std::string_view text);

std::string format_http_date(TimeMs at);

}  // namespace tidemark::http
