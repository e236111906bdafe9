// The rarer stories: what looks odd and is not, and further kinds of leftovers.
#include <string>
#include <utility>

#include "sim/author.h"
#include "sim/clients/internal.h"
#include "sim/clients/rarer.h"

namespace tidemark::sim {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class RareStories : private Author {
 public:
  RareStories(World& world, const Stories& stories) : Author(world, mix(world.seed() + 1)), stories_(stories) {}

  void write() {
    repeat(stories_.fanouts, &RareStories::fanout);
    repeat(stories_.failovers, &RareStories::failover);
    repeat(stories_.key_shared_slow, &RareStories::key_shared_slow);
    repeat(stories_.paused, &RareStories::paused);
    repeat(stories_.functions, &RareStories::function);
    repeat(stories_.replicators, &RareStories::replicator);
    repeat(stories_.transactions, &RareStories::transaction);
    repeat(stories_.transactions_hung, &RareStories::transaction_hung);
    repeat(stories_.delayed_mixes, &RareStories::delayed_mix);
    repeat(stories_.offloads, &RareStories::offload);
    repeat(stories_.changelogs, &RareStories::changelog);
    repeat(stories_.dedups, &RareStories::dedup);
    repeat(stories_.spark_daily, &RareStories::spark_daily);
    repeat(stories_.spark_on_ttl, &RareStories::spark_on_ttl);
    repeat(stories_.monthly, &RareStories::monthly);
    repeat(stories_.weekly_ended, &RareStories::weekly_ended);
    repeat(stories_.monthly_ended, &RareStories::monthly_ended);
    repeat(stories_.services_ended, &RareStories::services_ended);
  }

 private:
  void repeat(int times, void (RareStories::*story)(int)) {
    for (int i = 0; i < times; ++i) (this->*story)(i);
  }

  void fanout(int i) {
    const auto name = busy_topic("shop/events", "all-" + std::to_string(i), some_rate(10, 60), false);
    for (int s = 0; s < 30; ++s) {
      const auto type = s % 2 == 0 ? SubscriptionType::kShared : SubscriptionType::kExclusive;
      steady({name, "service-" + std::to_string(s), "live", type}, 1);
    }
  }

  void failover(int i) {
    const auto name = busy_topic("shop/core", "ledger-" + std::to_string(i), some_rate(5, 50), false);
    steady({name, "booking", "failover", SubscriptionType::kFailover}, 3);
  }

  void key_shared_slow(int i) {
    const auto name = busy_topic("shop/events", "by-customer-" + std::to_string(i), some_rate(5, 20));
    add<SlowKey>(Part{name, "per-customer", "key_shared_slow", SubscriptionType::kKeyShared}, 3, hours{6 + 70 * i},
                 random_.next());
  }

  void paused(int i) {
    const auto name = busy_topic("shop/events", "mail-" + std::to_string(i), some_rate(2, 8));
    add<PausingClient>(Part{name, "mailer", "paused", SubscriptionType::kShared}, 2, hours{24},
                       hours{24 * (4 + 10 * i)}, random_.next());
  }

  void function(int i) {
    const auto name = busy_topic("shop/events", "raw-" + std::to_string(i), some_rate(5, 20));
    steady({name, "shop/events/enrich-" + std::to_string(i), "function", SubscriptionType::kShared}, 2);
  }

  void replicator(int i) {
    const auto name = busy_topic("shop/geo", "replicated-" + std::to_string(i), some_rate(5, 20));
    add<Replicator>(name, "west", hours{24 * 12}, hours{72}, random_.next());
  }

  void transaction(int i) {
    const auto name = busy_topic("shop/pay", "transfers-" + std::to_string(i), some_rate(5, 20));
    add<TransactionOwner>(name, hours{12}, hours{3}, random_.next());
  }

  void transaction_hung(int i) {
    const auto name = busy_topic("shop/pay", "settlements-" + std::to_string(i), some_rate(2, 5));
    add<TransactionOwner>(name, hours{24 * 9}, hours{240}, random_.next());
  }

  std::string mixed_topic(const std::string& local) {
    auto name = busy_topic("shop/events", local, some_rate(2, 6), false);
    auto late = some_rate(1, 3);
    late.deliver_after = hours{5};
    publisher(*world_.find(name), late);
    return name;
  }

