// The daemon.
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/log.h"
#include "daemon/commands/commands.h"
#include "daemon/options.h"
#include "daemon/service.h"

namespace tidemark::daemon {
namespace {

int run(const Common& common) {
  auto settings = load_settings(common);
  if (!settings) return fail(settings.error());
  log::set_level(settings->log.level);
  boost::asio::io_context io(1);
  const SystemClock clock;
  ServiceOptions options;
  options.reload = [common] { return load_settings(common); };
  Service service(io, clock, std::move(*settings), std::move(options));
  if (auto started = service.start(); !started) {
    fail(started.error());
    return kUsage;
  }
  io.run();
  // Nothing is left to save: each poll did it. Waiting for a judgement that nobody will read, or giving back gigabytes,
  // would only delay the end.
  std::fflush(nullptr);
  std::_Exit(kClean);
}

}  // namespace

void add_serve(CLI::App& app, int& status) {
  auto common = std::make_shared<Common>();
  auto* command = app.add_subcommand("serve", "watch clusters and export what is found to Prometheus");
  add_url(*command, *common);
  add_common(*command, *common);
  command->callback([common, &status] { status = run(*common); });
}

}  // namespace tidemark::daemon
