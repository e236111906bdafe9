#include "formats/gzip.h"

#include "support/catch.h"

using tidemark::Errc;
using tidemark::formats::gunzip;
using tidemark::formats::gzip;

TEST_CASE("gzip and gunzip undo each other") {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "tidemark_cursor_pinned_bytes " + std::to_string(i) + "\n";
  const auto packed = gzip(text);
  CHECK(packed.size() < text.size() / 4);
  CHECK(gunzip(packed, text.size()).value() == text);
  CHECK(gunzip(gzip(""), 0).value().empty());
}

TEST_CASE("gunzip says what is wrong with damaged input") {
  const auto packed = gzip("some text that is long enough to be cut");
  CHECK(gunzip(packed.substr(0, packed.size() / 2), 1000).error().code() == Errc::kTruncated);
  CHECK(gunzip("not gzip at all", 1000).error().code() == Errc::kMalformed);
  CHECK(gunzip(packed, 5).error().code() == Errc::kTooLarge);
}
