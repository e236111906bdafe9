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

enum class Leak { kNone, kPinned, kGarbage, kReplication, kSubscriptions };

// What has to be said of a leak, and within which time of its beginning.
struct Expectation {
  std::string rule;
  std::string cause;  // empty: the rule has none
  model::Severity severity = model::Severity::kWarning;
  Duration within{0};
};

struct Story {
  Leak leak = Leak::kNone;
  const char* name = "";
  std::vector<Expectation> expected;
};
std::vector<Story> leaks();

// When a leak begins; until then its cluster is healthy.
inline constexpr int kLeakDay = 15;

sim::WorldOptions scene_options(std::uint64_t seed);
// Makes topics and clients of an empty world.
void tell_scene(sim::World& world, Leak leak);

// Of Leak::kPinned and Leak::kReplication.
inline constexpr const char* kLeakingTopic = "persistent://shop/orders/orders";

// Its producers are held when that much waits.
inline constexpr const char* kQuotaNamespace = "shop/queues";
inline constexpr std::int64_t kQuotaBytes = std::int64_t{1536} << 20;

}  // namespace tidemark::weeks
