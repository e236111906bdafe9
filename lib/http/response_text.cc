// Written by hand: the headers are few, and the faults that simulated brokers need are not in Beast's serializer.

#include "http/response_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/status.hpp>

#include "http/http_date.h"

namespace tidemark::http {
namespace {

constexpr std::size_t kPiece = std::size_t{64} * 1024;
constexpr int kNoContent = 204;
constexpr int kNotModified = 304;

bool never_has_body(int status) { return status < 200 || status == kNoContent || status == kNotModified; }

std::string_view body_of(const ServerResponse& response) {
  return response.body ? std::string_view(*response.body) : std::string_view();
}

std::string reason_of(int status) {
  const auto text = boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
  return {text.data(), text.size()};
}

}  // namespace

std::string response_head(const ServerResponse& response, Framing framing, TimeMs now) {
  auto text = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
  if (response.dated) text += "Date: " + format_http_date(now) + "\r\n";
  if (!never_has_body(response.status)) {
    text += "Content-Type: " + response.content_type + "\r\n";
    text += response.chunk_bytes > 0 ? std::string("Transfer-Encoding: chunked\r\n")
                                     : fmt::format("Content-Length: {}\r\n", body_of(response).size());
    if (response.gzip_body) text += "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n";
  }
  for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
  if (!framing.keep_alive) text += "Connection: close\r\n";
  return text + "\r\n";
}

BodyPieces::BodyPieces(const ServerResponse& response, Framing framing)
    : body_(body_of(response)),
      chunk_(response.chunk_bytes),
      end_(body_.size()),
      finished_(framing.head_only || never_has_body(response.status)) {
  if (!response.cut_after || *response.cut_after > end_) return;
  cut_ = *response.cut_after < end_ || chunk_ > 0;  // chunked: even a whole body lacks its final chunk
  end_ = *response.cut_after;
}

std::string_view BodyPieces::next() {
  if (finished_) return {};
  if (chunk_ > 0) return next_chunks();
  const auto piece = body_.substr(at_, std::min(kPiece, end_ - at_));
  at_ += piece.size();
  finished_ = piece.empty();
  return piece;
}

std::string_view BodyPieces::next_chunks() {
  chunks_.clear();
  while (at_ < end_ && chunks_.size() < kPiece) {
    const auto promised = std::min(chunk_, body_.size() - at_);
    const auto sent = std::min(promised, end_ - at_);
    chunks_ += fmt::format("{:x}\r\n", promised);
    chunks_ += body_.substr(at_, sent);
    if (sent == promised) chunks_ += "\r\n";
    at_ += sent;
  }
  finished_ = at_ == end_;
  if (finished_ && !cut_) chunks_ += "0\r\n\r\n";
  return chunks_;
}

}  // namespace tidemark::http
