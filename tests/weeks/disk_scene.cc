#include "disk_scene.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "sim/author.h"
#include "sim/clients/archetypes.h"
#include "sim/clients/internal.h"
#include "sim/topic.h"

namespace tidemark::weeks {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr TimeMs kDayMs = 86'400'000;
constexpr int kFreshDay = 40;     // a new namespace begins
constexpr int kReplacedDay = 70;  // a bookie is lost

TimeMs on_day(double day) { return kYearBegins + static_cast<TimeMs>(day * static_cast<double>(kDayMs)); }

// Acts by a function and says when next.
class Script final : public sim::Client {
 public:
  explicit Script(std::function<TimeMs(sim::World&)> act) : act_(std::move(act)) {}
  TimeMs wake(sim::World& world) override { return act_(world); }
  void tell(const sim::World& world, std::vector<sim::GroundTruth>& truth) const override {
    (void)world;
    (void)truth;
  }

 private:
  std::function<TimeMs(sim::World&)> act_;
};

class Scene : private sim::Author {
 public:
  explicit Scene(sim::World& world) : Author(world, sim::mix(world.seed() ^ 0x9)) {}

  void tell(Leak leak) {
    healthy();
    switch (leak) {
      case Leak::kNone:
        return;
      case Leak::kPinned:
      case Leak::kExpiry:
        pinned(500);
        return delayed("contracts", 0, hours{72}, kLeakDay);
      case Leak::kFull:
        pinned(1000);
        return removed_when_full();
      case Leak::kUnexplained:
        return unexplained();
      case Leak::kGarbage:
        burst();
        return at(kLeakDay, [](sim::World& world) {
          for (auto& bookie : world.bookies().list()) bookie.suspend_compaction(true);
        });
      case Leak::kReplication:
        quota();
        return replication();
      case Leak::kLagging:
        return lagging();
      case Leak::kSubscriptions:
        return at(kLeakDay, [seed = random_.next()](sim::World& world) {
          world.add_client(std::make_unique<sim::PodDeployment>(kBusyTopic, "payments", 3, hours{12}, seed));
        });
      case Leak::kLost:
        return at(kLeakDay, [](sim::World& world) { world.bookies().list()[2].set_read_only(true); });
      case Leak::kMarkers:
      case Leak::kSlowBroker:
      case Leak::kThrash:
        return;  // what the simulator does not know, see disk_watch.h
    }
  }

 private:
  template <class Act>
  void at(double day, Act act) {
    auto begun = std::make_shared<bool>(false);
    world_.add_client(std::make_unique<Script>([=](sim::World& world) {
      if (!*begun && world.now() < on_day(day)) return on_day(day);
      if (!*begun) act(world);
      *begun = true;
      return sim::kNever;
    }));
  }

  std::string topic(const std::string& ns, const std::string& local, double a_minute, std::int64_t bytes,
                    bool live = true) {
    sim::PublishRate rate;
    rate.per_minute = a_minute;
    rate.bytes = bytes;
    rate.swing = 0.5;
    const auto name = busy_topic(ns, local, rate, live);
    rates_[name] = rate;
    return name;
  }

  void healthy() {
    // Three days of it are most of what the disks hold.
    world_.ns("iot/ingest").retention = sim::RetentionPolicy{3 * 1440, -1};
    for (int i = 0; i < 6; ++i) topic("iot/ingest", "sensors-" + std::to_string(i), 250, 2048);
    for (int i = 0; i < 5; ++i) topic("shop/core", "payments-" + std::to_string(i), 100, 1024);
    topic(kQuotaNamespace, "mail", 120, 1024, false);
    steady({topic_of(kQuotaNamespace, "mail"), "mailer", "live", sim::SubscriptionType::kShared}, 2);
    world_.ns("shop/reminders").ttl_seconds = kTtlSeconds;
    delayed("appointments", 3, hours{5}, 0);
    job("nightly-0", hours{24}, 60);
    job("nightly-1", hours{24}, 60);
    job("weekly", hours{24 * 7}, 100);
    fresh();
    world_.add_client(std::make_unique<sim::Operators>(hours{24 * 20}, hours{24 * 4}, random_.next()));
    weekends();
    bursts();
    bookies();
  }

