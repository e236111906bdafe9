// zlib's inflate with the gzip wrapper only: 'deflate' bodies are ambiguous on the web and nobody we ask sends them.

#include "http/inflate.h"

#include <zlib.h>

#include <new>
#include <string>

namespace tidemark::http {
namespace {

constexpr unsigned kPiece = 64 * 1024;
constexpr int kGzipWrapper = 16;

}  // namespace

Inflater::Inflater() : stream_(std::make_unique<z_stream_s>()), out_(std::make_unique<unsigned char[]>(kPiece)) {
  if (inflateInit2(stream_.get(), MAX_WBITS + kGzipWrapper) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() { inflateEnd(stream_.get()); }

Result<void> Inflater::feed(std::string_view bytes, const std::function<Result<void>(std::string_view)>& sink) {
  // zlib's interface is older than const; it does not write to its input.
  stream_->next_in = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
  stream_->avail_in = static_cast<unsigned>(bytes.size());
  bool more_output = true;
  while (stream_->avail_in > 0 || more_output) {
    if (complete_) {
      if (stream_->avail_in == 0) break;
      inflateReset(stream_.get());
      complete_ = false;
    }
    stream_->next_out = out_.get();
    stream_->avail_out = kPiece;
    const int code = inflate(stream_.get(), Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      return Error{Errc::kMalformed, std::string("the gzip body is damaged") +
                                         (stream_->msg != nullptr ? std::string(": ") + stream_->msg : std::string())};
    }
    complete_ = code == Z_STREAM_END;
    more_output = stream_->avail_out == 0;
    const std::size_t made = kPiece - stream_->avail_out;
    if (made == 0) continue;
    if (auto taken = sink({reinterpret_cast<const char*>(out_.get()), made}); !taken) return taken;
  }
  return {};
}

}  // namespace tidemark::http
