// Beast's basic_parser checks the framing (it also refuses a request with both a length and chunks, which smugglers
// use).

#include "http/request_reader.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/verb.hpp>
#include <cstdlib>
#include <string>

#include "http/beast_quirk.h"

namespace tidemark::http {
namespace {

namespace beast = boost::beast;
using beast::http::field;
using beast::http::verb;

constexpr int kBadRequest = 400;
constexpr int kMethodNotAllowed = 405;
constexpr int kBodyTooLarge = 413;
constexpr int kHeadTooLarge = 431;

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

// "gzip, br;q=0.5": named, and not with a weight of zero.
bool names_gzip(beast::string_view value) {
  for (const auto& [name, parameters] : beast::http::ext_list{value}) {
    if (name != "gzip" && name != "x-gzip" && name != "*") continue;
    bool wanted = true;
    for (const auto& [key, weight] : parameters) {
      if (key == "q" || key == "Q") wanted = std::strtod(text_of(weight).c_str(), nullptr) > 0;
    }
    if (wanted) return true;
  }
  return false;
}

}  // namespace

class RequestReader::Parser final : public beast::http::basic_parser<true> {
 public:
  explicit Parser(const ServerLimits& limits) : simulates_(limits.simulates) {
    header_limit(static_cast<std::uint32_t>(limits.head_bytes));
    body_limit(limits.body_bytes);
  }

  Result<std::size_t> feed(std::string_view bytes) {
    std::size_t used = 0;
    while (used < bytes.size() && !is_done()) {
      if (waits_for_first_chunk(*this, body_bytes_, bytes.size() - used)) break;
      beast::error_code ec;
      used += put({bytes.data() + used, bytes.size() - used}, ec);
      if (ec == beast::http::error::need_more) break;
      if (ec) return refuse(ec);
    }
    return used;
  }

  int refusal = kBadRequest;
  ServerRequest request;

 private:
  Error refuse(const beast::error_code& ec) {
    if (ec == beast::http::error::header_limit) refusal = kHeadTooLarge;
    if (ec == beast::http::error::body_limit) refusal = kBodyTooLarge;
    const bool large = refusal == kHeadTooLarge || refusal == kBodyTooLarge;
    return {large ? Errc::kTooLarge : Errc::kMalformed, "request refused: " + ec.message()};
  }

  void on_request_impl(verb method, beast::string_view name, beast::string_view target, int,
                       beast::error_code& ec) override {
    const bool deletes = simulates_ && method == verb::delete_;
    if (method != verb::get && method != verb::head && method != verb::post && method != verb::put && !deletes) {
      refusal = kMethodNotAllowed;
      ec = beast::http::error::bad_method;
      return;
    }
    request.method = text_of(name);
    auto text = text_of(target);
    // Proxies send the whole URL.
    if (text.starts_with("http://")) {
      const auto path = text.find_first_of("/?", std::string_view("http://").size());
      text = path == std::string::npos ? std::string("/") : text.substr(path);
    }
    const auto question = text.find('?');
    request.path = text.substr(0, question);
    if (question != std::string::npos) request.query = text.substr(question + 1);
  }

  void on_response_impl(int, beast::string_view, int, beast::error_code&) override {}

  void on_field_impl(field name, beast::string_view, beast::string_view value, beast::error_code&) override {
    switch (name) {
      case field::accept:
        request.accept = text_of(value);
        break;
      case field::accept_encoding:
        request.accepts_gzip = names_gzip(value);
        break;
      case field::authorization:
        request.authorization = text_of(value);
        break;
      default:
        break;
    }
  }

  void on_header_impl(beast::error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, beast::error_code&) override {}

  std::size_t on_body_impl(beast::string_view body, beast::error_code&) override { return take(body); }

  void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code&) override {}

  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view body, beast::error_code&) override {
    return take(body);
  }

  void on_finish_impl(beast::error_code&) override {}

  std::size_t take(beast::string_view body) {
    body_bytes_ += body.size();
    if (simulates_) request.body.append(body.data(), body.size());
    return body.size();
  }

  bool simulates_;
  std::size_t body_bytes_ = 0;
};

RequestReader::RequestReader(const ServerLimits& limits) : parser_(std::make_unique<Parser>(limits)) {}
RequestReader::~RequestReader() = default;

Result<std::size_t> RequestReader::feed(std::string_view bytes) { return parser_->feed(bytes); }
int RequestReader::refusal() const { return parser_->refusal; }
bool RequestReader::done() const { return parser_->is_done(); }
bool RequestReader::keep_alive() const { return parser_->keep_alive(); }
const ServerRequest& RequestReader::request() const { return parser_->request; }

}  // namespace tidemark::http
