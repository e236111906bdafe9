#pragma once
// From what a person wrote to Settings: a YAML file, then `--set` on top, then one check of the whole. Errors hold a
// line for each mistake, which names the place and, where there is one, the nearest right spelling; values of secrets
// are never repeated.

#include <string>
#include <string_view>

#include "base/result.h"
#include "settings/settings.h"

namespace tidemark::settings {

// Reads `path`. Errc::kIo when it cannot be read, Errc::kConfig for what it says: "FILE:LINE:COLUMN: key: what".
// Every value given is checked on its own; what is missing is left to validate(), because --set may still give it.
Result<Settings> load_file(const std::string& path);

// An error of validate() ("key: what") with the place in `path` where that key stands, or else what it is missing from.
Error located(const Error& error, const std::string& path);

// The same for text at hand; `name` stands for the file in errors.
Result<Settings> load_text(std::string_view text, const std::string& name);

// One "dotted.key=value" on top of `settings`, list entries by number: "clusters.0.url=http://broker:8080". The number
// one past the end adds an entry. On an error `settings` is as it was; the error begins with "--set: ".
Result<void> apply_set(Settings& settings, std::string_view assignment);

// Whether `settings` can be worked with: each value in its range, at least one cluster, what belongs together is
// together. Files that it names need not exist. Errors begin with the key; they have no line, since --set may have the
// last word.
Result<void> validate(const Settings& settings);

}  // namespace tidemark::settings
