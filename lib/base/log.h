#pragma once
// One line an event on stderr, with the room that speaks. Callers build the text with fmt and keep secrets out of it;
// spdlog stays behind this header because it is slow to compile.

#include <string>
#include <string_view>

namespace tidemark::log {

enum class Level { kDebug, kInfo, kWarning, kError, kOff };

// Not thread safe; call before other threads log.
void set_level(Level level);

// Thread safe.
void debug(std::string_view room, std::string_view text);
void info(std::string_view room, std::string_view text);
void warning(std::string_view room, std::string_view text);
void error(std::string_view room, std::string_view text);

}  // namespace tidemark::log
