#include "daemon/kept_state.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>

#include "base/log.h"
#include "base/units.h"
#include "history/state.h"

namespace tidemark::daemon {
namespace {

namespace asio = boost::asio;

struct Read {
  history::Restored restored;
  std::optional<Error> error;
  std::string set_aside;  // with it
};

// These two run on the pool.
asio::awaitable<Read> read_job(history::StateFile* file, history::History* history) {
  Read read;
  auto restored = history::restore(*file, *history);
  if (restored) {
    read.restored = std::move(*restored);
  } else {
    read.error = restored.error();
    read.set_aside = file->set_aside("unreadable");
  }
  co_return read;
}

asio::awaitable<Result<void>> save_job(history::StateFile* file, history::History* history, TimeMs at) {
  co_return history::save(*file, *history, at);
}

std::string kept_at(const std::string& where) {
  return where.empty() ? "it cannot be kept under another name" : "it is kept as " + where;
}

void tell(const std::string& path, const Read& read, TimeMs now) {
  if (read.error) {
    return log::warning("state",
                        fmt::format("{}; {}, and ages begin anew", read.error->text(), kept_at(read.set_aside)));
  }
  const auto& restored = read.restored;
  auto what = restored.topics == 0 ? "nothing, ages begin anew"
                                   : fmt::format("{} subscriptions on {} topics", restored.cursors, restored.topics);
  if (restored.written_ms != 0)
    what += fmt::format(" as of {}, {} ago", format_iso8601(restored.written_ms),
                        format_duration(Duration{now - restored.written_ms}));
  if (restored.problem) {
    log::warning("state",
                 fmt::format("{}: {}; {}. Going on with {}{}", path, *restored.problem, kept_at(restored.set_aside),
                             what, restored.lost != 0 ? fmt::format("; {} topics are lost", restored.lost) : ""));
  } else if (restored.torn) {
    log::warning("state", fmt::format("{}: the last write was not finished. Going on with {}", path, what));
  } else if (restored.written_ms != 0) {
    log::info("state", fmt::format("{}: {}", path, what));
  } else {
    log::info("state", path + ": will be made by the first poll");
  }
}

}  // namespace

asio::awaitable<void> KeptState::restore(ClusterWatch& watch) {
  if (std::exchange(restored_, true)) co_return;
  auto job = read_job(&file_, &watch.history());
  const auto read = co_await asio::co_spawn(pool_, std::move(job), asio::use_awaitable);
  tell(file_.path(), read, clock_.now());
}

asio::awaitable<void> KeptState::save(ClusterWatch& watch, TimeMs at) {
  auto job = save_job(&file_, &watch.history(), at);
  const auto saved = co_await asio::co_spawn(pool_, std::move(job), asio::use_awaitable);
  if (saved) {
    metrics_.state_written(watch.name(), file_.bytes(), clock_.now());
    if (!told_.empty()) log::info("state", file_.path() + ": written again");
    told_.clear();
    co_return;
  }
  metrics_.state_failed(watch.name());
  if (std::exchange(told_, saved.error().text()) != saved.error().text())
    log::warning("state", told_ + "; the last good state stays, each poll tries again");
}

}  // namespace tidemark::daemon
