// A recording judged by what the program itself asks of it. Arguments are those of `tidemark replay`; the verdicts of
// the last poll come out on stdout.
//
//   asked_case directly|over-http FILE [--set KEY=VALUE]... [--until MS] [--sweeps folded|recorded] [--chunk BYTES]
//   [--no-audits]
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>

#include "asked.h"

int main(int argc, char** argv) {
  using namespace tidemark;
  CLI::App app{"judges a recording by what is asked of it"};
  std::string way;
  std::string file;
  std::string sweeps = "folded";
  std::optional<TimeMs> until;
  cases::Asking asking;
  app.add_option("way", way)->required()->check(CLI::IsMember({"directly", "over-http"}));
  app.add_option("file", file)->required();
  app.add_option("--until", until);
  app.add_option("--sweeps", sweeps)->check(CLI::IsMember({"recorded", "folded"}));
  app.add_option("--chunk", asking.chunk_bytes);
  app.add_flag("!--no-audits", asking.audits);
  daemon::add_common(app, asking.common);
  CLI11_PARSE(app, argc, argv);
  const auto kind = sweeps == "folded" ? cases::Sweeps::kFolded : cases::Sweeps::kAsRecorded;
  auto cluster = cases::RecordedCluster::load(file, until, kind);
  if (!cluster) return daemon::fail(cluster.error());
  const auto verdicts =
      way == "directly" ? cases::ask_directly(*cluster, asking) : cases::ask_over_http(*cluster, asking);
  if (!verdicts) return daemon::fail(verdicts.error());
  std::cout << *verdicts << "\n";
  return daemon::kClean;
}
