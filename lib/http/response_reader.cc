// Derives from Beast's basic_parser: it checks the framing, and hands over fields and body bytes without storing them.

#include "http/response_reader.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <string>
#include <utility>

#include "http/beast_quirk.h"
#include "http/http_date.h"
#include "http/inflate.h"

namespace tidemark::http {
namespace {

namespace beast = boost::beast;

constexpr std::uint32_t kMaxHead = 32 * 1024;
constexpr std::size_t kMaxErrorPage = std::size_t{64} * 1024;
constexpr std::size_t kMaxReason = std::size_t{2} * 1024;

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

}  // namespace

class ResponseReader::Parser final : public beast::http::basic_parser<false> {
 public:
  Parser(std::size_t max_body, BodySink sink) : max_body_(max_body), sink_(std::move(sink)) {
    body_limit(boost::none);  // ours counts decoded bytes
    header_limit(kMaxHead);
  }

  Result<std::size_t> feed(std::string_view bytes) {
    std::size_t used = 0;
    while (used < bytes.size() && !finished()) {
      if (waits_for_first_chunk(*this, raw_bytes_, bytes.size() - used)) break;
      beast::error_code ec;
      used += put({bytes.data() + used, bytes.size() - used}, ec);
      if (failure_.code() != Errc::kNone) return failure_;
      if (ec == beast::http::error::need_more) break;
      if (ec) return Error{Errc::kMalformed, "not a valid HTTP response: " + ec.message()};
    }
    if (is_done()) {
      if (auto whole = check_complete(); !whole) return whole.error();
    }
    return used;
  }

  Result<void> end_of_stream() {
    if (!got_some()) return Error{Errc::kNetwork, "the server closed the connection without an answer"};
    beast::error_code ec;
    put_eof(ec);
    if (ec) {
      return Error{Errc::kTruncated, is_header_done()
                                         ? "the body ended early, after " + std::to_string(raw_bytes_) + " bytes"
                                         : std::string("the answer ended inside its head")};
    }
    return check_complete();
  }

  bool finished() const { return is_done() || abandoned_; }
  bool reusable() const { return is_done() && !abandoned_ && keep_alive(); }
  Head& head() { return head_; }

 private:
  bool success() const { return head_.status >= 200 && head_.status < 300; }

  Result<void> check_complete() const {
    if (inflater_ && raw_bytes_ > 0 && !inflater_->complete()) {
      return Error{Errc::kTruncated, "the gzip body ended early"};
    }
    return {};
  }

  // Keeps the first failure and gives Beast some error code, which makes it stop.
  void fail(Error error, beast::error_code& ec) {
    failure_ = std::move(error);
    ec = beast::http::error::end_of_stream;
  }

  Result<void> deliver(std::string_view bytes) {
    head_.body_bytes += bytes.size();
    if (success()) {
      if (head_.body_bytes > max_body_) return too_large();
      return sink_(bytes);
    }
    head_.reason.append(bytes.substr(0, kMaxReason - head_.reason.size()));
    abandoned_ = head_.body_bytes > kMaxErrorPage;
    return {};
  }

  Error too_large() const {
    return {Errc::kTooLarge, "the body is larger than the cap of " + std::to_string(max_body_) + " bytes"};
  }

  std::size_t take_body(std::string_view bytes, beast::error_code& ec) {
    raw_bytes_ += bytes.size();
    if (abandoned_) return bytes.size();
    auto taken =
        inflater_ ? inflater_->feed(bytes, [this](std::string_view piece) { return deliver(piece); }) : deliver(bytes);
    if (!taken) fail(taken.error(), ec);
    return bytes.size();
  }

  void on_request_impl(beast::http::verb, beast::string_view, beast::string_view, int, beast::error_code&) override {}

  void on_response_impl(int code, beast::string_view, int, beast::error_code& ec) override {
    head_.status = code;
    if (code < 200) fail({Errc::kMalformed, "interim answer " + std::to_string(code) + " that was not asked for"}, ec);
  }

  void on_field_impl(beast::http::field field, beast::string_view, beast::string_view value,
                     beast::error_code& ec) override {
    switch (field) {
      case beast::http::field::content_type:
        head_.content_type = text_of(value);
        break;
      case beast::http::field::location:
        head_.location = text_of(value);
        break;
      case beast::http::field::date:
        head_.date = parse_http_date({value.data(), value.size()});
        break;
      case beast::http::field::content_encoding:
        use_coding(text_of(value), ec);
        break;
      default:
        break;
    }
  }

  void use_coding(const std::string& name, beast::error_code& ec) {
    if (name == "gzip" || name == "x-gzip") {
      inflater_ = std::make_unique<Inflater>();
    } else if (name != "identity" && !name.empty()) {
      fail({Errc::kMalformed, "Content-Encoding '" + name + "' that was not asked for"}, ec);
    }
  }

  void on_header_impl(beast::error_code&) override {}

  // Refuses early what is known to be too large.
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, beast::error_code& ec) override {
    if (length && *length > max_body_ && success()) fail(too_large(), ec);
  }

  std::size_t on_body_impl(beast::string_view body, beast::error_code& ec) override {
    return take_body({body.data(), body.size()}, ec);
  }

  void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code&) override {}

  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view body, beast::error_code& ec) override {
    return take_body({body.data(), body.size()}, ec);
  }

  void on_finish_impl(beast::error_code&) override {}

  std::size_t max_body_;
  BodySink sink_;
  Head head_;
  std::unique_ptr<Inflater> inflater_;
  std::size_t raw_bytes_ = 0;
  bool abandoned_ = false;
  Error failure_;
};

ResponseReader::ResponseReader(std::size_t max_body, BodySink sink)
    : parser_(std::make_unique<Parser>(max_body, std::move(sink))) {}
ResponseReader::~ResponseReader() = default;

Result<std::size_t> ResponseReader::feed(std::string_view bytes) { return parser_->feed(bytes); }
Result<void> ResponseReader::end_of_stream() { return parser_->end_of_stream(); }
bool ResponseReader::started() const { return parser_->got_some(); }
bool ResponseReader::head_done() const { return parser_->is_header_done(); }
bool ResponseReader::done() const { return parser_->finished(); }
bool ResponseReader::keep_alive() const { return parser_->reusable(); }
Head& ResponseReader::head() { return parser_->head(); }

}  // namespace tidemark::http
