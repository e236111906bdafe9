// Writes a broker-stats/topics document of a given size, as a busy broker's looks: namespaces of some hundred topics in
// bundles, three quarters of them with a publisher, one or two subscriptions each, some consumers, about 2.7 KB a
// topic. The same seed gives the same bytes on every machine.
//
//   make_broker_stats [--mb N] [--seed S] [--out FILE]

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// Not std's distributions: their results differ between standard libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}

  std::uint64_t below(std::uint64_t limit) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return (state_ >> 11U) % limit;
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

class Writer {
 public:
  Writer(std::FILE* out, std::uint64_t seed) : out_(out), random_(seed) {}

  // Whole namespaces until the size is reached.
  void document(std::uint64_t bytes) {
    put("{");
    for (int ns = 0; written_ < bytes; ++ns) name_space(ns);
    put("}");
    std::fflush(out_);
  }

  std::uint64_t written() const { return written_; }
  std::uint64_t topics() const { return topics_; }

 private:
  [[gnu::format(printf, 2, 3)]] void put(const char* format, ...) {
    char text[1024];
    std::va_list args;
    va_start(args, format);
    const int size = std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (size < 0 || static_cast<std::size_t>(size) >= sizeof text) std::abort();
    if (std::fwrite(text, 1, static_cast<std::size_t>(size), out_) != static_cast<std::size_t>(size)) {
      std::perror("make_broker_stats");
      std::exit(1);
    }
    written_ += static_cast<std::uint64_t>(size);
  }

  unsigned number(std::uint64_t limit) { return static_cast<unsigned>(random_.below(limit)); }
  const char* comma(int i) { return i == 0 ? "" : ","; }

  void name_space(int ns) {
    put("%s\"tenant-%d/ns-%d\":{", comma(ns), ns % 40, ns);
    constexpr int kBundles = 4;
    for (int bundle = 0; bundle < kBundles; ++bundle) {
      put("%s\"0x%08x_0x%08x\":{\"persistent\":{", comma(bundle), static_cast<unsigned>(bundle) << 30U,
          bundle == kBundles - 1 ? 0xffffffffU : static_cast<unsigned>(bundle + 1) << 30U);
      const auto topics = 20 + static_cast<int>(random_.below(100));
      for (int i = 0; i < topics; ++i) topic(ns, bundle, i);
      put("}");
      if (random_.one_in(8)) put(",\"non-persistent\":{}");
      put("}");
    }
    put("}");
  }

  void topic(int ns, int bundle, int i) {
    ++topics_;
    const char* odd = random_.one_in(50) ? "caf\\u00e9-\\\"q\\\"-" : "";
    put("%s\"persistent://tenant-%d/ns-%d/%sorders-%d-%d-partition-%d\":{\"publishers\":[", comma(i), ns % 40, ns, odd,
        bundle, i / 8, i % 8);
    const int publishers = random_.one_in(4) ? 0 : 1 + static_cast<int>(random_.below(2));
    for (int p = 0; p < publishers; ++p) publisher(p);
    put("],\"replication\":{");
    if (random_.one_in(20)) replicator();
    put("},\"subscriptions\":{");
    const int subscriptions = 1 + static_cast<int>(random_.below(2));
    for (int s = 0; s < subscriptions; ++s) subscription(s);
    put("},\"producerCount\":%d,\"averageMsgSize\":%u.%03u,\"msgRateIn\":%u.%03u,\"msgRateOut\":%u.%03u,", publishers,
        number(4000), number(1000), number(900), number(1000), number(900), number(1000));
    put("\"msgInCount\":%u,\"bytesInCount\":%llu,\"msgOutCount\":%u,\"bytesOutCount\":%llu,", number(100000000),
        static_cast<unsigned long long>(random_.below(100000000000)), number(100000000),
        static_cast<unsigned long long>(random_.below(100000000000)));
    put("\"msgThroughputIn\":%u.%03u,\"msgThroughputOut\":%u.%03u,\"storageSize\":%llu,\"backlogSize\":%llu,",
        number(900000), number(1000), number(900000), number(1000),
        static_cast<unsigned long long>(random_.below(50000000000)),
        static_cast<unsigned long long>(random_.below(50000000000)));
    put("\"pendingAddEntriesCount\":0,\"filteredEntriesCount\":0}");
  }

