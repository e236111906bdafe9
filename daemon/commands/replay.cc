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
  Player(const Replay& replay, const settings::Settings& settings, survey::Filter filter, detect::Patterns patterns)
      : replay_(replay),
        limits_(limits_of(settings)),
        metric_limits_(metric_limits_of(settings)),
        patterns_(std::move(patterns)),
        history_(tuning_of(settings)) {
    options_.replay = true;
    options_.seed = "recording";
    options_.interval = settings.poll.interval;
    options_.filter = std::move(filter);
    // A replay shows what a running daemon only counts.
    limits_.report_gauges = true;
    limits_.held_min_bytes = 0;
  }

  Result<void> head(const survey::RecordingHead& head) {
    options_.cluster = head.cluster;
    survey_ = std::make_unique<survey::Survey>(options_);
    model::Exchange version{0, model::Target::kBroker, "recording", "/admin/v2/brokers/version", 200, head.version};
    (void)survey_->take(version);
    return {};
  }

  // False: this one and all after it are later than --until.
  Result<bool> take(const model::Exchange& exchange) {
    if (at_ && exchange.at_ms < *at_) {
      return Error{Errc::kMalformed, replay_.file + ": times go back from " + std::to_string(*at_) + " to " +
                                         std::to_string(exchange.at_ms)};
    }
    if (!first_) first_ = exchange.at_ms;
    if (replay_.until && exchange.at_ms > *replay_.until) return false;
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
    return true;
  }

  // With --until what was written whole is judged, whichever poll the cut line belonged to.
  void cut_off(const Error& error) {
    std::cerr << "tidemark: " << error.text() << "\n";
    damaged_ = true;
  }

  int finish() {
    end_poll();
    if (!at_) return fail(nothing_in_it(), replay_.printing);
    const auto& filter = replay_.filter;
    if (snapshot_->topics.empty() && !(filter.tenant + filter.ns + filter.topic).empty()) {
      const auto* text = ": nothing in it is of that --tenant, --namespace or --topic";
      return fail(Error{Errc::kConfig, replay_.file + text}, replay_.printing);
    }
    if (!answered_) {
      return fail(Error{Errc::kNetwork, replay_.file + ": nobody answered while this was recorded"}, replay_.printing);
    }
    const auto last = shown();
    if (!replay_.each) print_verdicts(last, replay_.printing);
    return exit_status(last, replay_.printing);
  }

 private:
  void end_poll() {
    if (!at_) return;
    snapshot_ = survey_->end_poll();
    answered_ = answered_ || snapshot_->reached_ms != 0 || !snapshot_->topics.empty() || !snapshot_->bookies.empty();
    verdicts_ = detect::judge(*snapshot_, history_, patterns_, limits_);
    ++polls_;
    if (replay_.each) print_verdicts(shown(), replay_.printing);
  }

  Shown shown() const {
    const bool partial = damaged_ || verdicts_.coverage.unknown > 0;
    return {*snapshot_, verdicts_, {}, partial, replay_.each && polls_ > 1, metric_limits_};
  }

  Error nothing_in_it() const {
    if (!first_) return {Errc::kMalformed, replay_.file + ": no exchange in it"};
    return {Errc::kMalformed, replay_.file + ": --until " + std::to_string(*replay_.until) +
                                  " is before its first poll, which is at " + std::to_string(*first_)};
  }

  const Replay& replay_;
  detect::Limits limits_;
  report::MetricLimits metric_limits_;
  detect::Patterns patterns_;
  history::History history_;
  survey::Options options_;
  std::unique_ptr<survey::Survey> survey_;
  std::optional<TimeMs> first_;  // of the recording
  std::optional<TimeMs> at_;     // of the running poll
  std::size_t polls_ = 0;        // judged
  std::shared_ptr<const model::Snapshot> snapshot_;
  model::Verdicts verdicts_;
  bool damaged_ = false;
  bool answered_ = false;
};

// A check is one line, and the series of two polls on one page are a contradiction.
std::optional<Error> unprintable(const Replay& replay) {
  const auto& format = replay.printing.format;
  if (!replay.each || (format != "nagios" && format != "prometheus")) return std::nullopt;
  return Error{Errc::kConfig, "--each: the format " + format + " shows one poll; choose it with --until"};
}

int run(const Replay& replay) {
  if (const auto error = unprintable(replay)) return fail(*error, replay.printing);
  auto settings = load_settings(replay.common, false);
  if (!settings) return fail(settings.error(), replay.printing);
  auto filter = parse_filter(replay.filter);
  if (!filter) return fail(filter.error(), replay.printing);
  auto patterns = detect::Patterns::compile(limits_of(*settings));
  if (!patterns) return fail(patterns.error(), replay.printing);
  Player player(replay, *settings, std::move(*filter), std::move(*patterns));
  auto done = survey::RecordingReader::read_file(
      replay.file, [&](const auto& head) { return player.head(head); },
      [&](const auto& exchange) { return player.take(exchange); });
  if (!done && !(replay.until && done.error().code() == Errc::kTruncated)) {
    return fail_input(done.error(), replay.printing);
  }
  if (!done) player.cut_off(done.error());
  return player.finish();
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  auto replay = std::make_shared<Replay>();
  auto* command = app.add_subcommand("replay", "judge a recording, on its own clock");
  command->add_option("file", replay->file, "made by tidemark record")->required()->type_name("FILE");
  command->add_option("--until", replay->until, "leave out the polls after this time, in Unix milliseconds")
      ->type_name("MS");
  command->add_flag("--each", replay->each, "print the verdicts of every poll, not only of the last");
  add_common(*command, replay->common);
  add_filter(*command, replay->filter);
  add_printing(*command, replay->printing);
  command->callback([replay, &status] { status = run(*replay); });
}

}  // namespace tidemark::daemon
