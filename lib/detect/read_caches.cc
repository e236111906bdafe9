#include "detect/read_caches.h"

#include <optional>

#include "detect/kept_figure.h"

namespace tidemark::detect {
namespace {

constexpr double kLeastMisses = 200;  // a second: below it nobody waits for the disk
constexpr double kMostHits = 0.5;     // of all reads
constexpr double kMostUsed = 0.1;     // of what is read ahead; who catches up uses nearly all of it

bool is_thrash(const model::CacheThrash& use) {
  const auto hits = static_cast<double>(use.hits);
  const auto misses = static_cast<double>(use.misses);
  return use.seconds > 0 && use.entries > use.fills && misses >= kLeastMisses * use.seconds &&
         hits <= kMostHits * (hits + misses) && hits <= kMostUsed * static_cast<double>(use.entries);
}

// Empty: nothing to compare with, or it does not.
std::optional<model::CacheThrash> look(const model::BookieView& bookie, TimeMs now, Duration window,
                                       history::Figures& figures) {
  const auto& cache = bookie.read_cache;
  if (!cache.hits || !cache.misses || !cache.fills || !cache.entries) return std::nullopt;
  const auto counter = [&](const char* what, std::int64_t value, std::int64_t& rise) {
    KeptFigure kept(figures, what, bookie.name, now, window);
    rise = kept.rise_to(value);
    kept.put(value);
    return kept.before_ms();
  };
  model::CacheThrash use;
  use.bookie = bookie.name;
  const auto before = counter("cache hits", *cache.hits, use.hits);
  (void)counter("cache misses", *cache.misses, use.misses);
  (void)counter("cache fills", *cache.fills, use.fills);
  (void)counter("cache entries", *cache.entries, use.entries);
  if (before != 0) use.seconds = static_cast<double>(now - before) / 1000;
  KeptFigure since(figures, "thrash since", bookie.name, now, window);
  const auto since_before = since.before().value_or(0);
  if (is_thrash(use)) use.since_ms = since_before != 0 ? since_before : before;
  since.put(use.since_ms);
  return use.since_ms != 0 ? std::optional(use) : std::nullopt;
}

}  // namespace

std::vector<model::CacheThrash> observe_read_caches(const model::Snapshot& snapshot, const Limits& limits,
                                                    history::Figures& figures) {
  std::vector<model::CacheThrash> found;
  for (const auto& bookie : snapshot.bookies) {
    if (!bookie.reachable) continue;
    if (auto use = look(bookie, snapshot.at_ms, limits.disk_window, figures)) found.push_back(std::move(*use));
  }
  return found;
}

}  // namespace tidemark::detect
