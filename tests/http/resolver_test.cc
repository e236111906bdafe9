// Needs nothing but the machine's own `localhost`: no name server is asked.

#include "http/resolver.h"

#include "http/io_run.h"
#include "http/spawn.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;
using namespace tidemark::test;

namespace {

std::chrono::steady_clock::time_point in(Duration length) { return std::chrono::steady_clock::now() + length; }

}  // namespace

TEST_CASE("addresses are not looked up") {
  Io io;
  Resolver resolver(io.executor());
  CHECK(io.run(resolver.find("10.1.2.3", in(Duration{0}))).value() == Addresses{"10.1.2.3"});
  CHECK(io.run(resolver.find("2001:db8::1", in(Duration{0}))).value() == Addresses{"2001:db8::1"});
  CHECK_FALSE(resolver.knows("10.1.2.3"));
}

TEST_CASE("names are remembered until they are forgotten") {
  Io io;
  Resolver resolver(io.executor());
  CHECK_FALSE(resolver.knows("localhost"));
  const auto first = io.run(resolver.find("localhost", in(Duration{20'000})));
  REQUIRE(first.has_value());
  CHECK_FALSE(first->empty());
  CHECK(resolver.knows("localhost"));
  CHECK(io.run(resolver.find("localhost", in(Duration{0}))).value() == *first);
  resolver.forget("localhost");
  CHECK_FALSE(resolver.knows("localhost"));
}

TEST_CASE("many may wait for one lookup, each as long as it likes") {
  Io io;
  Resolver resolver(io.executor());
  int answered = 0;
  int late = 0;
  const auto wait = [&](Duration limit) -> boost::asio::awaitable<void> {
    const auto got = co_await resolver.find("localhost", in(limit));
    if (got.has_value()) ++answered;
    if (got.has_error() && got.error().code() == Errc::kTimeout) ++late;
  };
  for (const int limit : {20'000, 0, 20'000, 0}) spawn(io.executor(), "wait", wait(Duration{limit}));
  REQUIRE(io.until([&] { return answered + late == 4; }));
  CHECK(answered >= 2);  // the two in a hurry may have been lucky
}

TEST_CASE("close wakes who waits") {
  Io io;
  Resolver resolver(io.executor());
  Errc code = Errc::kNone;
  const auto wait = [&]() -> boost::asio::awaitable<void> {
    const auto got = co_await resolver.find("localhost", in(Duration{20'000}));
    code = got.has_error() ? got.error().code() : Errc::kIo;
  };
  spawn(io.executor(), "wait", wait());
  io.context().run_one();  // as far as the lookup
  resolver.close();
  REQUIRE(io.until([&] { return code != Errc::kNone; }));
  CHECK(code == Errc::kCancelled);
  CHECK(io.run(resolver.find("localhost", in(Duration{20'000}))).error().code() == Errc::kCancelled);
}

TEST_CASE("a name that is known is refused after close as well") {
  Io io;
  Resolver resolver(io.executor());
  REQUIRE(io.run(resolver.find("localhost", in(Duration{20'000}))).has_value());
  resolver.close();
  CHECK(resolver.knows("localhost"));
  CHECK(io.run(resolver.find("localhost", in(Duration{20'000}))).error().code() == Errc::kCancelled);
}
