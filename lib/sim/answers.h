#pragma once
// From a request's path to an answer, as a broker or a bookie would give it: who owns the topic, what a GET loads,
// which error comes in which form. It reads paths by itself and not with lib/pulsar's functions: a fault there must not
// meet its own mirror image here.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace tidemark::sim {

class World;

struct Reply {
  int status = 0;  // 0 = nobody is there
  std::string content_type = "application/json";
  std::string body;
  std::string location;  // of a redirect

  // What a fault makes of it (sim/faults.h).
  bool lost = false;
  std::optional<std::size_t> cut_after;
  Duration delay{0};
};

// `path` with its query, as on the request line.
Reply broker_reply(World& world, std::size_t broker, std::string_view path);
Reply bookie_reply(const World& world, std::size_t bookie, std::string_view path);

}  // namespace tidemark::sim
