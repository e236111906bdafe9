// Every decoder against real documents that were cut, damaged or given other types: an error or defaults, never a
// crash.
#include <functional>
#include <random>

#include "pulsar/cluster_documents.h"
#include "pulsar/internal_info.h"
#include "pulsar/internal_stats.h"
#include "pulsar/topic_stats.h"
#include "pulsar/topic_sweep.h"
#include "pulsar_documents/sample.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::pulsar;
using pulsar::testing::sample;

namespace {

struct Subject {
  const char* file;
  std::function<Result<void>(std::string_view)> decode;
};

template <class T>
std::function<Result<void>(std::string_view)> dropping(Result<T> (*decode)(std::string_view)) {
  return [decode](std::string_view text) -> Result<void> {
    auto got = decode(text);
    if (got.has_error()) return got.error();
    return {};
  };
}

Result<SweepTopic> sweep_topic(std::string_view text) { return decode_sweep_topic("persistent://t/n/x", text); }

std::vector<Subject> subjects() {
  return {{"stats-live.json", dropping(decode_topic_stats)},
          {"internal-stats-holes.json", dropping(decode_internal_stats)},
          {"internal-info-holes.json", dropping(decode_internal_info)},
          {"policies-retention.json", dropping(decode_policies)},
          {"topics.json", dropping(decode_string_list)},
          {"stats-unacked.json", dropping(sweep_topic)}};
}

}  // namespace

TEST_CASE("cut anywhere, a document is truncated") {
  for (const auto& subject : subjects()) {
    for (const auto* version : {"2.10.5", "5.0.1"}) {
      INFO(subject.file << " of " << version);
      const auto text = sample(version, subject.file);
      REQUIRE(subject.decode(text).has_value());
      for (std::size_t size = 0; size < text.size(); ++size) {
        const auto got = subject.decode(std::string_view(text).substr(0, size));
        REQUIRE(got.has_error());
        REQUIRE(got.error().code() == Errc::kTruncated);
      }
    }
  }
}

TEST_CASE("damaged bytes and values of other types never crash") {
  std::mt19937 random(3);
  const std::string kValues[] = {"null", "true", "\"NaN\"", "-1",  "1e400", "99999999999999999999",
                                 "[]",   "{}",   "[[{}]]",  "\"\""};
  for (const auto& subject : subjects()) {
    const auto text = sample("4.0.7", subject.file);
    for (int round = 0; round < 2000; ++round) {
      auto damaged = text;
      std::uniform_int_distribution<std::size_t> at(0, text.size() - 1);
      if (round % 2 == 0) {
        damaged[at(random)] = static_cast<char>(random());
      } else {
        const auto colon = damaged.find(':', at(random));
        if (colon == std::string::npos) continue;
        const auto end = damaged.find_first_of(",}", colon);
        damaged.replace(colon + 1, end - colon - 1, kValues[static_cast<std::size_t>(round) / 2 % std::size(kValues)]);
      }
      const auto got = subject.decode(damaged);
      if (got.has_error()) CHECK(!got.error().text().empty());
    }
  }
}
