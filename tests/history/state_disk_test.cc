// What the disk and other daemons do to a state file: limits, a full disk, a folder that cannot be written.
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "history/state.h"
#include "history/state_files.h"
#include "history/state_folder.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
namespace fs = std::filesystem;

TEST_CASE("a limit keeps the file as it was") {
  const Folder folder;
  const auto path = folder / "blue.state";
  history::History history;
  history.observe(frozen(50, kStart));
  history::StateFile file(options(path));
  REQUIRE(history::save(file, history, kStart).has_value());
  const auto good = bytes_of(path);
  history::History larger;
  history::StateFile limited(options(path, static_cast<std::int64_t>(good.size()) + 100));
  REQUIRE(history::restore(limited, larger).has_value());
  Cluster cluster(1, 300);
  larger.observe(cluster.poll(kStart + kMinute));
  const auto written = history::save(limited, larger, kStart + kMinute);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().code() == Errc::kTooLarge);
  CHECK(written.error().text().find("state.max_bytes") != std::string::npos);
  CHECK(bytes_of(path) == good);
  CHECK(folder.files() == std::set<std::string>{"blue.state"});
}

TEST_CASE("a disk that is full for a while costs nothing but that while") {
  const Folder folder;
  const auto path = folder / "blue.state";
  Cluster cluster(4, 200);
  history::History history;
  history::StateFile file(options(path));
  history.observe(cluster.poll(kStart));
  REQUIRE(history::save(file, history, kStart).has_value());
  const auto good = bytes_of(path);
  history.observe(cluster.poll(kStart + kMinute));
  {
    // Nothing may be written beyond this size: what a full disk comes to, for a process that may be root.
    struct rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto old = std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit tight{good.size() + 100, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
    const auto failed = history::save(file, history, kStart + kMinute);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, old);
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().text().starts_with(path + ": cannot be written: "));
  }
  CHECK(bytes_of(path) == good);
  history.observe(cluster.poll(kStart + 2 * kMinute));
  REQUIRE(history::save(file, history, kStart + 2 * kMinute).has_value());
  history::History again;
  history::StateFile reader(options(path));
  REQUIRE(history::restore(reader, again).has_value());
  check_same(history, again);
}

TEST_CASE("a folder that cannot be written is an error with its name") {
  history::History history;
  history.observe(frozen(1, kStart));
  history::StateFile file(options("/proc/tidemark/blue.state"));
  const auto written = history::save(file, history, kStart);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().text().find("/proc/tidemark/blue.state: cannot be written: ") == 0);
  const auto folder = history::StateFolder::open("/proc/tidemark");
  REQUIRE_FALSE(folder.has_value());
  CHECK(folder.error().text().find("/proc/tidemark: cannot be used as state.path: ") == 0);
}

TEST_CASE("a file that was removed while the daemon runs is written anew") {
  const Folder folder;
  const auto path = folder / "blue.state";
  history::History history;
  history::StateFile file(options(path));
  history.observe(frozen(5, kStart));
  REQUIRE(history::save(file, history, kStart).has_value());
  fs::remove(path);
  history.observe(frozen(5, kStart + kMinute));
  REQUIRE(history::save(file, history, kStart + kMinute).has_value());
  history::History again;
  history::StateFile reader(options(path));
  REQUIRE(history::restore(reader, again).has_value());
  check_same(history, again);
}

TEST_CASE("no two daemons have one folder") {
  const Folder folder;
  const auto path = folder / "made/here";
  auto first = std::make_unique<history::StateFolder>(std::move(history::StateFolder::open(path).value()));
  CHECK(first->locked());
  const auto second = history::StateFolder::open(path);
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().text() ==
        path + ": another tidemark keeps its state there; give each one a state.path of its own");
  first.reset();
  CHECK(history::StateFolder::open(path).has_value());
}

TEST_CASE("a cluster's name is a file's name, whatever is in it") {
  const Folder folder;
  const auto state = history::StateFolder::open(folder / "s");
  REQUIRE(state.has_value());
  CHECK(state->file_of("blue") == (folder / "s/blue.state"));
  CHECK(state->file_of("broker-0:8080") == (folder / "s/broker-0%3A8080.state"));
  CHECK(state->file_of("../x") == (folder / "s/%2E.%2Fx.state"));
  CHECK(state->file_of("%") == (folder / "s/%25.state"));
}
