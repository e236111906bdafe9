// The file around the YAML: anything may be given as --config, so it is read with a cap and looked at before it is
// parsed.
#include "settings/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>
#include <vector>

#include "settings/yaml_reader.h"

namespace tidemark::settings {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;

Error last_error(const std::string& path) {
  const auto why = std::generic_category().message(errno);
  return {Errc::kIo, fmt::format("{}: cannot be read: {}", path, why)};
}

Error too_large(const std::string& name) {
  return {Errc::kConfig, fmt::format("{}: larger than 1 MiB, which no configuration is; is it the right file?", name)};
}

// One byte more than the cap at most. Reads pipes too: --config <(...) works.
Result<std::string> read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{Errc::kIo, path + ": is a directory; give the file in it"};
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return last_error(path);
  std::string text(kLargestFile + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) return last_error(path);
  return text;
}

bool is_binary(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f;
  });
}

}  // namespace

Result<Settings> load_text(std::string_view text, const std::string& name, Mistakes& mistakes) {
  if (text.size() > kLargestFile) return too_large(name);
  if (is_binary(text)) return Error{Errc::kConfig, name + ": not a text file; a configuration is YAML"};
  return read_yaml(std::string(text), name, mistakes);
}

Result<Settings> load_file(const std::string& path, Mistakes& mistakes) {
  auto text = read_file(path);
  if (!text) return text.error();
  return load_text(*text, path, mistakes);
}

Error located(const Error& error, const std::string& path) {
  std::error_code ignored;
  const bool again = std::filesystem::is_regular_file(path, ignored);  // a pipe is read once
  const auto text = again ? read_file(path) : Result<std::string>(Error{});
  std::string all;
  std::istringstream lines(error.text());
  for (std::string line; std::getline(lines, line);) {
    const auto place = text ? find_place(*text, line.substr(0, line.find(": "))) : std::string();
    all += fmt::format("{}{}{}: {}", all.empty() ? "" : "\n", path, place, line);
  }
  return {error.code(), all};
}

}  // namespace tidemark::settings
