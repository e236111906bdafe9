// What counts as a slip of the hand, and what fits on one line.
#include "settings/suggest.h"

#include "support/catch.h"

using namespace tidemark::settings;

TEST_CASE("the nearest word is offered when it is near") {
  const std::vector<std::string> words{"interval", "topology_interval", "url", "tls"};
  CHECK(nearest("intervall", words) == "interval");
  CHECK(nearest("intevral", words) == "interval");
  CHECK(nearest("Interval", words) == "interval");
  CHECK(nearest("topology-interval", words) == "topology_interval");
  CHECK(nearest("ulr", words) == "url");
  CHECK(nearest("topo", words) == "topology_interval");
  CHECK_FALSE(nearest("to", words).has_value());
  CHECK_FALSE(nearest("xyz", words).has_value());
  CHECK_FALSE(nearest("", words).has_value());
  CHECK_FALSE(nearest("period", words).has_value());
  CHECK_FALSE(nearest(std::string(100000, 'a'), words).has_value());
}

TEST_CASE("quoted text stays on one short line") {
  CHECK(in_quotes("soon") == "'soon'");
  CHECK(in_quotes("a\nb\x1b[31m") == "'a b [31m'");
  CHECK(in_quotes(std::string(100, 'x')) == "'" + std::string(60, 'x') + "...'");
}
