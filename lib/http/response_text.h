#pragma once
// A ServerResponse as bytes, in pieces small enough to bound each write. No socket. Private to this room.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/time.h"
#include "http/server.h"

namespace tidemark::http {

struct Framing {
  bool head_only = false;  // a HEAD request
  bool keep_alive = true;
};

// Status line and headers, with the empty line.
std::string response_head(const ServerResponse& response, Framing framing, TimeMs now);

// The body as it goes over the wire. The response must stay while this is used.
class BodyPieces {
 public:
  BodyPieces(const ServerResponse& response, Framing framing);

  // About 64 KiB, valid until the next call; empty when there is no more.
  std::string_view next();

  // Ended by cut_after: the socket must be closed now.
  bool cut() const { return cut_; }

 private:
  std::string_view next_chunks();

  std::string_view body_;
  std::size_t chunk_;  // 0 = not chunked
  std::size_t end_;    // of what is sent of body_
  bool cut_ = false;
  std::size_t at_ = 0;
  bool finished_ = false;
  std::string chunks_;
};

}  // namespace tidemark::http
