// Addresses are checked for shape only; whether something answers there is found out by `tidemark check`.
#include "settings/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/pattern.h"
#include "base/time.h"
#include "settings/suggest.h"

namespace tidemark::settings {
namespace {

constexpr std::size_t kLongestFileName = 1024;

Error refuse(std::string text) { return {Errc::kConfig, std::move(text)}; }

Error user_in_url() { return refuse("a URL must not hold a user or password; use 'auth'"); }

bool is_port(std::string_view text, int low) {
  int port = -1;
  const auto got = std::from_chars(text.data(), text.data() + text.size(), port);
  return got.ec == std::errc{} && got.ptr == text.data() + text.size() && port >= low && port <= 65535;
}

bool is_host(std::string_view text) {
  const bool bracketed = text.size() > 2 && text.front() == '[' && text.back() == ']';
  const std::string_view more = bracketed ? ":.%" : ".-_";
  if (bracketed) text = text.substr(1, text.size() - 2);
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || more.find(c) != std::string_view::npos;
  });
}

// Only as far as the host and port go: a path or a query may hold a secret.
std::string url_in_quotes(std::string_view text) {
  const auto scheme = text.find("://");
  const auto end = text.find_first_of("/?#", scheme == std::string_view::npos ? 0 : scheme + 3);
  if (end == std::string_view::npos || end + 1 == text.size()) return in_quotes(text);
  return in_quotes(std::string(text.substr(0, end + 1)) + "...");
}

// "host:port" into both; `port` stays empty when there is no colon behind the host.
struct HostPort {
  std::string_view host;
  std::string_view port;
  bool has_port = false;
};

HostPort split(std::string_view text) {
  const auto colon = text.rfind(':');
  const auto bracket = text.rfind(']');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket))
    return {text, {}, false};
  return {text.substr(0, colon), text.substr(colon + 1), true};
}

Result<void> check_authority(std::string_view text, std::string_view url) {
  const auto [host, port, has_port] = split(text);
  if (!is_host(host)) return refuse(fmt::format("{} has no host that could be looked up", url_in_quotes(url)));
  if (has_port && !is_port(port, 1))
    return refuse(fmt::format("{} has no port from 1 to 65535 behind its colon", url_in_quotes(url)));
  return {};
}

// A token, a "token:..." of a client's configuration, a PEM file.
bool looks_like_content(std::string_view text) {
  for (const std::string_view start : {"eyJ", "token:", "-----"}) {
    if (text.substr(0, start.size()) == start) return true;
  }
  return text.size() > kLongestFileName || !is_any_text(text);
}

}  // namespace

Result<void> is_any_text(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) return refuse("must be one line of plain text");
  return {};
}

Result<void> is_base_url(std::string_view text) {
  if (text.find('@') != std::string_view::npos) return user_in_url();
  const auto scheme = text.find("://");
  const auto path = scheme == std::string_view::npos ? scheme : text.find('/', scheme + 3);
  if (text.find_first_of("?#") != std::string_view::npos) {
    return refuse(fmt::format("{} has more than scheme, host, port and path; leave the rest out", url_in_quotes(text)));
  }
  return text.empty() ? Result<void>{} : is_url(text.substr(0, path));
}

Result<void> is_url(std::string_view text) {
  if (text.find('@') != std::string_view::npos) return user_in_url();
  if (text.substr(0, 6) == "pulsar") {
    return refuse(
        fmt::format("{} is the clients' protocol; give the admin URL, e.g. http://HOST:8080", url_in_quotes(text)));
  }
  const auto scheme = text.find("://");
  if (scheme == std::string_view::npos || (text.substr(0, scheme) != "http" && text.substr(0, scheme) != "https")) {
    return refuse(
        fmt::format("{} is not a URL; write e.g. http://HOST:8080 or https://HOST:8443", url_in_quotes(text)));
  }
  auto rest = text.substr(scheme + 3);
  if (rest.find(',') != std::string_view::npos) {
    return refuse(fmt::format("{} names several hosts; give one", url_in_quotes(text)));
  }
  if (!rest.empty() && rest.back() == '/') rest.remove_suffix(1);
  if (rest.find_first_of("/?#") != std::string_view::npos) {
    return refuse(fmt::format("{} has more than scheme, host and port; leave the rest out", url_in_quotes(text)));
  }
  return check_authority(rest, text);
}

Result<void> is_listen_address(std::string_view text) {
  const auto [host, port, has_port] = split(text);
  if (has_port && is_host(host) && is_port(port, 0)) return {};
  return refuse(fmt::format("{} is not an address to listen on; write HOST:PORT, e.g. 0.0.0.0:10920", in_quotes(text)));
}

Result<void> is_file_name(std::string_view text) {
  if (looks_like_content(text)) {
    return refuse("must name a file, and this looks like what should be in the file; put it there and give the name");
  }
  if (text.find("://") != std::string_view::npos) return refuse("must be a file's name, not a URL");
  return {};
}

Result<void> is_date(std::string_view text) {
  if (text.size() == 10 && parse_iso8601(std::string(text) + "T00:00:00Z")) return {};
  return refuse(fmt::format("{} is not a date; write e.g. 2026-12-31", in_quotes(text)));
}

Result<void> is_shard(std::string_view text) {
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits && !text.empty() && text.size() <= 3) return {};
  return refuse(fmt::format("{} is not the number of a shard; they are numbered from 0", in_quotes(text)));
}

Result<void> is_regex(std::string_view text) {
  if (const auto pattern = Pattern::compile(text); !pattern) {
    return refuse(fmt::format("{} is {}", in_quotes(text), pattern.error().text()));
  }
  return {};
}

}  // namespace tidemark::settings