  // `at_once` a minute are not delayed.
  void delayed(const std::string& local, double at_once, Duration later, double from) {
    sim::PublishRate rate;
    rate.per_minute = at_once;
    const auto name = busy_topic("shop/reminders", local, rate);
    rate.per_minute = 3;
    rate.deliver_after = later;
    at(from, [name, rate](sim::World& world) {
      auto& topic = *world.find(name);
      topic.add_publisher("reminders", "/10.10.9.8:41000", rate, world.at(topic));
    });
  }

  void job(const std::string& name, Duration period, double a_minute) {
    const auto feed = topic("analytics/batch", name + "-feed", a_minute, 2048);
    add<sim::PeriodicJob>(sim::Part{feed, name + "-export", name, sim::SubscriptionType::kFailover}, period, hours{3},
                          minutes{60}, std::nullopt, random_.next());
  }

  // Nothing is published there until it begins.
  void fresh() {
    world_.ns("fresh/feed").retention = sim::RetentionPolicy{14 * 1440, -1};
    for (int i = 0; i < 3; ++i) {
      const auto name = topic_of("fresh/feed", "clicks-" + std::to_string(i));
      world_.create_topic(name);
      at(kFreshDay, [name](sim::World& world) {
        auto& topic = *world.find(name);
        sim::PublishRate rate;
        rate.per_minute = 40;
        rate.bytes = 2048;
        rate.swing = 0.5;
        topic.add_publisher("fresh", "/10.10.9.9:41000", rate, world.at(topic));
      });
    }
  }

  // Less on Saturdays and Sundays, and half as much again after a year.
  void weekends() {
    auto rates = std::make_shared<std::map<std::string, sim::PublishRate>>(rates_);
    world_.add_client(std::make_unique<Script>([rates](sim::World& world) {
      const auto weekday = (world.now() / kDayMs + 4) % 7;  // 0 is Sunday
      const double years = static_cast<double>(world.now() - kYearBegins) / (365.0 * static_cast<double>(kDayMs));
      const double factor = (weekday == 0 || weekday == 6 ? 0.4 : 1) * (1 + years / 2);
      for (const auto& [name, base] : *rates) {
        auto* topic = world.find(name);
        auto rate = base;
        rate.per_minute *= factor;
        if (!topic->publishers().empty()) topic->set_rate(std::string(topic->publishers().front().name), rate);
      }
      return (world.now() / kDayMs + 1) * kDayMs;
    }));
  }

