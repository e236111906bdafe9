// What goes wrong beyond single clients, one story for each rule that finds it, with what is said about it and since
// when, and beside each a twin that looks alike and is healthy. Somebody mends all of it in the end.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>

#include "sim/author.h"
#include "sim/clients/event.h"
#include "sim/clients/internal.h"
#include "sim/clients/rarer.h"

namespace tidemark::sim {
namespace {

using model::Rule;
using std::chrono::hours;

constexpr std::size_t kFirst = 0;
constexpr std::size_t kSecond = 1;
constexpr std::size_t kSmall = 2;  // the bookie whose disk is the smallest

class TroubleStories : private Author {
 public:
  explicit TroubleStories(World& world) : Author(world, mix(world.seed() + 3)) {}

  void write() {
    full_disk();
    bookies();
    broker();
    quota();
    held_expiry();
    late_invitations();
    markers();
    replicator();
    slow_clients();
    lost_partition();
  }

 private:
  TimeMs on(double day) const { return world_.now() + static_cast<TimeMs>(day * static_cast<double>(kDay)); }
  void at(double day, std::function<void(World&)> happens) { add<Event>(on(day), std::move(happens)); }

  void finds(Rule rule, std::string subject, double from, double due) {
    world_.add_trouble({rule, std::move(subject), std::nullopt, on(from), on(due)});
  }
  void finds(Rule rule, std::size_t node, double from, double due) {
    world_.add_trouble({rule, {}, node, on(from), on(due)});
  }
  // What the same story brings along, if anybody looks at the right time.
  void may_find(Rule rule, std::string subject, double from) {
    world_.add_trouble({rule, std::move(subject), std::nullopt, on(from), 0});
  }
  void may_find(Rule rule, std::size_t node, double from) { world_.add_trouble({rule, {}, node, on(from), 0}); }

  static PublishRate rate(double per_minute, std::int64_t bytes) {
    PublishRate made;
    made.per_minute = per_minute;
    made.bytes = bytes;
    made.swing = 0.3;
    return made;
  }

  // Somebody looks at a topic on its first day and leaves; the twin unsubscribes.
  void passer_by(const std::string& topic, const std::string& name, const std::string& story, bool clean) {
    OneShot::Plan plan;
    plan.at = on(1);
    plan.unsubscribes = clean;
    add<OneShot>(Part{topic, name, clean ? story + "_clean" : story, SubscriptionType::kExclusive}, plan,
                 random_.next());
  }

  void unsubscribed(double day, const std::string& topic, const std::string& name) {
    at(day, [=](World& world) {
      if (auto* found = world.find(topic)) found->unsubscribe(name, world.at(*found));
    });
  }

  // A large topic's leftover fills the smallest disk. It is removed on day 27, and nothing comes back, since
  // something small lives in each log, until compaction is forced on day 34. The other disks are the twin.
  void full_disk() {
    for (const bool clean : {false, true}) {
      const auto topic = busy_topic("shop/clicks", clean ? "raw-clean-0" : "raw-0", rate(500, 2048));
      passer_by(topic, "dashboard-trial", "full_disk", clean);
      if (!clean) unsubscribed(27, topic, "dashboard-trial");
    }
    at(34, [](World& world) { world.bookies().list()[kSmall].force_compaction(); });
    const auto& cluster = world_.settings().cluster;
    finds(Rule::kDiskGrowthFlatTraffic, cluster, 1, 23);
    finds(Rule::kDiskFullForecast, kSmall, 1, 23);
    finds(Rule::kBookieReadOnly, kSmall, 15, 26);
    finds(Rule::kWritableBookiesLow, cluster, 1, 27);
    finds(Rule::kReclaimPending, cluster, 1, 29);
    finds(Rule::kReclaimStuck, kSmall, 27, 33);
    for (const auto bookie : {kFirst, kSecond, kSmall}) {
      may_find(Rule::kDiskGrowthFlatTraffic, bookie, 1);
      may_find(Rule::kReclaimPending, bookie, 1);
    }
  }

  // One loses its registration while another one is only restarted; one's cache is too small for who catches up, the
  // other's is not.
  void bookies() {
    at(10, [](World& world) {
      world.bookies().list()[kSecond].set_registered(false);
      world.bookies().list()[kFirst].restart(world.now());
    });
    at(12, [](World& world) { world.bookies().list()[kSecond].set_registered(true); });
    finds(Rule::kBookieUnregistered, kSecond, 10, 12);
    at(14, [](World& world) {
      world.bookies().list()[kFirst].serve_catch_up(400, 0.8);
      world.bookies().list()[kSecond].serve_catch_up(400, 97);
    });
    at(17, [](World& world) {
      for (const auto bookie : {kFirst, kSecond}) world.bookies().list()[bookie].serve_catch_up(0, 0);
    });
    finds(Rule::kReadCacheThrash, kFirst, 14, 17);
  }

  // Its admin API hangs; the other broker's does not.
  void broker() {
    at(0.5, [](World& world) { world.brokers()[kSecond].hang(true); });
    at(8.5, [](World& world) { world.brokers()[kSecond].hang(false); });
    finds(Rule::kAdminApiStall, kSecond, 0.5, 8.5);
  }

