#include "formats/sax_reader.h"

#include "formats/rapidjson_parse.h"

namespace tidemark::formats {
namespace {

class OneText final : public SaxHandler {
 public:
  bool text(std::string_view value) override {
    out_ = value;
    return true;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace

Result<void> read_json(std::string_view document, std::string_view json, SaxHandler& handler) {
  return parse_json(document, json, handler);
}

Result<std::string> unescape_json(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return std::string(raw);
  std::string quoted;
  quoted.reserve(raw.size() + 2);
  quoted.append(1, '"').append(raw).append(1, '"');
  OneText handler;
  if (auto done = read_json("string", quoted, handler); done.has_error()) return done.error();
  return handler.take();
}

}  // namespace tidemark::formats
