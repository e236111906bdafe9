#include "bookie/suspension.h"

#include "bookie/flag.h"
#include "formats/shape.h"

namespace tidemark::bookie {
namespace {

using formats::Scalar;

template <auto Member>
void set_flag(Suspension& self, const Scalar& value) {
  self.*Member = as_flag(value);
}

}  // namespace

Result<Suspension> decode_suspension(std::string_view body) {
  static const auto shape = [] {
    formats::Shape<Suspension> made;
    made.set<set_flag<&Suspension::major>>("isMajorGcSuspended")
        .set<set_flag<&Suspension::minor>>("isMinorGcSuspended");
    return made;
  }();
  Suspension read;
  if (auto done = formats::read_shape("bookie suspension", body, shape, read); done.has_error()) return done.error();
  if (!read.major && !read.minor) return Error{Errc::kMalformed, "bookie suspension: tells of no compaction"};
  return read;
}

}  // namespace tidemark::bookie
