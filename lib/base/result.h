#pragma once
// How failure travels: a Result<T> carries a value or an Error, and an Error is one line a person can act on.
// Exceptions mean bugs. Data that the cluster did not give is not an error; it is an empty optional or the verdict
// `unknown`.

#include <boost/system/result.hpp>
#include <string>
#include <utility>

namespace tidemark {

enum class Errc {
  kNone,          // default-constructed; never in a returned Error
  kConfig,        // the user's configuration or command line
  kIo,            // a local file
  kNetwork,       // no connection, reset, name not resolved
  kTls,           // handshake or verification
  kTimeout,       // a deadline of ours
  kUnauthorized,  // 401
  kForbidden,     // 403
  kHttpStatus,    // any other status that is not the wanted one
  kMalformed,     // a document that is not what its format says
  kTruncated,     // a document that ended early
  kTooLarge,      // over a cap of ours
  kCancelled,     // we are shutting down
};

// The identifier used in metrics and tests, e.g. "timeout".
const char* name_of(Errc code);

// `text` is one line without secrets: where (file:line, URL), what, and where it helps what to do.
class [[nodiscard]] Error {
 public:
  Error() = default;
  Error(Errc code, std::string text) : code_(code), text_(std::move(text)) {}

  Errc code() const { return code_; }
  const std::string& text() const { return text_; }

  // The same error seen from one step further out: "<where>: <text>".
  Error at(const std::string& where) const { return {code_, where + ": " + text_}; }

 private:
  Errc code_ = Errc::kNone;
  std::string text_;
};

// Taking the value of a failed Result is a bug, hence an exception.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

template <class T = void>
using Result = boost::system::result<T, Error>;

}  // namespace tidemark
