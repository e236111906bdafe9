#include "trim/broker_habits.h"

#include "model/version.h"

namespace tidemark::trim {
namespace {

using model::Version;

bool within(const Version& version, const Version& from, const Version& before) {
  return version >= from && version < before;
}

}  // namespace

BrokerHabits habits_of(std::string_view text) {
  const auto version = model::parse_version(text);
  BrokerHabits habits;
  if (!version) return habits;
  habits.boundary_pins = version->major < 3;
  habits.readers_pin = *version < Version{2, 8, 2};
  habits.compares_whole_size = *version < Version{2, 8, 1};
  habits.skips_retained = within(*version, {2, 8, 1}, {2, 10, 6}) || within(*version, {2, 11, 0}, {2, 11, 3}) ||
                          within(*version, {3, 0, 0}, {3, 0, 2}) || within(*version, {3, 1, 0}, {3, 2, 0});
  return habits;
}

}  // namespace tidemark::trim
