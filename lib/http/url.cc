// URL text to values and back. Only what a broker or bookie address needs: no relative references, no normalising of
// dots, no international host names.

#include "http/url.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tidemark::http {
namespace {

constexpr std::string_view kHex = "0123456789ABCDEF";

bool is_alnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_unreserved(char c) { return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~'; }

// -1 when `c` is no hexadecimal digit.
int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

// Shown without path and query: they are where secrets are put.
Error bad_url(std::string_view text, const std::string& what) {
  const auto scheme = text.find("://");
  const auto end = text.find_first_of("/?#", scheme == std::string_view::npos ? 0 : scheme + 3);
  return {Errc::kConfig, "URL '" + std::string(text.substr(0, end)) + "': " + what};
}

// What follows the host: "" or ":port".
std::optional<std::uint16_t> read_port(std::string_view text, std::uint16_t fallback) {
  if (text.empty()) return fallback;
  if (text.front() != ':') return std::nullopt;
  text.remove_prefix(1);
  std::uint16_t port = 0;
  const auto got = std::from_chars(text.data(), text.data() + text.size(), port);
  if (got.ec != std::errc{} || got.ptr != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

bool is_host_name(std::string_view host) {
  return !host.empty() && host.size() <= 253 &&
         std::all_of(host.begin(), host.end(), [](char c) { return is_alnum(c) || c == '-' || c == '.' || c == '_'; });
}

// The address inside the brackets; a zone ("fe80::1%eth0") may follow.
bool is_ipv6_like(std::string_view host) {
  const auto address = host.substr(0, host.find('%'));
  return address.find(':') != std::string_view::npos &&
         std::all_of(address.begin(), address.end(),
                     [](char c) { return hex_value(c) >= 0 || c == ':' || c == '.'; }) &&
         std::all_of(host.begin(), host.end(), [](char c) { return is_unreserved(c) || c == ':' || c == '%'; });
}

// Splits "host:port" or "[v6]:port" and fills `origin` (its `tls` is set already). Returns what is wrong, or "".
std::string read_authority(std::string_view text, Origin& origin) {
  std::string_view port;
  if (!text.empty() && text.front() == '[') {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return "']' is missing after the IPv6 address";
    origin.host = lower(text.substr(1, end - 1));
    port = text.substr(end + 1);
    if (!is_ipv6_like(origin.host)) return "not an IPv6 address in the brackets";
  } else {
    const auto colon = text.find(':');
    origin.host = lower(text.substr(0, colon));
    if (colon != std::string_view::npos) port = text.substr(colon);
    if (origin.host.empty()) return "the host is missing";
    if (!is_host_name(origin.host)) return "not a host name (an IPv6 address needs brackets)";
  }
  const auto number = read_port(port, origin.tls ? 443 : 80);
  if (!number) return "the port must be a number from 1 to 65535";
  origin.port = *number;
  return {};
}

}  // namespace

std::string Origin::authority() const {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string Origin::url() const { return (tls ? "https://" : "http://") + authority(); }

Result<Url> parse_url(std::string_view text) {
  const auto scheme_end = text.find("://");
  const auto scheme = lower(text.substr(0, scheme_end == std::string_view::npos ? 0 : scheme_end));
  const auto after_scheme = scheme_end == std::string_view::npos ? text : text.substr(scheme_end + 3);
  // Before anything repeats the text: it may hold a password.
  if (after_scheme.substr(0, after_scheme.find_first_of("/?#")).find('@') != std::string_view::npos) {
    return Error{Errc::kConfig, "URL with user or password in it (not shown): give them under `auth` instead"};
  }
  const auto is_bad = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  if (std::any_of(text.begin(), text.end(), is_bad)) {
    return Error{Errc::kConfig, "URL with a space or control character in it"};
  }
  if (scheme != "http" && scheme != "https") return bad_url(text, "must start with http:// or https://");

  Url url;
  url.origin.tls = scheme == "https";
  const auto authority_end = after_scheme.find_first_of("/?#");
  const auto wrong = read_authority(after_scheme.substr(0, authority_end), url.origin);
  if (!wrong.empty()) return bad_url(text, wrong);
  if (authority_end != std::string_view::npos) url.path = after_scheme.substr(authority_end);
  url.path = url.path.substr(0, url.path.find('#'));
  if (url.path.empty() || url.path.front() != '/') url.path.insert(0, "/");
  return url;
}

std::string percent_encode(std::string_view segment) {
  std::string out;
  out.reserve(segment.size());
  for (const char c : segment) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

Result<std::string> percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      return Error{Errc::kMalformed, "'%' without two hexadecimal digits in '" + std::string(text) + "'"};
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace tidemark::http
