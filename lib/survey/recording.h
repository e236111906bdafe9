#pragma once
// Exchanges in a file: NDJSON, a head line and then one Exchange a line (docs/design.md section 5). The writer is a tee
// on the live stream and scrubs what it writes; the reader feeds a Survey as the live stream does.

#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/exchange.h"
#include "survey/anonymizer.h"

namespace tidemark::survey {

class RecordingWriter {
 public:
  // `out` must outlive the writer, and so must `anonymizer`, without which names stay. Check out's state after
  // flushing: a full disk shows there.
  explicit RecordingWriter(std::ostream& out, Anonymizer* anonymizer = nullptr) : out_(out), anonymizer_(anonymizer) {}

  void head(const std::string& cluster, const std::string& version);
  void write(const model::Exchange& exchange);

  // A sweep, topic by topic as it arrives; one at a time. `exchange` without its body.
  void begin_sweep(const model::Exchange& exchange);
  void sweep_topic(std::span<const std::string> path, std::string_view object);
  void end_sweep();

 private:
  void begin_line(const model::Exchange& exchange);
  std::string body_of(const model::Exchange& exchange);
  void add_to_sweep(std::span<const std::string> path, std::string_view json);
  void descend(std::span<const std::string> path);
  void ascend(std::size_t depth);

  std::ostream& out_;
  Anonymizer* anonymizer_;
  std::vector<std::string> open_;  // raw keys of the open levels of the sweep
  bool first_in_level_ = true;
};

struct RecordingHead {
  std::string cluster;
  std::string version;
};

class RecordingReader {
 public:
  // Errors name file and line. `name` stands for the file.
  static Result<RecordingHead> parse_head(std::string_view line, const std::string& name);
  static Result<model::Exchange> parse_line(std::string_view line, const std::string& name, std::int64_t number);

  // Reads a file: `on_head` once, then `on_exchange` a line until it returns false. Empty lines are passed over. kIo,
  // kMalformed, also when times go back, kTruncated when the last line is cut off.
  static Result<void> read_file(const std::string& path,
                                const std::function<Result<void>(const RecordingHead&)>& on_head,
                                const std::function<Result<bool>(model::Exchange)>& on_exchange);
};

}  // namespace tidemark::survey
