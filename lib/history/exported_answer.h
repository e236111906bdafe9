#pragma once
// What Prometheus is asked for what was exported of a cluster's cursors, and what its answers say together. Pure: the
// questions are PromQL, the answers those of /api/v1/query.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "history/exported.h"

namespace tidemark::history {

// In the order of export_queries().
enum class ExportQuery : std::uint8_t { kActivity, kActivityTime, kLedger, kEntry };

// One instant query each. `cluster`: the label `pulsar_cluster`. `lookback`: how long ago the last sample may be.
std::array<std::string, 4> export_queries(std::string_view cluster, Duration lookback);

class ExportedAnswers {
 public:
  // kMalformed, naming `document`, for what is no success with a vector.
  Result<void> take(ExportQuery query, std::string_view document, std::string_view json);

  // All of the answers together; what is only in some of them is left out. `now`: no sample is younger.
  ExportedCursors cursors(TimeMs now) const;

 private:
  struct Part {
    std::string topic;
    std::string cursor;
    std::map<ExportQuery, double> values;
    std::optional<double> earliest;
  };

  std::map<std::string, Part> parts_;  // by exporter and cursor: all labels but `bound`
};

}  // namespace tidemark::history
