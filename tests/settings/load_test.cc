// Loading: values reach their structs, and files that are no configuration at all are told apart.
#include "settings/load.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "settings/strict.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::settings;
using tidemark::testing::load_file;
using tidemark::testing::load_text;
namespace fs = std::filesystem;

namespace {

// A folder that goes away with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("tidemark-settings-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

Error failure(const std::string& path) {
  const auto loaded = load_file(path);
  REQUIRE(loaded.has_error());
  return loaded.error();
}

std::string complaint(std::string_view text) {
  const auto loaded = load_text(text, "x.yml");
  return loaded ? "nothing" : loaded.error().text();
}

}  // namespace

TEST_CASE("values reach their structs") {
  const auto loaded = load_text(R"(
listen: "[::]:0"
clusters:
  - name: blue
    url: https://pulsar.example:8443/
    mode: cluster
    auth: {basic: {user: watcher, password_file: /run/password}}
    tls: {ca_file: ca.pem, verify: false, cert_file: a.crt, key_file: a.key}
    bookies: {urls: [http://bookie-0:8000, 'http://[::1]:8001'], metrics_port: 8001}
  - {name: green, url: http://green, auth: {token_file: /run/token}}
poll: {interval: 1m30s, suspect_rate: 0.5, requests_in_flight: 3, max_topic_bytes: 1MiB, compression: gzip}
detect: {abandoned_after: 2w, held_min_bytes: 0}
origins: [{pattern: "^spark-", origin: batch_job}]
owners: [{pattern: "^persistent://shop/", owner: team-shop}]
exceptions: [{pattern: "audit", until: 2026-12-31, reason: kept by law}, {pattern: "year-", reason: archive}]
metrics: {max_cursor_series: 0}
log: {level: off}
)",
                                "x.yml");
  if (!loaded) FAIL(loaded.error().text());
  CHECK(validate(*loaded).has_value());
  CHECK(loaded->listen == "[::]:0");
  REQUIRE(loaded->clusters.size() == 2);
  const auto& blue = loaded->clusters[0];
  CHECK(blue.name == "blue");
  CHECK(blue.url == "https://pulsar.example:8443/");
  CHECK(blue.auth.basic.password_file == "/run/password");
  CHECK_FALSE(blue.tls.verify);
  CHECK(blue.tls.key_file == "a.key");
  CHECK(blue.bookies.urls.at(1) == "http://[::1]:8001");
  CHECK(blue.bookies.metrics_port == 8001);
  CHECK(loaded->clusters[1].auth.token_file == "/run/token");
  CHECK(loaded->clusters[1].tls.verify);
  CHECK(loaded->poll.interval == std::chrono::seconds{90});
  CHECK(loaded->poll.suspect_rate == 0.5);
  CHECK(loaded->poll.requests_in_flight == 3);
  CHECK(loaded->poll.max_topic_bytes == 1 << 20);
  CHECK(loaded->poll.compression == Compression::kGzip);
  CHECK(loaded->poll.topology_interval == std::chrono::minutes{10});
  CHECK(loaded->detect.abandoned_after == std::chrono::hours{14 * 24});
  CHECK(loaded->detect.held_min_bytes == 0);
  CHECK(loaded->origins.at(0).origin == "batch_job");
  CHECK(loaded->owners.at(0).owner == "team-shop");
  CHECK(loaded->exceptions.at(0).until == "2026-12-31");
  CHECK(loaded->exceptions.at(1).reason == "archive");
  CHECK(loaded->exceptions.at(1).until.empty());
  CHECK(loaded->metrics.max_cursor_series == 0);
  CHECK(loaded->log.level == log::Level::kOff);
}

TEST_CASE("a group that is commented out keeps its defaults") {
  const auto loaded = load_text("clusters: [{url: http://a}]\npoll:\n#  interval: 1m\norigins:\n", "x.yml");
  REQUIRE(loaded.has_value());
  CHECK(loaded->poll.interval == std::chrono::seconds{60});
}

TEST_CASE("anchors and aliases work") {
  const auto loaded = load_text("clusters:\n- {url: http://a, tls: &t {ca_file: x}}\n- {url: http://b, tls: *t}", "x");
  REQUIRE(loaded.has_value());
  CHECK(loaded->clusters.at(1).tls.ca_file == "x");
}

TEST_CASE("several clusters are told apart by their names, and none is listed twice") {
  const auto said = [](std::string_view clusters) {
    const auto valid = validate(load_text("clusters: " + std::string(clusters), "x").value());
    return valid.has_value() ? "nothing" : valid.error().text();
  };
  CHECK(said("[{url: http://a}]") == "nothing");
  CHECK(said("[{url: http://a, name: a}, {url: http://b, name: b}]") == "nothing");
  CHECK(said("[{url: http://a, name: a}, {url: http://b}]") ==
        "clusters.1: has no 'name'; of several clusters each needs one, for two may call themselves the same");
  CHECK(said("[{url: http://a, name: a}, {url: http://b, name: a}]") ==
        "clusters.1.name: clusters.0 is called 'a' already");
  CHECK(said("[{url: http://a, name: a}, {url: http://a/, name: b}]") == "clusters.1.url: clusters.0 has it already");
}

TEST_CASE("what is no configuration is said in one line") {
  const Folder folder;
  const auto missing = folder.path() + "/none.yml";
  CHECK(failure(missing).text() == missing + ": cannot be read: No such file or directory");
  CHECK(failure(missing).code() == Errc::kIo);
  const auto incomplete = folder.path() + "/incomplete.yml";
  std::ofstream(incomplete)
      << "clusters: [{url: http://h:8080}]\nexceptions:\n- {pattern: a, reason: b}\n- pattern: c\n";
  const auto valid = validate(*load_file(incomplete));
  REQUIRE_FALSE(valid.has_value());
  CHECK(located(valid.error(), incomplete).text() == incomplete + ":4:3: exceptions.1.reason: missing");
  CHECK(located({Errc::kConfig, "no key: at all"}, incomplete).text() == incomplete + ": no key: at all");
  CHECK(located({Errc::kConfig, "a.0: b"}, missing).text() == missing + ": a.0: b");
  CHECK(failure(folder.path()).text() == folder.path() + ": is a directory; give the file in it");
  const auto empty = folder.write("empty.yml", "");
  CHECK(failure(empty).text() == empty + ": says nothing; the least is  clusters: [{url: http://HOST:8080}]");
  CHECK(failure(empty).code() == Errc::kConfig);
  const auto binary = folder.write("binary", std::string("\x7f"
                                                         "ELF\x02\x01\x01\0\0",
                                                         9));
  CHECK(failure(binary).text() == binary + ": not a text file; a configuration is YAML");
  const auto large = folder.write("large.yml", std::string(10 << 20, '#'));
  CHECK(failure(large).text() == large + ": larger than 1 MiB, which no configuration is; is it the right file?");
  const auto secret = folder.write("secret.yml", "clusters: []");
  ::chmod(secret.c_str(), 0);
  if (::geteuid() != 0) CHECK(failure(secret).text() == secret + ": cannot be read: Permission denied");
}

TEST_CASE("hostile YAML ends in one line, soon") {
  for (const auto& text :
       {std::string(500000, '['), std::string(500000, '{'), "clusters: &a [*a]\n" + std::string(9, '#'),
        std::string(100000, '-'), "a: " + std::string(500000, '!'), std::string(100000, '\t'), std::string("? ? ? ? ?"),
        std::string(",a"), std::string(","), std::string("<<: {listen: a}"), std::string("\xff\xfe\xff"),
        "listen: '" + std::string(900000, 'x') + "'", "k: " + std::string(20000, '&')}) {
    const auto said = complaint(text);
    CHECK(said != "nothing");
    CHECK(said.size() < 400);
    CHECK(said.find('\n') == std::string::npos);
  }
}

TEST_CASE("YAML's own forms of a key and a value are accepted") {
  CHECK(complaint("{\"listen\": !!str 'a:1', ? clusters : []}") == "nothing");
  CHECK(complaint("%YAML 1.2\n---\nlisten: a:1\n...\n") == "nothing");
  CHECK(complaint("\xef\xbb\xbflisten: a:1\r\npoll:\r\n  interval: 1m\r\n") == "nothing");
}

namespace {

std::vector<std::string> lines_of(const Error& error) {
  std::vector<std::string> lines;
  std::istringstream text(error.text());
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("all mistakes of a file are told at once, each with its place") {
  const auto loaded = load_text(
      "clusters:\n"
      "  - {url: 'ftp://a', nmae: a}\n"
      "  - {url: 'http://b:8080', name: b}\n"
      "poll:\n"
      "  interval: soon\n"
      "detect: [1]\n"
      "poll: {}\n",
      "t.yaml");
  REQUIRE(loaded.has_error());
  const auto lines = lines_of(loaded.error());
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].starts_with("t.yaml:2:11: clusters.0.url: "));
  CHECK(lines[1].starts_with("t.yaml:2:22: unknown key 'clusters.0.nmae'"));
  CHECK(lines[2].starts_with("t.yaml:5:13: poll.interval: "));
  CHECK(lines[3].starts_with("t.yaml:6:9: detect must be a mapping"));
  CHECK(lines[4].starts_with("t.yaml:7:1: poll is given twice; first in line 4"));
}

TEST_CASE("what only the whole can get wrong is told at once, too") {
  const Folder folder;
  const auto path = folder.write("whole.yaml",
                                 "clusters:\n"
                                 "  - {url: 'http://a:8080', name: a}\n"
                                 "  - {url: 'http://a:8080', tls: {cert_file: c.pem}}\n"
                                 "restore: {auth: {basic: {user: me}}}\n"
                                 "detect: {disk_min_history: 20d}\n");
  const auto loaded = load_file(path);
  REQUIRE(loaded.has_value());
  const auto checked = validate(*loaded);
  REQUIRE(checked.has_error());
  const auto lines = lines_of(located(checked.error(), path));
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].starts_with(path + ":4:25: restore.auth.basic: needs both"));
  CHECK(lines[1].starts_with(path + ":3:33: clusters.1.tls: a client certificate"));
  CHECK(lines[2].starts_with(path + ":3:11: clusters.1.url: clusters.0 has it already"));
  CHECK(lines[3].starts_with(path + ":3:5: clusters.1: has no 'name'"));
  CHECK(lines[4].starts_with(path + ":5:28: detect.disk_min_history: is longer than"));
}

