#pragma once
// What was found, for a person at a terminal: a summary, groups of leftovers, the worst subscriptions, other findings,
// and how much of the cluster all this rests on. Names are escaped: they are other people's input.

#include <cstddef>
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::report {

struct TableOptions {
  std::size_t width = 0;  // columns of the terminal; 0 = no limit (a pipe or a file)
  bool color = false;
  std::size_t rows = 20;              // groups, subscriptions and other findings shown, each
  std::vector<std::string> problems;  // one line each, shown beside the coverage
};

std::string findings_table(const model::Verdicts& verdicts, const TableOptions& options);

// "broker-1:8080: timed out" for every broker and bookie that is not whole, for TableOptions.
std::vector<std::string> problems_of(const model::Snapshot& snapshot);

}  // namespace tidemark::report
