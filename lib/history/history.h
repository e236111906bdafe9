#pragma once
// The memory of the daemon: one CursorHistory for each durable cursor it ever saw, by topic and name. Owned by whoever
// judges; one thread at a time. Cursors that are gone are kept for `keep_removed` and then forgotten.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "history/cursor_history.h"
#include "model/snapshot.h"

namespace tidemark::history {

class History {
 public:
  explicit History(Tuning tuning = {}) : tuning_(tuning) {}

  // From the next observe() on.
  void retune(Tuning tuning) { tuning_ = tuning; }

  // Takes in a whole snapshot; call once per poll, before judging it.
  void observe(const model::Snapshot& snapshot);

  // Never empty after observe() of a snapshot that holds the cursor. Valid until the next observe().
  CursorHistory* find(std::string_view topic, std::string_view cursor);

  // Those of a topic by name, the removed ones too. Empty map when none. Valid until the next observe().
  const std::map<std::string, CursorHistory, std::less<>>& of_topic(std::string_view topic) const;

  // Drops what was not listed for `keep`.
  void forget_unseen(TimeMs now, Duration keep);

  std::size_t cursors() const;
  std::size_t bytes() const;  // an estimate from counts and string lengths

 private:
  using Cursors = std::map<std::string, CursorHistory, std::less<>>;

  Tuning tuning_;
  std::map<std::string, Cursors, std::less<>> topics_;
};

}  // namespace tidemark::history
