// Everything of the room that works on bytes without a socket. Each document is given whole, byte by byte, and cut in
// two at every place: network reads end anywhere.

#include "http/http_date.h"
#include "http/inflate.h"
#include "http/request_reader.h"
#include "http/response_reader.h"
#include "http/response_text.h"
#include "http/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;
using tidemark::test::gzip;
using tidemark::test::sample_text;
using tidemark::test::shared;

namespace {

struct Got {
  Errc code = Errc::kNone;
  std::string text;  // of the error
  Head head;
  std::string body;
  bool keep_alive = false;
};

// Feeds as the client does: what was not taken comes again in front of the next piece. `close`: the peer ends there.
Got read(const std::vector<std::string_view>& pieces, bool close, std::size_t max_body) {
  Got got;
  ResponseReader reader(max_body, [&](std::string_view bytes) -> Result<void> {
    got.body += bytes;
    return {};
  });
  const auto fail = [&](const Error& error) {
    got.code = error.code();
    got.text = error.text();
  };
  std::string pending;
  for (const auto piece : pieces) {
    if (reader.done()) break;
    pending += piece;
    const auto used = reader.feed(pending);
    if (!used) {
      fail(used.error());
      return got;
    }
    pending.erase(0, *used);
  }
  if (!reader.done() && close) {
    if (const auto ended = reader.end_of_stream(); !ended) fail(ended.error());
  } else if (!reader.done()) {
    got.code = Errc::kTimeout;  // stands for: wants more
  }
  got.head = reader.head();
  got.keep_alive = reader.keep_alive();
  return got;
}

Got read_every_way(const std::string& text, bool close = true, std::size_t max_body = 1 << 20) {
  const auto whole = read({text}, close, max_body);
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < text.size(); ++i) bytes.push_back(std::string_view(text).substr(i, 1));
  std::vector<Got> others = {read(bytes, close, max_body)};
  if (text.size() < 2000) {
    for (std::size_t i = 1; i < text.size(); ++i) {
      others.push_back(read({std::string_view(text).substr(0, i), std::string_view(text).substr(i)}, close, max_body));
    }
  }
  for (const auto& other : others) {
    CHECK(other.code == whole.code);
    CHECK(other.keep_alive == whole.keep_alive);
    if (whole.code != Errc::kNone) continue;
    CHECK(other.head.status == whole.head.status);
    CHECK(other.head.reason == whole.head.reason);
    CHECK(other.body == whole.body);
  }
  return whole;
}

std::string ok(const std::string& headers, const std::string& body) {
  return "HTTP/1.1 200 OK\r\n" + headers + "\r\n" + body;
}

std::string with_length(const std::string& headers, const std::string& body) {
  return ok(headers + "Content-Length: " + std::to_string(body.size()) + "\r\n", body);
}

}  // namespace

TEST_CASE("a response with a length") {
  const auto got = read_every_way(with_length(
      "Content-Type: application/json\r\nDate: Fri, 10 Jan 2025 00:00:00 GMT\r\nLocation: /x\r\n", "{\"a\":1}"));
  CHECK(got.code == Errc::kNone);
  CHECK(got.body == "{\"a\":1}");
  CHECK(got.head.content_type == "application/json");
  CHECK(got.head.location == "/x");
  CHECK(got.head.date == 1736467200000);
  CHECK(got.head.body_bytes == 7);
  CHECK(got.keep_alive);
}

TEST_CASE("a chunked response") {
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  CHECK(read_every_way(ok(chunked, "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n")).body == "abc0123456789");
  CHECK(read_every_way(ok(chunked, "1\r\na\r\n0\r\nTrailer: x\r\n\r\n")).body == "a");
  const auto empty = read_every_way(ok(chunked, "0\r\n\r\n"));
  CHECK(empty.code == Errc::kNone);
  CHECK(empty.keep_alive);
  CHECK(read_every_way(ok(chunked, "0\r\nTrailer: x\r\n\r\n")).code == Errc::kNone);
}

