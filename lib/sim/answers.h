#pragma once
// From a request to an answer, as a broker or a bookie would give it: who owns the topic, what a GET loads,
// which error comes in which form. It reads paths by itself and not with lib/pulsar's functions: a fault there must not
// meet its own mirror image here.

#include <cstddef>
#include <cstdint>
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

// What is asked; a path with its query, as on the request line. Of what writes only what an operator's clean-up needs
// is understood: DELETE of a subscription, PUT of a bookie's /api/v1/bookie/state/readonly and gc.
struct Query {
  std::string_view path;
  std::string_view method = "GET";
  std::string_view body = {};
};

Reply broker_reply(World& world, std::size_t broker, const Query& query);
Reply bookie_reply(World& world, std::size_t bookie, const Query& query);

}  // namespace tidemark::sim
