#pragma once
// The bytes of a state file: frames one after the other, each a part of one poll. A frame is a head of fixed size,
// which is a skippable frame to zstd, and records compressed by zstd with its checksum; so `zstd -t FILE` tests a state
// file. What a flipped bit makes of a frame is refused, and the next frame is found by its mark. docs/state.md

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace tidemark::history {

// Rises with any change of what a record means: docs/state.md.
constexpr std::uint32_t kStateFormat = 2;

// Who wrote a frame, when and which.
struct FrameAbout {
  TimeMs at_ms = 0;          // start of the poll
  std::uint64_t number = 0;  // counts the frames of a file from 0
  std::string cluster;
  std::string version;       // Tidemark's
  bool last = false;         // of its poll, which is whole with it
  std::uint64_t topics = 0;  // with `last`: that are known then

  template <class Archive>
  void fields(Archive& archive) {
    archive.time(at_ms);
    archive.count(number);
    archive.flag(last);
    archive.count(topics);
  }
};

// One thing that is remembered; the newest record of a kind and key counts. The letters of kinds stay what they are.
struct Record {
  enum Kind : char { kTopic = 't', kFigure = 'f' };
  char kind = 0;
  std::string_view key;
  std::string_view value;
};

constexpr std::size_t kFrameHead = 28;
constexpr std::size_t kLargestFrame = 64 << 20;  // compressed or not
constexpr std::string_view kFrameMark{"\x50\x2a\x4d\x18\x14\0\0\0TIDEMARK", 16};

struct FrameHead {
  std::uint32_t format = 0;
  std::uint32_t size = 0;  // of what follows the head
};

// Empty: no head, or a damaged one. `bytes`: kFrameHead of them.
std::optional<FrameHead> read_frame_head(std::string_view bytes);

void put_record(const Record& record, std::string& records);

class FrameWriter {
 public:
  FrameWriter();
  // Appends a frame with these records to `out`.
  void add(const FrameAbout& about, std::string_view records, std::string& out);

 private:
  struct Close {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Close> context_;
  std::string plain_;
};

class FrameReader {
 public:
  FrameReader();
  // Of what follows a head. Empty: damaged, and nothing was visited. Views in a record are good during the call.
  std::optional<FrameAbout> read(std::string_view body,
                                 const std::function<void(const FrameAbout&, const Record&)>& visit);

 private:
  struct Close {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Close> context_;
  std::string plain_;
};

}  // namespace tidemark::history
