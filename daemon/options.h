#pragma once
// What every command understands: where the configuration comes from, which part of the cluster is meant, how verdicts
// are printed and what the exit status says.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/vocabulary.h"
#include "settings/settings.h"
#include "survey/options.h"

namespace tidemark::daemon {

// Exit statuses of every command.
enum Exit : int { kClean = 0, kFindings = 1, kUsage = 2, kUnreachable = 3, kPartial = 4 };

struct Common {
  std::string config;
  std::vector<std::string> sets;
  std::string url;      // positional, where a command takes one
  std::string cluster;  // which of several configured ones
};

struct FilterText {
  std::string tenant;
  std::string ns;
  std::string topic;
};

struct Printing {
  std::string format = "table";
  std::string fail_on = "warning";
  bool strict = false;

  bool is_check() const { return format == "nagios"; }
  // Formats for people say themselves what could not be had.
  bool shows_problems() const { return is_check() || format == "table"; }
};

void add_common(CLI::App& command, Common& common);
// For commands that look at one cluster only.
CLI::Option* add_cluster(CLI::App& command, Common& common);
void add_url(CLI::App& command, Common& common);
void add_filter(CLI::App& command, FilterText& filter);
void add_printing(CLI::App& command, Printing& printing);

// Configuration file, then the URL, then each --set, then one check of the whole. `need_cluster` false: a recording is
// read.
Result<settings::Settings> load_settings(const Common& common, bool need_cluster = true);

// Whether the command line asks for a check, even if it is wrong elsewhere.
bool asks_for_check(int count, const char* const* arguments);

// The cluster that `common.cluster` names, or the only one.
Result<settings::Cluster> chosen_cluster(const settings::Settings& settings, const Common& common);

Result<survey::Filter> parse_filter(const FilterText& text);

// Prints "tidemark: <text>" on stderr and returns the exit status that belongs to it.
int fail(const Error& error);
// The same for a file that was given: whatever is wrong with it, it is kUsage.
int fail_input(const Error& error);

}  // namespace tidemark::daemon
