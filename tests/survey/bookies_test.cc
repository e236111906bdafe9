#include "survey/bookies.h"

#include "support/catch.h"
#include "survey/documents.h"

using namespace tidemark;
using namespace tidemark::testing;
using pulsar::Endpoint;

namespace {

const std::string kBookie = "bookie-1:8000";

struct Look {
  TimeMs at;
  std::string text;
  int status = 200;
};

Result<void> take(survey::Bookies& bookies, TimeMs at, Endpoint endpoint, const std::string& body, int status = 200) {
  return bookies.take({at, model::Target::kBookie, kBookie, "/", status, body}, endpoint);
}

model::BookieView after(const std::vector<Look>& looks) {
  survey::Bookies bookies;
  for (const auto& [at, text, status] : looks) {
    bookies.begin_poll(at);
    REQUIRE(take(bookies, at, Endpoint::kBookieMetrics, text, status).has_value());
  }
  return bookies.views().at(0);
}

std::string metrics(int status, const std::string& usage, int writable) {
  return fmt::format("bookie_SERVER_STATUS {}\nbookie_ledger_dir__a_usage {}\nbookie_ledger_writable_dirs {}\n", status,
                     usage, writable);
}

const std::string kFull = metrics(0, "93.8", 0);
const std::string kBlind = metrics(1, "0.0", 1);  // started a moment ago
const std::string kInfo = R"({"freeSpace":250,"totalSpace":1000})";

}  // namespace

TEST_CASE("a bookie that was started on a full disk has not recovered") {
  const auto blind = after({{kStart, kFull}, {kStart + kMinute, kBlind}});
  CHECK(blind.status == 0);
  CHECK(blind.writable_dirs == 0);
  CHECK(blind.dir_usage_ratio.empty());
  CHECK(blind.status_since_ms == kStart);

  const auto looked = after({{kStart, kFull}, {kStart + kMinute, kBlind}, {kStart + 2 * kMinute, kFull}});
  CHECK(looked.status == 0);
  CHECK(looked.status_since_ms == kStart);

  const auto emptied = after({{kStart, kFull}, {kStart + kMinute, metrics(1, "33.4", 1)}});
  CHECK(emptied.status == 1);
  CHECK(emptied.status_since_ms == kStart + kMinute);
}

TEST_CASE("what a bookie says is believed where nothing speaks against it") {
  CHECK(after({{kStart, kBlind}}).status == 1);
  CHECK(after({{kStart, metrics(1, "50", 1)}, {kStart + kMinute, kBlind}}).status == 1);
  // Longer than any first look takes.
  CHECK(after({{kStart, kFull}, {kStart + kMinute, kBlind}, {kStart + 2 * kMinute, kBlind}}).status == 1);
  // It prints no usage at all.
  CHECK(after({{kStart, kFull}, {kStart + kMinute, "bookie_SERVER_STATUS 1\n"}}).status == 1);
}

TEST_CASE("a bookie that does not answer keeps what it said") {
  const auto view = after({{kStart, kFull}, {kStart + kMinute, "", 503}});
  CHECK(view.status == 0);
  CHECK_FALSE(view.reachable);
  CHECK(view.problem == "/ answered 503");
}

