#include "model/lookup.h"

#include <memory>

#include "support/catch.h"

using namespace tidemark;

namespace {

std::shared_ptr<model::TopicView> topic(const char* name, std::initializer_list<const char*> cursors) {
  auto view = std::make_shared<model::TopicView>();
  view->name = name;
  for (const auto* cursor : cursors) view->cursors.emplace_back().name = cursor;
  return view;
}

}  // namespace

TEST_CASE("topics and cursors are found by name") {
  model::Snapshot snapshot;
  CHECK(model::find_topic(snapshot, "a") == nullptr);
  snapshot.topics = {topic("a", {"x", "y"}), topic("c", {})};
  CHECK(model::find_topic(snapshot, "a") == snapshot.topics[0].get());
  CHECK(model::find_topic(snapshot, "c") == snapshot.topics[1].get());
  CHECK(model::find_topic(snapshot, "b") == nullptr);
  CHECK(model::find_topic(snapshot, "d") == nullptr);
  const auto& first = *snapshot.topics[0];
  CHECK(model::find_cursor(first, "y") == &first.cursors[1]);
  CHECK(model::find_cursor(first, "z") == nullptr);
  CHECK(model::find_cursor(*snapshot.topics[1], "x") == nullptr);
  const auto mixed = topic("m", {"z", "a", "y"});
  CHECK(model::find_cursor(*mixed, "z") == &mixed->cursors[0]);
  CHECK(model::find_cursor(*mixed, "a") == &mixed->cursors[1]);
}
