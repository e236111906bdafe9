#pragma once
// What a story means to go wrong beyond single clients, by the rule that is to find it: the ground truth of rules about
// topics, namespaces, bookies, brokers and the cluster. Whatever no trouble names is healthy.

#include <cstddef>
#include <optional>
#include <string>

#include "base/time.h"
#include "model/vocabulary.h"

namespace tidemark::sim {

class World;

struct Trouble {
  model::Rule rule;
  std::string subject;              // as findings name it
  std::optional<std::size_t> node;  // instead of a subject: a bookie's or a broker's number
  TimeMs from_ms = 0;               // not before it
  TimeMs due_ms = 0;                // found by then; 0 = need not be found, but may be
};

std::string subject_of(const World& world, const Trouble& trouble);

}  // namespace tidemark::sim
