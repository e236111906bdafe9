#pragma once
// One HTTP response from bytes, without a socket: head, transfer coding, gzip, caps. The client feeds it what it reads;
// the tests feed it cut at every byte. Private to this room.

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "http/client.h"

namespace tidemark::http {

class ResponseReader {
 public:
  // `max_body` counts decoded bytes. `sink` gets the decoded body when the status is 2xx.
  ResponseReader(std::size_t max_body, BodySink sink);
  ~ResponseReader();
  ResponseReader(const ResponseReader&) = delete;
  ResponseReader& operator=(const ResponseReader&) = delete;

  // Takes what it can and says how many bytes that was; give the rest again with more behind it. After an Error or once
  // done() holds it must not be called again.
  Result<std::size_t> feed(std::string_view bytes);

  // The peer closed. kTruncated when the response needed more.
  Result<void> end_of_stream();

  bool started() const;  // any byte was taken
  bool head_done() const;
  bool done() const;        // the body is complete, or is an error page too long to be worth reading on
  bool keep_alive() const;  // once done: the connection may carry another request

  Head& head();  // elapsed stays 0

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace tidemark::http
