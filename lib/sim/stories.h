#pragma once
// Which clients and topics a simulated cluster has. The defaults are the operators' stories in the proportions of a
// real cluster: much that is healthy, some of it looking odd, and a few leaks.

#include <cstdint>

#include "base/time.h"
#include "sim/world.h"

namespace tidemark::sim {

struct Stories {
  int healthy_topics = 24;  // publishers and one to three live subscriptions
  int partitioned = 1;      // healthy, three partitions each
  int pod_deployments = 2;  // a subscription a pod, none removed, beside one live subscription
  int spark_alive = 2;      // commits by admin reset, never connected
  int spark_dead = 2;       // did so for some weeks
  int tests = 3;            // tried once: "test", "debug-...", "my-sub"
  int nightly = 4;          // batch, each night
  int weekly = 1;
  int nightly_ended = 1;  // a batch that was switched off
  int ttl = 2;            // a dead subscription that TTL drains
  int readers = 2;        // non-durable
  int delayed = 1;        // delivery after hours, consumer connected
  int archives = 4;       // publishing ended, the subscription is forgotten, the topic unloaded
  int unused = 2;         // forgotten, with nothing left to read
  int ci_jobs = 2;        // make a subscription a day and remove it, as one should

  // Leaks by number, and what goes wrong beyond single clients, each with a healthy twin; only the demo has them.
  int bursts = 0;   // a load test makes a subscription for each of its clients
  int per_run = 0;  // a job makes a new subscription each time it runs
  bool troubles = false;

  // Rarer ones; the demo has none of them.
  int fanouts = 0;            // thirty live services on one topic
  int failovers = 0;          // one active consumer and two standbys
  int key_shared_slow = 0;    // one key is slow: a hole that is worked off after hours
  int paused = 0;             // connected, and acknowledges nothing for days
  int functions = 0;          // Pulsar Functions: names with slashes
  int replicators = 0;        // the link is down for three days now and then
  int transactions = 0;       // open for hours
  int transactions_hung = 0;  // open for ten days
  int delayed_mixes = 0;      // immediate and delayed messages on one topic
  int offloads = 0;           // old ledgers go to tiered storage, beside a leftover
  int changelogs = 0;         // compacted, no subscription
  int dedups = 0;             // deduplication, ten messages a day
  int spark_daily = 0;        // commits by admin reset once a day
  int spark_on_ttl = 0;       // the same where a TTL applies
  int monthly = 0;
  int weekly_ended = 0;
  int monthly_ended = 0;
  int services_ended = 0;     // switched off: Failover, Shared with a hole, function, delayed; and one never used
  bool system_topics = true;  // __change_events in each namespace, as brokers make them
  Duration restart_every{std::chrono::hours{24 * 30}};  // all brokers, one after the other; 0 = never
  Duration unload_every{std::chrono::hours{24 * 9}};    // some bundle; 0 = never

  static Stories none();
  Stories times(int factor) const;  // all counts

  // Every archetype in at least 200 topics with 600 cursors, restarted every day: what tests/weeks runs.
  static Stories everything();
};

struct ClusterOptions {
  WorldOptions world;
  Stories stories;
};

// Makes the topics and clients. Called once, on an empty world.
void tell_stories(World& world, const Stories& stories);

// What `tidemark demo` shows: a cluster whose disks begin to suffer from its leftovers within a year from `start`.
ClusterOptions demo(TimeMs start, std::uint64_t seed = 1);

}  // namespace tidemark::sim
