// "array used as initializer": g++ 12 refuses a braced list of class type in one expression with co_await. Compiled
// when CMake configures; coroutine_faults reports it.

#include <coroutine>
#include <string>
#include <vector>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

struct Text {
  bool await_ready() { return true; }
  void await_suspend(std::coroutine_handle<>) {}
  std::string await_resume() { return "text"; }
};

Task form() {
  std::vector<std::string> texts{co_await Text{}, co_await Text{}};
  for (const auto& text : {std::string("a"), co_await Text{}}) texts.push_back(text);
}

int main() { form(); }
