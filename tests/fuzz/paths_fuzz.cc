// The input as a path: reading is harmless, and what was read as a topic's document is read again from our own path.
// The input as a topic name: our path says the same name.
#include "fuzz/fuzz.h"
#include "model/names.h"
#include "pulsar/paths.h"

namespace pulsar = tidemark::pulsar;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = tidemark::fuzz::text_of(data, size);
  const auto route = pulsar::parse_path(text);
  if (!route.topic.empty()) {
    const auto again = pulsar::parse_path(pulsar::stats_path(route.topic));
    tidemark::fuzz::require(again.topic == route.topic && again.ns == route.ns,
                            "a topic that its own path does not say");
  }
  if (tidemark::model::parse_topic(text)) {
    const auto made = pulsar::parse_path(pulsar::internal_info_path(text));
    tidemark::fuzz::require(made.topic == text, "a topic name that its path does not say");
    tidemark::fuzz::require(made.endpoint == pulsar::Endpoint::kInternalInfo, "another document");
  }
  static_cast<void>(pulsar::policies_path(text));
  static_cast<void>(pulsar::namespaces_path(text));
  return 0;
}
