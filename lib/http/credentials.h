#pragma once
// What goes into the Authorization header. Secrets live in files that others rotate, so a file is read again whenever
// its time or size changes. Nothing here prints a secret, and errors name the file only.
// Not thread safe: io thread.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace tidemark::http {

class Credentials {
 public:
  Credentials() = default;  // none: authorization() is ""

  static Credentials token(std::string secret);               // Bearer, given in the configuration
  static Credentials token_file(std::filesystem::path path);  // Bearer, one line
  static Credentials basic(std::string user, std::filesystem::path password_file);

  bool none() const { return kind_ == Kind::kNone; }

  // The header's value, "Bearer ..." or "Basic ...", or "" for none. Trailing line ends of a file are trimmed. kConfig
  // when the file cannot be read, is empty, or when the secret has line breaks or control characters inside.
  Result<std::string> authorization();

 private:
  enum class Kind : std::uint8_t { kNone, kToken, kTokenFile, kBasic };

  Result<void> refresh();

  Kind kind_ = Kind::kNone;
  std::string user_;
  std::string secret_;
  std::filesystem::path file_;
  std::filesystem::file_time_type read_time_{};  // of the content held in secret_
  std::uintmax_t read_size_ = 0;
};

}  // namespace tidemark::http
