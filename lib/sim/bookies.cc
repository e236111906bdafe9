// Disks filled and emptied, and how long a deleted byte still occupies them.
#include "sim/bookies.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tidemark::sim {

SimBookie::SimBookie(std::string address, const BookieOptions& options, const BookieSettings& settings, TimeMs now)
    : address_(std::move(address)),
      options_(options),
      settings_(settings),
      started_ms_(now),
      last_gc_ms_(now + settings.gc_wait.count()),  // the first run comes after two waits
      last_minor_ms_(now),
      last_major_ms_(now),
      read_ms_(now) {}

std::int64_t SimBookie::used_bytes() const {
  const auto base = static_cast<std::int64_t>(settings_.base_share * static_cast<double>(options_.capacity_bytes));
  return std::min(live_ + deleted_ + garbage_ + base, options_.capacity_bytes);
}

double SimBookie::usage_percent() const {
  return 100 * static_cast<double>(used_bytes()) / static_cast<double>(options_.capacity_bytes);
}

void SimBookie::restart(TimeMs now) {
  started_ms_ = last_minor_ms_ = last_major_ms_ = now;
  last_gc_ms_ = now + settings_.gc_wait.count();
  written_total_ = recovered_total_ = entries_total_ = reclaimed_deletion_ = reclaimed_compaction_ = active_seen_ = 0;
  gc_runs_ = minor_runs_ = major_runs_ = 0;
  fills_ = cache_hits_ = 0;
}

void SimBookie::force_compaction() {
  ++major_runs_;
  reclaimed_compaction_ += garbage_ + deleted_;
  garbage_ = deleted_ = 0;
  active_seen_ = live_;
}

void SimBookie::serve_catch_up(double fills_per_second, double used_of_each) {
  fills_per_second_ = fills_per_second;
  used_of_fill_ = used_of_each;
}

void SimBookie::read_ahead(TimeMs now) {
  const auto fills = fills_per_second_ * static_cast<double>(now - read_ms_) / 1000;
  read_ms_ = now;
  fills_ += fills;
  cache_hits_ += fills * used_of_fill_;
}

void SimBookie::replace(std::string address, TimeMs now) {
  restart(now);
  address_ = std::move(address);
  to_copy_ += live_;
  live_ = deleted_ = garbage_ = 0;
  copied_ms_ = now;
  writable_ = true;
  wanted_read_only_ = false;
}

void SimBookie::copy(TimeMs now) {
  if (to_copy_ == 0) return;
  constexpr double kDayMs = 86'400'000;
  const auto pace = settings_.copied_a_day * static_cast<double>(options_.capacity_bytes) / kDayMs;
  const auto copied = std::min(to_copy_, static_cast<std::int64_t>(pace * static_cast<double>(now - copied_ms_)));
  copied_ms_ = now;
  to_copy_ -= copied;
  live_ += copied;
  written_total_ += copied;
  recovered_total_ += copied;
}

void SimBookie::add(std::int64_t written, std::int64_t deleted, std::int64_t entries) {
  if (to_copy_ > 0) {
    const auto all = static_cast<double>(to_copy_) + static_cast<double>(live_);
    const auto never_here = std::llround(static_cast<double>(deleted) * static_cast<double>(to_copy_) / all);
    to_copy_ = std::max<std::int64_t>(0, to_copy_ - never_here);
    deleted -= never_here;
  }
  live_ += written - deleted;
  deleted_ += deleted;
  written_total_ += written;
  entries_total_ += entries;
}

bool SimBookie::passed(Duration interval, TimeMs& last, TimeMs now) const {
  if (now - last < interval.count()) return false;
  last = now;
  return true;
}

void SimBookie::collect(TimeMs now) {
  copy(now);
  read_ahead(now);
  if (passed(settings_.gc_wait, last_gc_ms_, now)) {
    ++gc_runs_;
    const auto dead_logs = options_.mixed_logs ? 0 : settings_.dead_logs_share;
    const auto dead = static_cast<std::int64_t>(dead_logs * static_cast<double>(deleted_));
    reclaimed_deletion_ += dead;
    garbage_ += deleted_ - dead;
    deleted_ = 0;
    active_seen_ = live_;
    if (compacts() && passed(settings_.major_compaction, last_major_ms_, now)) {
      ++major_runs_;
      reclaimed_compaction_ += garbage_;
      garbage_ = 0;
    } else if (compacts() && passed(settings_.minor_compaction, last_minor_ms_, now)) {
      ++minor_runs_;
      const auto freed = static_cast<std::int64_t>(settings_.minor_share * static_cast<double>(garbage_));
      reclaimed_compaction_ += freed;
      garbage_ -= freed;
    }
  }
  const double used = usage_percent() / 100;
  writable_ = !wanted_read_only_ && (writable_ ? used <= settings_.threshold : used < settings_.low_water);
}

void SimBookie::set_read_only(bool wanted) {
  if (wanted_read_only_ && !wanted) writable_ = usage_percent() / 100 <= settings_.threshold;
  if (wanted) writable_ = false;
  wanted_read_only_ = wanted;
}

Bookies::Bookies(const std::vector<BookieOptions>& options, const BookieSettings& settings, TimeMs now)
    : seen_(options.size()) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    // Started one after the other, as a StatefulSet does.
    list_.emplace_back("bookie-" + std::to_string(i) + ":8000", options[i], settings,
                       now - static_cast<TimeMs>(i) * 41'000 - 600'000);
  }
}

void Bookies::step(Storage& storage, TimeMs now) {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const auto& total = storage.on_bookie[i];
    list_[i].add(total.written - seen_[i].written, total.deleted - seen_[i].deleted, total.entries - seen_[i].entries);
    list_[i].collect(now);
    storage.set_writable(i, list_[i].writable());
  }
  seen_ = storage.on_bookie;
}

}  // namespace tidemark::sim
