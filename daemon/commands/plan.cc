// A clean-up to be read and run by a person: a shell script on stdout. Asks and judges as `scan` or `replay` does, and
// runs nothing.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/units.h"
#include "daemon/commands/commands.h"
#include "daemon/from_settings.h"
#include "daemon/one_pass.h"
#include "daemon/options.h"
#include "daemon/output.h"
#include "daemon/output_file.h"
#include "daemon/recording_player.h"
#include "http/url.h"
#include "report/plan_script.h"
#include "report/what_if.h"

namespace tidemark::daemon {
namespace {

struct PlanCommand {
  Common common;
  FilterText filter;
  Recording from;
  std::string via = "pulsar-admin";
  std::string what_if;
  bool json = false;
  std::string out;
};

// What is planned from, wherever it comes from.
struct Known {
  std::shared_ptr<const model::Snapshot> snapshot;
  std::shared_ptr<const model::Verdicts> verdicts;
};

Result<Known> known_by_asking(const PlanCommand& command, const settings::Settings& settings,
                              const survey::Filter& filter) {
  const auto cluster = chosen_cluster(settings, command.common);
  if (!cluster) return cluster.error();
  const auto outcome = one_pass(settings, *cluster, filter);
  if (!outcome) return outcome.error();
  for (const auto& line : outcome->problem_lines()) std::cerr << "tidemark: " << line << "\n";
  return Known{outcome->snapshot, outcome->verdicts};
}

Result<Known> known_by_recording(const PlanCommand& command, const settings::Settings& settings,
                                 const survey::Filter& filter) {
  auto played = play(command.from, settings, filter);
  if (!played) return played.error();
  return Known{played->snapshot, std::make_shared<const model::Verdicts>(std::move(played->verdicts))};
}

// Without user and password, should they be in it: the script is kept and passed on.
std::string web_service(const PlanCommand& command, const settings::Settings& settings) {
  const auto cluster = chosen_cluster(settings, command.common);
  if (!cluster) return {};
  const auto url = http::parse_url(cluster->url);
  return url ? url->origin.url() : std::string();
}

Result<void> write(const std::string& script, const std::string& file) {
  OutputFile out;
  if (auto opened = out.open(file, OutputFile::Way::kWhole); !opened) return opened;
  out.stream() << script;
  return out.finish();
}

std::string told(const report::Plan& plan) {
  return fmt::format("{} to remove, expected to free {}{}; {} left as they are", plan.removals,
                     plan.all_told ? "" : "at least ", format_bytes(plan.frees_bytes), plan.left_out.size());
}

// Of "expire=7d"; empty when nothing is asked.
Result<std::optional<Duration>> asked_expiration(const PlanCommand& command) {
  if (command.what_if.empty()) return std::optional<Duration>{};
  constexpr std::string_view kExpire = "expire=";
  if (!command.what_if.starts_with(kExpire)) {
    return Error{Errc::kConfig, "--what-if: '" + command.what_if + "' is not expire=TIME, e.g. expire=7d"};
  }
  const auto length = report::parse_expiration(std::string_view(command.what_if).substr(kExpire.size()));
  if (!length) return length.error().at("--what-if");
  return std::optional(*length);
}

int run(const PlanCommand& command) {
  const bool recorded = !command.from.file.empty();
  if (recorded && !command.common.url.empty()) {
    return fail(Error{Errc::kConfig, "--from: a plan is made from a recording or by asking a cluster, not both"});
  }
  const auto expire = asked_expiration(command);
  if (!expire) return fail(expire.error());
  auto settings = load_settings(command.common, !recorded);
  if (!settings) return fail(settings.error());
  auto filter = parse_filter(command.filter);
  if (!filter) return fail(filter.error());
  if (auto writable = OutputFile::check(command.out, {command.from.file, command.common.config}); !writable)
    return fail(writable.error());
  log::set_level(settings->log.level);
  const auto known =
      recorded ? known_by_recording(command, *settings, *filter) : known_by_asking(command, *settings, *filter);
  if (!known) return recorded ? fail_recording(known.error()) : fail(known.error());

  if (*expire) {
    const auto what = report::what_if(*known->snapshot, *known->verdicts, **expire);
    const auto written =
        write(command.json ? report::what_if_json(what) + "\n" : report::what_if_text(what), command.out);
    return written ? static_cast<int>(kClean) : fail(written.error());
  }
  const auto plan = report::plan_of(*known->snapshot, *known->verdicts, command.via == "curl");
  report::ScriptOptions options;
  options.by_curl = command.via == "curl";
  options.url = recorded ? std::string() : web_service(command, *settings);
  options.version = TIDEMARK_VERSION;
  options.abandoned_after = settings->detect.abandoned_after;
  if (const auto written = write(report::plan_script(plan, options), command.out); !written)
    return fail(written.error());
  std::cerr << "tidemark: " << told(plan) << "\n";
  return kClean;
}

}  // namespace

void add_plan(CLI::App& app, int& status) {
  auto plan = std::make_shared<PlanCommand>();
  auto* command = app.add_subcommand("plan", "write a shell script that removes what is left behind; runs nothing");
  add_url(*command, plan->common);
  auto* from = command->add_option("--from", plan->from.file, "a recording instead of a cluster")->type_name("FILE");
  command
      ->add_option("--until", plan->from.until,
                   "of the recording: leave out the polls after this time, in Unix milliseconds")
      ->type_name("MS")
      ->needs("--from");
  auto* via = command->add_option("--via", plan->via, "what the script calls: pulsar-admin or curl")
                  ->check(CLI::IsMember({"pulsar-admin", "curl"}));
  auto* what_if =
      command->add_option("--what-if", plan->what_if, "no script: what an expiration time would have done, and to whom")
          ->type_name("expire=TIME")
          ->excludes(via);
  command->add_flag("--json", plan->json, "the answer to --what-if as JSON")->needs(what_if);
  command->add_option("--out,-o", plan->out, "write it there, - for standard output")->type_name("FILE");
  add_common(*command, plan->common);
  from->excludes(add_cluster(*command, plan->common));
  add_filter(*command, plan->filter);
  command->callback([plan, &status] { status = run(*plan); });
}

}  // namespace tidemark::daemon
