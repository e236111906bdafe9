#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace tidemark::log {
namespace {

// stdout belongs to tables and JSON, so everything said goes to stderr.
spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("tidemark", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    return made;
  }();
  return *instance;
}

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
    case Level::kOff:
      return spdlog::level::off;
  }
  return spdlog::level::info;
}

}  // namespace

void set_level(Level level) { logger().set_level(to_spdlog(level)); }
void debug(std::string_view room, std::string_view text) { logger().debug("[{}] {}", room, text); }
void info(std::string_view room, std::string_view text) { logger().info("[{}] {}", room, text); }
void warning(std::string_view room, std::string_view text) { logger().warn("[{}] {}", room, text); }
void error(std::string_view room, std::string_view text) { logger().error("[{}] {}", room, text); }

}  // namespace tidemark::log
