#pragma once
// Which part of a cluster this process judges where others judge the rest, and what it therefore speaks of. Parts are
// told by what every process sees alike, so that none asks another: who has a topic loaded, and a namespace's name.

#include <string>
#include <string_view>

namespace tidemark::model {

// One of `count` processes that split a cluster by namespaces. A namespace falls to the same one as long as `count` is
// the same; with one more of them only those move that fall to it. Never to be changed: processes of two versions would
// split differently.
struct Shard {
  int index = 0;
  int count = 1;

  bool owns(std::string_view ns) const;  // "tenant/namespace"
  bool operator==(const Shard&) const = default;
};

enum class Watch {
  kCluster,         // every broker, or of all that a shard
  kSidecar,         // one broker and what it has loaded
  kBesideSidecars,  // what no broker has loaded, and the cluster as a whole
};

struct Share {
  Watch watch = Watch::kCluster;
  Shard shard;
  std::string broker;  // of a sidecar, "host:port"

  bool owns_namespace(std::string_view ns) const { return shard.owns(ns); }
  bool sees_loaded_topics() const { return watch != Watch::kBesideSidecars; }
  bool discovers() const { return watch != Watch::kSidecar; }
  // Bookies, tenants' and namespaces' lists, the cluster.
  bool speaks_for_cluster() const { return discovers() && shard.index == 0; }
  // How the brokers themselves are.
  bool speaks_for_brokers() const { return sees_loaded_topics() && shard.index == 0; }
  bool speaks_for_policies() const { return discovers(); }
  // Whether a topic that it does not have any more is nowhere: others may have it now.
  bool knows_gone(std::string_view topic) const;

  // What it calls its part of a namespace or of a tenant; empty: it has the whole.
  std::string part_of_namespace() const;
  std::string part_of_tenant() const;

  bool operator==(const Share&) const = default;
};

}  // namespace tidemark::model
