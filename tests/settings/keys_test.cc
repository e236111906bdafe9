// The table of keys against itself, the structs and the manual.
#include "settings/keys.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

#include "settings/load.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::settings;

namespace {

// The line that docs/configuration.md must hold for `key`.
std::string manual_line(const Key& key) {
  const bool is_entry = key.path.back() == ']';
  std::string fallback = key.required && !is_entry ? "required" : "none";
  if (!key.fallback.empty()) fallback = "`" + key.fallback + "`";
  return fmt::format("| `{}` | {} | {} | {} |", key.path, fallback, key.kind, key.help);
}

// A value that the key takes and that is not its default.
std::string other_value(const Key& key) {
  for (const auto* text : {"17s", "3d", "17MiB", "17", "0.5", "true", "false", "gzip", "debug", "batch_job",
                           "http://x:1", "[::1]:1", "/x", "sidecar", "2026-12-31"}) {
    Settings settings;
    if (text != key.fallback && key.set(settings, {}, text)) return text;
  }
  return {};
}

}  // namespace

TEST_CASE("every key can be set, is read back and changes nothing else") {
  for (const auto& key : keys()) {
    INFO(key.path);
    const auto value = other_value(key);
    Settings changed;
    REQUIRE(key.set(changed, {}, value).has_value());
    CHECK(key.get(changed, {}) == value);
    for (const auto& other : keys()) {
      if (other.path != key.path) CHECK(other.get(changed, {}) == other.fallback);
    }
  }
}

TEST_CASE("every default is within its own range and can be written in a file") {
  for (const auto& key : keys()) {
    INFO(key.path);
    Settings settings;
    if (!key.fallback.empty()) CHECK(key.set(settings, {}, key.fallback).has_value());
    CHECK(key.required == (key.fallback.empty() && !key.set(settings, {}, "")));
  }
}

TEST_CASE("paths are unique and no key is also a group") {
  std::set<std::string> seen;
  for (const auto& key : keys()) {
    CHECK(seen.insert(key.path).second);
    CHECK(children(key.path).empty());
  }
  CHECK(children("origins[]") == std::vector<std::string>{"pattern", "origin"});
  CHECK(children("clusters") == std::vector<std::string>{"[]"});
  CHECK(children("clusters[].auth") == std::vector<std::string>{"token_file", "basic"});
  CHECK(children("poll.inter").empty());
}

TEST_CASE("docs/configuration.md has a line for every key, and none for others") {
  std::ifstream in(TIDEMARK_SOURCE_DIR "/docs/configuration.md");
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| `", 0) == 0) lines.insert(line);
  }
  for (const auto& key : keys()) {
    const auto wanted = manual_line(key);
    INFO("docs/configuration.md lacks:\n" << wanted);
    CHECK(lines.erase(wanted) == 1);
  }
  for (const auto& line : lines) CHECK(line == "a key that exists");
}
