#include <cmath>
#include <functional>

#include "detect/disk_growth.h"
#include "detect/disks.h"
#include "detect/rules/rules.h"
#include "detect/rules/topic_bench.h"
#include "detect/stored.h"
#include "detect/traffic.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::GrowthCause;
using model::Severity;
using model::State;

namespace {

using OfDay = std::function<double(double day)>;

constexpr double kGiB = 1LL << 30;

OfDay always(double value) {
  return [value](double) { return value; };
}
OfDay rising(double from, double per_day) {
  return [=](double day) { return from + per_day * day; };
}

// Three bookies of 100 GiB, two copies, and one topic in a namespace of its own beside one that stays as it is.
struct GrowthBench {
  OfDay kept = always(0);     // GiB, acknowledged
  OfDay backlog = always(0);  // GiB, behind the one cursor
  State state = State::kAbandoned;
  model::CursorKind kind = model::CursorKind::kSubscription;
  OfDay garbage = always(0);    // GiB, all copies
  OfDay orphans = always(0);    // likewise: live, and no topic's
  OfDay published = always(1);  // MB/s
  OfDay of_first = always(0);   // points that only the first bookie has more
  OfDay copied = always(0);     // GiB, that the first bookie copied from others, since its start
  model::Retention retention{0, 0};
  bool sized = true;  // the admin API tells how large the disks are
  bool tells_live = true;
  std::function<bool(double day)> outage = [](double) { return false; };
  std::optional<std::int64_t> quorum = 2;

  history::History history;
  detect::Limits limits;
  model::Snapshot snapshot;
  model::Verdicts verdicts;

  model::BookieView bookie(int number, double day) const {
    model::BookieView view;
    view.name = "bookie-" + std::to_string(number) + ":8000";
    view.reachable = true;
    view.status = 1;
    const auto stored = kOther + kept(day) + backlog(day);
    const auto live = (2 * stored + orphans(day)) / 3;
    view.dir_usage_ratio["_data"] = 0.1 + (live + garbage(day) / 3) / 100 + (number == 0 ? of_first(day) / 100 : 0);
    if (sized) view.capacity_bytes = std::llround(100 * kGiB);
    if (tells_live) view.live_bytes = std::llround((live + (number == 0 ? of_first(day) : 0)) * kGiB);
    view.recovered_bytes = number == 0 ? std::llround(copied(day) * kGiB) : 0;
    return view;
  }

  std::shared_ptr<model::TopicView> topic(const std::string& ns, double gib, double behind, double mb) const {
    auto view = std::make_shared<model::TopicView>();
    view->ns = ns;
    view->name = "persistent://" + ns + "/orders";
    view->tenant = "acme";
    view->loaded = model::Loaded::kYes;
    view->total_bytes = std::llround(gib * kGiB);
    view->backlog_bytes = std::llround(behind * kGiB);
    view->messages_in = 1000;
    view->bytes_in = 1'000'000;
    view->rate_in = mb * 1000;
    model::CursorView cursor;
    cursor.name = "sub";
    cursor.rate_out = mb * 500;
    view->cursors = {cursor};
    return view;
  }

  void look(double day) {
    snapshot.at_ms = kStart + static_cast<TimeMs>(day * kDay);
    snapshot.cluster = "c1";
    snapshot.version = "4.0.7";
    snapshot.brokers = {{"broker-0:8080", true, outage(day), "", 2}};
    snapshot.bookies = {bookie(0, day), bookie(1, day), bookie(2, day)};
    const auto pub = outage(day) ? 0 : published(day) / 2;
    snapshot.topics = {topic("acme/other", kOther, 0, pub),
                       topic("acme/shop", kept(day) + backlog(day), backlog(day), pub)};
    snapshot.defaults.write_quorum = quorum;
    snapshot.defaults.ensemble = 2;
    for (const auto& [name, keeps] :
         {std::pair{"acme/other", model::Retention{0, 0}}, std::pair{"acme/shop", retention}}) {
      auto& ns = snapshot.namespaces[name];
      ns.name = name;
      ns.policies_known = true;
      ns.retention = keeps;
    }
    std::vector<model::CursorVerdict> cursors(2);
    cursors[0].state = State::kOk;
    cursors[1].state = state;
    cursors[1].kind = kind;
    auto& figures = history.figures();
    detect::observe_disks(snapshot, limits, figures);
    detect::observe_bookies(snapshot, limits, figures);
    detect::observe_stored(snapshot, cursors, limits, figures);
    detect::observe_traffic(snapshot, limits, figures);
  }

  std::vector<model::Finding> after(double days) {
    for (double day = 0; day < days; day += 1.0 / 48) look(day);
    verdicts = {};
    verdicts.disks = detect::disk_outlooks(snapshot, history.figures(), limits);
    verdicts.growths = detect::disk_growths(snapshot, verdicts.disks, history.figures(), limits);
    std::vector<model::Finding> found;
    detect::rules::disk_growth_flat_traffic({snapshot, verdicts, history, limits}, found);
    return found;
  }

