// A server that repeats the request's headers had the token recorded and shown.

#include "http/echo_guard.h"

#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;

namespace {

// What the sink got of `pieces`, and "refused" behind it.
std::string passed(std::string_view authorization, const std::vector<std::string_view>& pieces) {
  std::string got;
  const auto sink = guarded(authorization, [&](std::string_view bytes) -> Result<void> {
    got += bytes;
    return {};
  });
  for (const auto piece : pieces) {
    if (const auto fed = sink(piece); !fed) {
      CHECK(fed.error().code() == Errc::kMalformed);
      CHECK(fed.error().text().find("hunter2") == std::string::npos);
      return got + " refused";
    }
  }
  return got;
}

constexpr std::string_view kBearer = "Bearer hunter2-hunter2";

}  // namespace

TEST_CASE("an answer that repeats the credentials is refused wherever it is cut") {
  const std::string_view text = "{\"Authorization\":\"Bearer hunter2-hunter2\"}";
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (auto second = first; second <= text.size(); ++second) {
      const auto got =
          passed(kBearer, {text.substr(0, first), text.substr(first, second - first), text.substr(second)});
      CHECK(got.ends_with(" refused"));
      CHECK(got.find("hunter2-hunter2") == std::string::npos);
    }
  }
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < text.size(); ++i) bytes.push_back(text.substr(i, 1));
  CHECK(passed(kBearer, bytes).ends_with(" refused"));
}

TEST_CASE("everything else passes") {
  CHECK(passed(kBearer, {"Bearer hunter2-", "", "hunter3", "x"}) == "Bearer hunter2-hunter3x");
  CHECK(passed("", {"a", "b"}) == "ab");
  CHECK(passed("Bearer short", {"a short text"}) == "a short text");  // it may stand there by chance
}

TEST_CASE("basic credentials may come back with their filling escaped") {
  CHECK(passed("Basic dGlkZTpodW50ZXI=", {"Basic dGlkZTpodW50ZXI\\u003d"}) == " refused");
  CHECK(repeats("Basic dGlkZTpodW50ZXI=", "dGlkZTpodW50ZXI"));
  CHECK_FALSE(repeats("", "x"));
}
