#pragma once
// A geo-replicator as stats and the sweep show it. Shadow replicators are in neither; only internalStats has their
// cursors.

#include <cstdint>
#include <string>

namespace tidemark::pulsar {

struct Replicator {
  std::string cluster;  // the remote one
  bool connected = false;
  std::int64_t backlog_entries = 0;
};

}  // namespace tidemark::pulsar
