// The command line. Each command is a file in daemon/commands.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "daemon/commands/commands.h"
#include "daemon/options.h"
#include "daemon/output.h"

int main(int argc, char** argv) {
  using namespace tidemark::daemon;
  CLI::App app{
      "Finds Apache Pulsar subscriptions that stopped moving and the storage they pin. Sends GET and nothing else."};
  app.set_version_flag("--version", "tidemark " TIDEMARK_VERSION);
  app.require_subcommand(1);
  int status = kClean;
  add_serve(app, status);
  add_scan(app, status);
  add_plan(app, status);
  add_check(app, status);
  add_record(app, status);
  add_replay(app, status);
  add_demo(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    std::string why = error.what();
    if (app.get_subcommands().empty() && argc > 1 && *argv[1] != '-') why = std::string("no command '") + argv[1] + "'";
    Printing printing;
    if (asks_for_check(argc, argv)) printing.format = "nagios";
    return fail(tidemark::Error{tidemark::Errc::kConfig, why + "; see tidemark --help"}, printing);
  } catch (const std::exception& bug) {
    std::cerr << "tidemark: internal error: " << bug.what() << std::endl;
    return kUnreachable;
  }
  return status;
}
