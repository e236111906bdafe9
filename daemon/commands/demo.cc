// placeholder until the simulator's HTTP front exists
#include "daemon/commands/commands.h"
namespace tidemark::daemon {
void add_demo(CLI::App&, int&) {}
}  // namespace tidemark::daemon
