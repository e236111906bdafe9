#pragma once
// A recording through the same survey, history and rules as a live cluster, on the recording's own clock.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "detect/limits.h"
#include "detect/patterns.h"
#include "history/history.h"
#include "model/finding.h"
#include "model/snapshot.h"
#include "settings/settings.h"
#include "survey/options.h"
#include "survey/recording.h"
#include "survey/survey.h"

namespace tidemark::daemon {

struct Recording {
  std::string file;
  std::optional<TimeMs> until;  // leave out the polls after it
};

// The last poll of a recording.
struct Played {
  std::shared_ptr<const model::Snapshot> snapshot;
  model::Verdicts verdicts;
  std::size_t polls = 0;  // judged so far
  bool damaged = false;   // a document in it could not be used, which was said on stderr

  bool partial() const { return damaged || verdicts.coverage.unknown > 0; }
};

// `each` is called after every poll. The error is of the file (kMalformed, kIo), of a filter that nothing in it bears
// (kConfig), or kNetwork when nobody answered while it was recorded.
Result<Played> play(const Recording& recording, const settings::Settings& settings, const survey::Filter& filter,
                    const std::function<void(const Played&)>& each = {});

}  // namespace tidemark::daemon
