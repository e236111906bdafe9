// Every line is a sample, a bad line, a comment or blank; samples are views into the text.
#include <algorithm>

#include "bookie/metrics.h"
#include "formats/metrics_reader.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = tidemark::fuzz::text_of(data, size);
  tidemark::formats::MetricsReader reader(text);
  std::int64_t samples = 0;
  while (const auto sample = reader.next()) {
    ++samples;
    const bool inside = sample->name.data() >= text.data() && sample->name.data() < text.data() + text.size();
    tidemark::fuzz::require(inside && !sample->name.empty(), "a name from elsewhere");
    static_cast<void>(tidemark::formats::label_of(sample->labels, "success"));
  }
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  tidemark::fuzz::require(samples + reader.bad_lines() <= lines, "more samples than lines");
  static_cast<void>(tidemark::bookie::decode_metrics(text).has_error());
  return 0;
}