  void quota() {
    world_.ns("shop/limited").quota_bytes = std::int64_t{5} << 30;
    for (const bool clean : {false, true}) {
      const auto topic = busy_topic("shop/limited", clean ? "orders-clean-0" : "orders-0", rate(60, 2048));
      passer_by(topic, "audit", "quota", clean);
      if (!clean) {
        unsubscribed(26, topic, "audit");
        finds(Rule::kQuotaForecast, topic, 1, 25);
      }
    }
  }

  // The broker's check leaves a topic out until day 30; of the twin messages go when they should.
  void held_expiry() {
    const std::string ns = "iot/gps";
    world_.ns(ns).ttl_seconds = 2 * 86'400;
    for (const bool clean : {false, true}) {
      const auto topic = busy_topic(ns, clean ? "tracks-clean-0" : "tracks-0", rate(20, 1024));
      passer_by(topic, "map", "ttl_dead", false);
      if (clean) continue;
      world_.find(topic)->hold_expiry(true);
      at(30, [topic](World& world) { world.find(topic)->hold_expiry(false); });
      finds(Rule::kTtlOverdue, topic + " [map]", 2, 11);
      finds(Rule::kTtlRetention, ns, 2, 11);
    }
  }

  // Delivered later than the TTL allows; of the twin earlier.
  void late_invitations() {
    world_.ns("shop/invitations").ttl_seconds = 3 * 86'400;
    for (const bool clean : {false, true}) {
      auto late = rate(2, 1024);
      late.deliver_after = clean ? hours{12} : hours{24 * 5};
      const auto topic = busy_topic("shop/invitations", clean ? "sent-clean-0" : "sent-0", late, false);
      steady({topic, "sender", "invitations", SubscriptionType::kShared}, 1);
      add<EndingPublisher>(topic, on(12), std::nullopt);
      if (!clean) finds(Rule::kDelayedOutlivesTtl, topic + " [sender]", 2, 16);
    }
  }

  // A replicated subscription makes brokers write markers, which pile up where nobody reads.
  void markers() {
    for (const bool clean : {false, true}) {
      const auto topic = topic_of("shop/geo", clean ? "mirrored-clean-0" : "mirrored-0");
      world_.create_topic(topic);
      if (clean) {
        publisher(*world_.find(topic), rate(30, 2048));
        steady({topic, "mirror", "live", SubscriptionType::kShared}, 2);
      } else {
        passer_by(topic, "mirror", "markers", false);
        finds(Rule::kGrowthWithoutPublishers, topic, 1, 12);
      }
      add<MarkerWriter>(topic, "mirror", on(1), on(40));
    }
  }

  // Consumers that are too slow, that pause for days, or that leave a message out: who is connected is no leftover, and
  // is told as what it is.
  void slow_clients() {
    const auto topic = busy_topic("shop/events", "mails-0", rate(20, 1024));
    at(3, [topic](World& world) {
      auto& mails = *world.find(topic);
      mails.subscribe("mailer", SubscriptionType::kShared, Start::kLatest, world.at(mails));
      SimConsumer consumer;
      consumer.name = "mailer-1";
      consumer.address = "/10.50.0.1:41000";
      consumer.behaviour = Behaviour::kPaces;
      consumer.pace = 10;
      mails.connect("mailer", std::move(consumer), world.at(mails));
    });
    at(16, [topic](World& world) {
      for (auto& consumer : world.find(topic)->find("mailer")->consumers) consumer.behaviour = Behaviour::kDrains;
    });
    add<PausingClient>(
        Part{busy_topic("shop/events", "letters-0", rate(5, 1024)), "printer", "paused", SubscriptionType::kShared}, 1,
        hours{24 * 3}, hours{24 * 4}, random_.next());
    add<SlowKey>(Part{busy_topic("shop/events", "parcels-0", rate(10, 1024)), "by-customer", "key_shared_slow",
                      SubscriptionType::kKeyShared},
                 3, hours{24 * 10}, random_.next());
  }

  // The last partition of a topic is lost, until somebody makes it anew; of the twin all are there.
  void lost_partition() {
    const std::string ns = "shop/imports";
    const auto topic = topic_of(ns, "feed");
    for (const auto& parent : {topic, topic_of(ns, "feed-clean")}) world_.create_partitioned(parent, 3);
    at(5, [topic](World& world) { world.delete_topic(topic + "-partition-2"); });
    at(18, [topic](World& world) { world.create_partitioned(topic, 3); });
    finds(Rule::kStaleTopicMetadata, ns, 5, 16);
  }

  // One of two clusters is taken out, and its cursor stays until somebody removes it.
  void replicator() {
    world_.ns("shop/geo").remote_clusters = {"east", "west"};
    for (const char* remote : {"east", "west"}) {
      const auto topic = busy_topic("shop/geo", std::string("orders-") + remote + "-0", rate(10, 1024));
      add<Replicator>(topic, remote, hours{24 * 1000}, hours{1}, random_.next());
      if (std::string_view{remote} != "west") continue;
      const auto cursor = std::string(SimSubscription::kReplicatorPrefix) + remote;
      at(8, [=](World& world) {
        world.ns("shop/geo").remote_clusters = {"east"};
        world.find(topic)->disconnect(cursor, "remote", world.now());
      });
      unsubscribed(25, topic, cursor);
      finds(Rule::kLeftoverReplicator, fmt::format("{} [{}]", topic, cursor), 8, 12);
    }
  }
};

}  // namespace

void tell_troubles(World& world) { TroubleStories(world).write(); }

}  // namespace tidemark::sim
