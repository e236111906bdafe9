#pragma once
// The kinds of clients that operators know, good and bad. Each plays its part for as long as the world turns and knows
// what it will do next, which is the ground truth.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/clients/client.h"
#include "sim/random.h"
#include "sim/subscription.h"

namespace tidemark::sim {

class Topic;

// What all of them say of themselves.
struct Part {
  std::string topic;
  std::string subscription;
  std::string story;
  SubscriptionType type = SubscriptionType::kExclusive;
};

// Always connected, but for the minutes of a restart every now and then. With `durable` false it is a reader: its
// subscription goes with its connection and gets a new name each time, `part.subscription` and ten hex digits.
class SteadyClient final : public Client {
 public:
  SteadyClient(Part part, int consumers, Duration restart_every, std::uint64_t seed, bool durable = true,
               Behaviour behaviour = Behaviour::kDrains);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  void connect(World& world, Topic& topic);
  Part part_;
  std::string prefix_;  // of a reader's names
  int consumers_;
  Duration restart_every_;
  Random random_;
  bool durable_;
  Behaviour behaviour_;
  bool connected_ = false;
  TimeMs next_ = 0;
  std::vector<std::string> names_;
};

// A Deployment whose pods make a subscription each, named after the pod. Every deploy replaces all of them, and nobody
// unsubscribes.
class PodDeployment final : public Client {
 public:
  PodDeployment(std::string topic, std::string app, int replicas, Duration deploy_every, std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  std::string topic_;
  std::string app_;
  int replicas_;
  Duration deploy_every_;
  Random random_;
  std::vector<std::string> pods_;  // at work
  struct Leftover {
    std::string subscription;
    TimeMs since;
  };
  std::vector<Leftover> leftovers_;
};

// A Spark or Flink job: no consumer ever, its position is committed by admin resets every few minutes, until it dies.
class ResetCommitter final : public Client {
 public:
  ResetCommitter(Part part, Duration every, std::optional<TimeMs> dies, std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  Part part_;
  Duration every_;
  std::optional<TimeMs> dies_;
  Random random_;
  TimeMs last_ = 0;
  TimeMs next_ = 0;
};

// Comes every period, drains what is there, goes. `stops`: from then on it does not come any more.
class PeriodicJob final : public Client {
 public:
  PeriodicJob(Part part, Duration period, Duration offset, Duration stays, std::optional<TimeMs> stops,
              std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  bool done(TimeMs at) const { return stops_ && at >= *stops_; }
  Part part_;
  Duration period_;
  Duration offset_;
  Duration stays_;
  std::optional<TimeMs> stops_;
  Random random_;
  bool connected_ = false;
  TimeMs next_ = 0;
  TimeMs last_ = 0;
  int visits_ = 0;
  Duration longest_pause_{0};
};

// Somebody who tried something once: subscribes, reads a little, leaves. `unsubscribes`: in the way one should.
class OneShot final : public Client {
 public:
  struct Plan {
    TimeMs at = 0;
    Duration stays{std::chrono::minutes{10}};
    std::int64_t pace = 5;  // entries a minute
    bool unsubscribes = false;
    std::optional<Duration> again_every;  // a new subscription each time, e.g. a CI job
  };
  OneShot(Part part, Plan plan, std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  std::string name() const;
  Part part_;
  Plan plan_;
  Random random_;
  bool connected_ = false;
  int round_ = 0;
  TimeMs left_ = 0;
  std::string suffix_;
  std::vector<std::pair<std::string, TimeMs>> left_behind_;  // of earlier rounds, and since when
};

// A producer that is done: it publishes for a while and leaves. `unloads`: later the topic's bundle is unloaded, and
// since nobody is attached, the topic stays unloaded.
class EndingPublisher final : public Client {
 public:
  EndingPublisher(std::string topic, TimeMs ends, std::optional<Duration> unloads_after);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  std::string topic_;
  TimeMs ends_;
  std::optional<Duration> unloads_after_;
};

// The operators: a rolling restart of all brokers every so often, and now and then the unload of a namespace bundle.
class Operators final : public Client {
 public:
  Operators(Duration restart_every, Duration unload_every, std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  Duration restart_every_;
  Duration unload_every_;
  Random random_;
  TimeMs next_restart_ = 0;
  TimeMs next_unload_ = 0;
  std::optional<std::size_t> down_;
  std::size_t next_broker_ = 0;
};

}  // namespace tidemark::sim
