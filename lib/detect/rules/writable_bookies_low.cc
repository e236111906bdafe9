// Writes fail, or will with the next bookie: a ledger needs as many bookies that take writes as it is spread over. Only
// what bookies or topics say themselves counts; one whose metrics cannot be read may well take writes.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "detect/disks.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr int kReadOnly = 0;
constexpr int kUnregistered = -1;
constexpr Duration kStarting{5LL * 60000};  // a bookie that starts is unregistered for some seconds

struct Bookies {
  std::int64_t all = 0;
  std::int64_t read_only = 0;
  std::int64_t unregistered = 0;
  std::int64_t silent = 0;   // of those that take writes, as far as is known
  std::int64_t filling = 0;  // likewise: their disks are full in sight

  std::int64_t writable() const { return all - read_only - unregistered; }
};

bool fills(const ClusterCase& c, const std::string& bookie) {
  const auto& disks = c.verdicts.disks;
  return std::any_of(disks.begin(), disks.end(),
                     [&](const auto& disk) { return disk.bookie == bookie && is_in_sight(disk); });
}

Bookies count(const ClusterCase& c) {
  Bookies bookies;
  for (const auto& bookie : c.snapshot.bookies) {
    ++bookies.all;
    if (bookie.status == kReadOnly) {
      ++bookies.read_only;
    } else if (bookie.status == kUnregistered && c.snapshot.at_ms - bookie.status_since_ms >= kStarting.count()) {
      ++bookies.unregistered;
    } else {
      bookies.silent += bookie.reachable ? 0 : 1;
      bookies.filling += fills(c, bookie.name) ? 1 : 0;
    }
  }
  return bookies;
}

// The largest in use; empty where none is known.
std::optional<std::int64_t> largest_ensemble(const model::Snapshot& snapshot) {
  auto largest = snapshot.defaults.ensemble;
  for (const auto& [name, ns] : snapshot.namespaces) largest = std::max(largest, ns.ensemble);
  return largest;
}

struct Failing {
  std::int64_t topics = 0;
  std::string first;
};

Failing failing_topics(const model::Snapshot& snapshot) {
  Failing failing;
  for (const auto& topic : snapshot.topics) {
    const bool fresh = snapshot.at_ms - topic->internal_at_ms <= (topic->reask + 2 * snapshot.interval).count();
    if (!topic->last_ledger_failed || !fresh || topic->loaded == model::Loaded::kNo) continue;
    if (failing.topics++ == 0) failing.first = topic->name;
  }
  return failing;
}

std::string summary_of(const Bookies& bookies, std::optional<std::int64_t> ensemble, const Failing& failing) {
  if (failing.topics > 0)
    return fmt::format("{} topics cannot begin a ledger, {} for one", failing.topics, failing.first);
  if (bookies.writable() < *ensemble) {
    return fmt::format("{} of {} bookies take writes, a ledger needs {}", bookies.writable(), bookies.all, *ensemble);
  }
  if (bookies.writable() - bookies.filling < *ensemble && bookies.filling > 0) {
    return fmt::format("{} of {} bookies take writes, the disks of {} will be full, a ledger needs {}",
                       bookies.writable(), bookies.all, bookies.filling, *ensemble);
  }
  return fmt::format("{} of {} bookies take writes, as many as a ledger needs: with one less writes fail",
                     bookies.writable(), bookies.all);
}

}  // namespace

void writable_bookies_low(const ClusterCase& c, Findings& out) {
  const auto bookies = count(c);
  const auto failing = failing_topics(c.snapshot);
  const auto ensemble = largest_ensemble(c.snapshot);
  // Fewer than a ledger needs in all: the list is not the cluster's.
  const bool countable = ensemble && bookies.all >= *ensemble;
  const bool low = failing.topics > 0 || (countable && bookies.writable() < *ensemble);
  // All of a small cluster are needed always; that is no news until one is lost.
  const bool last = countable && bookies.read_only > 0 && bookies.writable() == *ensemble;
  const bool next = countable && bookies.filling > 0 && bookies.writable() - bookies.filling < *ensemble;
  if (!low && !last && !next) return;
  auto finding = finding_of(model::Rule::kWritableBookiesLow, c.snapshot.cluster);
  if (!low) finding.severity = model::Severity::kWarning;
  finding.summary = summary_of(bookies, ensemble, failing);
  finding.evidence = {{"bookies", bookies.all},
                      {"writable", bookies.writable()},
                      {"read_only", bookies.read_only},
                      {"unregistered", bookies.unregistered},
                      {"silent", bookies.silent},
                      {"disks_will_be_full", bookies.filling},
                      {"ensemble_size", ensemble ? model::Fact(*ensemble) : model::Fact(nullptr)},
                      {"topics_without_ledger", failing.topics}};
  out.push_back(std::move(finding));
}

}  // namespace tidemark::detect::rules
