// A list of a million topic names, read as it arrives.

#include "formats/sax_reader.h"
#include "pulsar/cluster_documents.h"

namespace tidemark::pulsar {
namespace {

constexpr std::size_t kMaxNameBytes = 65536;  // escapes included

Error malformed(char c) { return {Errc::kMalformed, "name list: unexpected byte " + std::to_string(int{c})}; }

}  // namespace

Result<void> StringListReader::feed(std::string_view chunk) {
  for (const char c : chunk) {
    if (in_string_) {
      if (c != '"' || escaped_) {
        escaped_ = c == '\\' && !escaped_;
        item_ += c;
        if (item_.size() > kMaxNameBytes) return Error{Errc::kTooLarge, "name list: a name of more than 64 KiB"};
        continue;
      }
      in_string_ = false;
      auto name = formats::unescape_json(item_);
      if (name.has_error()) return name.error().at("name list");
      sink_(std::move(*name));
      continue;
    }
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
      case '\n':
        break;
      case '[':
        if (started_) return malformed(c);
        started_ = true;
        break;
      case '"':
        if (!started_ || ended_) return malformed(c);
        in_string_ = true;
        item_.clear();
        break;
      case ',':
      case ']':
        if (!started_ || ended_) return malformed(c);
        ended_ = c == ']';
        break;
      default:
        return malformed(c);
    }
  }
  return {};
}

Result<void> StringListReader::finish() {
  if (!ended_) return Error{Errc::kTruncated, "name list: it ends early"};
  return {};
}

Result<std::vector<std::string>> decode_string_list(std::string_view body) {
  std::vector<std::string> names;
  StringListReader reader([&names](std::string name) { names.push_back(std::move(name)); });
  if (auto fed = reader.feed(body); fed.has_error()) return fed.error();
  if (auto ended = reader.finish(); ended.has_error()) return ended.error();
  return names;
}

}  // namespace tidemark::pulsar
