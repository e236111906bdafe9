#pragma once
// The folder of a daemon's state files, one a cluster, and that no second daemon writes there.

#include <string>
#include <string_view>

#include "base/result.h"

namespace tidemark::history {

class StateFolder {
 public:
  // Makes the folder where there is none. Held until this object goes, or the process, however it ends. kIo: it cannot
  // be opened or made, or another process has it.
  static Result<StateFolder> open(const std::string& path);
  ~StateFolder();
  StateFolder(StateFolder&& other) noexcept;
  StateFolder& operator=(StateFolder&&) = delete;

  // Of the cluster with this name.
  std::string file_of(std::string_view cluster) const;
  // False: this file system has no locks, and nothing keeps a second daemon out.
  bool locked() const { return locked_; }

 private:
  StateFolder(std::string path, int folder, bool locked) : path_(std::move(path)), folder_(folder), locked_(locked) {}

  std::string path_;
  int folder_;
  bool locked_;
};

}  // namespace tidemark::history
