#pragma once
// Of what the rules about namespaces, bookies and the cluster found, what this process is to say where it has only a
// part of the cluster: each finding is said by one of all processes, and one that rests on a part says of which.

#include <vector>

#include "model/finding.h"
#include "model/share.h"

namespace tidemark::detect {

void keep_ours(const model::Share& share, std::vector<model::Finding>& findings);

}  // namespace tidemark::detect
