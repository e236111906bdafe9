#pragma once
// A name that is kept alive by what it was read from. A million verdicts name their topic and cursor; copies of the
// text cost more than judging does.

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace tidemark::model {

class SharedName {
 public:
  SharedName() = default;
  // Of its own.
  SharedName(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
  SharedName(const char* text) : SharedName(std::string(text)) {}
  // `text` lies within what `owner` keeps.
  template <class Owner>
  SharedName(const std::shared_ptr<Owner>& owner, const std::string& text) : text_(owner, &text) {}

  std::string_view view() const { return text_ ? std::string_view(*text_) : std::string_view{}; }
  operator std::string_view() const { return view(); }
  std::string str() const { return std::string(view()); }

  friend bool operator==(const SharedName& a, const SharedName& b) { return a.view() == b.view(); }
  friend bool operator==(const SharedName& a, std::string_view b) { return a.view() == b; }
  friend bool operator==(const SharedName& a, const std::string& b) { return a.view() == b; }
  friend bool operator==(const SharedName& a, const char* b) { return a.view() == b; }
  friend auto operator<=>(const SharedName& a, const SharedName& b) { return a.view() <=> b.view(); }
  friend std::ostream& operator<<(std::ostream& out, const SharedName& name) { return out << name.view(); }

 private:
  std::shared_ptr<const std::string> text_;  // null: empty
};

}  // namespace tidemark::model