TEST_CASE("what a value alone and what the whole gets wrong are told at once, and nothing that only follows") {
  const Folder folder;
  const auto path = folder.write("both.yaml",
                                 "clusters:\n"
                                 "  - {url: 'http://a:8080', shards: 3, shard: 7}\n"
                                 "  - {url: 'ftp://b', name: b, shards: many, shard: 7, auth: {basic: {user: me}}}\n"
                                 "  - {url: 'http://c:8080', nmae: c, mode: sidecar, shards: 2}\n"
                                 "detect: {disk_min_history: 20d, disk_window: soon}\n");
  const auto lines = lines_of({Errc::kConfig, testing::complaint(path)});
  REQUIRE(lines.size() == 7);
  CHECK(lines[0].starts_with(path + ":3:11: clusters.1.url: "));
  CHECK(lines[1].starts_with(path + ":3:39: clusters.1.shards: "));
  CHECK(lines[2].starts_with(path + ":4:28: unknown key 'clusters.2.nmae'"));
  CHECK(lines[3].starts_with(path + ":5:46: detect.disk_window: "));
  CHECK(lines[4].starts_with("clusters.0.shard: 7 of 3 shards there is none"));
  CHECK(lines[5].starts_with("clusters.0: has no 'name'"));
  CHECK(lines[6].starts_with("clusters.1.auth.basic: needs both"));
}

TEST_CASE("of a file that is something else the first mistakes do") {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const auto loaded = load_text(text, "t.yaml");
  REQUIRE(loaded.has_error());
  const auto lines = lines_of(loaded.error());
  REQUIRE(lines.size() == 21);
  CHECK(lines[20] == "and 30 more");
}
