// A topic of a sweep, name and object: the input up to the first line feed is the raw name. Also as a whole document.
#include "fuzz/fuzz.h"
#include "pulsar/topic_sweep.h"

namespace pulsar = tidemark::pulsar;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = tidemark::fuzz::text_of(data, size);
  const auto end = text.find('\n');
  const auto object = end == std::string_view::npos ? text : text.substr(end + 1);
  const auto topic = pulsar::decode_sweep_topic(text.substr(0, end), object);
  if (topic.has_error()) tidemark::fuzz::require(!topic.error().text().empty(), "an error without a text");

  std::int64_t items = 0;
  auto splitter = pulsar::split_sweep(4096, [&items](auto path, std::string_view item) -> tidemark::Result<void> {
    ++items;
    static_cast<void>(pulsar::decode_sweep_topic(path.back(), item).has_error());
    return {};
  });
  const auto fed = splitter.feed(text);
  tidemark::fuzz::require(fed.has_value(), "a splitter that can resync gave up");
  static_cast<void>(splitter.finish().has_error());
  tidemark::fuzz::require(items == splitter.items(), "items were miscounted");
  return 0;
}
