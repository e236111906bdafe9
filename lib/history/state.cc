#include "history/state.h"

#include <fmt/format.h>

#include <utility>

#include "history/packing.h"

namespace tidemark::history {
namespace {

// A topic's value: a record of these, then its packed memory.
struct TopicHead {
  TimeMs seen_ms = 0;
  std::uint64_t cursors = 0;

  template <class Archive>
  void fields(Archive& archive) {
    archive.time(seen_ms);
    archive.count(cursors);
  }
};

PackedTopic::Saved as_of(const PackedTopic& topic, TimeMs at) {
  return topic.seen_ms() == at ? PackedTopic::Saved::kSeen : PackedTopic::Saved::kMissed;
}

class Restoring final : public StateVisitor {
 public:
  explicit Restoring(History& history) : history_(history) {}

  void record(const FrameAbout& about, const Record& record) override {
    if (record.kind == Record::kFigure) put_figure(record);
    if (record.kind == Record::kTopic) put_topic(about, record);
  }

  void end_of_poll(const FrameAbout& about) override { last_ms_ = about.at_ms; }

  // What was not changed before the gap may have been changed in it.
  void gap() override {
    settle();
    history_.each_packed([](PackedTopic& topic) { topic.mark(PackedTopic::Saved::kNot); });
  }

  std::size_t unreadable() const { return unreadable_; }

  // Whatever was seen once and not written again was seen in every poll up to the last.
  void settle() {
    history_.each_packed([this](PackedTopic& topic) {
      if (topic.saved() != PackedTopic::Saved::kSeen) return;
      if (topic.seen_ms() > last_ms_) topic.mark(PackedTopic::Saved::kNot);  // of a poll that is not whole
      if (topic.seen_ms() < last_ms_) topic.seen_again(last_ms_);
    });
  }

 private:
  void put_topic(const FrameAbout& about, const Record& record) {
    Unpacker unpacker(record.value);
    unpacker.start(about.at_ms);
    unpacker.begin();
    TopicHead head;
    head.fields(unpacker);
    const auto packed = unpacker.rest();
    PackedTopic topic(history_.pieces(), record.key, head.seen_ms, head.cursors, packed);
    if (unpacker.failed() || !topic.unpack(open_)) {  // another program's, which should have another format
      ++unreadable_;
      return;
    }
    if (head.seen_ms == about.at_ms) topic.mark(PackedTopic::Saved::kSeen);
    history_.put_packed(std::move(topic));
  }

  void put_figure(const Record& record) {
    Series series;
    if (!series.unpack(record.value)) {
      ++unreadable_;
      return;
    }
    history_.figures().put(record.key, std::move(series));
  }

  History& history_;
  Topic open_;
  TimeMs last_ms_ = 0;
  std::size_t unreadable_ = 0;
};

void put_topic(const PackedTopic& topic, TimeMs at, Packer& packer, std::string& value, StateSink& sink) {
  TopicHead head{topic.seen_ms(), topic.cursors()};
  value.clear();
  packer.start(at);
  packer.begin();
  head.fields(packer);
  packer.end(value);
  value += topic.packed();
  sink.put({Record::kTopic, topic.name(), value});
}

// Figures are few, and each of them moves with every poll.
void put_figures(const Figures& figures, StateSink& sink) {
  std::string value;
  figures.each([&](std::string_view name, const Series& series) {
    value.clear();
    series.pack(value);
    sink.put({Record::kFigure, name, value});
  });
}

}  // namespace

Result<Restored> restore(StateFile& file, History& history) {
  Restoring restoring(history);
  auto found = file.read(restoring);
  if (!found) return found.error();
  restoring.settle();
  Restored restored;
  restored.topics = history.topics();
  restored.cursors = history.cursors();
  if (found->topics > restored.topics) restored.lost = found->topics - restored.topics;
  restored.written_ms = found->any ? found->written_ms : 0;
  restored.torn = found->torn;
  restored.problem = std::move(found->problem);
  restored.set_aside = std::move(found->set_aside);
  if (!restored.problem && restoring.unreadable() != 0) {
    restored.problem = fmt::format("has {} record(s) that cannot be read", restoring.unreadable());
    restored.set_aside = file.set_aside("damaged");
  }
  return restored;
}

Result<void> save(StateFile& file, History& history, TimeMs at) {
  const auto fill = [&](bool all) {
    return [&history, at, all](StateSink& sink) {
      put_figures(history.figures(), sink);
      Packer packer;
      std::string value;
      history.each_packed([&](PackedTopic& topic) {
        if (all || topic.saved() != as_of(topic, at)) put_topic(topic, at, packer, value, sink);
      });
    };
  };
  auto written = file.write(at, history.topics(), fill(false), fill(true));
  if (written) history.each_packed([at](PackedTopic& topic) { topic.mark(as_of(topic, at)); });
  return written;
}

}  // namespace tidemark::history