  // Of all bookies together; null when there is none.
  static const model::Finding* cluster(const std::vector<model::Finding>& found) {
    return !found.empty() && found[0].level == model::Level::kCluster ? found.data() : nullptr;
  }

  static constexpr double kOther = 20;  // GiB, acknowledged
};

double percent(const model::Finding& finding, const char* key) { return fact<double>(finding, key).value_or(-1000); }
bool is_near(double value, double other, double within) { return std::abs(value - other) <= within; }

}  // namespace

TEST_CASE("what makes disks grow while traffic is flat, and who needs to act") {
  struct Row {
    const char* name;
    std::function<void(GrowthBench&)> make;
    double days;
    const char* cause;  // null: no finding
    Severity severity = Severity::kWarning;
  };
  const std::vector<Row> rows{
      {"an abandoned subscription", [](auto& b) { b.backlog = rising(1, 1); }, 14, "pinned"},
      {"an ack hole", [](auto& b) { b.backlog = rising(1, 1), b.state = State::kAckHole; }, 14, "pinned"},
      {"four days of it", [](auto& b) { b.backlog = rising(1, 1.5); }, 4, "pinned"},
      {"somebody who may come back", [](auto& b) { b.backlog = rising(1, 1), b.state = State::kIdle; }, 14, "pinned",
       Severity::kInfo},
      {"garbage", [](auto& b) { b.garbage = rising(1, 2); }, 14, "garbage"},
      {"ledgers that no topic has", [](auto& b) { b.orphans = rising(1, 2); }, 14, "unexplained"},
      {"garbage, where bookies do not tell", [](auto& b) { b.garbage = rising(1, 2), b.tells_live = false; }, 14,
       "unexplained"},
      {"acknowledged, and no retention", [](auto& b) { b.kept = rising(1, 1); }, 14, "unexplained"},
      {"consumers who lag", [](auto& b) { b.backlog = rising(1, 1), b.state = State::kLagging; }, 14, "lagging",
       Severity::kInfo},
      {"a replicator", [](auto& b) { b.backlog = rising(1, 1), b.kind = model::CursorKind::kReplicator; }, 14,
       "replication", Severity::kInfo},
      {"retention that fills", [](auto& b) { b.kept = rising(1, 1), b.retention = {30 * 24 * 60, -1}; }, 10,
       "retention_filling", Severity::kInfo},
      {"retention without end", [](auto& b) { b.kept = rising(1, 1), b.retention = {-1, -1}; }, 14, "retention_filling",
       Severity::kInfo},
      {"mostly lagging", [](auto& b) { b.backlog = rising(1, 2), b.state = State::kLagging, b.garbage = rising(0, 1); },
       14, "lagging", Severity::kInfo},
      // Healthy twins.
      {"nothing grows", [](auto& b) { b.backlog = always(10); }, 14, nullptr},
      {"less than two points", [](auto& b) { b.backlog = rising(1, 0.1); }, 14, nullptr},
      {"too short", [](auto& b) { b.backlog = rising(1, 2); }, 2.5, nullptr},
      {"as much more is published", [](auto& b) { b.kept = rising(20, 2), b.published = rising(1, 0.05); }, 14,
       nullptr},
      {"a saw-tooth of a week", [](auto& b) { b.backlog = [](double day) { return std::fmod(day, 7); }; }, 21, nullptr},
      {"a step", [](auto& b) { b.backlog = [](double day) { return day < 8 ? 1 : 12; }; }, 14, nullptr},
      {"a clean-up", [](auto& b) { b.backlog = rising(20, -1); }, 14, nullptr},
      {"it came to rest", [](auto& b) { b.backlog = [](double day) { return std::min(day, 5.0) * 2; }; }, 16, nullptr},
      {"how many copies there are is not known", [](auto& b) { b.backlog = rising(1, 1), b.quorum.reset(); }, 14,
       nullptr},
      {"one daemon of several sees a part of the topics",
       [](auto& b) {
         b.backlog = rising(1, 1);
         b.snapshot.share.shard.count = 2;
       },
       14, nullptr},
      {"what is published is not known",
       [](auto& b) { b.backlog = rising(1, 1), b.outage = [](double) { return true; }; }, 14, nullptr},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    GrowthBench bench;
    row.make(bench);
    const auto found = bench.after(row.days);
    const auto* finding = GrowthBench::cluster(found);
    REQUIRE((finding != nullptr) == (row.cause != nullptr));
    if (finding == nullptr) continue;
    CHECK(fact<std::string>(*finding, "cause") == row.cause);
    CHECK(finding->severity == row.severity);
    CHECK(finding->subject == "c1");
    // Each bookie has its share of it.
    REQUIRE(found.size() == 4);
    for (std::size_t i = 1; i < 4; ++i) {
      CHECK(found[i].level == model::Level::kBookie);
      CHECK(fact<std::string>(found[i], "cause") == row.cause);
      CHECK(found[i].severity == row.severity);
    }
  }
}

