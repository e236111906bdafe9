#include "survey/registrations.h"

namespace tidemark::survey {

std::string_view host_of(std::string_view name) { return name.substr(0, name.rfind(':')); }

void Registrations::take(TimeMs now, std::string_view witness, bool read_only,
                         const std::vector<std::string>& registered) {
  if (witness != witness_ || now != at_ms_) hosts_.clear();
  witness_ = witness;
  at_ms_ = now;
  auto& hosts = hosts_[read_only];
  hosts.clear();
  for (const auto& name : registered) hosts.emplace(host_of(name));
  if (hosts_.size() == 2) conclude(now);
}

void Registrations::conclude(TimeMs now) {
  std::set<std::string> all = hosts_[false];
  all.insert(hosts_[true].begin(), hosts_[true].end());
  if (!all.contains(std::string(host_of(witness_)))) return;
  for (const auto& host : all) missing_.erase(host);
  for (const auto& host : seen_) {
    if (!all.contains(host)) missing_.emplace(host, now);
  }
  seen_.merge(all);
}

TimeMs Registrations::missing_since_ms(std::string_view name) const {
  const auto found = missing_.find(host_of(name));
  return found == missing_.end() ? 0 : found->second;
}

}  // namespace tidemark::survey
