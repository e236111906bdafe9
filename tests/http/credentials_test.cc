// What stands in the Authorization header, that rotated files are noticed, and that no error repeats a secret.

#include "http/credentials.h"

#include "http/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;
using tidemark::test::TempFolder;

TEST_CASE("no credentials") {
  Credentials none;
  CHECK(none.none());
  CHECK(none.authorization().value().empty());
}

TEST_CASE("a token from the configuration") {
  auto token = Credentials::token("abc.def\n");
  CHECK_FALSE(token.none());
  CHECK(token.authorization().value() == "Bearer abc.def");
  CHECK(Credentials::token("").authorization().error().code() == Errc::kConfig);
  const auto split = Credentials::token("abc\r\nX-Evil: 1").authorization();
  REQUIRE(split.has_error());
  CHECK(split.error().text().find("Evil") == std::string::npos);
}

TEST_CASE("a token file is read again when it changed") {
  TempFolder folder;
  const auto path = folder.write("token", "first\n");
  auto token = Credentials::token_file(path);
  CHECK(token.authorization().value() == "Bearer first");
  CHECK(token.authorization().value() == "Bearer first");

  folder.write("token", "the second one\r\n");  // another size
  CHECK(token.authorization().value() == "Bearer the second one");

  folder.write("token", "the third one\r\n");
  folder.write("token", "the fourth 1\r\n\n");  // the same size as the second, another time
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(token.authorization().value() == "Bearer the fourth 1");
}

TEST_CASE("a token file that is swapped for another one, as Kubernetes does it") {
  TempFolder folder;
  folder.write("v1", "old\n");
  folder.write("v2", "newer\n");
  std::filesystem::create_symlink(folder.file("v1"), folder.file("token"));
  auto token = Credentials::token_file(folder.file("token"));
  CHECK(token.authorization().value() == "Bearer old");
  std::filesystem::create_symlink(folder.file("v2"), folder.file("next"));
  std::filesystem::rename(folder.file("next"), folder.file("token"));
  CHECK(token.authorization().value() == "Bearer newer");
}

TEST_CASE("files that cannot be used are named") {
  TempFolder folder;
  const auto check = [](Credentials credentials, const std::string& name) {
    const auto got = credentials.authorization();
    REQUIRE(got.has_error());
    CHECK(got.error().code() == Errc::kConfig);
    CHECK(got.error().text().find(name) != std::string::npos);
    CHECK(got.error().text().find("hunter2") == std::string::npos);
  };
  check(Credentials::token_file(folder.file("missing")), "missing");
  check(Credentials::token_file(folder.write("empty", "")), "empty");
  check(Credentials::token_file(folder.write("blank", "\n\n")), "blank");
  check(Credentials::token_file(folder.write("lines", "hunter2\nhunter2\n")), "lines");
  check(Credentials::token_file(folder.file("")), folder.file("").string());
  check(Credentials::basic("user", folder.file("none")), "none");

  // A file that vanishes later is an error too, not the old secret.
  const auto path = folder.write("gone", "hunter2");
  auto token = Credentials::token_file(path);
  CHECK(token.authorization().has_value());
  std::filesystem::remove(path);
  check(token, "gone");
}

TEST_CASE("basic") {
  TempFolder folder;
  auto basic = Credentials::basic("Aladdin", folder.write("password", "open sesame\n"));
  CHECK(basic.authorization().value() == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}
