#pragma once
// A recording that may be shown to strangers: every name in it is replaced, the same one always by the same word, so
// that a replay comes to the same verdicts about other names. Times, positions and sizes stay, they are what is judged.

#include <string>
#include <string_view>

#include "model/exchange.h"
#include "pulsar/paths.h"
#include "survey/anonymous_names.h"

namespace tidemark::survey {

class Anonymizer {
 public:
  std::string cluster(std::string_view name) { return names_.replace(NameKind::kCluster, name); }
  std::string broker_or_bookie(std::string_view name) { return names_.replace(NameKind::kHost, name); }

  // Asks for the same document of the same thing; the query is left out. "/other" for what nobody here reads.
  std::string path(std::string_view path);

  // The body of an answer with status 200 as a recording holds it: JSON, or a JSON string with text in it. `null` for
  // what nobody here reads. Of JSON, what scrub() left.
  std::string body(const model::Exchange& exchange);

  // One topic of a sweep and the keys above it, raw as they stand in the document.
  std::string sweep_key(std::size_t depth, std::string_view raw);
  std::string sweep_topic(std::string_view object);

 private:
  AnonymousNames names_;
};

// "4.0.7" of "4.0.7-acme-SNAPSHOT": who builds brokers of their own puts their name into it.
std::string anonymous_version(std::string_view version);

// Of a bookie's metrics those of BookKeeper, without labels that name something.
std::string anonymous_metrics(std::string_view text, AnonymousNames& names);

}  // namespace tidemark::survey