TEST_CASE("the shares add up to the growth") {
  for (const bool sized : {true, false}) {
    GrowthBench bench;
    bench.sized = sized;
    bench.backlog = rising(1, 1);
    bench.garbage = rising(0, 0.5);
    bench.orphans = rising(0, 0.25);
    const auto found = bench.after(14);
    const auto* finding = GrowthBench::cluster(found);
    REQUIRE(finding != nullptr);
    CHECK(fact<bool>(*finding, "growth_is_estimated") == !sized);
    CHECK(is_near(percent(*finding, "attributed_percent"), 100, 0.5));
    if (!sized) continue;
    CHECK(is_near(percent(*finding, "pinned_percent"), 100 * 2 / 2.75, 2));
    CHECK(is_near(percent(*finding, "garbage_percent"), 100 * 0.5 / 2.75, 2));
    CHECK(is_near(percent(*finding, "unexplained_percent"), 100 * 0.25 / 2.75, 2));
    const auto bytes = fact<std::int64_t>(*finding, "growth_physical_bytes").value_or(0);
    CHECK(is_near(static_cast<double>(bytes) / kGiB, 14 * 2.75, 1));
    const auto text = fact<std::string>(*finding, "namespaces").value_or("");
    CHECK(text.starts_with("acme/shop 7"));
    CHECK(text.ends_with(" % pinned"));
    CHECK(fact<std::int64_t>(*finding, "published_bytes_per_second") == 1'000'000);
    CHECK(fact<std::int64_t>(*finding, "dispatched_bytes_per_second") == 500'000);
  }
}

TEST_CASE("a cause may be worth more than the growth") {
  GrowthBench bench;
  bench.garbage = rising(30, -1);
  bench.backlog = rising(1, 1);
  const auto found = bench.after(14);
  const auto* finding = GrowthBench::cluster(found);
  REQUIRE(finding != nullptr);
  CHECK(finding->summary.ends_with(": 2.0 times as much pinned, and other data went"));
  CHECK(is_near(percent(*finding, "pinned_percent"), 200, 5));
  CHECK(is_near(percent(*finding, "garbage_percent"), -100, 5));
  CHECK(is_near(percent(*finding, "attributed_percent"), 100, 0.5));
}

TEST_CASE("a bookie that grows alone has garbage, copies, or takes what the others lose") {
  struct Row {
    const char* name;
    std::function<void(GrowthBench&)> make;
    const char* cause;
    Severity severity;
  };
  const std::vector<Row> rows{
      {"its share of new data", [](auto& b) { b.of_first = rising(1, 0.5); }, "re_replication", Severity::kInfo},
      {"copies of another's ledgers", [](auto& b) { b.of_first = rising(1, 0.5), b.copied = rising(0, 0.5); },
       "re_replication", Severity::kInfo},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    GrowthBench bench;
    row.make(bench);
    const auto found = bench.after(9);
    std::vector<model::Finding> of_bookies;
    for (const auto& one : found) {
      if (one.level == model::Level::kBookie) of_bookies.push_back(one);
    }
    REQUIRE(of_bookies.size() == 1);
    CHECK(of_bookies[0].subject == "bookie-0:8000");
    CHECK(fact<std::string>(of_bookies[0], "cause") == row.cause);
    CHECK(of_bookies[0].severity == row.severity);
  }
}

TEST_CASE("a bookie that goes up and down by the week moves nothing, until it is more than that") {
  const auto week = [](double day) { return 1 - std::cos(day / 7 * 6.28); };
  GrowthBench bench;
  bench.of_first = [&](double day) { return 0.25 * day + 2.5 * week(day); };
  CHECK(bench.after(14).empty());
  GrowthBench copies;
  copies.of_first = bench.of_first;
  copies.copied = rising(0, 0.25);
  CHECK(copies.after(14).size() == 1);
  GrowthBench more;
  more.of_first = [&](double day) { return 0.4 * day + week(day); };
  CHECK(more.after(14).size() == 1);
}

TEST_CASE("an outage tells nothing about traffic") {
  GrowthBench bench;
  bench.backlog = rising(1, 1);
  bench.published = rising(1, 0.1);
  // Without its polls, which show no traffic at all, more and more is published.
  bench.outage = [](double day) { return day > 6; };
  const auto found = bench.after(7.5);
  for (const auto& growth : bench.verdicts.growths) CHECK(growth.published_end > 1e6);
}
