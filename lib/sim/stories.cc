// The common stories: which topic has which publishers and clients, and when each leaves. All numbers come from one
// seeded sequence, so a new story belongs at the end of write(), and a rare one in stories_rare.cc.
#include "sim/stories.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sim/author.h"
#include "sim/clients/archetypes.h"
#include "sim/random.h"

namespace tidemark::sim {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr std::array kRareCounts{&Stories::fanouts,      &Stories::failovers,         &Stories::key_shared_slow,
                                 &Stories::paused,       &Stories::functions,         &Stories::replicators,
                                 &Stories::transactions, &Stories::transactions_hung, &Stories::delayed_mixes,
                                 &Stories::offloads,     &Stories::changelogs,        &Stories::dedups,
                                 &Stories::spark_daily,  &Stories::spark_on_ttl,      &Stories::monthly,
                                 &Stories::weekly_ended, &Stories::monthly_ended,     &Stories::services_ended};

constexpr std::array kCounts{
    &Stories::healthy_topics, &Stories::partitioned, &Stories::pod_deployments, &Stories::spark_alive,
    &Stories::spark_dead,     &Stories::tests,       &Stories::nightly,         &Stories::weekly,
    &Stories::nightly_ended,  &Stories::ttl,         &Stories::readers,         &Stories::delayed,
    &Stories::archives,       &Stories::unused,      &Stories::ci_jobs};

constexpr std::array kLeaksByNumber{&Stories::bursts, &Stories::per_run};

template <class Counts>
bool has_any(const Stories& stories, const Counts& counts) {
  return std::any_of(counts.begin(), counts.end(), [&](const auto count) { return stories.*count > 0; });
}

class CommonStories : private Author {
 public:
  CommonStories(World& world, const Stories& stories) : Author(world, mix(world.seed())), stories_(stories) {}

  void write() {
    healthy();
    for (int i = 0; i < stories_.pod_deployments; ++i) pods(i);
    for (int i = 0; i < stories_.spark_alive + stories_.spark_dead; ++i) spark(i, i >= stories_.spark_alive);
    for (int i = 0; i < stories_.tests; ++i) test(i);
    batches();
    for (int i = 0; i < stories_.ttl; ++i) ttl(i);
    for (int i = 0; i < stories_.readers; ++i) reader(i);
    for (int i = 0; i < stories_.delayed; ++i) delayed(i);
    for (int i = 0; i < stories_.archives; ++i) archive(i);
    for (int i = 0; i < stories_.unused; ++i) unused(i);
    for (int i = 0; i < stories_.ci_jobs; ++i) ci_job(i);
    if (has_any(stories_, kRareCounts)) tell_rare_stories(world_, stories_);
    if (has_any(stories_, kLeaksByNumber)) tell_leaks_by_number(world_, stories_);
    if (stories_.troubles) tell_troubles(world_);
    policies();
    if (stories_.system_topics) system_topics();
    if (stories_.restart_every.count() > 0 || stories_.unload_every.count() > 0) {
      world_.add_client(std::make_unique<Operators>(stories_.restart_every, stories_.unload_every, random_.next()));
    }
  }

 private:
  void healthy() {
    constexpr std::array<const char*, 6> kNames{"payments", "shipments", "invoices", "customers", "prices", "clicks"};
    constexpr std::array<SubscriptionType, 3> kTypes{SubscriptionType::kShared, SubscriptionType::kFailover,
                                                     SubscriptionType::kExclusive};
    for (int i = 0; i < stories_.healthy_topics; ++i) {
      const auto number = static_cast<std::size_t>(i);
      const std::string local = std::string(kNames[number % kNames.size()]) + '-' + std::to_string(i / 6);
      const auto name = busy_topic("shop/core", local, some_rate(20, 300), false);
      for (std::size_t s = 0; s <= number % 3; ++s) {
        const auto type = kTypes[(number + s) % kTypes.size()];
        const int consumers = type == SubscriptionType::kExclusive ? 1 : 2;
        steady({name, std::string("svc-") + kNames[(number + s + 1) % kNames.size()], "live", type}, consumers);
      }
    }
    for (int i = 0; i < stories_.partitioned; ++i) {
      const std::string parent = topic_of("iot/ingest", "telemetry-" + std::to_string(i));
      world_.create_partitioned(parent, 3);
      for (int p = 0; p < 3; ++p) {
        const std::string partition = parent + "-partition-" + std::to_string(p);
        publisher(*world_.find(partition), some_rate(100, 200));
        steady({partition, "rollup", "live", SubscriptionType::kFailover}, 2);
      }
    }
  }

