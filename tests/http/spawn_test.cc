// Counting, waiting and sleeping, and above all what happens when one side of it goes away first.

#include "http/spawn.h"

#include <stdexcept>

#include "base/log.h"
#include "http/io_run.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;
using namespace tidemark::test;
namespace asio = boost::asio;

namespace {

asio::awaitable<void> throws() {
  throw std::runtime_error("a bug");
  co_return;
}

asio::awaitable<void> naps(Duration length, int& ended) {
  co_await sleep_for(length);
  ++ended;
}

}  // namespace

TEST_CASE("what a task throws is counted, not lost and not fatal") {
  log::set_level(log::Level::kOff);
  Io io;
  const auto before = failed_tasks();
  spawn(io.executor(), "throws", throws());
  REQUIRE(io.until([&] { return failed_tasks() == before + 1; }));
  Tasks tasks(io.executor());
  tasks.spawn("throws", throws());
  REQUIRE(io.until([&] { return tasks.running() == 0; }));
  CHECK(failed_tasks() == before + 2);
  log::set_level(log::Level::kInfo);
}

TEST_CASE("idle waits for all tasks") {
  Io io;
  Tasks tasks(io.executor());
  CHECK(io.run(tasks.idle(Duration{0})));
  int ended = 0;
  for (int i = 0; i < 3; ++i) tasks.spawn("naps", naps(Duration{5 * i}, ended));
  CHECK(tasks.running() == 3);
  CHECK(io.run(tasks.idle(Duration{20'000})));
  CHECK(ended == 3);
  CHECK(tasks.running() == 0);
}

TEST_CASE("idle gives up at its deadline") {
  Io io;
  Tasks tasks(io.executor());
  int ended = 0;
  tasks.spawn("naps", naps(Duration{60'000}, ended));
  CHECK_FALSE(io.run(tasks.idle(Duration{20})));
  CHECK(tasks.running() == 1);
}

TEST_CASE("tasks may outlive their Tasks") {
  Io io;
  int ended = 0;
  {
    Tasks tasks(io.executor());
    tasks.spawn("naps", naps(Duration{5}, ended));
  }
  CHECK(io.until([&] { return ended == 1; }));
}

TEST_CASE("sleeps end when the timers are closed") {
  Io io;
  auto timers = std::make_unique<Timers>(io.executor());
  CHECK(io.run(timers->sleep_for(Duration{1})));
  int woken = 0;
  const auto sleeper = [&]() -> asio::awaitable<void> {
    const bool full = co_await timers->sleep_for(Duration{60'000});
    if (!full) ++woken;
  };
  for (int i = 0; i < 3; ++i) spawn(io.executor(), "sleeper", sleeper());
  io.poll();
  CHECK(woken == 0);
  SECTION("closed") {
    timers->close();
    CHECK_FALSE(io.run(timers->sleep_for(Duration{60'000})));
  }
  SECTION("destroyed") { timers.reset(); }
  CHECK(io.until([&] { return woken == 3; }));
}

TEST_CASE("what still sleeps or waits when the io_context goes is harmless") {
  auto io = std::make_unique<Io>();
  Tasks tasks(io->executor());
  Timers timers(io->executor());
  const auto sleeper = [&]() -> asio::awaitable<void> { co_await timers.sleep_for(Duration{60'000}); };
  const auto waiter = [&]() -> asio::awaitable<void> { co_await tasks.idle(Duration{60'000}); };
  tasks.spawn("sleeper", sleeper());
  spawn(io->executor(), "waiter", waiter());
  io->poll();
  io.reset();
}