  // A night's work at once, on some topic, every twelve days or so.
  void bursts() {
    auto random = std::make_shared<sim::Random>(random_.next());
    world_.add_client(std::make_unique<Script>([random](sim::World& world) {
      if (world.now() > on_day(1)) {
        const auto name = topic_of("iot/ingest", "sensors-" + std::to_string(random->between(0, 5)));
        auto& topic = *world.find(name);
        if (topic.loaded()) topic.publish(120'000, 2048, world.at(topic) - 1, world.at(topic));
      }
      return world.now() + random->between(10 * kDayMs, 14 * kDayMs);
    }));
  }

  void bookies() {
    for (int i = 1; i < 12; ++i) {
      at(33.3 * i, [i](sim::World& world) {
        auto& bookies = world.bookies().list();
        bookies[static_cast<std::size_t>(i) % bookies.size()].restart(world.now());
      });
    }
    at(kReplacedDay, [](sim::World& world) { world.bookies().list()[1].replace("bookie-9:8000", world.now()); });
  }

  // Somebody subscribes, leaves for good, and the topic goes on.
  void pinned(double a_minute) {
    const auto name = topic(kLeakingNamespace, "orders", a_minute, 2048);
    sim::OneShot::Plan plan;
    plan.at = on_day(kLeakDay);
    add<sim::OneShot>(sim::Part{name, "debug-anna", "test", sim::SubscriptionType::kExclusive}, plan, random_.next());
  }

  // Some hours after fewer bookies take writes than a ledger needs.
  void removed_when_full() {
    auto since = std::make_shared<TimeMs>(0);
    world_.add_client(std::make_unique<Script>([since](sim::World& world) {
      const auto& bookies = world.bookies().list();
      const auto writable =
          std::count_if(bookies.begin(), bookies.end(), [](const auto& one) { return one.writable(); });
      if (*since == 0 && writable < world.settings().ensemble) *since = world.now();
      if (*since == 0 || world.now() - *since < Duration{hours{6}}.count()) return world.now() + kLook.count();
      auto& topic = *world.find(kLeakingTopic);
      topic.unsubscribe("debug-anna", world.at(topic));
      return sim::kNever;
    }));
  }

  // From then on the consumers do less than is published even at weekends.
  void lagging() {
    const auto name = topic(kLeakingNamespace, "orders", 500, 2048, false);
    auto& topic = *world_.find(name);
    topic.subscribe("billing", sim::SubscriptionType::kShared, sim::Start::kLatest, world_.at(topic));
    sim::SimConsumer consumer;
    consumer.name = "billing-1";
    topic.connect("billing", consumer, world_.at(topic));
    at(kLeakDay, [name](sim::World& world) {
      for (auto& slow : world.find(name)->find("billing")->consumers) {
        slow.behaviour = sim::Behaviour::kPaces;
        slow.pace = 100;
      }
    });
  }

  void unexplained() {
    world_.add_client(std::make_unique<Script>([](sim::World& world) {
      if (world.now() < on_day(kLeakDay)) return on_day(kLeakDay);
      for (auto& bookie : world.bookies().list()) bookie.add(kUnknownPerHour, 0, kUnknownPerHour / 1024);
      return world.now() + Duration{hours{1}}.count();
    }));
  }

  // Six of a job at once, none of which comes back.
  void burst() {
    for (int i = 0; i < 6; ++i) {
      sim::OneShot::Plan plan;
      plan.at = on_day(kLeakDay);
      plan.stays = minutes{30};
      add<sim::OneShot>(sim::Part{topic_of("shop/core", "payments-1"), std::string("load-7f9c4d5b6-x2x4") + "bcdfgh"[i],
                                  "test", sim::SubscriptionType::kExclusive},
                        plan, random_.next());
    }
  }

  // The consumers of a queue are switched off.
  void quota() {
    at(kLeakDay, [](sim::World& world) {
      auto& mail = *world.find(topic_of(kQuotaNamespace, "mail"));
      mail.subscribe("archiver", sim::SubscriptionType::kShared, sim::Start::kLatest, world.at(mail));
    });
  }

  void replication() {
    const auto name = topic(kLeakingNamespace, "orders", 500, 2048);
    auto up = std::make_shared<bool>(false);
    world_.add_client(std::make_unique<Script>([=](sim::World& world) {
      auto& topic = *world.find(name);
      const std::string cursor = std::string(sim::SimSubscription::kReplicatorPrefix) + "west";
      if (!*up) {
        topic.subscribe(cursor, sim::SubscriptionType::kExclusive, sim::Start::kLatest, world.at(topic));
        sim::SimConsumer link;
        link.name = "remote";
        topic.connect(cursor, link, world.at(topic));
        *up = true;
        return on_day(kLeakDay);
      }
      topic.disconnect(cursor, "remote", world.at(topic));
      return sim::kNever;
    }));
  }

  std::map<std::string, sim::PublishRate> rates_;
};

}  // namespace

std::vector<Story> leaks() {
  using model::Severity;
  constexpr Duration kAgeQuota = std::chrono::seconds{kAgeQuotaSeconds};
  constexpr auto kInfo = Severity::kInfo;
  constexpr auto kWarning = Severity::kWarning;
  constexpr auto kCritical = Severity::kCritical;
  const Duration day = hours{24};
  const Duration hour = hours{1};
  return {
      // Nobody knows before detect.abandoned_after that it is one.
      {Leak::kPinned,
       "pinned",
       15,
       {{"disk_growth_flat_traffic", "pinned", kWarning, 10 * day},
        {"disk_full_forecast", "", kWarning, 10 * day},
        {"quota_forecast", "age", kWarning, kAgeQuota / 2 + 12 * hour}}},
      {Leak::kLagging,
       "lagging",
       15,
       {{"disk_growth_flat_traffic", "lagging", kInfo, 8 * day}, {"disk_full_forecast", "", kWarning, 10 * day}}},
      {Leak::kGarbage,
       "garbage",
       15,
       {{"disk_growth_flat_traffic", "garbage", kWarning, 8 * day}, {"creation_burst", "", kWarning, 2 * day}}},
      {Leak::kReplication,
       "replication",
       15,
       {{"disk_growth_flat_traffic", "replication", kInfo, 8 * day},
        {"disk_full_forecast", "", kWarning, 8 * day},
        {"stalled", "", kCritical, 8 * day},
        {"quota_forecast", "size", kWarning, 7 * day},
        {"leftover_replicator", "", kWarning, (kUnlistedDay - kLeakDay) * day + 2 * hour}}},
      {Leak::kSubscriptions, "subscriptions", 9, {{"subscription_count_growth", "", kWarning, 7 * day}}},
      {Leak::kUnexplained, "unexplained", 15, {{"disk_growth_flat_traffic", "unexplained", kWarning, 8 * day}}},
      {Leak::kFull,
       "full",
       12,
       {{"disk_full_forecast", "", kWarning, 7 * day},
        {"writable_bookies_low", "", kWarning, 8 * day},
        {"disk_full_forecast", "", kCritical, 8 * day},
        {"bookie_read_only", "", kCritical, 10 * day},
        {"writable_bookies_low", "", kCritical, 11 * day},
        {"reclaim_pending", "", kInfo, 11 * day},
        {"reclaim_stuck", "", kWarning, 11 * day}}},
      {Leak::kLost, "lost", 2, {{"bookie_unregistered", "", kCritical, hour}}},
      // The newest that may be old is in the ledger that was open then.
      {Leak::kExpiry,
       "expiry",
       4,
       {{"ttl_overdue", "", kWarning, day + 12 * hour},
        {"ttl_retention", "unacknowledged", kInfo, day + 12 * hour},
        {"delayed_outlives_ttl", "", kWarning, day},
        {"delayed_outlives_ttl", "", kCritical, day + 6 * hour}}},
      {Leak::kMarkers, "markers", 2, {{"growth_without_publishers", "", kInfo, 2 * hour}}},
      {Leak::kSlowBroker, "slow broker", 2, {{"admin_api_stall", "", kWarning, 2 * hour}}},
      {Leak::kThrash, "thrash", 2, {{"read_cache_thrash", "", kWarning, hour}}},
  };
}

sim::WorldOptions scene_options(std::uint64_t seed, Leak leak) {
  sim::WorldOptions made;
  made.seed = seed;
  made.start_ms = kYearBegins;
  made.step = kLook;
  made.brokers = 3;
  made.documents = false;
  sim::BookieOptions bookie;
  bookie.capacity_bytes = std::int64_t{20} << 30;
  made.bookies.assign(4, bookie);
  // Where small live cursors sit in every entry log next to nothing is dead as a whole.
  made.bookie_settings.dead_logs_share = leak == Leak::kFull ? 0.02 : 0.9;
  return made;
}

void tell_scene(sim::World& world, Leak leak) { Scene(world).tell(leak); }

}  // namespace tidemark::weeks
