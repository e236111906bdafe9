#pragma once
// Answers that repeat the credentials of their request: a debugging proxy, an error page with the request's headers in
// it. They are refused here, before anything can show, log or record them. Private to this room.

#include <string>
#include <string_view>

#include "http/client.h"

namespace tidemark::http {

// `sink`, with a watch for the secret of `authorization` in front of it, wherever the pieces are cut; kMalformed when
// it comes. As it is where there is no secret, or one so short that it may well stand there by chance.
BodySink guarded(std::string_view authorization, BodySink sink);

// The same for a text at hand.
bool repeats(std::string_view authorization, std::string_view text);

}  // namespace tidemark::http
