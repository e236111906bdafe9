#include "bookie/info.h"

#include "formats/shape.h"

namespace tidemark::bookie {
namespace {

const formats::Shape<Info>& info_shape() {
  static const auto shape = [] {
    formats::Shape<Info> made;
    made.value<&Info::free_bytes>("freeSpace").value<&Info::total_bytes>("totalSpace");
    return made;
  }();
  return shape;
}

}  // namespace

Result<Info> decode_info(std::string_view body) {
  Info read{-1, -1};
  if (auto done = formats::read_shape("bookie info", body, info_shape(), read); done.has_error()) return done.error();
  if (read.free_bytes < 0 || read.total_bytes <= 0 || read.free_bytes > read.total_bytes) {
    return Error{Errc::kMalformed, "bookie info: no freeSpace within a totalSpace"};
  }
  return read;
}

}  // namespace tidemark::bookie
