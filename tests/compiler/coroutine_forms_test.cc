// The forms of co_await that this project writes must be compiled rightly by every compiler it is built with: g++ 12
// gets neighbours of them wrong (see coroutine_faults.cc). Run it under the address sanitizer as well.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "compiler/tracked.h"
#include "http/client.h"
#include "http/io_run.h"
#include "http/spawn.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::test;
namespace asio = boost::asio;
using boost::asio::awaitable;

namespace {

const std::string kLong(100, 'y');

// Every callee suspends, so that its arguments have to survive in the coroutine frame.
awaitable<void> suspend() { co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable); }

template <class T>
awaitable<int> take(T value) {
  co_await suspend();
  co_return value.a.value() + value.b;
}

template <class T>
awaitable<int> take_reference(const T& value) {
  co_await suspend();
  co_return value.a.value() + value.b;
}

template <class F>
awaitable<int> call(F function) {
  co_await suspend();
  co_return function();
}

awaitable<int> call_function(std::function<int()> function) {
  co_await suspend();
  co_return function();
}

awaitable<std::size_t> size_of(std::string text, std::string more = std::string(50, 'z')) {
  co_await suspend();
  co_return text.size() + more.size();
}

awaitable<std::size_t> size_of_pointers(std::unique_ptr<std::string> one, std::shared_ptr<const std::string> two) {
  co_await suspend();
  co_return one->size() + two->size();
}

awaitable<std::size_t> count(std::vector<std::string> texts) {
  co_await suspend();
  co_return texts.size();
}

awaitable<Tracked> make(int value) {
  co_await suspend();
  co_return Tracked(value);
}

awaitable<bool> less(int a, int b) {
  co_await suspend();
  co_return a < b;
}

awaitable<Result<std::string>> result(bool good) {
  co_await suspend();
  if (!good) co_return Error{Errc::kNetwork, "a text that is too long for the small string " + kLong};
  co_return kLong;
}

awaitable<Result<int>> pass_on(bool good) {
  const auto got = co_await result(good);
  if (!got) co_return got.error().at("from further out");
  co_return static_cast<int>(got->size());
}

awaitable<std::tuple<Tracked, std::string>> two() {
  co_await suspend();
  co_return std::tuple<Tracked, std::string>(Tracked(3), kLong);
}

awaitable<std::size_t> uses_http_types(http::Origin origin, std::string path, http::GetOptions options,
                                       http::BodySink sink) {
  co_await suspend();
  const auto taken = sink("x");
  co_return origin.host.size() + path.size() + options.authorization.size() + (taken ? 1 : 0);
}

awaitable<int> throws(Tracked value) {
  co_await suspend();
  if (value.value() > 0) throw std::runtime_error("thrown");
  co_return 0;
}

// Not CHECK(co_await ...): Catch repeats the expression behind `false &&`, where g++ 12 awaits it all the same.
template <class T>
void same(const T& got, const std::type_identity_t<T>& wanted) {
  CHECK(got == wanted);
}

// Runs it and requires that what came to life is gone again.
void balanced(const std::function<awaitable<void>()>& form) {
  REQUIRE(Tracked::live == 0);
  {
    Io io;
    io.run(form());
  }
  CHECK(Tracked::live == 0);
}

awaitable<void> named_lambda() {
  const Tracked tracked(7);
  auto function = [tracked] { return tracked.value(); };
  same(co_await call(std::move(function)), 7);
  std::function<int()> erased = [tracked] { return tracked.value(); };
  same(co_await call_function(std::move(erased)), 7);
  same(co_await call([&tracked] { return tracked.value(); }), 7);  // captures by reference may stay
}

awaitable<void> coroutine_function_spawned() {
  const auto executor = co_await asio::this_coro::executor;
  same(co_await asio::co_spawn(executor, size_of(std::string(100, 'a')), asio::use_awaitable), 150);
}

awaitable<void> named_aggregate() {
  Aggregate aggregate{Tracked(5), 1};
  same(co_await take_reference(aggregate), 6);
  same(co_await take(aggregate), 6);
  same(co_await take(std::move(aggregate)), 6);
}

