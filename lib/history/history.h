#pragma once
// The memory of the daemon: one CursorHistory for each durable cursor it ever saw, by topic and name. Owned by whoever
// judges; one thread at a time. Cursors that are gone are kept for `keep_removed` and then forgotten.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "history/cursor_history.h"
#include "history/topic_history.h"
#include "model/snapshot.h"

namespace tidemark::history {

class History {
 public:
  using Cursors = std::map<std::string, CursorHistory, std::less<>>;
  struct Topic {
    Cursors cursors;  // the removed ones too
    TopicHistory whole;
  };

  explicit History(Tuning tuning = {}) : tuning_(tuning) {}

  // From the next observe() on.
  void retune(Tuning tuning) { tuning_ = tuning; }

  // What is remembered of a topic, and of its cursors in the order of the view; null for readers, which have no memory.
  // Good until the walk goes on.
  struct Seen {
    Topic& topic;
    std::span<CursorHistory* const> cursors;
  };

  // Takes in a snapshot topic by topic, once per poll; a topic is judged after it was observed. Both it and the memory
  // are ordered by topic and cursor, so that one walk along both finds all. Ends with the History, or with another
  // walk.
  class Walk {
   public:
    Walk(History& history, const model::Snapshot& snapshot)
        : history_(history), snapshot_(snapshot), at_(history.topics_.begin()) {}

    // `topic` as it is known now. Topics, and cursors in them, should come by name, ascending.
    Seen observe(const model::TopicView& topic);

   private:
    Topic& of(const model::TopicView& topic);

    History& history_;
    const model::Snapshot& snapshot_;
    std::map<std::string, Topic, std::less<>>::iterator at_;
    Topic none_;
    std::vector<CursorHistory*> seen_;
  };

  // The whole walk at once.
  void observe(const model::Snapshot& snapshot);

  // Never empty after observe() of a snapshot that holds the cursor. Valid until the next observe().
  CursorHistory* find(std::string_view topic, std::string_view cursor);

  // Of the topic as a whole: likewise, for every topic with cursors or ledgers.
  TopicHistory* topic(std::string_view topic);
  const TopicHistory* topic(std::string_view topic) const;

  // Drops what was not listed for `keep`.
  void forget_unseen(TimeMs now, Duration keep);

  std::size_t cursors() const;
  std::size_t bytes() const;  // an estimate from counts and string lengths

 private:
  Tuning tuning_;
  std::map<std::string, Topic, std::less<>> topics_;
};

}  // namespace tidemark::history
