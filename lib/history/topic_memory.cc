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

PackedTopic::Head PackedTopic::head() const {
  Head head;
  std::memcpy(&head, piece_.get(), sizeof head);
  return head;
}

void PackedTopic::assign(std::string_view name, Head head, std::string_view packed) {
  head.name = static_cast<std::uint32_t>(name.size());
  head.packed = static_cast<std::uint32_t>(packed.size());
  const auto size = sizeof head + name.size() + packed.size();
  if (!piece_ || bytes() != size) {
    auto piece = std::make_unique_for_overwrite<char[]>(size);
    std::copy(name.begin(), name.end(), piece.get() + sizeof head);
    piece_ = std::move(piece);
  }
  std::memcpy(piece_.get(), &head, sizeof head);
  std::copy(packed.begin(), packed.end(), piece_.get() + sizeof head + head.name);
}

// A record of the topic, then of each cursor its name and a record.
void PackedTopic::pack(Topic& topic, Packer& packer, std::string& scratch) {
  scratch.clear();
  const auto poll_ms = topic.whole.seen_ms;
  packer.begin(poll_ms);
  topic.whole.fields(packer);
  packer.end(scratch);
  for (auto& [name, history] : topic.cursors) {
    packer.begin(poll_ms);
    history.fields(packer, poll_ms);
    put_text(name, scratch);
    packer.end(scratch);
  }
  assign(name(), {poll_ms, 0, 0, static_cast<std::uint32_t>(topic.cursors.size())}, scratch);
}

bool PackedTopic::unpack(Topic& topic) const {
  const auto about = head();
  topic.whole = {};
  topic.whole.seen_ms = about.seen_ms;
  topic.cursors.resize(about.cursors);
  if (about.packed == 0) return about.cursors == 0;
  Unpacker unpacker({piece_.get() + sizeof about + about.name, about.packed});
  unpacker.begin(about.seen_ms);
  topic.whole.fields(unpacker);
  for (auto& [name, history] : topic.cursors) {
    name.assign(unpacker.text());
    unpacker.begin(about.seen_ms);
    std::destroy_at(&history);
    std::construct_at(&history);
    history.fields(unpacker, about.seen_ms);
  }
  return !unpacker.failed() && unpacker.at_end();
}

}  // namespace tidemark::history
