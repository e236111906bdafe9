// Secrets from files, read again when they were rotated, and the two header forms that brokers and proxies take.

#include "http/credentials.h"

#include <openssl/evp.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace tidemark::http {
namespace {

std::string base64(std::string_view text) {
  std::string out((text.size() + 2) / 3 * 4 + 1, '\0');  // EVP_EncodeBlock writes a closing zero
  const auto* in = reinterpret_cast<const unsigned char*>(text.data());
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), in, static_cast<int>(text.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

void trim_line_end(std::string& text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
}

// A line break inside would add headers of its own to every request.
bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

}  // namespace

Credentials Credentials::token(std::string secret) {
  Credentials made;
  made.kind_ = Kind::kToken;
  made.secret_ = std::move(secret);
  trim_line_end(made.secret_);
  return made;
}

Credentials Credentials::token_file(std::filesystem::path path) {
  Credentials made;
  made.kind_ = Kind::kTokenFile;
  made.file_ = std::move(path);
  return made;
}

Credentials Credentials::basic(std::string user, std::filesystem::path password_file) {
  Credentials made;
  made.kind_ = Kind::kBasic;
  made.user_ = std::move(user);
  made.file_ = std::move(password_file);
  return made;
}

Result<void> Credentials::refresh() {
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(file_, failed);
  const auto size = failed ? std::uintmax_t{0} : std::filesystem::file_size(file_, failed);
  if (failed) return Error{Errc::kConfig, file_.string() + ": cannot read the secret: " + failed.message()};
  if (!secret_.empty() && time == read_time_ && size == read_size_) return {};

  std::ifstream in(file_, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) return Error{Errc::kConfig, file_.string() + ": cannot read the secret"};
  trim_line_end(content);
  if (content.empty()) return Error{Errc::kConfig, file_.string() + ": the secret is empty"};
  if (has_control(content)) return Error{Errc::kConfig, file_.string() + ": the secret must be a single line"};
  secret_ = std::move(content);
  read_time_ = time;
  read_size_ = size;
  return {};
}

Result<std::string> Credentials::authorization() {
  if (kind_ == Kind::kNone) return std::string();
  if (kind_ == Kind::kToken) {
    if (secret_.empty() || has_control(secret_)) {
      return Error{Errc::kConfig, "the token given in the configuration is empty or not a single line"};
    }
    return "Bearer " + secret_;
  }
  if (const auto fresh = refresh(); !fresh) return fresh.error();
  if (kind_ == Kind::kTokenFile) return "Bearer " + secret_;
  return "Basic " + base64(user_ + ":" + secret_);
}

}  // namespace tidemark::http
