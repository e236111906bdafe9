#include "survey/recording.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include "support/catch.h"
#include "survey/documents.h"

using namespace tidemark;
using namespace tidemark::testing;
using survey::RecordingReader;
using survey::RecordingWriter;

namespace {

struct TempFile {
  std::string path = std::string(std::tmpnam(nullptr)) + ".ndjson";
  explicit TempFile(const std::string& text) { std::ofstream(path) << text; }
  ~TempFile() { std::remove(path.c_str()); }
};

Result<std::vector<model::Exchange>> read(const std::string& text) {
  const TempFile file(text);
  std::vector<model::Exchange> exchanges;
  auto done = RecordingReader::read_file(
      file.path, [](const auto&) { return Result<void>{}; },
      [&](model::Exchange exchange) -> Result<bool> {
        exchanges.push_back(std::move(exchange));
        return true;
      });
  if (!done) return done.error();
  return exchanges;
}

constexpr const char* kHead = R"({"tidemark_recording":1,"pulsar_cluster":"c1","pulsar_version":"4.0.7"})";

}  // namespace

TEST_CASE("blank lines are none, in front of the first one too") {
  const std::string line =
      R"({"at_ms":1,"target":"broker","name":"b","path":"/admin/v2/clusters","status":200,"body":["c1"]})";
  const auto exchanges = read("\n" + std::string(kHead) + "\n\n" + line + "\n");
  REQUIRE(exchanges.has_value());
  CHECK(exchanges->size() == 1);
  CHECK(read("\n\n").has_error());
  CHECK(read("\n" + line + "\n").has_error());
}

TEST_CASE("what is written is read again") {
  std::ostringstream out;
  RecordingWriter writer(out);
  writer.head("c\"1", "4.0.7");
  writer.write(from_broker(kStart, "/admin/v2/clusters", R"(["c1"])"));
  writer.write(from_broker(kStart, "/admin/v2/brokers/version", "4.0.7"));
  writer.write(from_broker(kStart, "/admin/v2/tenants", "<html>secret</html>", 401));
  writer.write({kStart, model::Target::kBookie, "bookie-0:8000", "/metrics", 200, "a 1\nb \"2\"\n"});
  auto timed = from_broker(kStart, "/admin/v2/tenants", R"(["t"])");
  timed.took = Duration{75};
  writer.write(timed);
  timed.status = 0;
  timed.timed_out = true;
  writer.write(timed);
  const auto exchanges = read(out.str());
  REQUIRE(exchanges.has_value());
  REQUIRE(exchanges->size() == 6);
  CHECK_FALSE((*exchanges)[0].took);
  CHECK((*exchanges)[4].took == Duration{75});
  CHECK((*exchanges)[4].body == R"(["t"])");
  CHECK_FALSE((*exchanges)[4].timed_out);
  CHECK((*exchanges)[5].timed_out);
  CHECK((*exchanges)[0].body == R"(["c1"])");
  CHECK((*exchanges)[1].body == "4.0.7");
  CHECK((*exchanges)[2].status == 401);
  CHECK((*exchanges)[2].body.empty());
  CHECK((*exchanges)[3].target == model::Target::kBookie);
  CHECK((*exchanges)[3].body == "a 1\nb \"2\"\n");
}

TEST_CASE("a configuration that cannot be narrowed is not recorded") {
  std::ostringstream out;
  RecordingWriter writer(out);
  writer.head("c1", "4.0.7");
  writer.write(from_broker(kStart, "/admin/v2/brokers/configuration/runtime", R"({"password":"hunter2")"));
  writer.write({kStart, model::Target::kBookie, "bookie-0:8000", "/api/v1/config/server_config", 200, "hunter2"});
  writer.write({kStart, model::Target::kBookie, "bookie-0:8000", "/api/v1/config/server_config", 200,
                R"({"diskUsageThreshold":"0.90","password":"hunter2"})"});
  CHECK(out.str().find("hunter2") == std::string::npos);
  CHECK(read(out.str())->at(2).body == R"({"diskUsageThreshold":"0.90"})");
}

