#pragma once
// The words and figures of an overview as people read them, the same in the table and on the page. Nothing here is
// escaped yet: see visible_text.h.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/finding.h"
#include "report/overview.h"

namespace tidemark::report {

// Since the last activity, at least.
std::optional<Duration> age_of(const model::CursorVerdict& verdict, TimeMs now);

// "8d 2h", ">= 8d 2h" when it is a lower bound, "-" when nothing is known.
std::string age_text(const model::CursorVerdict& verdict, TimeMs now);
std::string age_text(const GroupRow& group);  // ">= 8d to 41d"

std::string bytes_text(std::optional<std::int64_t> bytes);  // "-" when nothing is known

// "abandoned", "abandoned (kept)" from an earlier poll, "abandoned (silenced)" by an exception.
std::string state_text(const LogicalSubscription& subscription);

// "3 abandoned, 1 idle, 96 ok of 100 subscriptions; 1.2 GB pinned, 800.0 MB reclaimable"
std::string summary_text(const Overview& overview);

// "Evaluated 98 of 100 topics and partitions; 2 unknown (public/default 2)."
std::string coverage_text(const model::Verdicts& verdicts);

// Why a subscription has its state: what its finding says, and what else decides what to do about it.
std::string why_text(const LogicalSubscription& subscription, std::string_view summary);

// "140 abandoned, 3 idle on 12 topics; 2 silenced; owner team-a"
std::string members_text(const GroupRow& group);

}  // namespace tidemark::report
