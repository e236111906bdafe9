#pragma once
// The processes that own topics: which bundle a topic falls into, which broker owns the bundle, when a broker started,
// and the statistics document that it renders once per period and hands out until the next.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "sim/broker_settings.h"

namespace tidemark::sim {

// CRC-32 (IEEE), which Pulsar hashes topic names with.
std::uint32_t crc32(std::string_view text);

// "0x40000000_0x80000000": the bundle among `bundles` equal ones that holds `topic`.
std::string bundle_of(std::string_view topic, int bundles);

class SimBroker {
 public:
  SimBroker(std::string address, TimeMs started_ms) : address_(std::move(address)), started_ms_(started_ms) {}

  const std::string& address() const { return address_; }  // "host:port", its id in every document
  void set_address(std::string address) { address_ = std::move(address); }
  bool up() const { return up_; }
  // Its admin API takes calls and answers none, as in a long garbage collection.
  bool hangs() const { return hangs_; }
  void hang(bool hangs) { hangs_ = hangs; }
  TimeMs started_ms() const { return started_ms_; }
  void stop() {
    up_ = false;
    sweep_.reset();
    sweep_ms_ = 0;
  }
  void start(TimeMs now) {
    up_ = true;
    started_ms_ = now;
    sweep_.reset();
    sweep_ms_ = 0;
  }

  // When the statistics that are shown at `now` were rendered; 0 = not yet, the document is `{}`.
  TimeMs statistics_at(const BrokerSettings& settings, TimeMs now) const;

  // The rendered document and the moment it shows; empty while that moment's state still stands unchanged.
  const std::optional<std::string>& sweep() const { return sweep_; }
  TimeMs sweep_ms() const { return sweep_ms_; }
  void keep_sweep(std::string document, TimeMs at) {
    sweep_ = std::move(document);
    sweep_ms_ = at;
  }

 private:
  std::string address_;
  TimeMs started_ms_;
  bool up_ = true;
  bool hangs_ = false;
  std::optional<std::string> sweep_;
  TimeMs sweep_ms_ = 0;
};

// Bundles to brokers. A bundle nobody owns is given to a broker at the first question about it.
class Ownership {
 public:
  std::size_t owner_of(const std::string& ns, const std::string& bundle, const std::vector<SimBroker>& brokers);
  void give(const std::string& ns, const std::string& bundle, std::size_t broker) { owners_[{ns, bundle}] = broker; }
  void drop_broker(std::size_t broker);

 private:
  std::map<std::pair<std::string, std::string>, std::size_t> owners_;
};

}  // namespace tidemark::sim
