#pragma once
// One function a rule, each in a file of its own and each pure: it looks at one topic, or at the whole cluster, after
// the states are decided, and adds what it finds. A new rule is its file, a line in model::kRules and a line in the
// table at the end of this file.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "detect/case.h"
#include "detect/limits.h"
#include "history/figures.h"
#include "history/history.h"
#include "model/finding.h"
#include "model/snapshot.h"
#include "trim/reclaim.h"

namespace tidemark::detect::rules {

using Findings = std::vector<model::Finding>;

// The topic as the trim sees it: the position of every durable cursor is known.
struct TrimView {
  std::unique_ptr<model::Ledgers>
      dated;  // behind topic.ledgers where the documents tell no close times and we saw them
  trim::Topic topic;
  std::vector<std::size_t> cursor_of;  // index into TopicView::cursors of each durable position
};

// References live as long as the judgement of the topic. `held`: sums of its namespace, which a rule adds to. `cases`
// and `verdicts` are in the order of topic.cursors.
struct TopicCase {
  const model::Snapshot& snapshot;
  const model::TopicView& topic;
  const Limits& limits;
  std::span<const CursorCase> cases;
  std::span<const model::CursorVerdict> verdicts;
  const TrimView* trim;        // null unless the position of every durable cursor is known
  const history::Topic& past;  // after it observed `topic`
  const history::Figures& figures;
  model::HeldBytes& held;
};

// Of all topics' verdicts together. `history` is past its observe() of `snapshot`.
struct ClusterCase {
  const model::Snapshot& snapshot;
  const model::Verdicts& verdicts;
  const history::History& history;
  const Limits& limits;
};

// A finding of `rule` with its level and severity; the rest is the rule's to fill.
model::Finding finding_of(model::Rule rule, std::string subject);
// About a namespace, about a whole topic, about one cursor of it, and about what a bookie says of itself, since it
// does.
model::Finding namespace_finding(model::Rule rule, const std::string& ns);
model::Finding topic_finding(model::Rule rule, const model::TopicView& topic);
model::Finding cursor_finding(model::Rule rule, const model::TopicView& topic, const model::CursorView& cursor);
model::Finding bookie_finding(model::Rule rule, const model::BookieView& bookie);

// How often the broker looks for ledgers that it may delete.
std::int64_t retention_check_seconds(const model::Snapshot& snapshot);

void held_without_cursor(const TopicCase& c, Findings& out);

void dangling_position(const TopicCase& c, Findings& out);
void position_not_persisted(const TopicCase& c, Findings& out);
void counter_mismatch(const TopicCase& c, Findings& out);
void deletion_blocked(const TopicCase& c, Findings& out);
void ttl_overdue(const TopicCase& c, Findings& out);
void delayed_outlives_ttl(const TopicCase& c, Findings& out);
void expiration_at_risk(const TopicCase& c, Findings& out);
void policy_audit(const ClusterCase& c, Findings& out);
void growth_without_publishers(const TopicCase& c, Findings& out);
void leftover_replicator(const TopicCase& c, Findings& out);
void ttl_retention(const ClusterCase& c, Findings& out);
void bookie_read_only(const ClusterCase& c, Findings& out);
void bookie_unregistered(const ClusterCase& c, Findings& out);
void writable_bookies_low(const ClusterCase& c, Findings& out);
void subscription_count_growth(const ClusterCase& c, Findings& out);
void quota_forecast(const TopicCase& c, Findings& out);
void creation_burst(const TopicCase& c, Findings& out);
void disk_full_forecast(const ClusterCase& c, Findings& out);
void reclaim_pending(const ClusterCase& c, Findings& out);
void reclaim_stuck(const ClusterCase& c, Findings& out);
void read_cache_thrash(const ClusterCase& c, Findings& out);
void admin_api_stall(const ClusterCase& c, Findings& out);
void orphan_ledgers(const ClusterCase& c, Findings& out);
// Of the newest look through all ledgers: what neither belongs to anybody nor is proven to be an orphan.
std::optional<model::UnattributedLedgers> unattributed_ledgers(const model::Snapshot& snapshot);
void disk_growth_flat_traffic(const ClusterCase& c, Findings& out);
void expiration_ineffective(const ClusterCase& c, Findings& out);
void expiration_unset(const ClusterCase& c, Findings& out);
void expiration_legacy_zero(const ClusterCase& c, Findings& out);
void stale_topic_metadata(const ClusterCase& c, Findings& out);

using TopicRule = void (*)(const TopicCase&, Findings&);
inline constexpr std::array kTopicRules{
    TopicRule{held_without_cursor},    TopicRule{dangling_position},
    TopicRule{position_not_persisted}, TopicRule{counter_mismatch},
    TopicRule{deletion_blocked},       TopicRule{ttl_overdue},
    TopicRule{delayed_outlives_ttl},   TopicRule{growth_without_publishers},
    TopicRule{leftover_replicator},    TopicRule{expiration_at_risk},
    TopicRule{creation_burst},         TopicRule{quota_forecast},
};

using ClusterRule = void (*)(const ClusterCase&, Findings&);
inline constexpr std::array kClusterRules{
    ClusterRule{policy_audit},           ClusterRule{ttl_retention},
    ClusterRule{bookie_read_only},       ClusterRule{bookie_unregistered},
    ClusterRule{expiration_ineffective}, ClusterRule{expiration_unset},
    ClusterRule{expiration_legacy_zero}, ClusterRule{disk_full_forecast},
    ClusterRule{writable_bookies_low},   ClusterRule{subscription_count_growth},
    ClusterRule{orphan_ledgers},         ClusterRule{disk_growth_flat_traffic},
    ClusterRule{reclaim_pending},        ClusterRule{reclaim_stuck},
    ClusterRule{read_cache_thrash},      ClusterRule{admin_api_stall},
    ClusterRule{stale_topic_metadata},
};

}  // namespace tidemark::detect::rules
