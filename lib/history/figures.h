#pragma once
// Figures over time of what is neither a topic's nor a cursor's own: disks, counts, sums. Each has a name that its user
// makes. Bounded in number; one that comes when all places are taken is not kept, and counted. Those that nobody looks
// at any more then make room.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "history/series.h"

namespace tidemark::history {

class Figures {
 public:
  // What a new figure may take: the last tenth of all places is not for what there may be any number of.
  enum class Places { kAll, kMany };

  // `most`: of one cluster; 20,000 that move all the time are tens of megabytes.
  explicit Figures(std::size_t most) : most_(most) {}
  void limit(std::size_t most) { most_ = most; }

  // See Series::add(). False: there is no place.
  bool add(std::string_view name, TimeMs at, std::int64_t value, Duration window, Places places = Places::kAll);

  // Null: nothing is known of it.
  const Series* find(std::string_view name) const;

  // Drops what was not looked at for `keep`; and for a day, where places were missing since the last take_refused().
  void forget_unseen(TimeMs now, Duration keep);

  std::size_t size() const { return all_.size(); }
  // How often there was no place since the last call.
  std::size_t take_refused() { return std::exchange(refused_, 0); }
  std::size_t bytes() const;

  bool operator==(const Figures& other) const { return all_ == other.all_; }

  // For what is kept on disk, one record a figure.
  void each(const std::function<void(std::string_view name, const Series&)>& visit) const;
  void put(std::string_view name, Series series);

 private:
  void make_room(TimeMs now);

  std::size_t most_;
  std::map<std::string, Series, std::less<>> all_;
  std::size_t refused_ = 0;
};

}  // namespace tidemark::history
