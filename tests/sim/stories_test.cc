// The stories come true: what a client's plan says is what the cluster's documents come to show, the same for the same
// seed, and cheaply.

#include "sim/stories.h"

#include <chrono>
#include <map>
#include <set>

#include "sim/clock.h"
#include "sim/cluster.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

constexpr TimeMs kStart = 1'767'225'600'000;
constexpr TimeMs kHour = 3'600'000;
constexpr TimeMs kDay = 24 * kHour;

ClusterOptions coarse() {
  auto options = demo(kStart, 7);
  options.world.step = std::chrono::minutes{5};
  return options;
}

// How a subscription stood, to see whether it moved since.
struct Seen {
  std::int64_t index = 0;
  TimeMs flow = 0;
  bool connected = false;
};

Seen look(const SimulatedCluster& cluster, const GroundTruth& truth) {
  const auto& sub = *cluster.world().find(truth.topic)->find(truth.subscription);
  return {sub.cursor.index(), sub.flow_ms, !sub.consumers.empty()};
}

}  // namespace

TEST_CASE("every story is told, and its ending is kept") {
  VirtualClock clock(kStart);
  SimulatedCluster cluster(coarse(), clock);
  std::map<std::string, Seen> abandoned;
  std::map<std::string, TimeMs> last_moved;
  std::map<std::string, std::int64_t> index;
  std::set<std::string> told;
  for (int day = 1; day <= 100; ++day) {
    cluster.advance_to(kStart + day * kDay);
    for (const auto& truth : cluster.truth()) {
      told.insert(truth.story);
      const auto name = truth.topic + ' ' + truth.subscription;
      const auto now = look(cluster, truth);
      INFO(name << " on day " << day);
      CHECK(truth.will_return != truth.abandoned_since.has_value());
      CHECK(truth.connected == now.connected);
      if (truth.abandoned_since) {
        CHECK(*truth.abandoned_since <= cluster.world().now());
        CHECK_FALSE(now.connected);
        const auto before = abandoned.find(name);
        // Nobody moves it any more, but TTL.
        if (before != abandoned.end() && truth.story != "ttl_dead") CHECK(before->second.index == now.index);
        abandoned[name] = now;
      } else {
        CHECK(abandoned.count(name) == 0);
      }
      if (index.count(name) == 0 || index[name] != now.index) last_moved[name] = cluster.world().now();
      index[name] = now.index;
      if (truth.next_act_ms) CHECK(*truth.next_act_ms >= cluster.world().now() - 5 * 60'000);
      if (truth.story == "nightly" || truth.story == "spark_alive" || truth.story == "live") {
        CHECK(cluster.world().now() - last_moved[name] <= 2 * kDay);
      }
      if (truth.story == "weekly") CHECK(cluster.world().now() - last_moved[name] <= 8 * kDay);
    }
  }
  for (const char* story : {"archive", "delayed", "live", "nightly", "nightly_ended", "pod_leftover", "pod_live",
                            "reader", "spark_alive", "spark_dead", "system", "test", "ttl_dead", "unused", "weekly"}) {
    INFO(story);
    CHECK(told.count(story) == 1);
  }
  CHECK(cluster.loads_by_get() == 0);
}

TEST_CASE("the shapes of the stories") {
  VirtualClock clock(kStart);
  SimulatedCluster cluster(coarse(), clock);
  cluster.advance_to(kStart + 60 * kDay);
  std::map<std::string, int> count;
  std::int64_t ci = 0;
  for (const auto& truth : cluster.truth()) {
    ++count[truth.story];
    const auto* topic = cluster.world().find(truth.topic);
    const auto* sub = topic->find(truth.subscription);
    INFO(truth.story << ": " << truth.topic << ' ' << truth.subscription);
    if (truth.story == "spark_alive" || truth.story == "spark_dead") {
      CHECK_FALSE(sub->dispatcher);
      CHECK(sub->flow_ms == 0);
      CHECK(sub->mark_delete_advanced_ms == 0);
    }
    if (truth.story == "archive") CHECK_FALSE(topic->loaded());
    if (truth.story == "unused") CHECK(sub->cursor.backlog(topic->ledger()) == 0);
    if (truth.story == "ttl_dead") CHECK(cluster.world().now() - sub->expire_ms < kHour);
    if (truth.story == "delayed") CHECK(topic->delayed(*sub, cluster.world().now()) > 0);
    if (truth.story == "reader") CHECK_FALSE(sub->durable());
    if (truth.story == "pod_leftover") {
      // orders-7d9f8b6c5d-x2k4q
      CHECK(truth.subscription.size() > 17);
      CHECK(sub->cursor.backlog(topic->ledger()) > 0);
    }
  }
  for (const auto* topic : cluster.world().topics()) {
    for (const auto& one : topic->subscriptions()) ci += one->name().rfind("ci-build", 0) == 0 ? 1 : 0;
  }
  CHECK(ci <= 2);
  CHECK(count["pod_leftover"] >= 2 * 3 * 4);
  CHECK(count["pod_live"] == 6);
}

TEST_CASE("the same seed tells the same story in the same words, however often one looks") {
  const auto documents = [](std::uint64_t seed, int looks) {
    VirtualClock clock(kStart);
    auto options = demo(kStart, seed);
    options.world.step = std::chrono::minutes{5};
    SimulatedCluster cluster(options, clock);
    const TimeMs end = kStart + 12 * kDay + 17 * 60'000;
    for (int i = 1; i <= looks; ++i) {
      clock.set(kStart + (end - kStart) * i / looks);
      cluster.advance_to(clock.now());
    }
    std::string all;
    for (const auto& name : cluster.broker_names()) {
      all += cluster.answer(model::Target::kBroker, name, "/admin/v2/broker-stats/topics").body;
    }
    for (const auto* topic : cluster.world().topics()) {
      const std::string path = "/admin/v2/persistent/" + topic->name().substr(13) + '/';
      all += cluster.answer(model::Target::kBroker, path + "internal-info").body;
      if (!topic->loaded()) continue;
      const auto owner = cluster.owner_of(topic->name());
      all += cluster.answer(model::Target::kBroker, owner, path + "stats").body;
      all += cluster.answer(model::Target::kBroker, owner, path + "internalStats").body;
    }
    for (const auto& name : cluster.bookie_names()) {
      all += cluster.answer(model::Target::kBookie, name, "/metrics").body;
    }
    return all;
  };
  const auto once = documents(3, 1);
  CHECK(once.size() > 100'000);
  CHECK((once == documents(3, 1)));
  CHECK((once == documents(3, 57)));
  CHECK((once != documents(4, 1)));
}

TEST_CASE("a leftover fills the smallest disk, and removing it brings nothing back until compaction is forced") {
  VirtualClock clock(kStart);
  auto options = demo(kStart);
  options.world.step = std::chrono::minutes{15};
  options.world.documents = false;
  SimulatedCluster cluster(options, clock);
  const auto& small = cluster.world().bookies().list()[2];
  const auto usage_on = [&](int day) {
    cluster.advance_to(kStart + day * kDay);
    return small.usage_percent();
  };
  const double first = usage_on(5);
  const double second = usage_on(10);
  CHECK(second - first > 10);
  CHECK(usage_on(15) - second > 10);
  CHECK(small.writable());
  CHECK(usage_on(26) > 95);
  CHECK_FALSE(small.writable());
  CHECK(usage_on(33) > 95);
  CHECK(small.garbage_bytes() > small.live_bytes());
  CHECK(usage_on(35) < 50);
  CHECK(small.writable());
  for (const auto& other : cluster.world().bookies().list()) CHECK(other.writable());
}

TEST_CASE("each rule about more than one cursor has its story, and names who it is about") {
  VirtualClock clock(kStart);
  SimulatedCluster cluster(coarse(), clock);
  using model::Rule;
  std::set<Rule> due;
  for (const auto& trouble : cluster.world().troubles()) {
    CHECK_FALSE(subject_of(cluster.world(), trouble).empty());
    CHECK((trouble.due_ms == 0 || trouble.due_ms > trouble.from_ms));
    if (trouble.due_ms != 0) due.insert(trouble.rule);
  }
  const std::set<Rule> wanted{Rule::kSubscriptionCountGrowth,
                              Rule::kCreationBurst,
                              Rule::kDiskGrowthFlatTraffic,
                              Rule::kDiskFullForecast,
                              Rule::kBookieReadOnly,
                              Rule::kBookieUnregistered,
                              Rule::kWritableBookiesLow,
                              Rule::kReclaimPending,
                              Rule::kReclaimStuck,
                              Rule::kTtlRetention,
                              Rule::kTtlOverdue,
                              Rule::kDelayedOutlivesTtl,
                              Rule::kQuotaForecast,
                              Rule::kGrowthWithoutPublishers,
                              Rule::kLeftoverReplicator,
                              Rule::kReadCacheThrash,
                              Rule::kAdminApiStall,
                              Rule::kStaleTopicMetadata};
  CHECK((due == wanted));
}

TEST_CASE("a broker that hangs takes calls and answers none") {
  VirtualClock clock(kStart);
  SimulatedCluster cluster(coarse(), clock);
  cluster.world().brokers()[1].hang(true);
  CHECK(cluster.reply(model::Target::kBroker, "broker-1:8080", {"/admin/v2/clusters"}).lost);
  CHECK_FALSE(cluster.reply(model::Target::kBroker, "broker-0:8080", {"/admin/v2/clusters"}).lost);
}

TEST_CASE("a namespace's quota and the clusters it replicates to are in its policies") {
  VirtualClock clock(kStart);
  SimulatedCluster cluster(coarse(), clock);
  const auto policies = [&](const std::string& ns) {
    return cluster.answer(model::Target::kBroker, "/admin/v2/namespaces/" + ns).body;
  };
  CHECK(policies("shop/limited").find(R"("limitSize":5368709120)") != std::string::npos);
  CHECK(policies("shop/geo").find(R"("replication_clusters":["demo","east","west"])") != std::string::npos);
}

TEST_CASE("a version and an odd number of brokers are options") {
  VirtualClock clock(kStart);
  ClusterOptions options;
  options.stories = Stories::none();
  options.world.start_ms = kStart;
  options.world.settings.version = "3.0.7";
  options.world.brokers = 3;
  SimulatedCluster cluster(options, clock);
  CHECK(cluster.answer(model::Target::kBroker, "/admin/v2/brokers/version").body == "3.0.7");
  CHECK(cluster.broker_names().size() == 3);
  CHECK(cluster.answer(model::Target::kBroker, "nobody:1", "/admin/v2/clusters").status == 0);
  cluster.world().stop_broker(0);
  CHECK(cluster.answer(model::Target::kBroker, "broker-0:8080", "/admin/v2/clusters").status == 0);
  CHECK(cluster.answer(model::Target::kBroker, "/admin/v2/clusters").status == 200);
}

TEST_CASE("an operator removes a subscription that nobody is connected to, from the broker that owns its topic") {
  VirtualClock clock(kStart);
  SimulatedCluster cluster(coarse(), clock);
  clock.advance(std::chrono::hours{48});
  const std::string topic = "persistent://analytics/archive/year-2018";
  const std::string path = "/admin/v2/persistent/analytics/archive/year-2018/subscription/";
  cluster.advance_to(clock.now());
  REQUIRE(cluster.world().find(topic)->find("loader") != nullptr);
  const auto remove = [&cluster](const std::string& broker, const std::string& at) {
    return cluster.reply(model::Target::kBroker, broker, {at, "DELETE"});
  };
  const auto owner = cluster.owner_of(topic);
  for (const auto& broker : cluster.broker_names()) {
    if (broker == owner) continue;
    CHECK(remove(broker, path + "loader").status == 307);
  }
  CHECK(remove(owner, path + "nobody").status == 404);
  CHECK(remove(owner, path + "lo%2561der").status == 204);  // a name is decoded twice, as a broker does
  CHECK(cluster.world().find(topic)->find("loader") == nullptr);
  const auto live = cluster.owner_of("persistent://shop/core/payments-0");
  CHECK(remove(live, "/admin/v2/persistent/shop/core/payments-0/subscription/svc-shipments").status == 412);
  CHECK(remove(owner, "/admin/v2/persistent/analytics/archive/year-2018").status == 405);
}

TEST_CASE("an operator makes a bookie read-only, and writable again") {
  VirtualClock clock(kStart);
  SimulatedCluster cluster(coarse(), clock);
  const auto bookie = cluster.bookie_names().front();
  const auto put = [&](std::string_view body) {
    return cluster.reply(model::Target::kBookie, bookie, {"/api/v1/bookie/state/readonly", "PUT", body}).status;
  };
  const auto says = [&](std::string_view text) {
    clock.advance(std::chrono::hours{1});
    return cluster.answer(model::Target::kBookie, bookie, "/metrics").body.find(text) != std::string::npos;
  };
  CHECK(put(R"({"readOnly":true})") == 200);
  CHECK(says("bookie_SERVER_STATUS 0"));
  CHECK(put(R"({"readOnly":false})") == 200);
  CHECK(says("bookie_SERVER_STATUS 1"));
}

TEST_CASE("a scaled clock runs ahead") {
  ScaledClock clock(kStart, 1e6);
  CHECK(clock.now() >= kStart);
  CHECK(clock.on_the_wall(std::chrono::hours{24}) == Duration{86});
}

TEST_CASE("a scaled clock that is stopped stands, and goes on from there") {
  ScaledClock clock(kStart, 1e9);
  clock.stop();
  const auto stood = clock.now();
  for (int i = 0; i < 1000; ++i) REQUIRE(clock.now() == stood);  // a microsecond is a quarter of an hour
  clock.go_on();
  CHECK(clock.now() >= stood);
  while (clock.now() == stood) continue;
}

TEST_CASE("system topics are swept, and listed only when asked for") {
  VirtualClock clock(kStart);
  SimulatedCluster cluster(coarse(), clock);
  clock.advance(std::chrono::hours{1});
  std::string sweeps;
  for (const auto& name : cluster.broker_names()) {
    sweeps += cluster.answer(model::Target::kBroker, name, "/admin/v2/broker-stats/topics").body;
  }
  CHECK(sweeps.find("persistent://shop/orders/__change_events") != std::string::npos);
  CHECK(sweeps.find("__system_reader-reader-") != std::string::npos);
  const std::string list = "/admin/v2/persistent/shop/orders";
  const auto listed = [&](const std::string& path) { return cluster.answer(model::Target::kBroker, path).body; };
  CHECK(listed(list).find("__change_events") == std::string::npos);
  CHECK(listed(list + "?includeSystemTopic=true").find("__change_events") != std::string::npos);
}

TEST_CASE("more of everything") {
  const auto stories = Stories{}.times(4);
  CHECK(stories.healthy_topics == 4 * Stories{}.healthy_topics);
  VirtualClock clock(kStart);
  auto options = coarse();
  options.stories = stories;
  SimulatedCluster cluster(options, clock);
  cluster.advance_to(kStart + 3 * kDay);
  CHECK(cluster.world().topics().size() > 200);
}

TEST_CASE("the cluster of the simulated weeks is large and has every archetype") {
  VirtualClock clock(kStart);
  auto options = coarse();
  options.stories = Stories::everything();
  SimulatedCluster cluster(options, clock);
  std::set<std::string> told;
  std::size_t cursors = 0;
  for (int day = 1; day <= 70; ++day) {
    cluster.advance_to(kStart + day * kDay);
    const auto truths = cluster.truth();
    cursors = truths.size();
    for (const auto& truth : truths) {
      told.insert(truth.story);
      INFO(truth.topic << ' ' << truth.subscription << " on day " << day);
      CHECK(truth.will_return != truth.abandoned_since.has_value());
      CHECK(truth.connected == look(cluster, truth).connected);
      if (truth.story == "key_shared_slow") CHECK(look(cluster, truth).connected);
    }
  }
  CHECK(cluster.world().topics().size() >= 200);
  CHECK(cursors >= 600);
  const std::set<std::string> all{
      "archive",       "ci_job",           "compaction",  "dedup",        "delayed",       "delayed_mix", "failover",
      "function",      "key_shared_slow",  "live",        "monthly",      "monthly_ended", "never_used",  "nightly",
      "nightly_ended", "offload_leftover", "paused",      "pod_leftover", "pod_live",      "reader",      "replicator",
      "service_ended", "spark_alive",      "spark_daily", "spark_dead",   "spark_on_ttl",  "system",      "test",
      "ttl_dead",      "unused",           "weekly",      "weekly_ended"};
  CHECK(told == all);
}
