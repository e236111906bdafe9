#pragma once
// What goes wrong between a client and the cluster, by rule: answers that never come, come with an error, end early or
// come late. Which requests a rule hits depends on the seed and on the requests before, so a run replays exactly.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/exchange.h"
#include "sim/answers.h"

namespace tidemark::sim {

enum class FaultKind {
  kLost,       // no answer, the connection stays open
  kError,      // `status` with Jetty's page: 500, 503, 429 ...
  kTruncated,  // the body ends after `bytes`
  kSlow,       // `delay` before the first byte
};

struct FaultRule {
  FaultKind kind = FaultKind::kError;
  model::Target target = model::Target::kBroker;
  std::string name;           // of the broker or bookie; empty = all
  std::string path_contains;  // empty = all
  TimeMs from_ms = 0;
  TimeMs until_ms = INT64_MAX;
  double probability = 1;
  int status = 503;
  std::size_t bytes = 1000;
  Duration delay{1000};
};

class Faults {
 public:
  explicit Faults(std::uint64_t seed) : seed_(seed) {}

  void add(FaultRule rule) { rules_.push_back(std::move(rule)); }
  void clear() { rules_.clear(); }

  // Answers spoiled so far.
  std::int64_t hits() const { return hits_; }

  // Spoils `reply` by the first rule that hits.
  void apply(model::Target target, std::string_view name, std::string_view path, TimeMs now, Reply& reply);

 private:
  std::uint64_t seed_;
  std::uint64_t asked_ = 0;
  std::int64_t hits_ = 0;
  std::vector<FaultRule> rules_;
};

}  // namespace tidemark::sim
