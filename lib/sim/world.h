#pragma once
// The simulated cluster's state and its time: namespaces, topics, brokers, bookies and the clients that act on them.
// Time passes in whole steps, so that the state at a moment does not depend on how often somebody looked before; the
// one thing a look can change is what it changes in life: a GET that loads a topic.

#include <cstdint>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "sim/bookies.h"
#include "sim/broker.h"
#include "sim/broker_settings.h"
#include "sim/clients/client.h"
#include "sim/topic.h"
#include "sim/trouble.h"

namespace tidemark::sim {

struct WorldOptions {
  std::uint64_t seed = 1;
  TimeMs start_ms = 0;
  Duration step{std::chrono::minutes{1}};
  BrokerSettings settings;
  int brokers = 2;
  std::vector<BookieOptions> bookies{3};
  BookieSettings bookie_settings;
  // Off: no broker-stats documents are kept from step to step (they then show the present), which makes runs that read
  // no documents several times faster.
  bool documents = true;
};

class World {
 public:
  explicit World(const WorldOptions& options);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  TimeMs now() const { return now_; }
  std::uint64_t seed() const { return options_.seed; }
  const BrokerSettings& settings() const { return options_.settings; }
  Duration step_length() const { return options_.step; }

  void advance_to(TimeMs now);

  // Namespaces ("tenant/ns") are made when first named.
  NamespacePolicies& ns(const std::string& name) { return namespaces_[name]; }
  const std::map<std::string, NamespacePolicies>& namespaces() const { return namespaces_; }

  Topic& create_topic(const std::string& name);
  void create_partitioned(const std::string& parent, int partitions);  // with all its partitions
  void delete_topic(const std::string& name);
  Topic* find(std::string_view name);
  const Topic* find(std::string_view name) const;
  std::vector<const Topic*> topics() const;  // by name
  const std::map<std::string, int>& partitioned() const { return partitioned_; }
  Effective policies_of(const Topic& topic) const;

  // The moment, within this step, at which something happens to the topic.
  TimeMs at(const Topic& topic) const;

  std::vector<SimBroker>& brokers() { return brokers_; }
  const std::vector<SimBroker>& brokers() const { return brokers_; }
  std::size_t owner_of(const Topic& topic);
  void stop_broker(std::size_t broker, bool graceful = true);
  void start_broker(std::size_t broker);
  void unload(Topic& topic);
  void move_bundle(const Topic& topic, std::size_t broker);
  std::string sweep_of(std::size_t broker);

  // A GET that needed the topic loaded, at `now`.
  void load_for_get(Topic& topic, TimeMs now);
  std::int64_t loads_by_get() const { return loads_by_get_; }
  // Of these, those of a topic that no broker listed any more, so that whoever asked could have known.
  std::int64_t loads_of_unlisted() const { return loads_of_unlisted_; }

  Bookies& bookies() { return bookies_; }
  const Bookies& bookies() const { return bookies_; }
  const Storage& storage() const { return storage_; }

  void add_client(std::unique_ptr<Client> client);
  const std::vector<std::unique_ptr<Client>>& clients() const { return clients_; }

  void add_trouble(Trouble trouble) { troubles_.push_back(std::move(trouble)); }
  const std::vector<Trouble>& troubles() const { return troubles_; }

 private:
  struct Slot {
    std::unique_ptr<Topic> topic;
    const NamespacePolicies* policies = nullptr;
    TimeMs last_ms = 0;  // of its last step or load
  };
  struct Wake {
    TimeMs at;
    std::size_t client;
    bool operator>(const Wake& other) const { return at != other.at ? at > other.at : client > other.client; }
  };

  void step();
  void wake_clients();
  void step_topic(Slot& slot, double day_shape);
  TimeMs at(const Slot& slot) const;
  void keep_sweeps(TimeMs target, TimeMs before);
  void freeze_sweeps();
  Slot* slot_of(std::string_view name);

  WorldOptions options_;
  TimeMs now_;
  TimeMs last_step_ms_;
  Storage storage_;
  std::map<std::string, NamespacePolicies> namespaces_;
  std::map<std::string, Slot, std::less<>> topics_;
  std::map<std::string, int> partitioned_;
  std::vector<SimBroker> brokers_;
  Ownership ownership_;
  Bookies bookies_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> wakes_;
  std::vector<Trouble> troubles_;
  std::int64_t loads_by_get_ = 0;
  std::int64_t loads_of_unlisted_ = 0;
};

}  // namespace tidemark::sim
