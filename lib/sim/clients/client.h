#pragma once
// Somebody who uses the cluster. A client is woken, acts on the world, and says when it wants to be woken next; what it
// will do later is the ground truth that verdicts are held against.

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace tidemark::sim {

class World;

inline constexpr TimeMs kNever = INT64_MAX;

// What is so about one subscription, because its client's plan says it.
struct GroundTruth {
  std::string topic;
  std::string subscription;
  std::string story;  // the archetype, e.g. "pod_leftover"
  bool durable = true;
  bool connected = false;    // a consumer is attached now
  bool will_return = false;  // its client will connect, acknowledge or reset again
  TimeMs created_ms = 0;
  std::optional<TimeMs> abandoned_since;  // its client's last act, once nothing will follow
  Duration period{0};                     // of a client that comes and goes by a plan
  int visits = 0;                         // of it, that have ended
  Duration longest_pause{0};              // between the ends of two of them
  std::optional<TimeMs> next_act_ms;      // when will_return and nobody is connected
};

class Client {
 public:
  virtual ~Client() = default;

  // First called when the world begins (or when the client is added). Times are met at the next step.
  virtual TimeMs wake(World& world) = 0;

  virtual void tell(const World& world, std::vector<GroundTruth>& truth) const = 0;
};

}  // namespace tidemark::sim
