#pragma once
// The short way: the world says by itself what a Survey would have made of its documents, without any document. Written
// apart from lib/survey, so that a fault there does not meet its own mirror image, and much faster: views are changed
// in place, and a topic's own figures are read as rarely as its documents would be asked for.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/random.h"
#include "sim/world.h"
#include "watcher.h"

namespace tidemark::weeks {

class BySnapshots final : public Watcher {
 public:
  // `world` must outlive it. The snapshots' topics are changed by the next poll.
  BySnapshots(sim::World& world, Duration interval);
  std::shared_ptr<const model::Snapshot> poll(TimeMs at, const Weather& weather, Sky& sky) override;

  // Documents that were asked for and spoiled.
  std::int64_t spoiled() const { return spoiled_; }

 private:
  struct Watched {
    std::shared_ptr<model::TopicView> view;
    TimeMs loaded_ms = 0;  // the world's, as of the last sweep
    TimeMs asked_ms = 0;   // ours; 0 = never, or the answer was no good
    TimeMs info_ms = 0;    // ours
    Duration reask{0};
    std::optional<TimeMs> missing_since;
  };
  struct Broker {
    bool sweeps = false;  // in this poll
    int quiet_polls = 0;
    std::int64_t topics = 0;
    std::int64_t reloaded = 0;
  };

  void look_at_brokers(const Weather& weather);
  void sweep(const sim::Topic& topic, Watched& watched, Broker& broker);
  bool sweep_cursor(const sim::Topic& topic, const sim::SimSubscription& subscription, model::TopicView& view,
                    bool reloaded) const;
  void ask(const sim::Topic& topic, Watched& watched);
  void read_positions(const sim::Topic& topic, Watched& watched);
  void read_clocks(const sim::Topic& topic, model::TopicView& view) const;
  void read_stored(const sim::Topic& topic, Watched& watched) const;
  void miss(const sim::Topic& topic, Watched& watched);
  bool spoiled_now();

  sim::World& world_;
  Duration interval_;
  sim::Random random_;
  Weather weather_;
  TimeMs now_ = 0;  // ours
  TimeMs reached_ms_ = 0;
  bool conclusive_ = false;
  std::vector<Broker> brokers_;
  std::vector<Watched> topics_;  // by name, as the world lists them
  std::map<std::string, model::NamespaceView> namespaces_;
  std::size_t audit_ = 0;
  std::int64_t spoiled_ = 0;
};

}  // namespace tidemark::weeks
