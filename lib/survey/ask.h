#pragma once
// One thing to ask next. The survey names it, collect carries it out, the answer comes back as an Exchange.

#include <string>

#include "model/exchange.h"
#include "pulsar/paths.h"

namespace tidemark::survey {

struct Ask {
  pulsar::Endpoint endpoint = pulsar::Endpoint::kOther;
  model::Target target = model::Target::kBroker;
  std::string name;  // broker or bookie, "host:port"
  std::string path;
};

}  // namespace tidemark::survey
