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

TEST_CASE("what an earlier run knew of a bookie stands until the bookie says something else") {
  survey::Bookies bookies;
  bookies.remember(kBookie, 0, kStart);
  bookies.begin_poll(kStart + kMinute);
  CHECK(bookies.due({kBookie}).size() == 1);
  CHECK(take(bookies, kStart + kMinute, Endpoint::kBookieMetrics, "<html></html>").has_error());
  CHECK(bookies.due({kBookie}).empty());  // nobody there is asked what only a bookie can tell
  CHECK(bookies.views().at(0).status == 0);
  CHECK(bookies.views().at(0).status_since_ms == kStart);
  bookies.begin_poll(kStart + 2 * kMinute);
  REQUIRE(take(bookies, kStart + 2 * kMinute, Endpoint::kBookieMetrics, metrics(1, "50", 1)).has_value());
  CHECK(bookies.views().at(0).status == 1);
  CHECK(bookies.views().at(0).status_since_ms == kStart + 2 * kMinute);
}

TEST_CASE("a bookie that answers without its status has not recovered") {
  const auto view = after({{kStart, kFull}, {kStart + kMinute, "bookie_ledger_dir__a_usage 50\n"}});
  CHECK(view.status == 0);
  CHECK(view.status_since_ms == kStart);
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
    for (auto asks = bookies.due({kBookie}); !asks.empty(); asks = bookies.due({kBookie})) {
      for (const auto& ask : asks) made.push_back(ask.endpoint);
      if (made.size() == 1) REQUIRE(take(bookies, at, Endpoint::kBookieMetrics, kFull).has_value());
    }
    return made;
  };
  const std::vector<Endpoint> all{Endpoint::kBookieMetrics, Endpoint::kBookieConfiguration, Endpoint::kBookieInfo,
                                  Endpoint::kBookieSuspension};
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

TEST_CASE("a bookie that is gone is unregistered once another one does not list it any more") {
  survey::Bookies bookies;
  const std::vector<std::string> names{"a:8000", "b:8000", "c:8000"};
  // Polls the bookies that are up; the first of them lists `registered`. Returns whom it asked for that.
  const auto poll = [&](TimeMs at, const std::string& up, const std::string& writable, const std::string& read_only) {
    bookies.begin_poll(at);
    std::string asked;
    for (auto asks = bookies.due(names); !asks.empty(); asks = bookies.due(names)) {
      for (const auto& ask : asks) {
        const bool answers = up.find(ask.name.front()) != std::string::npos;
        auto body = ask.endpoint == Endpoint::kBookieMetrics ? metrics(1, "50.0", 1) : kInfo;
        if (ask.endpoint == Endpoint::kBookieSuspension) body = R"({"isMajorGcSuspended":"false"})";
        if (ask.endpoint == Endpoint::kBookiesRegistered) {
          asked += ask.name.front();
          body = ask.path.ends_with("=ro") ? read_only : writable;
        }
        const model::Exchange exchange{at, model::Target::kBookie, ask.name, ask.path, answers ? 200 : 503, body};
        REQUIRE(bookies.take(exchange, ask.endpoint).has_value());
      }
    }
    return asked;
  };
  const auto status_of = [&](std::size_t i) { return bookies.views().at(i).status; };
  const std::string all = R"({"a:3181":null,"b:3181":null})";
  const std::string c = R"({"c:3181":null})";
  CHECK(poll(kStart, "abc", all, c) == "aa");
  CHECK(poll(kStart + kMinute, "abc", all, c).empty());  // all answer: once an hour is enough
  CHECK(poll(kStart + 2 * kMinute, "ab", all, c) == "aa");
  CHECK(status_of(2) == 1);  // its session in the metadata store has not ended
  CHECK(poll(kStart + 3 * kMinute, "ab", all, "{ }") == "aa");
  CHECK(status_of(2) == -1);
  CHECK(bookies.views().at(2).status_since_ms == kStart + 3 * kMinute);
  CHECK(status_of(0) == 1);
  CHECK(poll(kStart + 4 * kMinute, "b", R"({"b:3181":null})", "{}") == "bb");
  CHECK(status_of(0) == -1);
  // One that lost the metadata store itself says nothing of others.
  CHECK(poll(kStart + 5 * kMinute, "ac", "{}", "{}") == "aa");
  CHECK(status_of(1) == 1);
  CHECK(status_of(2) == 1);  // it is back
  CHECK(poll(kStart + 6 * kMinute, "ac", all, c) == "aa");
  CHECK(poll(kStart + 7 * kMinute, "abc", all, c).empty());
  CHECK(status_of(1) == 1);
}