TEST_CASE("what the admin API tells is asked for once an hour, whether it answers or not") {
  survey::Bookies bookies;
  const auto kinds = [&](TimeMs at) {
    bookies.begin_poll(at);
    std::vector<Endpoint> made;
    for (const auto& ask : bookies.due({kBookie})) made.push_back(ask.endpoint);
    CHECK(bookies.due({kBookie}).empty());
    return made;
  };
  const std::vector<Endpoint> all{Endpoint::kBookieMetrics, Endpoint::kBookieConfiguration, Endpoint::kBookieInfo};
  CHECK(kinds(kStart) == all);
  REQUIRE(take(bookies, kStart, Endpoint::kBookieConfiguration, "<html>", 404).has_value());
  CHECK(kinds(kStart + kMinute) == std::vector{Endpoint::kBookieMetrics});
  CHECK(kinds(kStart + kHour) == all);
  const std::string body = R"({"diskUsageThreshold":"0.90","journalDirectory":"/data"})";
  REQUIRE(take(bookies, kStart + kHour, Endpoint::kBookieConfiguration, body).has_value());
  REQUIRE(take(bookies, kStart + kHour, Endpoint::kBookieInfo, kInfo).has_value());
  CHECK(bookies.views().at(0).usage_threshold == 0.90);
  CHECK(bookies.views().at(0).capacity_bytes == 1000);
  // They outlive the next metrics.
  REQUIRE(take(bookies, kStart + kHour, Endpoint::kBookieMetrics, kFull).has_value());
  CHECK(bookies.views().at(0).usage_threshold == 0.90);
  CHECK(bookies.views().at(0).capacity_bytes == 1000);
}

TEST_CASE("the size of the disks stays until the admin API is off") {
  survey::Bookies bookies;
  bookies.begin_poll(kStart);
  REQUIRE(take(bookies, kStart, Endpoint::kBookieInfo, kInfo).has_value());
  REQUIRE(take(bookies, kStart, Endpoint::kBookieInfo, "", 503).has_value());
  CHECK(take(bookies, kStart, Endpoint::kBookieInfo, "<html>").has_error());
  CHECK(bookies.views().at(0).capacity_bytes == 1000);
  REQUIRE(take(bookies, kStart, Endpoint::kBookieInfo, "", 404).has_value());
  CHECK_FALSE(bookies.views().at(0).capacity_bytes);
}

TEST_CASE("how full a disk is that a just started bookie did not look at yet is asked for") {
  survey::Bookies bookies;
  const auto poll = [&](TimeMs at, const std::string& text) {
    bookies.begin_poll(at);
    std::vector<Endpoint> asked;
    for (auto asks = bookies.due({kBookie}); !asks.empty(); asks = bookies.due({kBookie})) {
      for (const auto& ask : asks) {
        asked.push_back(ask.endpoint);
        if (ask.endpoint == Endpoint::kBookieMetrics) REQUIRE(take(bookies, at, ask.endpoint, text).has_value());
        if (ask.endpoint == Endpoint::kBookieInfo) REQUIRE(take(bookies, at, ask.endpoint, kInfo).has_value());
      }
    }
    return asked;
  };
  const auto usage = [&] { return bookies.views().at(0).dir_usage_ratio; };
  CHECK(poll(kStart, kFull).size() == 3);
  CHECK(usage().at("_a") == 0.938);
  CHECK(poll(kStart + kMinute, kBlind) == std::vector{Endpoint::kBookieMetrics, Endpoint::kBookieInfo});
  CHECK(usage() == std::map<std::string, double>{{"_a", 0.75}});
  CHECK(bookies.views().at(0).status == 0);  // which is still no proof that it takes writes again
  CHECK(poll(kStart + 2 * kMinute, metrics(1, "75.2", 1)) == std::vector{Endpoint::kBookieMetrics});
  CHECK(usage().at("_a") == 0.752);
  // Of two directories nobody knows which is on which disk.
  CHECK(poll(kStart + 3 * kMinute, kBlind + "bookie_ledger_dir__b_usage 0.0\n").size() == 2);
  CHECK(usage().empty());
}

TEST_CASE("a bookie that was taken out is forgotten") {
  survey::Bookies bookies;
  bookies.begin_poll(kStart);
  REQUIRE(bookies.take({kStart, model::Target::kBookie, kBookie, "/metrics", 200, kFull}, Endpoint::kBookieMetrics)
              .has_value());
  bookies.keep_only({kBookie});
  CHECK(bookies.views().size() == 1);
  bookies.keep_only({"bookie-2:8000"});
  CHECK(bookies.views().empty());
}
