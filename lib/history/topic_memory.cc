#include "history/topic_memory.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace tidemark::history {

const CursorHistory* Topic::find(std::string_view cursor) const {
  const auto at = std::lower_bound(cursors.begin(), cursors.end(), cursor,
                                   [](const auto& known, std::string_view name) { return known.first < name; });
  return at != cursors.end() && at->first == cursor ? &at->second : nullptr;
}

PackedTopic::Head PackedTopic::head_of(const char* piece) {
  Head head;
  std::memcpy(&head, piece, sizeof head);
  return head;
}

void PackedTopic::assign(std::string_view name, Head head, std::string_view packed) {
  head.name = static_cast<std::uint32_t>(name.size());
  head.packed = static_cast<std::uint32_t>(packed.size());
  const auto size = size_of(head);
  if (!piece_ || bytes() != size) {
    const auto& pieces = piece_.get_deleter();
    std::unique_ptr<char[], GiveBack> piece(pieces.pieces->take(size), pieces);
    std::copy(name.begin(), name.end(), piece.get() + sizeof head);
    std::memcpy(piece.get(), &head, sizeof head);
    piece_ = std::move(piece);
  }
  std::memcpy(piece_.get(), &head, sizeof head);
  std::copy(packed.begin(), packed.end(), piece_.get() + sizeof head + head.name);
}

PackedTopic::PackedTopic(Pieces& pieces, std::string_view name, TimeMs seen_ms, std::size_t cursors,
                         std::string_view packed)
    : piece_(nullptr, {&pieces}) {
  assign(name, {seen_ms, 0, 0, static_cast<std::uint32_t>(cursors)}, packed);
}

void PackedTopic::mark(Saved saved) {
  auto changed = head();
  changed.saved = saved;
  std::memcpy(piece_.get(), &changed, sizeof changed);
}

void PackedTopic::seen_again(TimeMs now) {
  auto changed = head();
  changed.seen_ms = now;
  std::memcpy(piece_.get(), &changed, sizeof changed);
}

// A record of the topic, then of each cursor its name and a record.
void PackedTopic::pack(Topic& topic, Packer& packer, std::string& scratch) {
  scratch.clear();
  const auto poll_ms = topic.whole.seen_ms;
  packer.start(poll_ms);
  packer.begin();
  topic.whole.fields(packer);
  packer.end(scratch);
  for (auto& [name, history] : topic.cursors) {
    packer.begin();
    history.fields(packer, poll_ms);
    put_text(name, scratch);
    packer.end(scratch);
  }
  auto saved = head().saved;
  if (scratch != packed() || (saved == Saved::kMissed && poll_ms != seen_ms())) saved = Saved::kNot;
  assign(name(), {poll_ms, 0, 0, static_cast<std::uint32_t>(topic.cursors.size()), saved}, scratch);
}

bool PackedTopic::unpack(Topic& topic) const {
  const auto about = head();
  topic.whole = {};
  topic.whole.seen_ms = about.seen_ms;
  const bool plausible = about.packed != 0 && about.cursors <= about.packed;
  topic.cursors.resize(plausible ? about.cursors : 0);  // those that are there already are used again
  if (!plausible) return about.cursors == 0;
  Unpacker unpacker({piece_.get() + sizeof about + about.name, about.packed});
  unpacker.start(about.seen_ms);
  unpacker.begin();
  topic.whole.fields(unpacker);
  for (auto& [name, history] : topic.cursors) {
    name.assign(unpacker.text());
    unpacker.begin();
    std::destroy_at(&history);
    std::construct_at(&history);
    history.fields(unpacker, about.seen_ms);
  }
  return !unpacker.failed() && unpacker.at_end();
}

}  // namespace tidemark::history
