#pragma once
// Where a command writes what it makes: a file, or standard output for "-" and for nothing. A file appears whole or not
// at all, and one that is there already stays as it was until then.

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include "base/result.h"

namespace tidemark::daemon {

class OutputFile {
 public:
  // `whole`: write beside the file and put it into its place in finish(); otherwise what is written stays, whatever
  // happens later. A pipe or a device is written to as it is.
  enum class Way { kWhole, kAsItComes };

  OutputFile() = default;
  ~OutputFile();  // drops what was not finished
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Errors name the file and say why.
  Result<void> open(const std::string& path, Way way);
  Result<void> finish();
  // Whether open() can be hoped for; touches nothing.
  static Result<void> check(const std::string& path);

  std::ostream& stream();

 private:
  std::string path_;
  std::filesystem::path written_;  // empty: standard output
  std::filesystem::path target_;   // where finish() puts it; empty: it is there
  std::ofstream file_;
};

}  // namespace tidemark::daemon
