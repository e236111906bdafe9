#include "formats/utf8.h"

namespace tidemark::formats {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Length of a sequence by its first byte, and the bits that byte contributes; 0 when no sequence starts so.
std::size_t sequence_length(unsigned char lead, char32_t& bits) {
  if (lead < 0x80) {
    bits = lead;
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    bits = lead & 0x1FU;
    return 2;
  }
  if ((lead & 0xF0U) == 0xE0) {
    bits = lead & 0x0FU;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    bits = lead & 0x07U;
    return 4;
  }
  return 0;
}

bool is_allowed(char32_t value, std::size_t bytes) {
  if (bytes == 3) return value >= 0x800 && (value < 0xD800 || value > 0xDFFF);
  if (bytes == 4) return value >= 0x10000 && value <= 0x10FFFF;
  return true;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  if (text.empty()) return {};
  const CodePoint garbage{kReplacement, 1, false};
  char32_t value = 0;
  const auto bytes = sequence_length(static_cast<unsigned char>(text[0]), value);
  if (bytes == 0 || bytes > text.size()) return garbage;
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) return garbage;
    value = value << 6U | (next & 0x3FU);
  }
  if (!is_allowed(value, bytes)) return garbage;
  return {value, bytes, true};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (static_cast<unsigned char>(text[0]) < 0x80) {
      text.remove_prefix(1);
      continue;
    }
    const auto point = first_code_point(text);
    if (!point.valid) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto point = first_code_point(text);
    if (point.valid) {
      out.append(text.substr(0, point.bytes));
    } else {
      append_utf8(out, kReplacement);
    }
    text.remove_prefix(point.bytes);
  }
  return out;
}

void append_utf8(std::string& out, char32_t value) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0U | value >> 6U);
    put(0x80U | (value & 0x3FU));
  } else if (value < 0x10000) {
    put(0xE0U | value >> 12U);
    put(0x80U | (value >> 6U & 0x3FU));
    put(0x80U | (value & 0x3FU));
  } else {
    put(0xF0U | value >> 18U);
    put(0x80U | (value >> 12U & 0x3FU));
    put(0x80U | (value >> 6U & 0x3FU));
    put(0x80U | (value & 0x3FU));
  }
}

}  // namespace tidemark::formats