TEST_CASE("of bookies at one host nobody says which is missing, nor of one that was never listed") {
  survey::Registrations registrations;
  registrations.take(kStart, "a:8000", false, {"a:3181", "b:3181"});
  registrations.take(kStart, "a:8000", true, {});
  registrations.take(kStart + 1, "a:8000", false, {"a:3181"});
  CHECK(registrations.missing_since_ms("b:8000") == 0);  // one list of two
  registrations.take(kStart + 1, "a:8000", true, {});
  CHECK(registrations.missing_since_ms("b:8000") == kStart + 1);
  CHECK(registrations.missing_since_ms("c:8000") == 0);
  survey::Bookies bookies;
  bookies.begin_poll(kStart);
  CHECK(bookies.due({"a:1", "a:2"}).size() == 2);
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
  CHECK(poll(kStart, kFull).size() == 4);
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

TEST_CASE(
    "whether compaction is suspended is asked at each poll of a bookie that is nearly full, or suspends, and tells") {
  survey::Bookies bookies;
  const auto poll = [&](TimeMs at, const std::string& text, int status, const char* major) {
    bookies.begin_poll(at);
    bool asked = false;
    for (auto asks = bookies.due({kBookie}); !asks.empty(); asks = bookies.due({kBookie})) {
      for (const auto& ask : asks) {
        if (ask.endpoint == Endpoint::kBookieMetrics) REQUIRE(take(bookies, at, ask.endpoint, text).has_value());
        if (ask.endpoint != Endpoint::kBookieSuspension) continue;
        asked = true;
        (void)take(bookies, at, ask.endpoint, fmt::format(R"({{"isMajorGcSuspended":"{}"}})", major), status);
      }
    }
    return asked;
  };
  const auto suspended = [&] { return bookies.views().at(0).compaction.major_suspended; };
  const auto half = metrics(1, "50.0", 1);
  const auto nearly = metrics(1, "81.0", 1);
  CHECK(poll(kStart, half, 200, "false"));
  CHECK_FALSE(poll(kStart + kMinute, half, 200, "true"));
  CHECK(poll(kStart + 2 * kMinute, nearly, 200, "true"));
  CHECK(suspended() == true);
  CHECK(poll(kStart + 3 * kMinute, half, 503, "false"));
  CHECK(suspended() == true);                             // busy
  CHECK(poll(kStart + 4 * kMinute, half, 200, "false"));  // until it does not suspend any more
  CHECK_FALSE(poll(kStart + 5 * kMinute, half, 200, "true"));
  CHECK(poll(kStart + 5 * kMinute + 1, kFull, 404, ""));
  CHECK_FALSE(suspended());
  CHECK_FALSE(poll(kStart + 6 * kMinute, kFull, 200, "true"));  // its admin API was off: in an hour
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

TEST_CASE("what a bookie tells too much of is said, and the rest is taken") {
  survey::Bookies bookies;
  bookies.begin_poll(kStart);
  auto text = kFull;
  for (int i = 0; i < 300; ++i) text += fmt::format("bookie_ledger_dir_{}_usage 50.0\n", i);
  const auto taken = take(bookies, kStart, Endpoint::kBookieMetrics, text);
  REQUIRE(taken.has_error());
  CHECK(taken.error().code() == Errc::kTooLarge);
  CHECK(taken.error().text() == "45 ledger directories more than 256: the first ones are watched");
  const auto view = bookies.views().at(0);
  CHECK(view.reachable);
  CHECK(view.status == 0);
  CHECK(view.dir_usage_ratio.size() == 256);
}
