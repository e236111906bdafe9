#pragma once
// Base64 as RFC 4648 writes it, padding included: how Java prints bytes in JSON.

#include <optional>
#include <string>
#include <string_view>

namespace tidemark::formats {

std::string encode_base64(std::string_view bytes);

// Empty when it is none.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace tidemark::formats
