#pragma once
// What a broker does by itself with a cursor of its own, and other work that no consumer does: geo-replication,
// deduplication snapshots, compaction, offloading, transactions.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/clients/archetypes.h"

namespace tidemark::sim {

// Geo-replication to another cluster: keeps up while the link is there, and every so often the link is down for a time.
class Replicator final : public Client {
 public:
  Replicator(std::string topic, const std::string& remote_cluster, Duration up_for, Duration down_for,
             std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  Part part_;
  Duration up_for_;
  Duration down_for_;
  Random random_;
  bool connected_ = false;
};

// Moves `__compaction` to the end every so often, or `pulsar.dedup` once a thousand entries came.
class Housekeeper final : public Client {
 public:
  Housekeeper(Part part, Duration every, std::int64_t least_entries);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  Part part_;
  Duration every_;
  std::int64_t least_entries_;
};

// Ledgers that are older than `keeps` go to the tiered storage.
class Offloader final : public Client {
 public:
  Offloader(std::string topic, Duration every, Duration keeps);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  std::string topic_;
  Duration every_;
  Duration keeps_;
};

// The markers that brokers write where a subscription is replicated, one a second from `begins` until `ends`.
class MarkerWriter final : public Client {
 public:
  MarkerWriter(std::string topic, std::string subscription, TimeMs begins, TimeMs ends);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  std::string topic_;
  std::string subscription_;
  TimeMs begins_;
  TimeMs ends_;
  TimeMs written_ms_ = 0;
};

// Opens a transaction every so often, and ends it only after `lasts`: until then nobody is given what came after it.
class TransactionOwner final : public Client {
 public:
  TransactionOwner(std::string topic, Duration every, Duration lasts, std::uint64_t seed);
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  std::string topic_;
  Duration every_;
  Duration lasts_;
  Random random_;
};

}  // namespace tidemark::sim
