#pragma once
// What goes wrong between Tidemark and the cluster, poll by poll, and what goes wrong with the cluster itself. Drawn
// from the seed alone, never from answers, so that both ways of watching see the same weather and a seed replays
// exactly.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "sim/random.h"
#include "sim/world.h"

namespace tidemark::weeks {

enum class Fault {
  kOutage,       // the daemon is away: no poll at all
  kLostPoll,     // asked, and nobody answers
  kBrokerError,  // one broker answers 503 to everything
  kErrors,       // some of the topics' documents answer 500
  kTruncated,    // some documents end early
  kClockJump,    // our clock is set
  kUnloadStorm,  // all topics of one broker are unloaded at once
  kBundleMove,   // between the sweep of one broker and that of the next
  kCrash,        // a broker is killed and comes back minutes later
};
inline constexpr std::size_t kFaults = 9;
std::string_view name_of(Fault fault);

struct Weather {
  bool away = false;
  bool lost = false;
  std::optional<std::size_t> failing_broker;
  double errors = 0;     // share of documents
  double truncated = 0;  // share of documents
  bool moves_a_bundle = false;
  Duration skew{0};   // our clock less the cluster's
  Duration phase{0};  // of this poll after its due time
};

class Sky {
 public:
  explicit Sky(std::uint64_t seed);

  // What the next poll meets. Acts on the world where the fault is one of the cluster's.
  Weather next(sim::World& world);

  // A bundle of some topic goes to another broker, in the middle of a sweep.
  void move_a_bundle(sim::World& world);

  const std::array<std::int64_t, kFaults>& counts() const { return counts_; }

 private:
  bool happens(double probability, Fault fault);
  void restart_crashed(sim::World& world);

  sim::Random random_;
  sim::Random moves_;
  std::array<std::int64_t, kFaults> counts_{};
  Duration skew_{0};
  int away_for_ = 0;  // polls
  std::optional<std::size_t> crashed_;
};

}  // namespace tidemark::weeks
