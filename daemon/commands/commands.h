#pragma once
// Each command adds itself to the command line and, when chosen, leaves its exit status in `status`.

#include <CLI/CLI.hpp>

namespace tidemark::daemon {

void add_serve(CLI::App& app, int& status);
void add_scan(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_plan(CLI::App& app, int& status);
void add_record(CLI::App& app, int& status);
void add_replay(CLI::App& app, int& status);
void add_demo(CLI::App& app, int& status);

}  // namespace tidemark::daemon
