#pragma once
// What a person can configure, as plain structs with the defaults that serve most clusters; they are grouped as the
// YAML file is. keys.cc names, describes and checks each one: a member that is not in its table cannot be set. An empty
// text means 'not given'. Nothing here is a secret: secrets live in files that are named here.

#include <cstdint>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/time.h"

namespace tidemark::settings {

// Which part of a cluster this process watches. Other modes are added when they do something.
enum class Mode {
  kCluster,         // every broker
  kSidecar,         // the broker at `url` and the topics that it has loaded
  kBesideSidecars,  // what they leave: topics that no broker has loaded, bookies, policies
};

enum class Compression { kNone, kGzip };

struct Basic {
  bool operator==(const Basic&) const = default;

  std::string user;
  std::string password_file;  // read again when it changes
};

// At most one of the two ways.
struct Auth {
  bool operator==(const Auth&) const = default;

  std::string token_file;  // a bearer token; read again when it changes
  Basic basic;
};

struct Tls {
  bool operator==(const Tls&) const = default;

  std::string ca_file;  // PEM; empty: the system's authorities
  bool verify = true;
  std::string cert_file;  // PEM; client certificate, with key_file
  std::string key_file;
};

struct Bookies {
  bool operator==(const Bookies&) const = default;

  std::vector<std::string> urls;  // http[s]://host[:port]; empty: the brokers are asked, with metrics_port
  int metrics_port = 8000;
};

struct Cluster {
  bool operator==(const Cluster&) const = default;

  std::string name;  // empty: asked from the cluster, else the URL's host
  std::string url;   // http[s]://host[:port], no path, no user
  Mode mode = Mode::kCluster;
  int shards = 1;     // processes that split the cluster by namespaces
  std::string shard;  // which of them, from 0; empty: the number behind the last '-' of the host's name
  Auth auth;
  Tls tls;
  Bookies bookies;
};

struct Poll {
  Duration interval = std::chrono::seconds{60};
  Duration topology_interval = std::chrono::minutes{10};
  double suspect_rate = 5;         // calls a second to one broker
  double internal_info_rate = 20;  // calls a second to the whole cluster
  int requests_in_flight = 2;      // to one broker
  Duration document_timeout = std::chrono::seconds{30};
  Duration sweep_idle_timeout = std::chrono::seconds{30};  // without a byte
  Duration sweep_timeout = std::chrono::minutes{5};        // in all
  std::int64_t max_topic_bytes = 8LL << 20;                // one topic in the sweep
  std::int64_t max_document_bytes = 64LL << 20;            // any other document
  Compression compression = Compression::kNone;            // of the sweep
  bool load_topics = false;
  double audit_share = 0.02;         // 0 to 1, of suspect_rate
  Duration ledger_list_interval{0};  // 0: never
};

struct Detect {
  Duration abandoned_after = std::chrono::hours{8 * 24};
  Duration stuck_after = std::chrono::minutes{30};
  Duration internal_stuck_after = std::chrono::hours{24};
  Duration lag_window = std::chrono::minutes{30};
  Duration lag_floor = std::chrono::minutes{10};
  Duration rhythm_merge = std::chrono::hours{1};
  Duration growth_window = std::chrono::hours{7 * 24};
  Duration disk_window = std::chrono::hours{14 * 24};
  Duration disk_min_history = std::chrono::hours{3 * 24};
  std::int64_t held_min_bytes = 1LL << 30;
};

// Looked at in order, before the built-in patterns.
struct Origin {
  std::string pattern;  // RE2, searched for in the subscription's name
  std::string origin;   // one of per_instance, batch_job, test_or_dev, function_or_sink, reader_like, named
};

// Both patterns: RE2, searched for in "persistent://tenant/namespace/topic [subscription]"; the first one
// counts.
struct Owner {
  std::string pattern;
  std::string owner;
};

struct Exception {
  std::string pattern;
  std::string until;  // 2026-12-31, to the end of that day in UTC; empty: for good
  std::string reason;
};

struct Metrics {
  int max_cursor_series = 5000;
};

// Where ages are asked for that a former self or a sibling exported; nowhere without a URL.
struct Restore {
  std::string prometheus_url;  // http[s]://host[:port][/path], what /api/v1/query stands behind
  Duration lookback = std::chrono::hours{7 * 24};
  Duration timeout = std::chrono::seconds{15};
  Duration interval = std::chrono::minutes{5};  // between two questions, at least
  Auth auth;                                    // of its own: what clusters are given goes to them alone
  Tls tls;
};

// How much is remembered of one cluster, whatever names come.
struct History {
  std::int64_t max_bytes = 1LL << 30;  // of cursors and topics
  int max_removed = 100000;            // cursors and topics that are gone
  int max_figures = 20000;             // over time: of topics, namespaces, disks
};

// Where what is remembered outlives the daemon; nowhere without a path.
struct State {
  std::string path;                    // a folder of its own
  std::int64_t max_bytes = 1LL << 30;  // of one cluster's file
};

struct Log {
  log::Level level = log::Level::kInfo;
};

struct Settings {
  std::string listen = "0.0.0.0:10920";  // host:port, [address]:port for IPv6; port 0 = any free one
  std::vector<Cluster> clusters;
  Poll poll;
  Detect detect;
  std::vector<Origin> origins;
  std::vector<Owner> owners;
  std::vector<Exception> exceptions;
  Metrics metrics;
  History history;
  State state;
  Restore restore;
  Log log;
};

}  // namespace tidemark::settings
