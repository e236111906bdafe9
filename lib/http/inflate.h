#pragma once
// gzip as a stream: bytes in as they come, decoded bytes out in pieces of at most 64 KiB, so a small body that unpacks
// to gigabytes meets the receiver's cap instead of our memory. Private to this room.

#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"

struct z_stream_s;  // NOLINT(readability-identifier-naming): zlib's name

namespace tidemark::http {

class Inflater {
 public:
  Inflater();
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Several gzip members in a row are one body. kMalformed when it is not gzip; an Error of `sink` is passed on.
  Result<void> feed(std::string_view bytes, const std::function<Result<void>(std::string_view)>& sink);

  // The last member's trailer was seen.
  bool complete() const { return complete_; }

 private:
  std::unique_ptr<z_stream_s> stream_;
  std::unique_ptr<unsigned char[]> out_;
  bool complete_ = false;
};

}  // namespace tidemark::http
