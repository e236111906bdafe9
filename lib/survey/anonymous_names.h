#pragma once
// Other names for other people's names. The same name becomes the same replacement wherever it stands: as tenant, in a
// topic, as part of a function's subscription. Replacements are a word and a number in the order of appearance, so
// nothing can be found out by hashing guesses. What Pulsar itself made of a name stays: the slashes, `-partition-3`,
// `pulsar.repl.`, `__compaction`, `reader-`, ports.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tidemark::survey {

enum class NameKind {
  kCluster,
  kTenant,
  kNamespace,  // "tenant/namespace", of V1 with the cluster between
  kTopic,      // the whole name, "persistent://..."
  kCursor,
  kEncodedCursor,     // as internalStats writes it, by Java's URLEncoder
  kCursorSet,         // as Java prints one, "[one, other]"
  kReplicatorPrefix,  // of the brokers' configuration: becomes Pulsar's own, here and in cursors from then on
  kHost,              // with a port, as a URL, or alone
  kProducer,
  kConsumer,
  kOwner,
  kDirectory,  // as bookies write it into names of metrics
};

class AnonymousNames {
 public:
  std::string replace(NameKind kind, std::string_view name);

 private:
  std::string one(std::string_view word, std::string_view name);
  std::string each(std::string_view first_word, std::string_view word, std::string_view name);
  std::string host(std::string_view name);
  std::string topic(std::string_view name);
  std::string local_part(std::string_view name);
  std::string cursor(std::string_view name);
  std::string cursors(std::string_view set);
  std::string reader_digits(std::string_view digits);

  std::string replicator_prefix_ = "pulsar.repl";
  std::map<std::string, std::string> readers_;  // by their digits
  std::map<std::string, std::string, std::less<>> known_;
  std::map<std::string, std::int64_t, std::less<>> counts_;  // by word
};

}  // namespace tidemark::survey
