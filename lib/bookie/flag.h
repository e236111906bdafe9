#pragma once
// Private to this folder: a bookie writes flags as the texts "true" and "false".

#include <optional>

#include "formats/shape.h"

namespace tidemark::bookie {

inline std::optional<bool> as_flag(const formats::Scalar& value) {
  if (const auto flag = value.as_bool()) return flag;
  const auto text = value.as_text();
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

}  // namespace tidemark::bookie
