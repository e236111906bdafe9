#pragma once
// What is not known is null in the evidence, never left out and never zero.

#include <optional>

#include "model/evidence.h"

namespace tidemark::detect::rules {

template <class T>
model::Fact fact_of(const std::optional<T>& value) {
  return value ? model::Fact(*value) : model::Fact(nullptr);
}

}  // namespace tidemark::detect::rules
