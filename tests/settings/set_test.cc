// --set: the same keys and checks as in a file, lists by number.
#include "settings/load.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::settings;

namespace {

std::string complaint(std::string_view assignment) {
  Settings settings;
  settings.clusters.emplace_back().url = "http://broker:8080";
  const auto set = apply_set(settings, assignment);
  CHECK(settings.clusters.size() == 1);
  CHECK(settings.clusters[0].url == "http://broker:8080");
  return set ? "nothing" : set.error().text();
}

}  // namespace

TEST_CASE("--set changes one value") {
  Settings settings;
  REQUIRE(apply_set(settings, "detect.abandoned_after=5s").has_value());
  REQUIRE(apply_set(settings, "clusters.0.url=http://a:8080").has_value());
  REQUIRE(apply_set(settings, "clusters.1.url=https://b:8443").has_value());
  REQUIRE(apply_set(settings, "clusters.0.name=a").has_value());
  REQUIRE(apply_set(settings, "clusters.1.name=b").has_value());
  REQUIRE(apply_set(settings, "clusters.1.tls.verify=false").has_value());
  REQUIRE(apply_set(settings, "clusters.1.bookies.urls.0=http://bookie:8000").has_value());
  REQUIRE(apply_set(settings, "origins.0.pattern=^a=b$").has_value());
  REQUIRE(apply_set(settings, "origins.0.origin=named").has_value());
  CHECK(settings.detect.abandoned_after == Duration{5000});
  REQUIRE(settings.clusters.size() == 2);
  CHECK(settings.clusters[0].tls.verify);
  CHECK_FALSE(settings.clusters[1].tls.verify);
  CHECK(settings.clusters[1].bookies.urls == std::vector<std::string>{"http://bookie:8000"});
  CHECK(settings.origins.at(0).pattern == "^a=b$");
  CHECK(validate(settings).has_value());
}

TEST_CASE("an empty value takes an optional text back") {
  Settings settings;
  REQUIRE(apply_set(settings, "clusters.0.auth.token_file=/run/token").has_value());
  REQUIRE(apply_set(settings, "clusters.0.auth.token_file=").has_value());
  CHECK(settings.clusters[0].auth.token_file.empty());
  CHECK(apply_set(settings, "clusters.0.url=").has_error());
}

TEST_CASE("--set refuses what a file may not say") {
  CHECK(complaint("detect.abandoned_aftr=8d") ==
        "--set: unknown key 'detect.abandoned_aftr'; did you mean 'abandoned_after'?");
  CHECK(complaint("poll.interval=soon") ==
        "--set: poll.interval: 'soon' is not a length of time; write e.g. 90s, 30m, 6h, 8d");
  CHECK(complaint("clusters.url=http://a") == "--set: clusters is a list; write e.g. clusters.0 for its first entry");
  CHECK(complaint("clusters.2.url=http://a") ==
        "--set: clusters.2.url: entries of a list are numbered from 0 without gaps");
  CHECK(complaint("clusters.1.url=a") ==
        "--set: clusters.1.url: 'a' is not a URL; write e.g. http://HOST:8080 or https://HOST:8443");
  CHECK(complaint("clusters.99999999999.url=http://a") ==
        "--set: clusters is a list; write e.g. clusters.0 for its first entry");
  CHECK(complaint("poll=1m") == "--set: poll is not a single value; set one of its keys, e.g. poll.interval=...");
  CHECK(complaint("clusters=a") == "--set: clusters is not a single value; set one of its keys, e.g. clusters.0=...");
  CHECK(complaint("listen.port=1") == "--set: listen is a single value, nothing is below it");
  CHECK(complaint("clusters.[].url=a") == "--set: clusters is a list; write e.g. clusters.0 for its first entry");
  CHECK(complaint("=1").find("--set: unknown key ''; known here: ") == 0);
  CHECK(complaint("poll..interval=1m").find("--set: unknown key 'poll.'; known here: ") == 0);
}

TEST_CASE("--set does not repeat a secret") {
  CHECK(complaint("clusters.0.auth.token=eyJsecret") ==
        "--set: unknown key 'clusters.0.auth.token'; a secret must not stand here: put it into a file and name that in "
        "'auth.token_file'");
  CHECK(complaint("clusters.0.auth.token_file:eyJsecret") ==
        "--set: 'clusters.0.auth.token_file' has no '='; write KEY=VALUE, e.g. poll.interval=30s");
  CHECK(complaint("clusters.0.auth.token_file=eyJsecret").find("eyJ") == std::string::npos);
  CHECK(complaint("clusters.0.auth.eyJsecret=1").find("eyJ") == std::string::npos);
}
