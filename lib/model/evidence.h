#pragma once
// The named facts behind a verdict, in the order in which they should be read. A copy shares them until one of the two
// is added to: a cursor's verdict and its finding rest on the same.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tidemark::model {

using Fact = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, std::string_view>;

class Evidence {
 public:
  using value_type = std::pair<std::string_view, Fact>;  // names, and views among the facts, are literals
  using const_iterator = const value_type*;

  Evidence() = default;
  Evidence(std::initializer_list<value_type> facts) : facts_(std::make_shared<std::vector<value_type>>(facts)) {}

  const_iterator begin() const { return facts_ ? facts_->data() : nullptr; }
  const_iterator end() const { return begin() + size(); }
  std::size_t size() const { return facts_ ? facts_->size() : 0; }
  bool empty() const { return size() == 0; }

  void push_back(value_type fact) { own().push_back(std::move(fact)); }
  void emplace_back(std::string_view name, Fact fact) { own().emplace_back(name, std::move(fact)); }
  void reserve(std::size_t count) { own().reserve(count); }

 private:
  std::vector<value_type>& own() {
    if (!facts_) {
      facts_ = std::make_shared<std::vector<value_type>>();
    } else if (facts_.use_count() > 1) {
      facts_ = std::make_shared<std::vector<value_type>>(*facts_);
    }
    return *facts_;
  }

  std::shared_ptr<std::vector<value_type>> facts_;
};

}  // namespace tidemark::model
