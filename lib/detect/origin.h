#pragma once
// Who leaves a subscription behind, told by its name: a pod, a batch job, a developer. Names that differ only in the
// generated part are one group, so that the leftovers of 143 pods are one line. The group of a name that an own pattern
// calls `named` is the whole name.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "detect/limits.h"
#include "model/vocabulary.h"

namespace tidemark::detect {

struct NameOrigin {
  model::Origin origin = model::Origin::kNamed;
  std::string group;  // the name with generated parts as '*'
};

class OriginPatterns {
 public:
  // An Error names the pattern that is no regular expression.
  static Result<OriginPatterns> compile(const std::vector<OriginPattern>& own);

  // `cursor` decoded. Ask for non-`ok` cursors only.
  NameOrigin of(std::string_view cursor) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace tidemark::detect