// A server that repeats the request's headers in its answers had the token recorded.
TEST_CASE("what is not of the shape that was asked for is not recorded") {
  const auto* echo = R"({"Host":"b:8080","Authorization":"Bearer hunter2"})";
  for (const auto* body : {echo, "Bearer hunter2", "\"hunter2\"", "<html>hunter2</html>", R"(["a",{"b":"hunter2"}])"}) {
    std::ostringstream out;
    RecordingWriter writer(out);
    writer.head("c1", "4.0.7");
    for (const auto* path :
         {"brokers/version", "clusters", "brokers/c1", "tenants", "namespaces/a", "persistent/a/b"}) {
      writer.write(from_broker(kStart, std::string("/admin/v2/") + path, body));
    }
    for (const auto* path : {"bookies/all", "namespaces/a/b", "persistent/a/b/c/stats"}) {
      writer.write(from_broker(kStart, std::string("/admin/v2/") + path, echo));
      writer.write(from_broker(kStart, std::string("/admin/v2/") + path, "<html>hunter2"));
    }
    INFO(out.str());
    CHECK(out.str().find("hunter2") == std::string::npos);
    CHECK(read(out.str())->size() == 12);
  }
}

TEST_CASE("a sweep is written topic by topic and comes out as one document") {
  std::ostringstream out;
  RecordingWriter writer(out);
  writer.head("c1", "4.0.7");
  writer.begin_sweep(from_broker(kStart, "/admin/v2/broker-stats/topics", ""));
  const auto topic = [&](std::vector<std::string> path, const std::string& object) {
    writer.sweep_topic(path, object);
  };
  topic({"a/b", "0x0_0x1", "persistent", "persistent://a/b/c"}, R"({"storageSize":1})");
  topic({"a/b", "0x0_0x1", "persistent", "persistent://a/b/d"}, R"({"publishers":[{"address":"/192.0.2.9:4100"}]})");
  topic({"a/b", "0x1_0x2", "persistent", "persistent://a/b/e"}, "{}");
  topic({"x/y", "0x0_0x1", "persistent", "persistent://x/y/z"}, "{}");
  writer.end_sweep();
  const auto exchanges = read(out.str());
  REQUIRE(exchanges.has_value());
  CHECK(
      exchanges->at(0).body ==
      R"({"a/b":{"0x0_0x1":{"persistent":{"persistent://a/b/c":{"storageSize":1},"persistent://a/b/d":{"publishers":[{"address":""}]}}},)"
      R"("0x1_0x2":{"persistent":{"persistent://a/b/e":{}}}},"x/y":{"0x0_0x1":{"persistent":{"persistent://x/y/z":{}}}}})");
}

TEST_CASE("an empty sweep is an empty document") {
  std::ostringstream out;
  RecordingWriter writer(out);
  writer.head("c1", "4.0.7");
  writer.begin_sweep(from_broker(kStart, "/admin/v2/broker-stats/topics", ""));
  writer.end_sweep();
  CHECK(read(out.str())->at(0).body == "{}");
}

TEST_CASE("damaged recordings are refused with file and line") {
  const auto text_of = [](const std::string& text) {
    const auto got = read(text);
    REQUIRE(got.has_error());
    return got.error().text();
  };
  CHECK(text_of("").find("empty") != std::string::npos);
  CHECK(text_of("{\"a\":1}\n").find(":1: not a tidemark recording") != std::string::npos);
  CHECK(text_of("garbage\n").find(":1: not a tidemark recording") != std::string::npos);
  CHECK(text_of(R"({"tidemark_recording":2})").find("format 2") != std::string::npos);
  CHECK(text_of(std::string(kHead) + "\n{\"at_ms\":1}\n").find(":2: an exchange without target") != std::string::npos);
  const auto cut = text_of(std::string(kHead) + "\n\n{\"at_ms\":1,");
  CHECK(cut.find(":3: ") != std::string::npos);
  CHECK(cut.find("cut off here") != std::string::npos);
  CHECK(text_of(std::string(kHead) + "\n{\"at_ms\":1,\n").find("cut off") == std::string::npos);
  const auto at = [](int ms) {
    return fmt::format(R"({{"at_ms":{},"target":"broker","name":"b:1","path":"/x","status":200,"body":null}})", ms) +
           "\n";
  };
  CHECK(read(std::string(kHead) + "\n" + at(5) + at(5) + at(6)).has_value());
  CHECK(text_of(std::string(kHead) + "\n" + at(5) + at(7) + at(6)).find(":4: times go back from 7 to 6") !=
        std::string::npos);
  CHECK(text_of("\x1f\x8b\x08").find("gunzip") != std::string::npos);
  const auto missing = RecordingReader::read_file(
      "/nowhere/x.ndjson", [](const auto&) { return Result<void>{}; }, [](auto) { return Result<bool>{true}; });
  CHECK(missing.error().code() == Errc::kIo);
  CHECK(missing.error().text() == "/nowhere/x.ndjson: cannot be opened: No such file or directory");
}
