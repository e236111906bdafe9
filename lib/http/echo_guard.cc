#include "http/echo_guard.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace tidemark::http {
namespace {

constexpr std::size_t kShortestSecret = 8;

// Behind "Bearer " or "Basic "; without the filling of base64, which may come back escaped.
std::string_view secret_of(std::string_view authorization) {
  auto secret = authorization.substr(std::min(authorization.find(' '), authorization.size() - 1) + 1);
  while (secret.ends_with('=')) secret.remove_suffix(1);
  return secret.size() < kShortestSecret ? std::string_view{} : secret;
}

class Guard {
 public:
  Guard(std::string_view secret, BodySink sink)
      : secret_(secret), searcher_(secret_.begin(), secret_.end()), sink_(std::move(sink)) {}
  Guard(const Guard&) = delete;  // the searcher points into secret_
  Guard& operator=(const Guard&) = delete;

  Result<void> feed(std::string_view bytes) {
    const auto kept = secret_.size() - 1;
    seam_.append(bytes.substr(0, kept));
    if (found(seam_) || found(bytes)) {
      return Error{Errc::kMalformed, "the answer repeats the credentials that it was sent; it is not used"};
    }
    if (bytes.size() >= kept) {
      seam_ = bytes.substr(bytes.size() - kept);
    } else {
      seam_.erase(0, seam_.size() - std::min(seam_.size(), kept));
    }
    return sink_(bytes);
  }

 private:
  bool found(std::string_view text) const { return std::search(text.begin(), text.end(), searcher_) != text.end(); }

  std::string secret_;
  std::boyer_moore_horspool_searcher<std::string::const_iterator> searcher_;
  BodySink sink_;
  std::string seam_;  // the end of what came, and the start of what comes
};

}  // namespace

BodySink guarded(std::string_view authorization, BodySink sink) {
  const auto secret = secret_of(authorization);
  if (secret.empty()) return sink;
  auto guard = std::make_shared<Guard>(secret, std::move(sink));
  return [guard](std::string_view bytes) { return guard->feed(bytes); };
}

bool repeats(std::string_view authorization, std::string_view text) {
  const auto secret = secret_of(authorization);
  return !secret.empty() && text.find(secret) != std::string_view::npos;
}

}  // namespace tidemark::http
