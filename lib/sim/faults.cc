// The first rule that hits wins; chance is a hash of the seed and the number of the request.
#include "sim/faults.h"

#include "sim/documents.h"
#include "sim/random.h"

namespace tidemark::sim {
namespace {

std::string_view message_of(int status) {
  switch (status) {
    case 429:
      return "Too Many Requests";
    case 500:
      return "Request failed.";
    case 503:
      return "Service Unavailable";
    default:
      return "Error";
  }
}

}  // namespace

void Faults::apply(model::Target target, std::string_view name, std::string_view path, TimeMs now, Reply& reply) {
  ++asked_;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const auto& rule = rules_[i];
    if (rule.target != target || now < rule.from_ms || now >= rule.until_ms) continue;
    if (!rule.name.empty() && rule.name != name) continue;
    if (!rule.path_contains.empty() && path.find(rule.path_contains) == std::string_view::npos) continue;
    if (Random(mix(seed_ ^ asked_) + i).fraction() >= rule.probability) continue;
    ++hits_;
    switch (rule.kind) {
      case FaultKind::kLost:
        reply.lost = true;
        break;
      case FaultKind::kError:
        reply = {};
        reply.status = rule.status;
        reply.content_type = "text/html;charset=iso-8859-1";
        reply.body = jetty_error_page(rule.status, message_of(rule.status), path.substr(0, path.find('?')));
        break;
      case FaultKind::kTruncated:
        reply.cut_after = rule.bytes;
        break;
      case FaultKind::kSlow:
        reply.delay = rule.delay;
        break;
    }
    return;
  }
}

}  // namespace tidemark::sim
