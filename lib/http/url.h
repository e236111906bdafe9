#pragma once
// Where a request goes. An Origin is what a connection belongs to; a Url adds the path as it stands on the request
// line. Pure values and functions: any thread, no lookups.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace tidemark::http {

// Not an aggregate: g++ 12 frees a temporary aggregate twice when it stands inside a co_await expression.
struct Origin {
  Origin() = default;
  Origin(bool tls_in, std::string host_in, std::uint16_t port_in)
      : tls(tls_in), host(std::move(host_in)), port(port_in) {}

  auto operator<=>(const Origin&) const = default;

  std::string authority() const;  // "host:port", "[::1]:port"; the port is always there
  std::string url() const;        // "http://host:port"

  bool tls = false;
  std::string host;  // lower case; an IPv6 address stands without its brackets
  std::uint16_t port = 0;
};

struct Url {
  Url() = default;
  Url(Origin origin_in, std::string path_in) : origin(std::move(origin_in)), path(std::move(path_in)) {}

  bool operator==(const Url&) const = default;

  Origin origin;
  std::string path;  // with its query, still encoded; "/" when the text has none; a fragment is dropped
};

// http:// and https:// only; the port defaults to 80 or 443. User and password in the URL are refused, and the error
// (kConfig) does not repeat them. Spaces and control characters are refused too.
Result<Url> parse_url(std::string_view text);

// Unreserved characters (A-Z a-z 0-9 - . _ ~) stay, every other byte becomes %XX, '/' and '+' included.
std::string percent_encode(std::string_view segment);

// kMalformed on a '%' without two hexadecimal digits. '+' stays '+': paths are meant, not forms.
Result<std::string> percent_decode(std::string_view text);

}  // namespace tidemark::http
