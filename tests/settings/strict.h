#pragma once
// Loading as the daemon does it: any mistake is an Error, and all of them are in it.

#include <string>
#include <string_view>

#include "settings/load.h"

namespace tidemark::testing {

inline Result<settings::Settings> strict(const Result<settings::Settings>& loaded, const settings::Mistakes& mistakes) {
  if (loaded && !mistakes.empty()) return mistakes.all();
  return loaded;
}

inline Result<settings::Settings> load_text(std::string_view text, const std::string& name) {
  settings::Mistakes mistakes;
  const auto loaded = settings::load_text(text, name, mistakes);
  return strict(loaded, mistakes);
}

inline Result<settings::Settings> load_file(const std::string& path) {
  settings::Mistakes mistakes;
  const auto loaded = settings::load_file(path, mistakes);
  return strict(loaded, mistakes);
}

// What is said of a whole file; "nothing" of a good one.
inline std::string complaint(const std::string& path) {
  settings::Mistakes mistakes;
  const auto loaded = settings::load_file(path, mistakes);
  if (!loaded) return loaded.error().text();
  if (auto valid = settings::validate(*loaded, mistakes); !valid) mistakes.add(valid.error());
  return mistakes.empty() ? "nothing" : mistakes.all().text();
}

}  // namespace tidemark::testing
