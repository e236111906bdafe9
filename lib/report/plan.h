#pragma once
// Which subscriptions a clean-up would remove, in which order, and what each would free: the worst topic first, within
// owners and groups. Pure; plan_script.h writes it down.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::report {

struct PlannedRemoval {
  std::string topic;
  std::string subscription;
  model::State state = model::State::kAbandoned;
  model::Position mark_delete;               // when it was judged: whoever moved since is alive
  std::optional<std::int64_t> pinned_bytes;  // logical, as everywhere
  std::optional<std::int64_t> frees_bytes;   // by this step, when those before it are done; empty = cannot be told
  std::string why;                           // the finding's summary; not escaped
  bool replicated = false;                   // the other clusters keep theirs
};

// The leftovers of one group of one owner.
struct PlanSection {
  std::string owner;  // empty: nobody is known
  std::string group;
  std::vector<PlannedRemoval> removals;
};

// A leftover that is not touched.
struct LeftOut {
  std::string topic;
  std::string subscription;
  std::string why;
};

// A namespace with leftovers, for the advice on prevention.
struct PlanNamespace {
  std::string name;
  bool policies_known = false;
  std::optional<std::int64_t> expiration_minutes;  // its own; empty: the broker's
  std::optional<std::int64_t> broker_expiration_minutes;
  std::optional<Duration> longest_pause;  // of a subscription that came back; empty: none was seen
  std::vector<LeftOut> kept;              // what an exception keeps, and an expiration would not
};

struct Plan {
  TimeMs at_ms = 0;         // when the verdicts were made
  TimeMs broker_at_ms = 0;  // the same by the brokers' clocks
  std::string cluster;
  std::string pulsar_cluster;        // as the brokers call it; empty when they did not say
  std::vector<std::string> brokers;  // "host:port", whom a token may be sent to
  std::vector<PlanSection> sections;
  std::vector<LeftOut> left_out;
  std::vector<PlanNamespace> namespaces;
  std::vector<std::string> stale;  // findings about metadata that was left or lost, which no removal mends
  std::size_t removals = 0;
  std::int64_t frees_bytes = 0;  // of the removals that tell
  bool all_told = true;
};

// `by_curl`: the script can name any subscription; pulsar-admin cannot.
Plan plan_of(const model::Snapshot& snapshot, const model::Verdicts& verdicts, bool by_curl);

}  // namespace tidemark::report