  void pods(int i) {
    PublishRate rate;
    rate.per_minute = i == 0 ? 60 : 15;
    rate.bytes = 4096;
    rate.swing = 0.5;
    const char* app = i % 2 == 0 ? "orders" : "notifier";
    const auto name = busy_topic("shop/orders", std::string(app) + "-events-" + std::to_string(i), rate);
    // Ever more of them, in steps so far apart that a trend may not tell.
    for (const auto& subject : {name, std::string("shop/orders"), std::string("shop")}) {
      world_.add_trouble({model::Rule::kSubscriptionCountGrowth, subject, std::nullopt, world_.now(), 0});
    }
    world_.add_client(std::make_unique<PodDeployment>(name, app, 3, hours{24 * 9}, random_.next()));
  }

  void spark(int i, bool dead) {
    const auto name = busy_topic("analytics/streams", "events-" + std::to_string(i), some_rate(10, 30));
    const std::string job = "spark-" + random_.letters(8, kHexDigits) + "-driver-" + std::to_string(i);
    const std::optional<TimeMs> dies = dead ? std::optional<TimeMs>(day(40 + 30 * (i % 3))) : std::nullopt;
    world_.add_client(std::make_unique<ResetCommitter>(
        Part{name, job, dead ? "spark_dead" : "spark_alive", SubscriptionType::kExclusive}, minutes{10}, dies,
        random_.next()));
  }

  void test(int i) {
    constexpr std::array<const char*, 3> kNames{"test", "debug-anna", "my-sub"};
    const auto name = busy_topic("shop/dev", "trial-" + std::to_string(i), some_rate(1, 6));
    OneShot::Plan plan;
    plan.at = day(20 + 25 * (i % 6));
    world_.add_client(std::make_unique<OneShot>(
        Part{name, kNames[static_cast<std::size_t>(i) % kNames.size()], "test", SubscriptionType::kExclusive}, plan,
        random_.next()));
  }

  void batch(const std::string& story, Duration period, std::optional<TimeMs> stops, int i) {
    const auto name = busy_topic("analytics/batch", story + "-feed-" + std::to_string(i), some_rate(5, 40));
    world_.add_client(std::make_unique<PeriodicJob>(Part{name, story + "-export", story, SubscriptionType::kFailover},
                                                    period, hours{2 + i % 20}, minutes{30}, stops, random_.next()));
  }

  void batches() {
    for (int i = 0; i < stories_.nightly; ++i) batch("nightly", hours{24}, std::nullopt, i);
    for (int i = 0; i < stories_.weekly; ++i) batch("weekly", hours{24 * 7}, std::nullopt, i);
    for (int i = 0; i < stories_.nightly_ended; ++i) batch("nightly_ended", hours{24}, day(90 + 20 * (i % 6)), i);
  }

  void ttl(int i) {
    world_.ns("iot/metrics").ttl_seconds = 3 * 86'400;
    const auto name = busy_topic("iot/metrics", "sensors-" + std::to_string(i), some_rate(20, 60));
    OneShot::Plan plan;
    plan.at = day(5 + i % 10);
    plan.stays = hours{30};
    plan.pace = 0;
    world_.add_client(std::make_unique<OneShot>(
        Part{name, "dashboard-" + std::to_string(i), "ttl_dead", SubscriptionType::kExclusive}, plan, random_.next()));
  }

  void reader(int i) {
    const auto name = busy_topic("shop/core", "catalog-" + std::to_string(i), some_rate(5, 20));
    steady({name, "reader-", "reader", SubscriptionType::kExclusive}, 1, false);
  }

  void delayed(int i) {
    auto rate = some_rate(5, 15);
    rate.deliver_after = hours{12};
    const auto name = busy_topic("shop/orders", "reminders-" + std::to_string(i), rate, false);
    steady({name, "reminder-sender", "delayed", SubscriptionType::kShared}, 1);
  }

  void archive(int i) {
    const auto name = busy_topic("analytics/archive", "year-" + std::to_string(2018 + i), some_rate(20, 60), false);
    OneShot::Plan plan;
    plan.at = world_.now() + kDay / 4;
    plan.stays = hours{6};
    plan.pace = 30;
    world_.add_client(
        std::make_unique<OneShot>(Part{name, "loader", "archive", SubscriptionType::kExclusive}, plan, random_.next()));
    world_.add_client(std::make_unique<EndingPublisher>(name, day(10 + 7 * (i % 8)), hours{30}));
  }

