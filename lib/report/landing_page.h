#pragma once
// The page at "/": the worst findings and where everything else is. One small HTML text without scripts or outside
// resources; every name in it is escaped, because whoever may subscribe chooses what stands there.

#include <string>
#include <vector>

#include "model/finding.h"

namespace tidemark::report {

struct PagePart {
  std::string cluster;
  const model::Verdicts* verdicts = nullptr;  // null: no poll has ended yet
  std::vector<std::string> problems;          // see problems_of() in tables.h
};

std::string landing_page(const std::vector<PagePart>& clusters, const std::string& version);

}  // namespace tidemark::report
