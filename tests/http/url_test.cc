// Tables of URLs as people write them, right and wrong; what is refused must not be repeated when it may hold a
// password.

#include "http/url.h"

#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;

TEST_CASE("URLs that are understood") {
  struct Row {
    const char* text;
    Origin origin;
    const char* path;
  };
  const Row rows[] = {
      {"http://broker", {false, "broker", 80}, "/"},
      {"https://broker", {true, "broker", 443}, "/"},
      {"HTTP://Broker-0.Pulsar.svc:8080", {false, "broker-0.pulsar.svc", 8080}, "/"},
      {"http://broker:8080/", {false, "broker", 8080}, "/"},
      {"http://broker:8080/a/b?c=d&e=%2F", {false, "broker", 8080}, "/a/b?c=d&e=%2F"},
      {"http://broker?x=1", {false, "broker", 80}, "/?x=1"},
      {"http://broker/a#part", {false, "broker", 80}, "/a"},
      {"http://broker#part", {false, "broker", 80}, "/"},
      {"http://10.0.0.1:65535/x", {false, "10.0.0.1", 65535}, "/x"},
      {"https://[2001:DB8::1]:8443/x", {true, "2001:db8::1", 8443}, "/x"},
      {"http://[::1]", {false, "::1", 80}, "/"},
      {"http://[fe80::1%eth0]:8080", {false, "fe80::1%eth0", 8080}, "/"},
      {"http://under_score/a@b", {false, "under_score", 80}, "/a@b"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    const auto got = parse_url(row.text);
    REQUIRE(got.has_value());
    CHECK(got->origin == row.origin);
    CHECK(got->path == row.path);
  }
}

TEST_CASE("URLs that are refused") {
  const char* const texts[] = {
      "",
      "broker",
      "broker:8080",
      "ftp://broker",
      "pulsar://broker:6650",
      "http://",
      "http:///path",
      "http://:8080",
      "http://broker:",
      "http://broker:0",
      "http://broker:65536",
      "http://broker:-1",
      "http://broker:+80",
      "http://broker:80x",
      "http://broker:80:80",
      "http://[::1",
      "http://[]",
      "http://[::1]8080",
      "http://[broker]:80",
      "http://::1:8080",
      "http://bro ker",
      "http://broker/a b",
      "http://broker/a\r\nX: y",
      "http://br%6fker",
  };
  for (const auto* text : texts) {
    INFO(text);
    const auto got = parse_url(text);
    REQUIRE(got.has_error());
    CHECK(got.error().code() == Errc::kConfig);
    CHECK(got.error().text().find('\n') == std::string::npos);
  }
}

TEST_CASE("of a URL that is refused path and query are not repeated") {
  for (const auto* text :
       {"ftp://broker/hunter2", "http://broker:0/?token=hunter2", "broker/hunter2", "http://?hunter2"}) {
    const auto got = parse_url(text);
    REQUIRE(got.has_error());
    CHECK(got.error().text().find("hunter2") == std::string::npos);
  }
}

TEST_CASE("a password in a URL is refused and not repeated") {
  for (const auto* text : {"http://user:hunter2@broker:8080/", "http://hunter2@broker", "ftp://a:hunter2@b",
                           "user:hunter2@broker", "http://us er:hunter2@broker"}) {
    INFO(text);
    const auto got = parse_url(text);
    REQUIRE(got.has_error());
    CHECK(got.error().text().find("hunter2") == std::string::npos);
  }
}

TEST_CASE("authority and URL of an origin") {
  CHECK(Origin(false, "broker", 80).authority() == "broker:80");
  CHECK(Origin(true, "::1", 8443).authority() == "[::1]:8443");
  CHECK(Origin(true, "::1", 8443).url() == "https://[::1]:8443");
  CHECK(Origin(false, "a", 1) < Origin(false, "b", 1));
  CHECK(Origin(false, "a", 1) != Origin(true, "a", 1));
}

TEST_CASE("percent coding") {
  CHECK(percent_encode("AZaz09-._~") == "AZaz09-._~");
  CHECK(percent_encode("a/b+c d%") == "a%2Fb%2Bc%20d%25");
  CHECK(percent_encode("\xc3\xa9") == "%C3%A9");
  CHECK(percent_decode("a%2Fb%2bc+d%25").value() == "a/b+c+d%");
  for (const auto* text : {"%", "%4", "a%", "%zz", "%4g", "%%41"}) {
    INFO(text);
    REQUIRE(percent_decode(text).has_error());
    CHECK(percent_decode(text).error().code() == Errc::kMalformed);
  }
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  CHECK(percent_decode(percent_encode(all)).value() == all);
}
