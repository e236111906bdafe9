#include "survey/recording.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "formats/json_writer.h"
#include "formats/member_splitter.h"
#include "formats/sax_reader.h"
#include "pulsar/cluster_documents.h"
#include "survey/scrub.h"

namespace tidemark::survey {
namespace {

constexpr std::string_view kDamaged = "damaged";  // instead of a body that is not kept: no document, to replay as well

std::string json_text(std::string_view text) {
  formats::JsonWriter writer;
  writer.value(text);
  return writer.take();
}

// The raw members of one JSON object.
Result<std::map<std::string, std::string>> members_of(std::string_view line) {
  std::map<std::string, std::string> members;
  formats::MemberSplitter splitter(1, std::numeric_limits<std::size_t>::max(),
                                   [&](formats::MemberSplitter::Path path, std::string_view item) -> Result<void> {
                                     members[path.back()] = std::string(item);
                                     return {};
                                   });
  auto done = splitter.feed(line);
  if (done) done = splitter.finish();
  if (!done) return done.error();
  return members;
}

Result<std::string> text_of(std::string_view raw) {
  if (raw.size() < 2 || raw.front() != '"') return std::string(raw);
  return formats::unescape_json(raw.substr(1, raw.size() - 2));
}

std::string text_or_empty(std::string_view raw) {
  auto text = text_of(raw);
  return text ? std::move(*text) : std::string{};
}

// A whole number and nothing else.
std::optional<std::int64_t> number_of(const std::string& raw) {
  std::int64_t number = 0;
  const auto* end = raw.data() + raw.size();
  const auto got = std::from_chars(raw.data(), end, number);
  return got.ec == std::errc{} && got.ptr == end ? std::optional(number) : std::nullopt;
}

// The last line, without its end: whoever wrote it was stopped in the middle.
Error cut_off(const Error& error) { return {Errc::kTruncated, error.text() + "; the recording was cut off here"}; }

// What may be kept of a body. What is not of the shape that was asked for may be anything: a page that repeats the
// request, a configuration that cannot be narrowed.
Result<std::string> understood(pulsar::Endpoint endpoint, const std::string& body) {
  if (endpoint == pulsar::Endpoint::kBookieMetrics || body.empty()) return body;  // a topic without a schema has none
  if (endpoint != pulsar::Endpoint::kVersion) return scrub(endpoint, body);
  auto version = pulsar::decode_version(body);
  if (!pulsar::is_version(version)) return Error{Errc::kMalformed, "no version number"};
  return version;
}

Error times_go_back(const std::string& path, std::int64_t number, TimeMs from, TimeMs to) {
  return {Errc::kMalformed,
          fmt::format("{}:{}: times go back from {} to {}; polls stand in a recording in the order of "
                      "their times",
                      path, number, from, to)};
}

}  // namespace

void RecordingWriter::head(const std::string& cluster, const std::string& version) {
  out_ << R"({"tidemark_recording":1,"pulsar_cluster":)"
       << json_text(anonymizer_ ? anonymizer_->cluster(cluster) : cluster) << R"(,"pulsar_version":)"
       << json_text(anonymizer_ ? anonymous_version(version) : version) << "}\n";
}

void RecordingWriter::begin_line(const model::Exchange& exchange) {
  const auto name = anonymizer_ ? anonymizer_->broker_or_bookie(exchange.name) : exchange.name;
  const auto path = anonymizer_ ? anonymizer_->path(exchange.path) : exchange.path;
  out_ << R"({"at_ms":)" << exchange.at_ms << R"(,"target":")" << name_of(exchange.target) << R"(","name":)"
       << json_text(name) << R"(,"path":)" << json_text(path) << R"(,"status":)" << exchange.status << R"(,"body":)";
}

std::string RecordingWriter::body_of(const model::Exchange& exchange) {
  // An error page says nothing that a verdict needs, and may repeat what was sent.
  if (exchange.status != 200) return "null";
  if (exchange.body.empty()) return R"("")";  // that says something: a topic without a schema
  const auto endpoint = pulsar::parse_path(exchange.path).endpoint;
  const bool is_text = endpoint == pulsar::Endpoint::kVersion || endpoint == pulsar::Endpoint::kBookieMetrics;
  auto known = understood(endpoint, exchange.body);
  if (!known) return json_text(kDamaged);
  if (!anonymizer_) return is_text || known->empty() ? json_text(*known) : *known;
  return anonymizer_->body(
      {exchange.at_ms, exchange.target, exchange.name, exchange.path, exchange.status, std::move(*known)});
}

void RecordingWriter::write(const model::Exchange& exchange) {
  begin_line(exchange);
  out_ << body_of(exchange);
  if (exchange.took) out_ << R"(,"took_ms":)" << exchange.took->count();
  if (exchange.timed_out) out_ << R"(,"timed_out":true)";
  out_ << "}\n";
}

void RecordingWriter::begin_sweep(const model::Exchange& exchange) {
  begin_line(exchange);
  out_ << '{';
  open_.clear();
  first_in_level_ = true;
}

void RecordingWriter::ascend(std::size_t depth) {
  while (open_.size() > depth) {
    out_ << '}';
    open_.pop_back();
    first_in_level_ = false;
  }
}

void RecordingWriter::descend(std::span<const std::string> path) {
  std::size_t same = 0;
  while (same < open_.size() && same + 1 < path.size() && open_[same] == path[same]) ++same;
  ascend(same);
  for (std::size_t i = same; i + 1 < path.size(); ++i) {
    out_ << (first_in_level_ ? "" : ",") << '"' << path[i] << "\":{";
    open_.push_back(path[i]);
    first_in_level_ = true;
  }
}

void RecordingWriter::sweep_topic(std::span<const std::string> path, std::string_view object) {
  const auto json = scrub(pulsar::Endpoint::kSweep, object);
  if (!json) return;
  if (!anonymizer_) return add_to_sweep(path, *json);
  std::vector<std::string> other;
  for (std::size_t i = 0; i < path.size(); ++i) other.push_back(anonymizer_->sweep_key(i, path[i]));
  add_to_sweep(other, anonymizer_->sweep_topic(*json));
}

void RecordingWriter::add_to_sweep(std::span<const std::string> path, std::string_view json) {
  descend(path);
  out_ << (first_in_level_ ? "" : ",") << '"' << path.back() << "\":" << json;
  first_in_level_ = false;
}

void RecordingWriter::end_sweep() {
  ascend(0);
  out_ << "}}\n";
}

Result<RecordingHead> RecordingReader::parse_head(std::string_view line, const std::string& name) {
  auto members = members_of(line);
  if (!members || !members->contains("tidemark_recording")) {
    return Error{Errc::kMalformed, name + ":1: not a tidemark recording (its first line has no tidemark_recording)"};
  }
  if ((*members)["tidemark_recording"] != "1") {
    return Error{Errc::kMalformed, name + ":1: a recording of format " + (*members)["tidemark_recording"] +
                                       ", this program reads format 1"};
  }
  RecordingHead head;
  head.cluster = text_or_empty((*members)["pulsar_cluster"]);
  head.version = text_or_empty((*members)["pulsar_version"]);
  return head;
}

Result<model::Exchange> RecordingReader::parse_line(std::string_view line, const std::string& name,
                                                    std::int64_t number) {
  const auto where = fmt::format("{}:{}", name, number);
  auto members = members_of(line);
  if (!members) return members.error().at(where);
  for (const auto* wanted : {"at_ms", "target", "name", "path", "status"}) {
    if (!members->contains(wanted)) return Error{Errc::kMalformed, where + ": an exchange without " + wanted};
  }
  model::Exchange exchange;
  const auto at = number_of((*members)["at_ms"]);
  const auto status = number_of((*members)["status"]);
  if (!at || *at < 0 || !status || *status < 0 || *status > 999) {
    return Error{Errc::kMalformed, where + ": at_ms or status is not a number that it could be"};
  }
  exchange.at_ms = *at;
  exchange.status = static_cast<int>(*status);
  const auto target = text_or_empty((*members)["target"]);
  if (target != "broker" && target != "bookie")
    return Error{Errc::kMalformed, where + ": target is neither broker nor bookie"};
  exchange.target = target == "bookie" ? model::Target::kBookie : model::Target::kBroker;
  if (const auto took = number_of((*members)["took_ms"]); took && *took >= 0) exchange.took = Duration{*took};
  exchange.timed_out = (*members)["timed_out"] == "true";
  exchange.name = text_or_empty((*members)["name"]);
  exchange.path = text_or_empty((*members)["path"]);
  const auto& body = (*members)["body"];
  if (body == "null") return exchange;
  auto text = text_of(body);
  if (!text) return text.error().at(where);
  exchange.body = std::move(*text);
  return exchange;
}

Result<void> RecordingReader::read_file(const std::string& path,
                                        const std::function<Result<void>(const RecordingHead&)>& on_head,
                                        const std::function<Result<bool>(model::Exchange)>& on_exchange) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Error{Errc::kIo, path + ": is a directory"};
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{Errc::kIo, path + ": cannot be opened: " + std::generic_category().message(errno)};
  std::string line;
  std::int64_t number = 0;
  bool headed = false;
  TimeMs newest = 0;
  while (std::getline(file, line)) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (!headed) {
      headed = true;
      if (line.starts_with("\x1f\x8b")) return Error{Errc::kMalformed, path + ": compressed; unpack it first (gunzip)"};
      auto head = parse_head(line, path);
      if (!head) return head.error();
      if (auto done = on_head(*head); !done) return done.error();
      continue;
    }
    auto exchange = parse_line(line, path, number);
    if (!exchange) return file.eof() ? cut_off(exchange.error()) : exchange.error();
    if (exchange->at_ms < newest) return times_go_back(path, number, newest, exchange->at_ms);
    newest = exchange->at_ms;
    const auto more = on_exchange(std::move(*exchange));
    if (!more) return more.error();
    if (!*more) return {};
  }
  if (!headed) return Error{Errc::kMalformed, path + ": empty, not a recording"};
  return {};
}

}  // namespace tidemark::survey
