// Any cutting gives the same items, the same count of lost ones and the same error. The first three bytes of the input
// choose depth, resync, cap and cutting.
#include "formats/split.h"
#include "fuzz/fuzz.h"

namespace formats = tidemark::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const int depth = 1 + data[0] % 4;
  const auto resync = (data[0] & 4) != 0 ? formats::testing::topic_resync() : formats::Resync{};
  const std::size_t cap = data[1] < 128 ? data[1] : 1U << 20U;
  std::uint32_t state = data[2];
  const auto text = tidemark::fuzz::text_of(data + 3, size - 3);
  const auto whole = formats::testing::split_whole(text, depth, cap, resync);
  const auto pieces = formats::testing::split_by(text, depth, cap, resync, [&state]() -> std::size_t {
    state = state * 1664525U + 1013904223U;
    return (state >> 24U) % 23U;
  });
  const auto bytes = formats::testing::split_in(1, text, depth, cap, resync);
  tidemark::fuzz::require(whole == pieces && whole == bytes, "another cutting gives other items");
  return 0;
}
