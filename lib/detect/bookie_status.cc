#include "detect/bookie_status.h"

#include <algorithm>
#include <string_view>

#include "detect/kept_figure.h"

namespace tidemark::detect {
namespace {

constexpr std::string_view kStatus = "bookie status";
constexpr std::string_view kSince = "bookie stands since";
constexpr Duration kWindow{24LL * 3600000};  // of which the last one counts

}  // namespace

void observe_bookie_status(const model::Snapshot& snapshot, history::Figures& figures) {
  for (const auto& bookie : snapshot.bookies) {
    if (!bookie.status) continue;
    KeptFigure(figures, kStatus, bookie.name, snapshot.at_ms, kWindow).put(*bookie.status);
    KeptFigure(figures, kSince, bookie.name, snapshot.at_ms, kWindow).put(bookie.status_since_ms);
  }
}

std::vector<KnownBookie> known_bookies(const history::Figures& figures) {
  std::vector<KnownBookie> known;
  TimeMs newest = 0;
  std::vector<TimeMs> seen;
  figures.each([&](std::string_view figure, const history::Series& series) {
    const auto front = std::string(kStatus) + " ";
    const auto name = figure.starts_with(front) ? figure.substr(front.size()) : std::string_view();
    const auto* since = figures.find(std::string(kSince) + " " + std::string(name));
    if (name.empty() || since == nullptr) return;
    known.push_back({std::string(name), static_cast<int>(series.last_value()), since->last_value()});
    seen.push_back(series.last_ms());
    newest = std::max(newest, series.last_ms());
  });
  std::size_t i = 0;
  std::erase_if(known, [&](const auto&) { return seen[i++] != newest; });
  return known;
}

}  // namespace tidemark::detect
