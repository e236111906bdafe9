// Each tests/data/settings/bad-X.yml holds one mistake, and bad-X.expect the line that must be said about it (without
// the folder). To add a rule: the two files. And what ships in config/ must load.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "settings/keys.h"
#include "settings/load.h"
#include "settings/strict.h"
#include "support/catch.h"

using namespace tidemark;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<fs::path> bad_files() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(TIDEMARK_TEST_DATA) / "settings")) {
    if (entry.path().extension() == ".yml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string without_folder(std::string text, const fs::path& path) {
  const auto folder = path.parent_path().string() + "/";
  const auto at = text.find(folder);
  return at == std::string::npos ? text : text.erase(at, folder.size());
}

settings::Settings load_config(const char* name) {
  auto loaded = testing::load_file(std::string(TIDEMARK_SOURCE_DIR "/config/") + name);
  if (!loaded) FAIL(loaded.error().text());
  return *loaded;
}

}  // namespace

TEST_CASE("a mistake in a file gets the line that helps") {
  REQUIRE(bad_files().size() > 50);
  for (const auto& path : bad_files()) {
    auto expect = path;
    const auto wanted = read(expect.replace_extension(".expect"));
    CHECK(path.filename().string() + " -> " + without_folder(testing::complaint(path.string()), path) + "\n" ==
          path.filename().string() + " -> " + wanted);
  }
}

TEST_CASE("no complaint repeats a secret") {
  for (const auto& path : bad_files()) {
    const auto text = testing::complaint(path.string());
    for (const auto* secret : {"eyJ", "c2VjcmV0", "hunter2"}) {
      INFO(text);
      CHECK(text.find(secret) == std::string::npos);
    }
  }
}

TEST_CASE("config/minimal.yml is enough") {
  const auto minimal = load_config("minimal.yml");
  CHECK(settings::validate(minimal).has_value());
  REQUIRE(minimal.clusters.size() == 1);
  CHECK(minimal.clusters[0].url == "http://localhost:8080");
  for (const auto& key : settings::keys()) {
    if (key.path != "clusters[].url") CHECK(key.get(minimal, {}) == key.fallback);
  }
}

TEST_CASE("config/example.yml names every key and keeps the defaults") {
  const auto example = load_config("example.yml");
  const auto text = read(TIDEMARK_SOURCE_DIR "/config/example.yml");
  CHECK(settings::validate(example).has_value());
  for (const auto& key : settings::keys()) {
    INFO(key.path);
    auto name = key.path.substr(key.path.rfind('.') + 1);
    if (name.size() > 2 && name.substr(name.size() - 2) == "[]") name.resize(name.size() - 2);
    CHECK(text.find(name + ":") != std::string::npos);
    if (!key.fallback.empty()) CHECK(key.get(example, {}) == key.fallback);
  }
}
