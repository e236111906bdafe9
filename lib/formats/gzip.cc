#include "formats/gzip.h"

#include <zlib.h>

#include <stdexcept>

namespace tidemark::formats {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, in gzip framing

// zlib's interface predates const.
Bytef* input_of(std::string_view text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); }

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = input_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (done != Z_STREAM_END) throw std::logic_error("gzip: the bound was too small");
  return out;
}

Result<std::string> gunzip(std::string_view bytes, std::size_t max_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  stream.next_in = input_of(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int done = Z_OK;
  char piece[16384];
  while (done == Z_OK && out.size() <= max_bytes) {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    done = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, sizeof piece - stream.avail_out);
  }
  inflateEnd(&stream);
  if (out.size() > max_bytes) return Error{Errc::kTooLarge, "gzip: the text is larger than allowed"};
  if (done == Z_STREAM_END) return out;
  return Error{done == Z_BUF_ERROR ? Errc::kTruncated : Errc::kMalformed, "gzip: damaged or cut off"};
}

}  // namespace tidemark::formats
