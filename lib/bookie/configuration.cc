#include "bookie/configuration.h"

#include <charconv>

#include "bookie/flag.h"
#include "formats/shape.h"

namespace tidemark::bookie {
namespace {

using formats::Scalar;
using formats::Shape;

// A text like "0.90"; what is no share of a disk is as good as unset.
template <auto Member>
void set_share(Configuration& self, const Scalar& value) {
  auto share = value.as_real();
  if (const auto text = value.as_text()) {
    double number = 0;
    const auto got = std::from_chars(text->data(), text->data() + text->size(), number);
    if (got.ec == std::errc{} && got.ptr == text->data() + text->size()) share = number;
  }
  self.*Member = share && *share > 0 && *share < 1 ? share : std::nullopt;
}

void set_forced(Configuration& self, const Scalar& value) { self.forced_when_full = as_flag(value); }

const Shape<Configuration>& configuration_shape() {
  static const auto shape = [] {
    Shape<Configuration> made;
    made.set<set_share<&Configuration::disk_usage_threshold>>("diskUsageThreshold")
        .set<set_share<&Configuration::disk_usage_warn_threshold>>("diskUsageWarnThreshold")
        .set<set_forced>("isForceGCAllowWhenNoSpace");
    return made;
  }();
  return shape;
}

}  // namespace

Result<Configuration> decode_configuration(std::string_view body) {
  Configuration read;
  if (auto done = formats::read_shape("bookie configuration", body, configuration_shape(), read); done.has_error()) {
    return done.error();
  }
  return read;
}

}  // namespace tidemark::bookie
