#include "history/series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tidemark::history {
namespace {

// A figure as a number of the archive.
template <class Archive>
void bits(Archive& archive, double& value) {
  auto number = std::bit_cast<std::int64_t>(value);
  archive.number(number);
  value = std::bit_cast<double>(number);
}

}  // namespace

void Series::add(TimeMs at, std::int64_t value, Duration window) {
  if (at <= last_.at) return;
  slot_ms_ = std::max<std::int64_t>(window.count() / kSlots, 1);
  if (last_.at != 0) spread(last_.at, std::min(at, last_.at + slot_ms_));
  last_ = {at, value};
  forget(at - window.count());
}

// The value of the newest look stood from the one time to the other.
void Series::spread(TimeMs from, TimeMs to) {
  while (from < to) {
    if (from >= slot_end_) {
      close();
      slot_end_ = (from / slot_ms_ + 1) * slot_ms_;
    }
    const auto until = std::min(to, slot_end_);
    const auto length = until - from;
    seen_ms_ += length;
    const auto share = static_cast<double>(length) / static_cast<double>(seen_ms_);
    mean_ += (static_cast<double>(last_.value) - mean_) * share;
    const auto before_end = static_cast<double>(slot_end_ - from) - static_cast<double>(length) / 2;
    middle_ms_ += (before_end - middle_ms_) * share;
    from = until;
  }
}

Point Series::open_point() const { return {slot_end_ - std::llround(middle_ms_), std::llround(mean_)}; }

void Series::close() {
  if (seen_ms_ == 0) return;
  const auto [at, value] = open_point();
  const bool goes_on = !runs_.empty() && runs_.back().value == value && at - runs_.back().last <= slot_ms_ * 3 / 2;
  if (goes_on) {
    runs_.back().last = at;
  } else {
    runs_.push_back({at, at, value});
  }
  seen_ms_ = 0;
  mean_ = middle_ms_ = 0;
}

void Series::forget(TimeMs before) {
  std::erase_if(runs_, [&](const Run& run) { return run.last < before; });
  if (!runs_.empty() && runs_.front().first < before) {
    auto& first = runs_.front().first;
    first = std::min(runs_.front().last, first + ((before - first - 1) / slot_ms_ + 1) * slot_ms_);
  }
}

std::vector<Point> Series::points() const {
  constexpr auto kMost = static_cast<std::size_t>(2 * kSlots);  // more than any window, and an end for damaged runs
  std::vector<Point> points;
  for (const auto& run : runs_) {
    for (auto at = run.first; at + slot_ms_ / 2 < run.last && points.size() < kMost; at += slot_ms_) {
      points.push_back({at, run.value});
    }
    points.push_back({run.last, run.value});
  }
  if (seen_ms_ != 0) points.push_back(open_point());
  return points;
}

bool Series::is_flat() const {
  const auto same = [this](const Run& run) { return run.value == last_.value; };
  return std::all_of(runs_.begin(), runs_.end(), same) && (seen_ms_ == 0 || open_point().value == last_.value);
}

template <class Archive>
void Series::fields(Archive& archive) {
  archive.time(last_.at);
  archive.number(last_.value);
  archive.number(slot_ms_);
  archive.list(runs_, [](Archive& each, Run& run, const Run& before) {
    each.next_time(run.first);
    each.next_time(run.last);
    each.next_to(run.value, before.value);
  });
  archive.near(slot_end_, last_.at);
  archive.number(seen_ms_);
  bits(archive, mean_);
  bits(archive, middle_ms_);
}

void Series::pack(std::string& out) const {
  auto copy = *this;  // fields() reads and writes
  Packer packer;
  packer.start(0);
  packer.begin();
  copy.fields(packer);
  packer.end(out);
}

bool Series::unpack(std::string_view bytes) {
  *this = {};
  Unpacker unpacker(bytes);
  unpacker.start(0);
  unpacker.begin();
  fields(unpacker);
  constexpr auto kFar = std::numeric_limits<std::int64_t>::max() / 4;
  const auto near = [](std::int64_t time) { return time >= 0 && time < kFar; };
  const auto whole = [](double number) { return std::abs(number) < static_cast<double>(kFar); };  // no NaN, either
  const auto in_order = [&](const Run& run) { return near(run.first) && near(run.last) && run.first <= run.last; };
  const bool sound = !unpacker.failed() && unpacker.at_end() && near(last_.at) && near(slot_end_) && near(slot_ms_) &&
                     near(seen_ms_) && whole(mean_) && whole(middle_ms_) && middle_ms_ >= 0 &&
                     (slot_ms_ > 0 || runs_.empty()) && std::all_of(runs_.begin(), runs_.end(), in_order);
  if (!sound) *this = {};
  return sound;
}

}  // namespace tidemark::history
