#include <stdexcept>

#include "base/result.h"

namespace tidemark {

const char* name_of(Errc code) {
  switch (code) {
    case Errc::kNone:
      return "none";
    case Errc::kConfig:
      return "config";
    case Errc::kIo:
      return "io";
    case Errc::kNetwork:
      return "network";
    case Errc::kTls:
      return "tls";
    case Errc::kTimeout:
      return "timeout";
    case Errc::kUnauthorized:
      return "unauthorized";
    case Errc::kForbidden:
      return "forbidden";
    case Errc::kHttpStatus:
      return "http_status";
    case Errc::kMalformed:
      return "malformed";
    case Errc::kTruncated:
      return "truncated";
    case Errc::kTooLarge:
      return "too_large";
    case Errc::kCancelled:
      return "cancelled";
  }
  return "none";
}

void throw_exception_from_error(const Error& error, const boost::source_location& where) {
  throw std::logic_error(std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                         ": value of a failed result: " + error.text());
}

}  // namespace tidemark
