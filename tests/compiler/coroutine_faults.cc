// The forms of co_await that g++ 12.2 compiles wrongly: temporaries of the expression are destroyed twice, or the right
// side of && is awaited though the left one is false (14.2 still does). Each runs in a process of its own, since most
// of them crash. A form that this compiler is known to get right must be right: once all are, the rules against them
// can go.

#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdio>
#include <functional>

#include "compiler/tracked.h"
#include "http/io_run.h"

using namespace tidemark::test;
namespace asio = boost::asio;
using boost::asio::awaitable;

namespace {

awaitable<void> suspend() { co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable); }

template <class F>
awaitable<int> call(F function) {
  co_await suspend();
  co_return function();
}

awaitable<int> call_function(std::function<int()> function) {
  co_await suspend();
  co_return function();
}

awaitable<int> take(Aggregate value) {
  co_await suspend();
  co_return value.a.value();
}

awaitable<int> take_reference(const Aggregate& value) {
  co_await suspend();
  co_return value.a.value();
}

awaitable<int> take_rvalue(Aggregate&& value) {
  co_await suspend();
  co_return value.a.value();
}

awaitable<Tracked> make(int value) {
  co_await suspend();
  co_return Tracked(value);
}

awaitable<int> lambda_in_the_expression(Tracked tracked) {
  co_return co_await call([tracked] { return tracked.value(); });
}

awaitable<int> lambda_as_function(Tracked tracked) {
  co_return co_await call_function([tracked] { return tracked.value(); });
}

awaitable<int> lambda_spawned(Tracked tracked) {
  const auto executor = co_await asio::this_coro::executor;
  co_return co_await asio::co_spawn(
      executor,
      [tracked]() -> awaitable<int> {
        co_await suspend();
        co_return tracked.value();
      },
      asio::use_awaitable);
}

awaitable<int> lambda_called_on_the_spot(Tracked tracked) {
  co_return co_await [tracked]() -> awaitable<int> {
    co_await suspend();
    co_return tracked.value();
  }();
}

awaitable<int> aggregate_by_value(Tracked tracked) { co_return co_await take(Aggregate{tracked, 1}); }

awaitable<int> aggregate_designated(Tracked tracked) { co_return co_await take({.a = tracked, .b = 1}); }

awaitable<int> aggregate_by_reference(Tracked tracked) { co_return co_await take_reference(Aggregate{tracked, 1}); }

awaitable<int> aggregate_by_rvalue(Tracked tracked) { co_return co_await take_rvalue(Aggregate{tracked, 1}); }

awaitable<int> conditional(Tracked tracked) {
  const Tracked got = tracked.value() > 0 ? co_await make(7) : tracked;
  co_return got.value();
}

awaitable<int> conditional_not_awaited(Tracked tracked) {
  const Tracked got = tracked.value() < 0 ? co_await make(8) : tracked;
  co_return got.value();
}

awaitable<bool> as_expected(Tracked tracked, int& calls) {
  ++calls;
  co_await suspend();
  co_return tracked.value() == 7;
}

awaitable<int> call_argument_behind_false(Tracked tracked) {
  int calls = 0;
  const bool off = tracked.value() < 0;
  const bool got = std::identity{}(off && co_await as_expected(std::move(tracked), calls));
  co_return got || calls > 0 ? 0 : 7;
}

awaitable<int> and_of_and_behind_false(Tracked tracked) {
  int calls = 0;
  const bool off = tracked.value() < 0;
  for (int i = 0; i < 2 && (off && co_await as_expected(tracked, calls)); ++i) ++calls;
  co_return calls > 0 ? 0 : 7;
}

awaitable<int> comparison_behind_false(Tracked tracked) {
  int calls = 0;
  const bool off = tracked.value() < 0;
  while (off && co_await as_expected(std::move(tracked), calls) == true) ++calls;
  co_return calls > 0 ? 0 : 7;
}

// The whole body is one `if (co_await ...)`: its frame is not the one that was made. With a second statement it is
// right.
struct Member {
  Tracked tracked{7};
  int* got = nullptr;

  awaitable<int> next(int add) {
    co_await suspend();
    co_return tracked.value() + add;
  }
  awaitable<void> only_an_if() {
    if (co_await next(1) == 8) *got = 7;
  }
};

awaitable<int> body_is_one_if(Tracked) {
  int got = 0;
  Member member;
  member.got = &got;
  co_await member.only_an_if();
  co_return got;
}

constexpr int kNoneYet = 1000;

struct Form {
  const char* name;
  awaitable<int> (*run)(Tracked);
  int right_from = 14;  // the first g++ that was seen to get it right
};

constexpr Form kForms[] = {
    {"co_await f([copied] {...})", lambda_in_the_expression},
    {"co_await f([copied] {...}) to std::function", lambda_as_function},
    {"co_await co_spawn(executor, [copied] {...}, use_awaitable)", lambda_spawned},
    {"co_await [copied] {...}()", lambda_called_on_the_spot},
    {"co_await f(Aggregate{...}) by value", aggregate_by_value},
    {"co_await f({.a = ...})", aggregate_designated},
    {"co_await f(Aggregate{...}) by const reference", aggregate_by_reference},
    {"co_await f(Aggregate{...}) by rvalue reference", aggregate_by_rvalue},
    {"c ? co_await a() : b, true", conditional},
    {"c ? co_await a() : b, false", conditional_not_awaited},
    {"f(false && co_await g(temporary))", call_argument_behind_false, kNoneYet},
    {"for (; a && (false && co_await g(temporary));)", and_of_and_behind_false, kNoneYet},
    {"while (false && co_await g(temporary) == x)", comparison_behind_false, kNoneYet},
    {"a body that is one `if (co_await ...)`", body_is_one_if},
};

bool right_here(const Form& form) {
  int value = 0;
  {
    Io io;
    value = io.run(form.run(Tracked(7)));
  }
  return value == 7 && Tracked::live == 0;
}

bool right(const Form& form) {
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stderr);  // the complaints of the allocator or of a sanitizer
    alarm(10);                               // a form that loops for ever is wrong too
    _exit(right_here(form) ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

#if defined(__clang__)
constexpr int kGcc = kNoneYet;  // gets all of them right
#else
constexpr int kGcc = __GNUC__;
#endif

}  // namespace

int main() {
  constexpr int kBracedListRightFrom = 14;
  int unexpected = !TIDEMARK_BRACED_LIST_COMPILES && kGcc >= kBracedListRightFrom ? 1 : 0;
  // Unbuffered, or each child would say again what its parent had not written yet.
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  std::printf("%s  range-for over a braced list, awaiting inside\n", TIDEMARK_BRACED_LIST_COMPILES ? "right" : "WRONG");
  for (const auto& form : kForms) {
    const bool ok = right(form);
    const bool known = kGcc < form.right_from;
    if (!ok && !known) ++unexpected;
    std::printf("%s  %s%s\n", ok ? "right" : "WRONG", form.name, ok || !known ? "" : "  (known: do not write it)");
  }
  std::printf("%d wrong that this compiler is known to get right\n", unexpected);
  return unexpected > 0 ? 1 : 0;
}
