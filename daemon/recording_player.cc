#include "daemon/recording_player.h"

#include <fmt/format.h>

#include <iostream>
#include <optional>
#include <utility>

#include "daemon/from_settings.h"
#include "detect/judge.h"

namespace tidemark::daemon {
namespace {

// Polls one after the other; a poll ends where the next time begins.
class Player {
 public:
  Player(const Recording& recording, const settings::Settings& settings, survey::Filter filter,
         detect::Patterns patterns, const std::function<void(const Played&)>& each)
      : recording_(recording),
        each_(each),
        limits_(limits_of(settings)),
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
    if (!first_) first_ = exchange.at_ms;
    if (recording_.until && exchange.at_ms > *recording_.until) return false;
    note_answer(exchange);
    if (at_ != exchange.at_ms) {
      end_poll();
      at_ = exchange.at_ms;
      survey_->begin_poll(*at_);
    }
    // A damaged document is part of what happened: it is said and the rest goes on.
    if (auto taken = survey_->take(exchange); !taken) {
      std::cerr << "tidemark: " << exchange.name << exchange.path << ": " << taken.error().text() << "\n";
      played_.damaged = true;
    }
    return true;
  }

  // With --until what was written whole is judged, whichever poll the cut line belonged to.
  void cut_off(const Error& error) {
    std::cerr << "tidemark: " << error.text() << "\n";
    played_.damaged = true;
  }

  Result<Played> finish() {
    end_poll();
    if (!at_) return nothing_in_it();
    const auto& filter = options_.filter;
    if (played_.snapshot->topics.empty() && !(filter.tenant + filter.ns + filter.topic).empty()) {
      const auto* text = ": nothing in it is of that --tenant, --namespace or --topic";
      return Error{Errc::kConfig, recording_.file + text};
    }
    if (!answered_) return nothing_known();
    return std::move(played_);
  }

 private:
  void end_poll() {
    if (!at_) return;
    played_.snapshot = survey_->end_poll();
    const auto& snapshot = *played_.snapshot;
    answered_ = answered_ || snapshot.reached_ms != 0 || !snapshot.topics.empty() || !snapshot.bookies.empty();
    played_.verdicts = detect::judge(snapshot, history_, patterns_, limits_);
    ++played_.polls;
    if (each_) each_(played_);
  }

  void note_answer(const model::Exchange& exchange) {
    if (exchange.status == 0) return;
    if (exchange.status == 200) usable_ = true;
    if (!refused_ && exchange.status != 200) refused_ = fmt::format("{} on {}", exchange.status, exchange.path);
  }

  // Why it is so, as far as the answers show it.
  Error nothing_known() const {
    if (usable_) return {Errc::kMalformed, recording_.file + ": none of its documents tells anything about a cluster"};
    if (!refused_) return {Errc::kNetwork, recording_.file + ": nobody answered while this was recorded"};
    return {Errc::kNetwork,
            recording_.file + ": every answer in it is a refusal or an error; the first is " + *refused_};
  }

  Error nothing_in_it() const {
    if (!first_) return {Errc::kMalformed, recording_.file + ": no exchange in it"};
    return {Errc::kMalformed, recording_.file + ": --until " + std::to_string(*recording_.until) +
                                  " is before its first poll, which is at " + std::to_string(*first_)};
  }

  const Recording& recording_;
  const std::function<void(const Played&)>& each_;
  detect::Limits limits_;
  detect::Patterns patterns_;
  history::History history_;
  survey::Options options_;
  std::unique_ptr<survey::Survey> survey_;
  std::optional<TimeMs> first_;  // of the recording
  std::optional<TimeMs> at_;     // of the running poll
  Played played_;
  bool answered_ = false;               // somebody, and it told something
  bool usable_ = false;                 // some answer was 200
  std::optional<std::string> refused_;  // the first that was not
};

}  // namespace

Result<Played> play(const Recording& recording, const settings::Settings& settings, const survey::Filter& filter,
                    const std::function<void(const Played&)>& each) {
  auto patterns = detect::Patterns::compile(limits_of(settings));
  if (!patterns) return patterns.error();
  Player player(recording, settings, filter, std::move(*patterns), each);
  auto done = survey::RecordingReader::read_file(
      recording.file, [&](const auto& head) { return player.head(head); },
      [&](const auto& exchange) { return player.take(exchange); });
  const bool cut = !done && done.error().code() == Errc::kTruncated;
  if (cut && !recording.until)
    return Error{Errc::kTruncated, done.error().text() + ", --until MS judges the polls before it"};
  if (!done && !cut) return done.error();
  if (!done) player.cut_off(done.error());
  return player.finish();
}

}  // namespace tidemark::daemon