  void unused(int i) {
    const auto name = busy_topic("shop/dev", "spike-" + std::to_string(i), some_rate(1, 3), false);
    OneShot::Plan plan;
    plan.stays = hours{24 * (12 + 3 * (i % 6))};
    plan.pace = 0;
    world_.add_client(std::make_unique<OneShot>(Part{name, "spike-consumer", "unused", SubscriptionType::kExclusive},
                                                plan, random_.next()));
    world_.add_client(std::make_unique<EndingPublisher>(name, day(8 + 2 * (i % 6)), std::nullopt));
  }

  void ci_job(int i) {
    const auto name = busy_topic("shop/ci", "pipeline-" + std::to_string(i), some_rate(2, 10));
    OneShot::Plan plan;
    plan.at = world_.now() + kDay / 8 * (i % 8 + 1);
    plan.stays = minutes{20};
    plan.pace = 0;
    plan.unsubscribes = true;
    plan.again_every = hours{24};
    world_.add_client(std::make_unique<OneShot>(Part{name, "ci-build", "ci_job", SubscriptionType::kExclusive}, plan,
                                                random_.next()));
  }

  // A day of retention here, an owner there.
  void policies() {
    for (const auto& [ns, unused] : world_.namespaces()) {
      auto& own = world_.ns(ns);
      if (ns == "iot/ingest") own.retention = RetentionPolicy{1440, -1};
      if (ns != "shop/dev") own.properties["owner"] = "team-" + ns.substr(ns.find('/') + 1);
    }
  }

  // Where brokers keep topic policies: read by each broker, compacted, and without anything in it here.
  void system_topics() {
    std::vector<std::string> namespaces;
    for (const auto& [ns, unused] : world_.namespaces()) namespaces.push_back(ns);
    for (const auto& ns : namespaces) {
      const auto name = topic_of(ns, "__change_events");
      auto& topic = world_.create_topic(name);
      topic.subscribe("__compaction", SubscriptionType::kExclusive, Start::kEarliest, world_.at(topic));
      steady({name, "__system_reader-reader-", "system", SubscriptionType::kExclusive}, 1, false);
    }
  }

  const Stories& stories_;
};

}  // namespace

Stories Stories::none() {
  Stories none;
  for (const auto count : kCounts) none.*count = 0;
  for (const auto count : kRareCounts) none.*count = 0;
  for (const auto count : kLeaksByNumber) none.*count = 0;
  none.system_topics = false;
  none.restart_every = none.unload_every = Duration{0};
  return none;
}

Stories Stories::times(int factor) const {
  Stories more = *this;
  for (const auto count : kCounts) more.*count *= factor;
  for (const auto count : kRareCounts) more.*count *= factor;
  for (const auto count : kLeaksByNumber) more.*count *= factor;
  return more;
}

Stories Stories::everything() {
  Stories all;
  for (const auto count : kRareCounts) all.*count = 2;
  all.healthy_topics = 120;
  all.fanouts = 8;
  all.pod_deployments = 4;
  all.tests = all.ci_jobs = all.readers = 6;
  all.nightly = 8;
  all.weekly = all.nightly_ended = all.archives = all.unused = all.ttl = 4;
  all.failovers = all.monthly = all.dedups = 4;
  all.restart_every = hours{24};
  all.unload_every = hours{24 * 3};
  return all;
}

void tell_stories(World& world, const Stories& stories) { CommonStories(world, stories).write(); }

ClusterOptions demo(TimeMs start, std::uint64_t seed) {
  ClusterOptions options;
  options.world.seed = seed;
  options.world.start_ms = start;
  options.world.settings.cluster = "demo";
  options.stories.bursts = options.stories.per_run = 1;
  options.stories.troubles = true;
  options.stories.unload_every = hours{24 * 12};  // the first one after the days in which a broker hangs
  BookieOptions roomy;
  roomy.capacity_bytes = std::int64_t{200} << 30;
  BookieOptions small;
  small.capacity_bytes = std::int64_t{36} << 30;
  small.mixed_logs = true;
  options.world.bookies = {roomy, roomy, small};
  return options;
}

}  // namespace tidemark::sim
