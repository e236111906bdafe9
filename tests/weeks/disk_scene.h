#pragma once
// The cluster of the simulated year: what a healthy one does all the time (deploys, bursts, weekends, jobs of each
// night and week, a namespace that begins in the middle and fills its retention, bundles that move, restarts, a bookie
// that is replaced, traffic that grows by half in a year), and leaks that begin on a day.

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/finding.h"
#include "sim/world.h"

namespace tidemark::weeks {

inline constexpr TimeMs kYearBegins = 1'790'000'100'000;  // on a whole step, a Monday in September
inline constexpr Duration kLook{std::chrono::minutes{15}};

enum class Leak {
  kNone,
  kPinned,         // a forgotten subscription
  kGarbage,        // nothing is compacted
  kLagging,        // consumers get slow
  kReplication,    // the link to the other cluster is cut, and later taken out of the policies
  kSubscriptions,  // each deploy leaves some
  kUnexplained,    // ledgers that no topic knows
  kFull,     // forgotten where most is published: until the disks are full, and it is removed, and nothing comes back
  kLost,     // a bookie is gone
  kExpiry,   // the broker expires nothing, and what is delayed for longer than the TTL
  kMarkers,  // a broker writes as much as its clients
  kSlowBroker,  // one that answers late
  kThrash,      // a bookie that reads ahead for nothing
};

// What has to be said of a leak, and within which time of its beginning.
struct Expectation {
  std::string rule;
  std::string cause;  // or the kind of quota; empty: the rule has none
  model::Severity severity = model::Severity::kWarning;
  Duration within{0};
};

struct Story {
  Leak leak = Leak::kNone;
  const char* name = "";
  int days = 0;  // that it takes to show, from its beginning on
  std::vector<Expectation> expected;
};
std::vector<Story> leaks();

// When a leak begins; until then its cluster is healthy.
inline constexpr int kLeakDay = 15;

sim::WorldOptions scene_options(std::uint64_t seed, Leak leak);
// Makes topics and clients of an empty world.
void tell_scene(sim::World& world, Leak leak);

inline constexpr const char* kLeakingNamespace = "shop/orders";
inline constexpr const char* kLeakingTopic = "persistent://shop/orders/orders";
inline constexpr const char* kBusyTopic = "persistent://shop/core/payments-0";
inline constexpr std::int64_t kTtlSeconds = 86'400;  // of Leak::kExpiry, and of what is delayed
inline constexpr int kUnlistedDay = kLeakDay + 10;   // Leak::kReplication: the other cluster is in no policy any more
inline constexpr std::int64_t kUnknownPerHour = std::int64_t{32} << 20;  // Leak::kUnexplained, a bookie

// Its producers are held when that much waits.
inline constexpr const char* kQuotaNamespace = "shop/queues";
inline constexpr std::int64_t kQuotaBytes = std::int64_t{1536} << 20;
inline constexpr std::int64_t kAgeQuotaSeconds = std::int64_t{6} * 86'400;  // Leak::kPinned, of the leaking namespace

}  // namespace tidemark::weeks
