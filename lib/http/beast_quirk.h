#pragma once
// One fault of Beast 1.81 that both of our parsers have to step around. Private to this room.

#include <cstddef>

namespace tidemark::http {

// An empty chunked body ("0\r\n\r\n") that arrives in pieces runs into an assertion of Beast, which takes for granted
// that another chunk came before. No chunked body is shorter than that, so waiting for five bytes loses nothing.
template <class Parser>
bool waits_for_first_chunk(const Parser& parser, std::size_t body_bytes_so_far, std::size_t at_hand) {
  constexpr std::size_t kShortestChunkedBody = 5;
  return parser.is_header_done() && parser.chunked() && body_bytes_so_far == 0 && at_hand < kShortestChunkedBody;
}

}  // namespace tidemark::http
