// A recording through the same survey, history and rules as a live cluster, on the recording's own clock.
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "daemon/commands/commands.h"
#include "daemon/from_settings.h"
#include "daemon/options.h"
#include "daemon/output.h"
#include "detect/judge.h"
#include "history/history.h"
#include "survey/recording.h"
#include "survey/survey.h"

namespace tidemark::daemon {
namespace {

struct Replay {
  Common common;
  FilterText filter;
  Printing printing;
  std::string file;
  std::optional<TimeMs> until;
  bool each = false;
};

// Polls one after the other; a poll ends where the next time begins.
class Player {
 public:
  Player(const Replay& replay, const settings::Settings& settings, survey::Filter filter,
         detect::OriginPatterns origins)
      : replay_(replay), limits_(limits_of(settings)), origins_(std::move(origins)), history_(tuning_of(settings)) {
    options_.replay = true;
    options_.seed = "recording";
    options_.interval = settings.poll.interval;
    options_.filter = std::move(filter);
    // A replay shows what a running daemon only counts.
    limits_.report_gauges = true;
    limits_.held_min_bytes = 0;
  }

  void head(const survey::RecordingHead& head) {
    options_.cluster = head.cluster;
    survey_ = std::make_unique<survey::Survey>(options_);
    model::Exchange version{0, model::Target::kBroker, "recording", "/admin/v2/brokers/version", 200, head.version};
    (void)survey_->take(version);
  }

  Result<void> take(const model::Exchange& exchange) {
    if (replay_.until && exchange.at_ms > *replay_.until) return {};
    if (at_ && exchange.at_ms < *at_) {
      return Error{Errc::kMalformed, replay_.file + ": times go back from " + std::to_string(*at_) + " to " +
                                         std::to_string(exchange.at_ms)};
    }
    if (at_ != exchange.at_ms) {
      end_poll();
      at_ = exchange.at_ms;
      survey_->begin_poll(*at_);
    }
    // A damaged document is part of what happened: it is said and the rest goes on.
    if (auto taken = survey_->take(exchange); !taken) {
      std::cerr << "tidemark: " << exchange.name << exchange.path << ": " << taken.error().text() << "\n";
      damaged_ = true;
    }
    return {};
  }

  void end_poll() {
    if (!at_) return;
    const auto snapshot = survey_->end_poll();
    answered_ = answered_ || snapshot->reached_ms != 0 || !snapshot->topics.empty() || !snapshot->bookies.empty();
    verdicts_ = detect::judge(*snapshot, history_, origins_, limits_);
    if (replay_.each) print_verdicts(verdicts_, replay_.printing, {});
  }

  int finish() {
    end_poll();
    if (!at_)
      return fail(
          Error{Errc::kMalformed, replay_.file + ": no exchange in it" + (replay_.until ? " up to --until" : "")});
    if (!answered_) return fail(Error{Errc::kNetwork, replay_.file + ": nobody answered while this was recorded"});
    if (!replay_.each) print_verdicts(verdicts_, replay_.printing, {});
    return exit_status(verdicts_, replay_.printing, damaged_ || verdicts_.coverage.unknown > 0);
  }

 private:
  const Replay& replay_;
  detect::Limits limits_;
  detect::OriginPatterns origins_;
  history::History history_;
  survey::Options options_;
  std::unique_ptr<survey::Survey> survey_;
  std::optional<TimeMs> at_;
  model::Verdicts verdicts_;
  bool damaged_ = false;
  bool answered_ = false;
};

int run(const Replay& replay) {
  auto settings = load_settings(replay.common, false);
  if (!settings) return fail(settings.error());
  auto filter = parse_filter(replay.filter);
  if (!filter) return fail(filter.error());
  auto origins = detect::OriginPatterns::compile(limits_of(*settings).origins);
  if (!origins) return fail(origins.error());
  Player player(replay, *settings, std::move(*filter), std::move(*origins));
  auto done = survey::RecordingReader::read_file(
      replay.file, [&](const auto& head) { player.head(head); },
      [&](const auto& exchange) { return player.take(exchange); });
  if (!done) return fail_input(done.error());
  return player.finish();
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  auto replay = std::make_shared<Replay>();
  auto* command = app.add_subcommand("replay", "judge a recording, on its own clock");
  command->add_option("file", replay->file, "made by tidemark record")->required()->type_name("FILE");
  command->add_option("--until", replay->until, "leave out what is later")->type_name("MS");
  command->add_flag("--each", replay->each, "print the verdicts of every poll, not only of the last");
  add_common(*command, replay->common);
  add_filter(*command, replay->filter);
  add_printing(*command, replay->printing);
  command->callback([replay, &status] { status = run(*replay); });
}

}  // namespace tidemark::daemon
