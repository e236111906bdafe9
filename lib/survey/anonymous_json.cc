#include "survey/anonymous_json.h"

#include <charconv>
#include <optional>
#include <vector>

#include "formats/json_writer.h"
#include "formats/sax_reader.h"
#include "survey/anonymous_members.h"
#include "survey/scrub.h"

namespace tidemark::survey {
namespace {

using pulsar::Endpoint;

// Whose names the keys of a map are.
std::optional<NameKind> kind_of_keys(Shape shape) {
  switch (shape) {
    case Shape::kNamespaces:
      return NameKind::kNamespace;
    case Shape::kTopics:
      return NameKind::kTopic;
    case Shape::kCursors:
      return NameKind::kCursor;
    case Shape::kEncodedCursors:
      return NameKind::kEncodedCursor;
    case Shape::kClusters:
      return NameKind::kCluster;
    case Shape::kHosts:
      return NameKind::kHost;
    default:
      return std::nullopt;
  }
}

Use use_of_key(Shape shape, std::string_view key) {
  switch (shape) {
    case Shape::kMembers:
      return use_of_member(key);
    case Shape::kProperties:
      return use_of_property(key);
    case Shape::kConfiguration:
      return use_of_setting(key);
    case Shape::kNamespaces:
      return map_of(Shape::kBundles);
    case Shape::kBundles:
      return is_bundle(key) ? map_of(Shape::kDomains) : kDropped;
    case Shape::kDomains:
      return is_domain(key) ? map_of(Shape::kTopics) : kDropped;
    default:
      return map_of(Shape::kMembers);
  }
}

Use use_of_document(Endpoint endpoint) {
  switch (endpoint) {
    case Endpoint::kClusters:
      return named(NameKind::kCluster);
    case Endpoint::kBrokers:
      return named(NameKind::kHost);
    case Endpoint::kTenants:
      return named(NameKind::kTenant);
    case Endpoint::kNamespaces:
      return named(NameKind::kNamespace);
    case Endpoint::kTopics:
    case Endpoint::kPartitionedTopics:
      return named(NameKind::kTopic);
    case Endpoint::kSweep:
      return map_of(Shape::kNamespaces);
    case Endpoint::kRuntimeConfiguration:
    case Endpoint::kBookieConfiguration:
      return map_of(Shape::kConfiguration);
    case Endpoint::kPolicies:
    case Endpoint::kStats:
    case Endpoint::kInternalStats:
    case Endpoint::kInternalInfo:
    case Endpoint::kPartitions:
    case Endpoint::kSchemaMetadata:
    case Endpoint::kBookies:
    case Endpoint::kBookieInfo:
    case Endpoint::kBookieSuspension:
    case Endpoint::kTopicRetention:
    case Endpoint::kTopicTtl:
    case Endpoint::kTopicQuotas:
    case Endpoint::kTopicCompaction:
      return map_of(Shape::kMembers);
    case Endpoint::kBookiesRegistered:
      return map_of(Shape::kHosts);
    case Endpoint::kLedgerList:    // see anonymous_ledgers.h
    case Endpoint::kLoadedTopics:  // in no recording: what it says is of use to who judges now
    case Endpoint::kVersion:
    case Endpoint::kBookieMetrics:
    case Endpoint::kOther:
      break;
  }
  return kDropped;
}

// A number and nothing else: an address is made of digits and dots, too.
bool is_figure(std::string_view text) {
  double number = 0;
  const auto got = std::from_chars(text.data(), text.data() + text.size(), number);
  return text == "true" || text == "false" || (got.ec == std::errc{} && got.ptr == text.data() + text.size());
}

class Renamer final : public formats::SaxHandler {
 public:
  Renamer(Use document, AnonymousNames& names) : names_(names), use_(document) {}

  std::string take() { return writer_.take(); }

  bool start_object() override { return open(false); }
  bool start_array() override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string_view name) override {
    if (hidden_ > 0) return true;
    const auto shape = levels_.back().use.shape;
    const auto kind = kind_of_keys(shape);
    use_ = use_of_key(shape, name);
    key_ = kind ? names_.replace(*kind, name) : std::string(name);
    return true;
  }
  bool integer(std::int64_t v) override { return put(v); }
  bool real(double v) override { return put(v); }
  bool boolean(bool v) override { return put(v); }
  bool null() override { return put(nullptr); }
  bool text(std::string_view v) override {
    switch (use_.texts) {
      case Texts::kCopy:
        return put(v);
      case Texts::kCopyFigures:
        return !is_figure(v) || put(v);
      case Texts::kFlag:
        return put(v == "false" ? v : "true");
      case Texts::kReplace:
        return !is_shown() || put(names_.replace(use_.kind, v));
      case Texts::kLeaveOut:
        break;
    }
    return true;
  }

 private:
  struct Level {
    bool array = false;
    Use use;
  };

  bool is_shown() const { return hidden_ == 0 && use_.kept; }

  void write_key() {
    if (!levels_.empty() && !levels_.back().array) writer_.key(key_);
  }

  bool open(bool array) {
    if (!is_shown()) return ++hidden_, true;
    write_key();
    levels_.push_back({array, use_});
    array ? writer_.begin_array() : writer_.begin_object();
    return true;
  }

  bool close() {
    if (hidden_ > 0) return --hidden_, true;
    levels_.back().array ? writer_.end_array() : writer_.end_object();
    levels_.pop_back();
    if (!levels_.empty()) use_ = levels_.back().use;  // for an array's next item; a key sets its own
    return true;
  }

  template <class Value>
  bool put(const Value& value) {
    if (!is_shown()) return true;
    write_key();
    writer_.value(value);
    return true;
  }

  AnonymousNames& names_;
  formats::JsonWriter writer_;
  std::vector<Level> levels_;  // that are shown
  std::string key_;            // of the value that comes
  Use use_;                    // of the value that comes
  int hidden_ = 0;             // brackets open that are left out
};

}  // namespace

bool is_bundle(std::string_view key) {
  return key.find_first_not_of("0123456789abcdefABCDEFx_") == std::string_view::npos;
}

bool is_domain(std::string_view key) { return key == "persistent" || key == "non-persistent"; }

AnonymousJson anonymous_json(Endpoint endpoint, std::string_view json, AnonymousNames& names) {
  Renamer renamer(use_of_document(endpoint), names);
  const auto done = formats::read_json(pulsar::name_of(endpoint), json, renamer);
  AnonymousJson made{renamer.take(), done.has_value()};
  // scrub() could not narrow it.
  if (!made.whole && is_configuration(endpoint)) made.text.clear();
  // Damage in a place that is left out, or after the end, must not heal.
  if (!made.whole && (made.text.empty() || done.error().code() != Errc::kTruncated)) made.text += "damaged";
  return made;
}

}  // namespace tidemark::survey
