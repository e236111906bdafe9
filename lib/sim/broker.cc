// Hashing and ownership. Which broker gets a bundle depends on names and on who is up, never on the order of questions.
#include "sim/broker.h"

#include <fmt/format.h>

#include <array>

#include "sim/random.h"

namespace tidemark::sim {
namespace {

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1U) != 0 ? 0xedb88320U ^ (value >> 1U) : value >> 1U;
    table[i] = value;
  }
  return table;
}

constexpr auto kCrcTable = crc_table();

}  // namespace

std::uint32_t crc32(std::string_view text) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : text) crc = kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xffU] ^ (crc >> 8U);
  return crc ^ 0xffffffffU;
}

std::string bundle_of(std::string_view topic, int bundles) {
  const std::uint64_t whole = 0x100000000ULL;
  const auto count = static_cast<std::uint64_t>(bundles);
  const std::uint64_t number = crc32(topic) * count / whole;
  const std::uint64_t low = whole * number / count;
  const std::uint64_t high = number + 1 == count ? 0xffffffffULL : whole * (number + 1) / count;
  return fmt::format("0x{:08x}_0x{:08x}", low, high);
}

TimeMs SimBroker::statistics_at(const BrokerSettings& settings, TimeMs now) const {
  const TimeMs first = started_ms_ + settings.stats_initial_delay.count();
  if (now < first) return 0;
  return first + (now - first) / settings.stats_period.count() * settings.stats_period.count();
}

std::size_t Ownership::owner_of(const std::string& ns, const std::string& bundle,
                                const std::vector<SimBroker>& brokers) {
  const auto known = owners_.find({ns, bundle});
  if (known != owners_.end()) return known->second;
  std::vector<std::size_t> up;
  for (std::size_t i = 0; i < brokers.size(); ++i) {
    if (brokers[i].up()) up.push_back(i);
  }
  const std::size_t chosen = up.empty() ? 0 : up[hash_of(ns + bundle) % up.size()];
  owners_[{ns, bundle}] = chosen;
  return chosen;
}

void Ownership::drop_broker(std::size_t broker) {
  std::erase_if(owners_, [&](const auto& one) { return one.second == broker; });
}

}  // namespace tidemark::sim
