#pragma once
// Runs a text through a MemberSplitter in given pieces and keeps everything it said, so that two cuttings can be
// compared.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/member_splitter.h"

namespace tidemark::formats::testing {

inline Resync topic_resync() {
  return {.key_prefixes = {"persistent://", "non-persistent://"}, .free_member = "subscriptions"};
}

struct SplitResult {
  std::vector<std::string> items;  // "key/key: text"
  std::int64_t skipped = 0;
  Errc code = Errc::kNone;
  std::string error;

  bool operator==(const SplitResult&) const = default;
};

// `cut()` gives the size of the next piece.
template <class Cut>
SplitResult split_by(std::string_view text, int depth, std::size_t cap, const Resync& resync, Cut cut) {
  SplitResult result;
  MemberSplitter splitter(
      depth, cap,
      [&result](MemberSplitter::Path path, std::string_view item) -> Result<void> {
        std::string line = path.front();
        for (const auto& key : path.subspan(1)) line += "/" + key;
        result.items.push_back(line + ": " + std::string(item));
        return {};
      },
      resync);
  Result<void> done;
  while (!text.empty() && done.has_value()) {
    const auto piece = text.substr(0, cut());
    done = splitter.feed(piece);
    text.remove_prefix(piece.size());
  }
  if (done.has_value()) done = splitter.finish();
  if (done.has_error()) {
    result.code = done.error().code();
    result.error = done.error().text();
  }
  result.skipped = splitter.skipped_items();
  return result;
}

inline SplitResult split_whole(std::string_view text, int depth, std::size_t cap = 1U << 20U,
                               const Resync& resync = {}) {
  return split_by(text, depth, cap, resync, [] { return std::string_view::npos; });
}

inline SplitResult split_in(std::size_t size, std::string_view text, int depth, std::size_t cap = 1U << 20U,
                            const Resync& resync = {}) {
  return split_by(text, depth, cap, resync, [size] { return size; });
}

}  // namespace tidemark::formats::testing