TEST_CASE("responses without a body, and bodies that end with the connection") {
  for (const auto* text : {"HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
                           "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}) {
    INFO(text);
    CHECK(read_every_way(text, false).code == Errc::kNone);
  }
  const auto to_end = read_every_way("HTTP/1.0 200 OK\r\n\r\nuntil the end");
  CHECK(to_end.code == Errc::kNone);
  CHECK(to_end.body == "until the end");
  CHECK_FALSE(to_end.keep_alive);
  CHECK_FALSE(read_every_way(with_length("Connection: close\r\n", "x")).keep_alive);
}

TEST_CASE("a response that ends early") {
  const std::string texts[] = {
      ok("Content-Length: 10\r\n", "012345678"),
      ok("Content-Length: 10\r\n", ""),
      ok("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n"),
      ok("Transfer-Encoding: chunked\r\n", "3\r\nab"),
      ok("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n"),
      ok("Transfer-Encoding: chunked\r\n", ""),
      "HTTP/1.1 200 OK\r\nContent-Le",
      "H",
  };
  for (const auto& text : texts) {
    INFO(text);
    CHECK(read_every_way(text).code == Errc::kTruncated);
    CHECK(read_every_way(text, false).code == Errc::kTimeout);
  }
  CHECK(read({}, true, 10).code == Errc::kNetwork);
}

TEST_CASE("what is not HTTP, or not what was asked for") {
  const std::string texts[] = {
      "SSH-2.0-OpenSSH_9.2\r\n\r\n",
      "HTTP/1.1 abc\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\n",
      ok("no colon\r\n", ""),
      ok("Transfer-Encoding: chunked\r\n", "xyz\r\nabc\r\n0\r\n\r\n"),
      ok("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd"),
      with_length("Content-Encoding: br\r\n", "abc"),
  };
  for (const auto& text : texts) {
    INFO(text);
    CHECK(read({text}, true, 1000).code == Errc::kMalformed);
  }
  CHECK(read({ok("X: " + std::string(40 * 1024, 'x') + "\r\n", "")}, true, 1000).code == Errc::kMalformed);
}

TEST_CASE("gzip responses") {
  const auto text = sample_text(3000);
  const auto packed = gzip(text);
  const std::string header = "Content-Encoding: gzip\r\n";
  const auto got = read_every_way(with_length(header, packed));
  CHECK(got.body == text);
  CHECK(got.head.body_bytes == text.size());
  CHECK(read_every_way(with_length(header, packed + gzip("and more"))).body == text + "and more");
  CHECK(read_every_way(with_length(header, "")).code == Errc::kNone);
  CHECK(read_every_way(with_length(header, packed.substr(0, packed.size() - 1))).code == Errc::kTruncated);
  CHECK(read_every_way(with_length(header, packed + gzip("x").substr(0, 5))).code == Errc::kTruncated);
  CHECK(read_every_way(with_length(header, "not gzip at all")).code == Errc::kMalformed);
  CHECK(read_every_way(with_length(header, packed + "garbage behind it")).code == Errc::kMalformed);
  auto damaged = packed;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);  // the length in the trailer
  CHECK(read_every_way(with_length(header, damaged)).code == Errc::kMalformed);
  const auto page =
      "HTTP/1.1 503 No\r\nContent-Length: " + std::to_string(packed.size()) + "\r\n" + header + "\r\n" + packed;
  CHECK(read_every_way(page).head.reason == text.substr(0, 2048));
}

