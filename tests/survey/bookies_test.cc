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

model::BookieView after(const std::vector<Look>& looks) {
  survey::Bookies bookies;
  for (const auto& [at, text, status] : looks) {
    bookies.begin_poll(at);
    (void)bookies.take({at, model::Target::kBookie, kBookie, "/metrics", status, text}, Endpoint::kBookieMetrics);
  }
  return bookies.views().at(0);
}

std::string metrics(int status, const std::string& usage, int writable) {
  return fmt::format("bookie_SERVER_STATUS {}\nbookie_ledger_dir__a_usage {}\nbookie_ledger_writable_dirs {}\n", status,
                     usage, writable);
}

const std::string kFull = metrics(0, "93.8", 0);
const std::string kBlind = metrics(1, "0.0", 1);  // started a moment ago

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
  CHECK(view.problem == "/metrics answered 503");
}

TEST_CASE("a bookie's configuration is asked for once an hour, whether it answers or not") {
  survey::Bookies bookies;
  const auto kinds = [&](TimeMs at) {
    bookies.begin_poll(at);
    std::vector<Endpoint> made;
    for (const auto& ask : bookies.due({kBookie})) made.push_back(ask.endpoint);
    return made;
  };
  const std::vector<Endpoint> both{Endpoint::kBookieMetrics, Endpoint::kBookieConfiguration};
  const auto path = pulsar::bookie_configuration_path();
  CHECK(kinds(kStart) == both);
  REQUIRE(bookies.take({kStart, model::Target::kBookie, kBookie, path, 404, "<html>"}, Endpoint::kBookieConfiguration)
              .has_value());
  CHECK(kinds(kStart + kMinute) == std::vector{Endpoint::kBookieMetrics});
  CHECK(kinds(kStart + kHour) == both);
  const std::string body = R"({"diskUsageThreshold":"0.90","journalDirectory":"/data"})";
  REQUIRE(
      bookies.take({kStart + kHour, model::Target::kBookie, kBookie, path, 200, body}, Endpoint::kBookieConfiguration)
          .has_value());
  CHECK(bookies.views().at(0).usage_threshold == 0.90);
  // It outlives the next metrics.
  REQUIRE(
      bookies.take({kStart + kHour, model::Target::kBookie, kBookie, "/metrics", 200, kFull}, Endpoint::kBookieMetrics)
          .has_value());
  CHECK(bookies.views().at(0).usage_threshold == 0.90);
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
