#pragma once
// A History in a state file: what of it has to be written after a poll, and what it was before a restart.

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "history/history.h"
#include "history/state_file.h"

namespace tidemark::history {

// What came back from a file.
struct Restored {
  std::size_t topics = 0;
  std::size_t cursors = 0;
  std::size_t lost = 0;                // topics that should have been there, as far as that can be known
  TimeMs written_ms = 0;               // the poll that it is of; 0 = there was nothing
  bool torn = false;                   // the newest write was not finished
  std::optional<std::string> problem;  // the file is no good: one line; it is kept at `set_aside`
  std::string set_aside;
};

// Fills an empty history. kIo when there is a file that cannot be read.
Result<Restored> restore(StateFile& file, History& history);

// After the poll of `at` was walked through. What is not written because of an error is written next time.
Result<void> save(StateFile& file, History& history, TimeMs at);

}  // namespace tidemark::history
