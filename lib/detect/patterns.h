#pragma once
// All that an operator says about cursors by their names, compiled once for each configuration.

#include <utility>

#include "base/result.h"
#include "detect/exceptions.h"
#include "detect/limits.h"
#include "detect/origin.h"
#include "detect/owner.h"

namespace tidemark::detect {

struct Patterns {
  OriginPatterns origins;
  Owners owners;
  Exceptions exceptions;

  // Origins alone: no owner but by property, nothing silenced but by property. Implicit, for who needs no more.
  Patterns(OriginPatterns only) : origins(std::move(only)) {}

  // An Error names the list and the pattern that is no regular expression.
  static Result<Patterns> compile(const Limits& limits) {
    auto origins = OriginPatterns::compile(limits.origins);
    if (!origins) return origins.error();
    auto owners = Owners::compile(limits.owners);
    if (!owners) return owners.error();
    auto exceptions = Exceptions::compile(limits.exceptions);
    if (!exceptions) return exceptions.error();
    Patterns patterns(std::move(*origins));
    patterns.owners = std::move(*owners);
    patterns.exceptions = std::move(*exceptions);
    return patterns;
  }
};

}  // namespace tidemark::detect
