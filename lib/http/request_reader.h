#pragma once
// One HTTP request from bytes, without a socket. The server feeds it what it reads. Private to this room.

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "http/server.h"

namespace tidemark::http {

class RequestReader {
 public:
  explicit RequestReader(const ServerLimits& limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Takes what it can and says how many bytes that was; give the rest again with more behind it. After an Error, answer
  // with refusal() and close: where the next request would start is unknown.
  Result<std::size_t> feed(std::string_view bytes);
  int refusal() const;  // 400, 405, 413 or 431

  bool done() const;
  bool keep_alive() const;  // once done
  const ServerRequest& request() const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace tidemark::http
