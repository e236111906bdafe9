// What a recording comes to, on its own clock.
#include <memory>
#include <optional>

#include "daemon/commands/commands.h"
#include "daemon/from_settings.h"
#include "daemon/options.h"
#include "daemon/output.h"
#include "daemon/recording_player.h"

namespace tidemark::daemon {
namespace {

struct Replay {
  Common common;
  FilterText filter;
  Printing printing;
  Recording recording;
  bool each = false;
};

// A check is one line, and the series of two polls on one page are a contradiction.
std::optional<Error> unprintable(const Replay& replay) {
  const auto& format = replay.printing.format;
  if (!replay.each || (format != "nagios" && format != "prometheus")) return std::nullopt;
  return Error{Errc::kConfig, "--each: the format " + format + " shows one poll; choose it with --until"};
}

int run(const Replay& replay) {
  const auto& printing = replay.printing;
  if (const auto error = unprintable(replay)) return fail(*error, printing);
  auto settings = load_settings(replay.common, false);
  if (!settings) return fail(settings.error(), printing);
  auto filter = parse_filter(replay.filter);
  if (!filter) return fail(filter.error(), printing);
  const auto shown = [&](const Played& played) {
    return Shown{*played.snapshot,           played.verdicts, {}, played.partial(), replay.each && played.polls > 1,
                 metric_limits_of(*settings)};
  };
  const auto played = play(replay.recording, *settings, *filter, [&](const Played& poll) {
    if (replay.each) print_verdicts(shown(poll), printing);
  });
  if (!played) return fail_recording(played.error(), printing);
  if (!replay.each) print_verdicts(shown(*played), printing);
  return exit_status(shown(*played), printing);
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  auto replay = std::make_shared<Replay>();
  auto* command = app.add_subcommand("replay", "judge a recording, on its own clock");
  command->add_option("file", replay->recording.file, "made by tidemark record")->required()->type_name("FILE");
  command->add_option("--until", replay->recording.until, "leave out the polls after this time, in Unix milliseconds")
      ->type_name("MS");
  command->add_flag("--each", replay->each, "print the verdicts of every poll, not only of the last");
  add_common(*command, replay->common);
  add_filter(*command, replay->filter);
  add_printing(*command, replay->printing);
  command->callback([replay, &status] { status = run(*replay); });
}

}  // namespace tidemark::daemon