  void publisher(int p) {
    put("%s{\"msgRateIn\":%u.%03u,\"msgThroughputIn\":%u.%03u,\"averageMsgSize\":%u.0,\"address\":\"/10.%u.%u.%u:%u\",",
        comma(p), number(900), number(1000), number(900000), number(1000), number(4000), number(256), number(256),
        number(256), 1024 + number(60000));
    put("\"producerId\":%u,\"producerName\":\"cluster-a-%u-%u\",\"connectedSince\":\"2026-11-%02uT%02u:54:19.%09uZ\",",
        number(100), number(1000), number(1000000), 1 + number(28), number(24), number(1000000000));
    put("\"clientVersion\":\"Pulsar-Java-v4.0.7\",\"metadata\":{}}");
  }

  void replicator() {
    put("\"west\":{\"connected\":%s,\"msgRateExpired\":0.0,\"msgRateIn\":%u.%03u,\"msgRateOut\":%u.%03u,",
        random_.one_in(5) ? "false" : "true", number(900), number(1000), number(900), number(1000));
    put("\"msgThroughputIn\":0.0,\"msgThroughputOut\":%u.%03u,\"replicationBacklog\":%u,\"replicationDelayInSeconds\":%"
        "u}",
        number(900000), number(1000), number(100000), number(100));
  }

  void subscription(int s) {
    static const char* const kTypes[] = {"Shared", "Exclusive", "Failover", "Key_Shared"};
    const bool shared = random_.one_in(2);
    const int consumers = random_.one_in(6) ? 0 : 1 + static_cast<int>(random_.below(4));
    put("%s\"billing-service-%d-%u\":{\"consumers\":[", comma(s), s, number(100000));
    for (int c = 0; c < consumers; ++c) consumer(c, shared);
    put("],\"msgBacklog\":%u,\"msgRateExpired\":0.0,\"msgRateOut\":%u.%03u,\"messageAckRate\":%u.%03u,",
        consumers == 0 ? number(10000000) : number(1000), number(900), number(1000), number(900), number(1000));
    put("\"msgThroughputOut\":%u.%03u,\"msgRateRedeliver\":0.0,\"numberOfEntriesSinceFirstNotAckedMessage\":%u,",
        number(900000), number(1000), number(10000));
    put("\"totalNonContiguousDeletedMessagesRange\":%u,\"type\":\"%s\",", shared ? number(100) : 0,
        shared ? kTypes[0] : kTypes[1 + number(3)]);
    put("\"filterProcessedMsgCount\":0,\"filterAcceptedMsgCount\":0,\"filterRejectedMsgCount\":0,"
        "\"filterRescheduledMsgCount\":0");
    if (shared) put(",\"blockedSubscriptionOnUnackedMsgs\":false,\"unackedMessages\":%u", number(5000));
    put("}");
  }

  void consumer(int c, bool shared) {
    put("%s{\"address\":\"/"
        "10.%u.%u.%u:%u\",\"consumerName\":\"billing-service-7c9d5f6b8-%05x\",\"availablePermits\":%u,",
        comma(c), number(256), number(256), number(256), 1024 + number(60000), number(1U << 20U), number(1000));
    put("\"connectedSince\":\"2026-11-%02uT%02u:54:19.%09uZ\",\"msgRateOut\":%u.%03u,\"msgThroughputOut\":%u.%03u,",
        1 + number(28), number(24), number(1000000000), number(900), number(1000), number(900000), number(1000));
    put("\"msgRateRedeliver\":0.0,\"avgMessagesPerEntry\":%u,\"messageAckRate\":%u.%03u,", 1 + number(50), number(900),
        number(1000));
    if (shared)
      put("\"unackedMessages\":%u,\"blockedConsumerOnUnackedMsgs\":%s,", number(1000),
          random_.one_in(100) ? "true" : "false");
    put("\"clientVersion\":\"Pulsar-Java-v4.0.7\",\"metadata\":{\"application\":\"billing\",\"pod\":\"billing-service-%"
        "u\"}}",
        number(1000));
  }

  std::FILE* out_;
  Random random_;
  std::uint64_t written_ = 0;
  std::uint64_t topics_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t megabytes = 220;
  std::uint64_t seed = 1;
  std::FILE* out = stdout;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) {
      std::fprintf(stderr, "usage: make_broker_stats [--mb N] [--seed S] [--out FILE]\n");
      return 2;
    }
    if (std::strcmp(argv[i], "--mb") == 0) megabytes = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--out") == 0) out = std::fopen(argv[i + 1], "wb");
  }
  if (out == nullptr) {
    std::perror("make_broker_stats");
    return 1;
  }
  Writer writer(out, seed);
  writer.document(megabytes * 1000 * 1000);
  std::fprintf(stderr, "%llu bytes, %llu topics\n", static_cast<unsigned long long>(writer.written()),
               static_cast<unsigned long long>(writer.topics()));
  return std::fclose(out) == 0 ? 0 : 1;
}
