#pragma once
// The disks of the bookies over time: how they fill, and when they are full.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "detect/limits.h"
#include "detect/trend.h"
#include "history/figures.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Above it a ledger directory takes no writes; BookKeeper's default where the bookie does not tell.
double usage_limit_of(const model::BookieView& bookie);
// Of its fullest ledger directory; empty while none is known.
std::optional<double> usage_of(const model::BookieView& bookie);

// Takes what bookies that answered say of their disks.
void observe_disks(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures);

// The slope of a usage, in millionths, that grows and did so in the later half of what is known; empty where it does
// not or is not known for long enough. Not by the last days alone, as a forecast: a week goes up and down.
std::optional<Trend> usage_trend(std::span<const history::Point> points, const Limits& limits);

// The most that a usage rose within `length` and lost again, half of it at least: what a week does to a disk.
std::int64_t highest_wave(std::span<const history::Point> points, Duration length);

// The usage of a ledger directory over time, in millionths.
std::vector<history::Point> disk_points(const history::Figures& figures, std::string_view bookie, std::string_view dir);

// Full within as long a time as its slope was watched: no forecast goes further.
bool is_in_sight(const model::DiskOutlook& outlook);

// Of those in sight the first; empty where none is.
std::optional<TimeMs> first_full_ms(std::span<const model::DiskOutlook> outlooks);

// Those that were watched for `limits.disk_min_history`. The present slope is that of the whole window, or of the last
// disk_min_history where that brings the disk to where it never was in the window, is no wave like those before and is
// in sight sooner; where it slows down, that of the later half, and where it rests or falls, that of the last
// disk_min_history.
std::vector<model::DiskOutlook> disk_outlooks(const model::Snapshot& snapshot, const history::Figures& figures,
                                              const Limits& limits);

}  // namespace tidemark::detect
