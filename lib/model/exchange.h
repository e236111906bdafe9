#pragma once
// One question and its answer: the unit of everything that comes in. Live HTTP, a recording and the simulator are three
// sources of one stream of these; from `survey` on nobody can tell them apart.

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace tidemark::model {

enum class Target { kBroker, kBookie };

inline const char* name_of(Target target) { return target == Target::kBroker ? "broker" : "bookie"; }

struct Exchange {
  TimeMs at_ms = 0;  // start of the poll it belongs to, the same for all of one poll
  Target target = Target::kBroker;
  std::string name;  // who answered, "host:port"
  std::string path;  // of the request, query included; matching ignores the query
  int status = 0;    // HTTP status; 0 = no answer (refused, timed out)
  std::string body;  // JSON or text as received; empty for a streamed document, whose parts went to the survey directly
  std::optional<Duration> took = {};  // from the question to the end of the answer; empty when nobody measured it
  bool timed_out = false;             // no answer within our deadline
};

}  // namespace tidemark::model