  void delayed_mix(int i) {
    steady({mixed_topic("appointments-" + std::to_string(i)), "notifier", "delayed_mix", SubscriptionType::kShared}, 2);
  }

  void offload(int i) {
    const auto name = busy_topic("analytics/lake", "facts-" + std::to_string(i), some_rate(20, 60));
    add<Offloader>(name, hours{4}, hours{24});
    add<Departing>(Part{name, "warehouse-loader", "offload_leftover", SubscriptionType::kFailover},
                   Departing::Plan{day(3 + i), 1}, random_.next());
  }

  void changelog(int i) {
    const auto name = busy_topic("analytics/state", "store-changelog-" + std::to_string(i), some_rate(5, 20), false);
    add<Housekeeper>(Part{name, "__compaction", "compaction", SubscriptionType::kExclusive}, hours{6}, 1);
  }

  void dedup(int i) {
    PublishRate rate;
    rate.per_minute = 10.0 / 1440;
    const auto name = busy_topic("shop/pay", "exactly-once-" + std::to_string(i), rate);
    add<Housekeeper>(Part{name, "pulsar.dedup", "dedup", SubscriptionType::kExclusive}, minutes{10}, 1000);
  }

  void spark_daily(int i) {
    const auto name = busy_topic("analytics/streams", "daily-" + std::to_string(i), some_rate(5, 20));
    add<ResetCommitter>(Part{name, "spark-daily-" + std::to_string(i), "spark_daily", SubscriptionType::kExclusive},
                        hours{24}, std::nullopt, random_.next());
  }

  void spark_on_ttl(int i) {
    world_.ns("analytics/short").ttl_seconds = 2 * 86'400;
    const auto name = busy_topic("analytics/short", "window-" + std::to_string(i), some_rate(5, 20));
    add<ResetCommitter>(Part{name, "flink-" + std::to_string(i), "spark_on_ttl", SubscriptionType::kExclusive},
                        i % 2 == 0 ? hours{24} : hours{1}, std::nullopt, random_.next());
  }

  // `first`: days until it comes first.
  void batch(const std::string& story, Duration period, std::int64_t first, std::optional<TimeMs> stops, int i) {
    const auto name = busy_topic("analytics/batch", story + "-feed-" + std::to_string(i), some_rate(2, 10));
    const Duration offset{(world_.now() + first * kDay) % period.count()};
    add<PeriodicJob>(Part{name, story + "-export", story, SubscriptionType::kFailover}, period, offset, minutes{30},
                     stops, random_.next());
  }

  void monthly(int i) { batch("monthly", hours{24 * 30}, 1 + i % 5, std::nullopt, i); }
  void weekly_ended(int i) { batch("weekly_ended", hours{24 * 7}, 1 + i, day(25 + i), i); }
  void monthly_ended(int i) { batch("monthly_ended", hours{24 * 30}, 1 + i, day(62 + i), i); }

  void services_ended(int i) {
    const auto number = std::to_string(i);
    const auto core = busy_topic("shop/core", "retired-" + number, some_rate(5, 20));
    const auto depart = [&](const std::string& topic, const std::string& name, SubscriptionType type,
                            Departing::Plan plan) {
      add<Departing>(Part{topic, name, "service_ended", type}, plan, random_.next());
    };
    depart(core, "old-booking", SubscriptionType::kFailover, {day(2 + i), 3});
    depart(core, "old-mailer", SubscriptionType::kShared, {day(4 + i), 2, true});
    depart(core, "shop/core/old-function", SubscriptionType::kShared, {day(6 + i), 1});
    depart(core, "old-keys", SubscriptionType::kKeyShared, {day(9 + i), 2, true});
    depart(mixed_topic("old-appointments-" + number), "old-notifier", SubscriptionType::kShared, {day(5 + i), 2});
    add<NeverUsed>(Part{core, "planned-" + number, "never_used", SubscriptionType::kShared}, day(1));
  }

  const Stories& stories_;
};

}  // namespace

void tell_rare_stories(World& world, const Stories& stories) { RareStories(world, stories).write(); }

}  // namespace tidemark::sim
