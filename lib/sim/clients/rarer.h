#pragma once
// Consumers that are connected and still look odd, and services that were switched off.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/clients/archetypes.h"

namespace tidemark::sim {

// Works for a while, then takes what its queue holds and acknowledges nothing (paused, or stuck on a call), and goes
// on.
class PausingClient final : public Client {
 public:
  PausingClient(Part part, int consumers, Duration works_for, Duration pauses_for, std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  Part part_;
  int consumers_;
  Duration works_for_;
  Duration pauses_for_;
  Random random_;
  bool working_ = false;
};

// One key is slow: everything else is acknowledged every few minutes, its few messages only after `slow_for`.
class SlowKey final : public Client {
 public:
  SlowKey(Part part, int consumers, Duration slow_for, std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  Part part_;
  int consumers_;
  Duration slow_for_;
  Random random_;
  TimeMs done_ms_ = 0;  // when the key was last done
};

// A service that ran for a while and was switched off for good. Nobody unsubscribed.
class Departing final : public Client {
 public:
  struct Plan {
    TimeMs leaves = 0;
    int consumers = 1;
    bool leaves_a_hole = false;  // some message in the middle was not acknowledged
  };
  Departing(Part part, Plan plan, std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  Part part_;
  Plan plan_;
  Random random_;
  std::vector<std::string> names_;
  TimeMs left_ = 0;
};

// A subscription that an administrator made, from the first message on, and that nobody ever used.
class NeverUsed final : public Client {
 public:
  explicit NeverUsed(Part part, TimeMs made);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  Part part_;
  TimeMs made_;
};

}  // namespace tidemark::sim
