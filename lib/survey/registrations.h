#pragma once
// Which bookies were registered and are not any more, by the lists that one bookie gives of all. They are told apart by
// host: lists and metrics have different ports.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace tidemark::survey {

class Registrations {
 public:
  // One of the two lists that `witness` ("host:port") gave at `now`. They count once both are there, and only if the
  // witness is in them itself: one that lost the metadata store knows of nobody.
  void take(TimeMs now, std::string_view witness, bool read_only, const std::vector<std::string>& registered);

  // Since when `name` is in no list, after it was in one; 0 = it is, or never was, or nobody knows.
  TimeMs missing_since_ms(std::string_view name) const;

 private:
  void conclude(TimeMs now);

  std::string witness_;
  TimeMs at_ms_ = 0;
  std::map<bool, std::set<std::string>> hosts_;  // of the two lists
  std::set<std::string> seen_;                   // hosts that ever were in one
  std::map<std::string, TimeMs, std::less<>> missing_;
};

// Of "host:port".
std::string_view host_of(std::string_view name);

}  // namespace tidemark::survey
