#include "detect/bookie_status.h"

#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("the last status of the bookies that were there last is known after a restart") {
  history::History history;
  model::Snapshot snapshot;
  const auto look = [&](TimeMs at, std::vector<std::pair<std::string, std::optional<int>>> bookies) {
    snapshot.at_ms = at;
    snapshot.bookies.clear();
    for (auto& [name, status] : bookies) {
      auto& view = snapshot.bookies.emplace_back();
      view.name = name;
      view.status = status;
      view.status_since_ms = at - kMinute;
    }
    detect::observe_bookie_status(snapshot, history.figures());
  };
  CHECK(detect::known_bookies(history.figures()).empty());
  look(kStart, {{"bookie-0:8000", 1}, {"bookie-1:8000", 0}, {"bookie-2:8000", {}}});
  look(kStart + kMinute, {{"bookie-1:8000", 0}, {"bookie-3:8000", -1}});
  const auto known = detect::known_bookies(history.figures());
  REQUIRE(known.size() == 2);
  CHECK(known[0].name == "bookie-1:8000");
  CHECK(known[0].status == 0);
  CHECK(known[0].since_ms == kStart);
  CHECK(known[1].name == "bookie-3:8000");
  CHECK(known[1].status == -1);
}
