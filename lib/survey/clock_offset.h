#pragma once
// How far the cluster's clocks are ahead of ours, by the Date of its answers. Brokers' timestamps are compared with our
// own times everywhere, so they are put onto our clock once, where a topic is assembled. The offset must not jitter: a
// change within what can be measured is none.

#include <functional>
#include <map>
#include <string>

#include "base/time.h"
#include "model/snapshot.h"

namespace tidemark::survey {

class ClockOffset {
 public:
  // `date`: the server's clock in whole seconds, read at some time between `sent` and `received` of ours.
  void saw(const std::string& broker, TimeMs date, TimeMs sent, TimeMs received);

  // Of those for whom `stays` is false nothing counts any more.
  void keep_only(const std::function<bool(const std::string& broker)>& stays) {
    std::erase_if(by_broker_, [&](const auto& item) { return !stays(item.first); });
  }

  // The middle one of all brokers; 0 while they agree with us within what is tolerated.
  Duration value() const;

 private:
  std::map<std::string, Duration> by_broker_;
};

// Takes `offset` from every time in `view` that a broker's clock told.
void onto_our_clock(model::TopicView& view, Duration offset);

}  // namespace tidemark::survey
