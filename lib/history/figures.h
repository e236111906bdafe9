#pragma once
// Figures over time of what is neither a topic's nor a cursor's own: disks, counts, sums. Each has a name that its user
// makes. Bounded in number; one that comes when all places are taken is not kept, and counted.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "history/series.h"

namespace tidemark::history {

class Figures {
 public:
  // Of one cluster: tens of megabytes where all of them move all the time.
  static constexpr std::size_t kMost = 20000;

  // See Series::add(). False: there is no place.
  bool add(std::string_view name, TimeMs at, std::int64_t value, Duration window);

  // Null: nothing is known of it.
  const Series* find(std::string_view name) const;

  // Drops what was not looked at for `keep`.
  void forget_unseen(TimeMs now, Duration keep);

  std::size_t size() const { return all_.size(); }
  std::size_t refused() const { return refused_; }  // since start
  std::size_t bytes() const;

  bool operator==(const Figures& other) const { return all_ == other.all_; }

  // For what is kept on disk, one record a figure.
  void each(const std::function<void(std::string_view name, const Series&)>& visit) const;
  void put(std::string_view name, Series series);

 private:
  std::map<std::string, Series, std::less<>> all_;
  std::size_t refused_ = 0;
};

}  // namespace tidemark::history