TEST_CASE("the cap counts decoded bytes") {
  const auto bomb = gzip(std::string(std::size_t{8} << 20, '\0'));
  REQUIRE(bomb.size() < 100'000);
  const auto got = read({with_length("Content-Encoding: gzip\r\n", bomb)}, true, 100'000);
  CHECK(got.code == Errc::kTooLarge);
  CHECK(got.body.size() <= 100'000);
  CHECK(read_every_way(with_length("", "12345"), true, 5).code == Errc::kNone);
  CHECK(read_every_way(with_length("", "123456"), true, 5).code == Errc::kTooLarge);
  CHECK(read({ok("Content-Length: 6\r\n", "1")}, false, 5).code == Errc::kTooLarge);  // before the rest came
  CHECK(read_every_way(ok("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n3\r\ndef\r\n"), true, 5).code ==
        Errc::kTooLarge);
}

TEST_CASE("error pages are kept short") {
  const auto page = [](std::size_t size) {
    return "HTTP/1.1 404 Not Found\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" + std::string(size, 'e');
  };
  const auto brief = read_every_way(page(100), true, 10);
  CHECK(brief.code == Errc::kNone);
  CHECK(brief.head.reason == std::string(100, 'e'));
  CHECK(brief.body.empty());
  CHECK(brief.keep_alive);
  const auto longer = read({page(60'000)}, true, 10);
  CHECK(longer.head.reason.size() == 2048);
  CHECK(longer.keep_alive);
  const auto endless = read({page(std::size_t{1} << 20).substr(0, 70'000)}, false, 10);
  CHECK(endless.code == Errc::kNone);
  CHECK_FALSE(endless.keep_alive);
}

TEST_CASE("an error of the sink ends the response") {
  ResponseReader reader(100, [](std::string_view) -> Result<void> { return Error{Errc::kForbidden, "enough"}; });
  const auto got = reader.feed(with_length("", "abc"));
  REQUIRE(got.has_error());
  CHECK(got.error().code() == Errc::kForbidden);
}

TEST_CASE("requests are read") {
  const std::string text =
      "GET /a/b%20c?x=1&y HTTP/1.1\r\nHost: h\r\nAccept: text/plain\r\nAccept-Encoding: br, gzip;q=0.8\r\n"
      "Authorization: Bearer t\r\n\r\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    RequestReader reader(ServerLimits{});
    const auto used = reader.feed(std::string_view(text).substr(0, cut)).value();
    if (cut < text.size()) {
      REQUIRE_FALSE(reader.done());
      reader.feed(std::string_view(text).substr(used)).value();
    }
    REQUIRE(reader.done());
    CHECK(reader.keep_alive());
    CHECK(reader.request().method == "GET");
    CHECK(reader.request().path == "/a/b%20c");
    CHECK(reader.request().query == "x=1&y");
    CHECK(reader.request().accept == "text/plain");
    CHECK(reader.request().authorization == "Bearer t");
    CHECK(reader.request().accepts_gzip);
  }
}

TEST_CASE("which requests take gzip") {
  const auto takes = [](const std::string& value) {
    RequestReader reader(ServerLimits{});
    reader.feed("GET / HTTP/1.1\r\nAccept-Encoding: " + value + "\r\n\r\n").value();
    return reader.request().accepts_gzip;
  };
  CHECK(takes("gzip"));
  CHECK(takes("deflate, gzip"));
  CHECK(takes("*"));
  CHECK_FALSE(takes("gzip;q=0"));
  CHECK_FALSE(takes("gzip; q=0.0"));
  CHECK_FALSE(takes("identity"));
  CHECK_FALSE(takes(""));
}

TEST_CASE("bodies of requests are dropped, forms of the target are understood") {
  RequestReader post(ServerLimits{});
  const std::string text = "POST http://h:1/-/reload?x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /next";
  CHECK(post.feed(text).value() == text.size() - 9);
  CHECK(post.done());
  CHECK(post.request().path == "/-/reload");
  RequestReader chunked(ServerLimits{});
  const std::string put = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  std::string pending;
  for (const char c : put) {
    pending += c;
    pending.erase(0, chunked.feed(pending).value());
  }
  CHECK(chunked.done());
}

TEST_CASE("requests that are refused") {
  const auto refusal = [](const std::string& text) {
    RequestReader reader(ServerLimits{});
    return reader.feed(text).has_error() ? reader.refusal() : 0;
  };
  CHECK(refusal("garbage\r\n\r\n") == 400);
  CHECK(refusal("\x16\x03\x01\x02garbage") == 400);
  CHECK(refusal("GET / HTTP/1.1\r\nno colon\r\n\r\n") == 400);
  CHECK(refusal("POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
  CHECK(refusal("DELETE / HTTP/1.1\r\n\r\n") == 405);
  CHECK(refusal("BREW / HTTP/1.1\r\n\r\n") == 405);
  CHECK(refusal("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x')) == 431);
  CHECK(refusal("POST / HTTP/1.1\r\nContent-Length: 70000\r\n\r\n") == 413);
}

TEST_CASE("a simulated broker takes DELETE, and bodies are kept for it alone") {
  const std::string put = "PUT /state HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n";
  RequestReader daemon(ServerLimits{});
  REQUIRE(daemon.feed(put).has_value());
  CHECK(daemon.request().body.empty());
  ServerLimits limits;
  limits.simulates = true;
  RequestReader broker(limits);
  REQUIRE(broker.feed(put).has_value());
  CHECK(broker.request().body == "abcd");
  RequestReader deleted(limits);
  REQUIRE(deleted.feed("DELETE /a HTTP/1.1\r\n\r\n").has_value());
  CHECK(deleted.request().method == "DELETE");
  RequestReader unknown(limits);
  CHECK(unknown.feed("BREW / HTTP/1.1\r\n\r\n").has_error());
}

TEST_CASE("responses are written") {
  ServerResponse response;
  response.body = shared("hello");
  response.gzip_body = true;
  response.headers.emplace_back("X-A", "b");
  const auto head = response_head(response, Framing{}, 1736467200000);
  CHECK(head ==
        "HTTP/1.1 200 OK\r\nDate: Fri, 10 Jan 2025 00:00:00 GMT\r\nContent-Type: text/plain; charset=utf-8\r\n"
        "Content-Length: 5\r\nContent-Encoding: gzip\r\nVary: Accept-Encoding\r\nX-A: b\r\n\r\n");
  response.status = 204;
  CHECK(response_head(response, Framing{}, 0).find("Content-") == std::string::npos);
  response.dated = false;
  CHECK(response_head(response, Framing{}, 0) == "HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n");
}

TEST_CASE("bodies are written whole, chunked and cut") {
  const auto wire = [](const ServerResponse& response, bool& cut) {
    BodyPieces pieces(response, Framing{});
    std::string all;
    for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) all += piece;
    cut = pieces.cut();
    return all;
  };
  bool cut = false;
  ServerResponse response;
  CHECK(wire(response, cut).empty());
  response.body = shared("hello");
  CHECK(wire(response, cut) == "hello");
  CHECK_FALSE(cut);
  response.cut_after = 2;
  CHECK(wire(response, cut) == "he");
  CHECK(cut);
  response.chunk_bytes = 3;
  CHECK(wire(response, cut) == "3\r\nhe");
  CHECK(cut);
  response.cut_after = 5;
  CHECK(wire(response, cut) == "3\r\nhel\r\n2\r\nlo\r\n");
  CHECK(cut);
  response.cut_after.reset();
  CHECK(wire(response, cut) == "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n");
  CHECK_FALSE(cut);
  response.body = shared(sample_text(200'000));
  response.chunk_bytes = 0;
  CHECK(wire(response, cut) == *response.body);
}

TEST_CASE("dates of HTTP") {
  CHECK(parse_http_date("Fri, 10 Jan 2025 00:00:00 GMT") == 1736467200000);
  CHECK(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT") == 784111777000);
  CHECK(format_http_date(784111777999) == "Sun, 06 Nov 1994 08:49:37 GMT");
  for (const auto* text :
       {"", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT"}) {
    INFO(text);
    CHECK_FALSE(parse_http_date(text).has_value());
  }
}
