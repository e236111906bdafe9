#pragma once
// Where a command writes what it makes: a file, or standard output for "-" and for nothing. A file appears whole or not
// at all, and one that is there already stays as it was until then.

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

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
  // Whether open() can be hoped for; touches nothing. `inputs`: files that are read for it, which it must not take the
  // place of, under whatever name; empty ones are none.
  static Result<void> check(const std::string& path, const std::vector<std::string>& inputs = {});

  std::ostream& stream();

 private:
  // A stream forgets why it failed, and what is written after that fails for no reason.
  class Buffer final : public std::filebuf {
   public:
    int why() const { return why_; }  // errno of the first failure

   protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

   private:
    void note(bool failed);

    int why_ = 0;
  };

  std::string path_;
  std::filesystem::path written_;  // empty: standard output
  std::filesystem::path target_;   // where finish() puts it; empty: it is there
  Buffer buffer_;
  std::ostream file_{&buffer_};
};

}  // namespace tidemark::daemon
