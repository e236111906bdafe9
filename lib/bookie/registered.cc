#include "bookie/registered.h"

#include "formats/sax_reader.h"

namespace tidemark::bookie {
namespace {

// {"127.0.0.1:3181":null, ...}: the host names behind the colon, or null.
class Names final : public formats::SaxHandler {
 public:
  std::vector<std::string> names;

  bool start_object() override { return ++depth_ == 1; }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array() override { return false; }
  bool key(std::string_view name) override {
    names.emplace_back(name);
    return true;
  }
  bool integer(std::int64_t) override { return false; }
  bool real(double) override { return false; }
  bool boolean(bool) override { return false; }
  bool text(std::string_view) override { return depth_ == 1; }
  bool null() override { return depth_ == 1; }

 private:
  int depth_ = 0;
};

}  // namespace

Result<std::vector<std::string>> decode_registered(std::string_view body) {
  Names reader;
  if (auto done = formats::read_json("registered bookies", body, reader); done.has_error()) return done.error();
  return std::move(reader.names);
}

}  // namespace tidemark::bookie
