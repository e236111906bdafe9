// Leaks that show in numbers before they show in age: many subscriptions made at once, and ever more of them. Beside
// each the same, done as one should.
#include <string>
#include <utility>

#include "sim/author.h"

namespace tidemark::sim {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr std::string_view kPodLetters = "bcdfghjklmnpqrstvwxz2456789";
constexpr int kClients = 8;

class LeaksByNumber : private Author {
 public:
  LeaksByNumber(World& world, const Stories& stories) : Author(world, mix(world.seed() + 2)), stories_(stories) {}

  void write() {
    for (const bool clean : {false, true}) {
      for (int i = 0; i < stories_.bursts; ++i) burst(i, clean);
      for (int i = 0; i < stories_.per_run; ++i) per_run(i, clean);
    }
  }

 private:
  static std::string numbered(const std::string& name, int i, bool clean) {
    return name + (clean ? "-clean-" : "-") + std::to_string(i);
  }

  void finds(model::Rule rule, const std::string& subject, TimeMs from, std::int64_t within_days) {
    world_.add_trouble({rule, subject, std::nullopt, from, within_days == 0 ? 0 : from + within_days * kDay});
  }

  void burst(int i, bool clean) {
    const auto name = busy_topic("shop/loadtest", numbered("checkout", i, clean), some_rate(5, 20));
    const std::string run = "load-test-" + random_.letters(10, kPodLetters) + '-';
    OneShot::Plan plan;
    plan.at = day(12 + 10 * (i % 6));
    plan.unsubscribes = clean;
    if (!clean) finds(model::Rule::kCreationBurst, name, plan.at, 4);
    for (int client = 0; client < kClients; ++client) {
      add<OneShot>(Part{name, run + random_.letters(5, kPodLetters), clean ? "burst_clean" : "burst",
                        SubscriptionType::kExclusive},
                   plan, random_.next());
    }
  }

  void per_run(int i, bool clean) {
    const auto name = busy_topic("analytics/reports", numbered("sales", i, clean), some_rate(2, 10));
    OneShot::Plan plan;
    plan.at = day(8);
    plan.stays = minutes{20};
    plan.pace = 0;
    plan.unsubscribes = clean;
    plan.again_every = hours{24};
    if (!clean) {
      finds(model::Rule::kSubscriptionCountGrowth, "analytics/reports", plan.at, 22);
      for (const auto* more : {name.c_str(), "analytics"}) {
        finds(model::Rule::kSubscriptionCountGrowth, more, plan.at, 0);
      }
    }
    add<OneShot>(Part{name, "report", clean ? "per_run_clean" : "per_run", SubscriptionType::kExclusive}, plan,
                 random_.next());
  }

  const Stories& stories_;
};

}  // namespace

void tell_leaks_by_number(World& world, const Stories& stories) { LeaksByNumber(world, stories).write(); }

}  // namespace tidemark::sim
