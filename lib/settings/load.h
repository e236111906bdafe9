#pragma once
// From what a person wrote to Settings: a YAML file, then `--set` on top, then one check of the whole. A mistake is a
// line that names the place and, where there is one, the nearest right spelling; values of secrets are never repeated.

#include <string>
#include <string_view>

#include "base/result.h"
#include "settings/mistakes.h"
#include "settings/settings.h"

namespace tidemark::settings {

// Reads `path`. Errc::kIo when it cannot be read, Errc::kConfig when it is no configuration. Every value given is
// checked on its own: "FILE:LINE:COLUMN: key: what" in `mistakes`, and it stays as it was. What is missing is left to
// validate(), because --set may still give it.
Result<Settings> load_file(const std::string& path, Mistakes& mistakes);

// An error of validate() ("key: what") with the place in `path` where that key stands, or else what it is missing from.
Error located(const Error& error, const std::string& path);

// The same for text at hand; `name` stands for the file in errors.
Result<Settings> load_text(std::string_view text, const std::string& name, Mistakes& mistakes);

// One "dotted.key=value" on top of `settings`, list entries by number: "clusters.0.url=http://broker:8080". The number
// one past the end adds an entry. On an error `settings` is as it was; the error begins with "--set: ".
Result<void> apply_set(Settings& settings, std::string_view assignment);

// Whether `settings` can be worked with: each value in its range, at least one cluster, what belongs together is
// together. Files that it names need not exist. The Error has a line for each mistake that does not rest on one of
// `before`; they begin with the key and have no place, since --set may have the last word.
Result<void> validate(const Settings& settings, const Mistakes& before = {});

}  // namespace tidemark::settings
