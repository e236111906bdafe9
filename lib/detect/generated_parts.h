#pragma once
// The kinds of generated parts, one function a kind: what begins at this place of the name? For generated.cc only.

#include <cstddef>

#include "detect/name_text.h"

namespace tidemark::detect {

enum class PartKind {
  kInstance,  // of something that stays: pod of a Deployment, host, address, ordinal
  kRunId,     // may number a run
  kDate,      // says when
};

struct Part {
  std::size_t length = 0;  // 0: none here
  PartKind kind = PartKind::kInstance;
  std::size_t kept = 0;  // so much of it in front was chosen: the 'vmss' of vmss00001a
};

Part timestamp_at(const NamePlace& place);
Part address_at(const NamePlace& place);  // IPv4, IPv6, MAC
Part uuid_at(const NamePlace& place);
Part machine_at(const NamePlace& place);               // instance names of clouds and Windows
Part pod_at(const NamePlace& place, bool after_part);  // `after_part`: what stands before is generated, too
Part number_at(const NamePlace& place);
Part hash_at(const NamePlace& place);
Part anonymous_at(const NamePlace& place);

// Five characters as Kubernetes puts behind the name of a pod's maker.
bool is_pod_suffix(std::string_view token);

}  // namespace tidemark::detect
