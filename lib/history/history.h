#pragma once
// The memory of the daemon: what every durable cursor did that it ever saw, by topic and name. Kept packed, because
// there may be millions; one topic at a time is opened, told what is new, judged and packed again. Owned by whoever
// judges; one thread at a time. Cursors that are gone are kept for Tuning::keep_removed and then forgotten. Bounded,
// whatever names come: see Tuning.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "history/cursor_history.h"
#include "history/exported.h"
#include "history/figures.h"
#include "history/gone.h"
#include "history/topic_history.h"
#include "history/topic_memory.h"
#include "model/snapshot.h"

namespace tidemark::history {

class History {
 public:
  explicit History(Tuning tuning = {})
      : tuning_(tuning), store_(std::make_unique<Store>()), figures_(tuning.max_figures) {}

  // From the next observe() on.
  void retune(Tuning tuning) {
    tuning_ = tuning;
    figures_.limit(tuning.max_figures);
  }

  // What is remembered of a topic, and of its cursors in the order of the view; null for readers, which have no memory.
  // Whatever is changed in them is kept. Good until the walk goes on or ends.
  struct Seen {
    Topic& topic;
    std::span<CursorHistory* const> cursors;
  };

  // Takes in a snapshot topic by topic, once per poll; a topic is judged after it was observed. Both it and the memory
  // are ordered by topic and cursor, so that one walk along both finds all. The last topic is kept when the walk ends,
  // and only then the memory may be looked at.
  class Walk {
   public:
    Walk(History& history, const model::Snapshot& snapshot) : history_(history), snapshot_(snapshot) {}
    ~Walk();
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    // `topic` as it is known now, each once. Topics, and cursors in them, should come by name, ascending.
    Seen observe(const model::TopicView& topic);

   private:
    void open(const model::TopicView& topic);
    void keep();
    void find_cursors(const model::TopicView& topic);
    void add_missing(const model::TopicView& topic);
    void refuse(const model::TopicView& topic);
    void take_leave(const model::TopicView& topic);
    void recognise(const model::TopicView& topic, const model::CursorView& cursor, bool placed, CursorHistory& history);

    History& history_;
    const model::Snapshot& snapshot_;
    std::size_t at_ = 0;              // in the memory: all before it are behind us
    std::vector<PackedTopic> added_;  // not known before
    PackedTopic* place_ = nullptr;    // where open_ belongs; null: nowhere
    Topic open_;
    std::vector<CursorHistory*> seen_;
    Packer packer_;
    std::string packed_;
  };

  // What others exported of cursors: taken in as each of them is observed with a position, then dropped.
  void expect(ExportedCursors exported) { exported_ = std::move(exported); }
  // Cursors without a consumer that were first seen at a place since the last call, and of which nothing was exported.
  std::size_t take_strangers() { return std::exchange(strangers_, 0); }

  // What had no place since the last call.
  struct Overflow {
    std::size_t topics = 0;
    std::size_t cursors = 0;  // those of such topics, too
    std::size_t figures = 0;
    std::size_t gone = 0;  // cursors and topics that are gone and were forgotten before their time
  };
  Overflow take_overflow();

  // The whole walk at once.
  void observe(const model::Snapshot& snapshot);

  // As they are kept. Empty: nothing is known of it. Each unpacks the whole topic.
  std::optional<Topic> all_of(std::string_view topic) const;
  std::optional<CursorHistory> find(std::string_view topic, std::string_view cursor) const;
  std::optional<TopicHistory> topic(std::string_view topic) const;

  // Topics that the snapshot of `now`, which was walked through, does not have and one within kShowRemoved had.
  // `visit(name, memory)` may change the memory.
  void each_missing(TimeMs now, const std::function<void(std::string_view, Topic&)>& visit);

  // Of what is neither a topic nor a cursor. Whoever judges adds to them.
  Figures& figures() { return figures_; }
  const Figures& figures() const { return figures_; }

  // Ends the poll of `now`. Drops the topics that were in no snapshot, and the figures that had no look, for
  // Tuning::keep_removed, and what is too much.
  void forget_unseen(TimeMs now);

  // For who saves and restores it (history/state.h): every topic as it is kept, whose bytes stay as they are; and one
  // as it was kept, made of pieces(), instead of what is known of it.
  void each_packed(const std::function<void(PackedTopic&)>& visit);
  void put_packed(PackedTopic topic);
  Pieces& pieces() { return store_->pieces; }

  std::size_t topics() const { return store_->topics.size(); }
  std::size_t cursors() const { return cursors_; }
  std::size_t bytes() const { return bytes_; }  // resident, but for blocks that are not full; without the figures

 private:
  struct Store {
    Pieces pieces;
    std::vector<PackedTopic> topics;  // by name, ascending
  };

  const PackedTopic* packed(std::string_view topic) const;
  void compact();
  void count(const PackedTopic& topic, int sign);
  std::size_t room() const { return tuning_.max_bytes > bytes_ ? tuning_.max_bytes - bytes_ : 0; }
  void drop_cursors(std::vector<std::pair<std::string, CursorHistory>>& cursors, TimeMs now);
  bool drops(const PackedTopic& topic, TimeMs now);

  Tuning tuning_;
  std::unique_ptr<Store> store_;
  ExportedCursors exported_;
  std::size_t strangers_ = 0;
  Overflow overflow_;
  bool crowded_ = false;  // somebody of this poll had no place
  Gone gone_;
  Figures figures_;
  std::size_t cursors_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tidemark::history