awaitable<void> temporary_with_constructor() {
  same(co_await take(WithConstructor(Tracked(5), 1)), 6);
  same(co_await take(WithConstructor{Tracked(5)}), 5);
  same(co_await take_reference(WithConstructor(Tracked(5), 1)), 6);
}

awaitable<void> own_types_as_temporaries() {
  http::BodySink sink = [](std::string_view) -> Result<void> { return {}; };
  const auto size =
      co_await uses_http_types(http::Origin(false, kLong, 80), "/" + kLong, http::GetOptions{}, std::move(sink));
  CHECK(size == 202);
}

awaitable<void> if_else_for_the_conditional() {
  Tracked value(0);
  for (const bool choice : {true, false}) {
    if (choice) {
      value = co_await make(1);
    } else {
      value = Tracked(2);
    }
    CHECK(value.value() == (choice ? 1 : 2));
  }
}

awaitable<void> container_built_first() {
  std::vector<std::string> texts;
  texts.push_back(kLong);
  texts.push_back(kLong);
  same(co_await count(std::move(texts)), 2);
}

awaitable<void> temporaries_of_the_library() {
  same(co_await size_of(std::string(100, 'a')), 150);
  same(co_await size_of("a" + kLong, kLong + "b"), 202);
  CHECK(co_await size_of_pointers(std::make_unique<std::string>(kLong), std::make_shared<const std::string>(kLong)) ==
        200);
}

awaitable<void> nested_and_control_flow() {
  same(co_await size_of(std::string(co_await size_of("abc"), 'x')), 103);
  if (const auto got = co_await result(true); got) CHECK(*got == kLong);
  int i = 0;
  while (co_await less(i, 3)) ++i;
  CHECK(i == 3);
  switch (co_await size_of("", "ab")) {
    case 2:
      break;
    default:
      FAIL("switch");
  }
  const bool both = co_await less(1, 2) && i == 3;  // awaiting on the left only
  CHECK(both);
  same((co_await make(3)).value(), 3);
}

awaitable<void> structured_bindings() {
  auto got = co_await two();
  auto& [tracked, text] = got;
  CHECK(tracked.value() == 3);
  CHECK(text == kLong);
}

awaitable<void> results() {
  same((co_await pass_on(true)).value(), 100);
  const auto failed = co_await pass_on(false);
  REQUIRE(failed.has_error());
  CHECK(failed.error().text().rfind("from further out: ", 0) == 0);
}

awaitable<void> exceptions() {
  std::string caught;
  try {
    co_await throws(Tracked(1));
  } catch (const std::runtime_error& e) {
    caught = e.what();  // awaiting in here is not allowed
  }
  CHECK(caught == "thrown");
}

}  // namespace

TEST_CASE("the forms of co_await that are written here") {
  const std::map<std::string, std::function<awaitable<void>()>> forms = {
      {"a named lambda, moved in", named_lambda},
      {"a coroutine function, spawned", coroutine_function_spawned},
      {"a named aggregate", named_aggregate},
      {"a temporary with a constructor", temporary_with_constructor},
      {"Origin and GetOptions as temporaries", own_types_as_temporaries},
      {"if and else instead of ?:", if_else_for_the_conditional},
      {"a container built first", container_built_first},
      {"strings and pointers as temporaries", temporaries_of_the_library},
      {"nested, in if, while and switch, left of &&", nested_and_control_flow},
      {"structured bindings of a named value", structured_bindings},
      {"Result", results},
      {"exceptions", exceptions},
  };
  for (const auto& [name, form] : forms) {
    INFO(name);
    balanced(form);
  }
}

TEST_CASE("coroutines destroyed while suspended free what they hold") {
  REQUIRE(Tracked::live == 0);
  {
    Io io;
    const auto never_ends = []() -> awaitable<void> {
      const Tracked tracked(1);
      for (;;) co_await take(WithConstructor(Tracked(2)));
    };
    http::spawn(io.executor(), "never ends", never_ends());
    for (int i = 0; i < 10; ++i) io.context().run_one();
    CHECK(Tracked::live > 0);
  }
  CHECK(Tracked::live == 0);
}
