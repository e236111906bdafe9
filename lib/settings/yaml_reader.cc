// Walks the YAML tree beside the table of keys. yaml-cpp alone would take unknown and repeated keys and nulls in
// silence, so each node is asked for: is this a key, is it there once, is it of the kind that belongs here.
#include "settings/yaml_reader.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "settings/keys.h"
#include "settings/mistakes.h"

namespace tidemark::settings {
namespace {

// Where the walk is: `path` as in the table, `index` with the numbers of the lists passed, `depth` of them.
struct Place {
  std::string path;
  Index index{};
  std::size_t depth = 0;

  std::string text() const { return path.empty() ? "the file" : spelled(path, index); }
  Place member(const std::string& name) const { return {path.empty() ? name : path + "." + name, index, depth}; }
  Place entry(std::size_t number) const {
    Place inner{path + "[]", index, depth + 1};
    inner.index.at(depth) = number;
    return inner;
  }
};

const char* kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  return node.IsScalar() ? "a single value" : "nothing";
}

// Goes on behind a mistake.
class Reader {
 public:
  Reader(const std::string& name, Mistakes& mistakes) : name_(name), mistakes_(mistakes) {}

  Result<Settings> read_document(const YAML::Node& top) {
    if (!top.IsMap()) return error(top.Mark(), no_mapping(top, Place{}));
    read_group(top, Place{});
    return std::move(settings_);
  }

  Error error(const YAML::Mark& mark, const std::string& text) const {
    if (mark.is_null()) return {Errc::kConfig, fmt::format("{}: {}", name_, text)};
    return {Errc::kConfig, fmt::format("{}:{}:{}: {}", name_, mark.line + 1, mark.column + 1, text)};
  }

 private:
  // `key`: what has no value to rely on because of it; empty: nothing.
  void complain(const YAML::Mark& mark, const std::string& key, const std::string& text) {
    ++complaints_;
    mistakes_.add(error(mark, text), key);
  }

  // `mark` is where the key stands: a null value has no place of its own.
  void read(const YAML::Node& node, const Place& place, const YAML::Mark& mark) {
    if (const auto* key = find_key(place.path); key != nullptr) return read_value(node, place, *key, mark);
    if (node.IsNull()) return;  // everything in it is commented out
    if (children(place.path).front() == "[]") return read_list(node, place);
    read_group(node, place);
  }

  void read_value(const YAML::Node& node, const Place& place, const Key& key, const YAML::Mark& mark) {
    ++values_;
    if (node.IsNull())
      return complain(mark, place.text(), place.text() + " has no value; write one or leave the key out");
    if (!node.IsScalar()) {
      return complain(node.Mark(), place.text(),
                      fmt::format("{} must be a single value ({}), not {}", place.text(), key.kind, kind_of(node)));
    }
    if (auto good = key.set(settings_, place.index, node.Scalar()); !good) {
      complain(node.Mark(), place.text(), good.error().at(place.text()).text());
    }
  }

  void read_list(const YAML::Node& node, const Place& place) {
    if (!node.IsSequence()) {
      return complain(node.Mark(), place.text(),
                      fmt::format("{} must be a list (entries behind '- '), not {}", place.text(), kind_of(node)));
    }
    std::size_t number = 0;
    for (const auto& entry : node) {
      const auto inner = place.entry(number++);
      const auto values = values_;
      const auto complaints = complaints_;
      read(entry, inner, entry.Mark());
      if (values_ > values) continue;
      if (complaints_ == complaints) {
        complain(entry.Mark(), inner.text(), inner.text() + " is empty; write something or leave it out");
      }
      return;  // no entry was made of it, and later ones have no place without it
    }
  }

  static std::string no_mapping(const YAML::Node& node, const Place& place) {
    return fmt::format("{} must be a mapping of keys (such as '{}: ...'), not {}", place.text(),
                       children(place.path).front(), kind_of(node));
  }

  void read_group(const YAML::Node& node, const Place& place) {
    if (!node.IsMap()) return complain(node.Mark(), place.text(), no_mapping(node, place));
    const auto names = children(place.path);
    std::map<std::string, int> lines;  // of the keys seen
    for (const auto& member : node) read_member(member.first, member.second, place, names, lines);
  }

  void read_member(const YAML::Node& key, const YAML::Node& value, const Place& place,
                   const std::vector<std::string>& names, std::map<std::string, int>& lines) {
    if (!key.IsScalar())
      return complain(key.Mark(), place.path.empty() ? "" : place.text(),
                      "a key must be a word, not " + std::string(kind_of(key)));
    const auto& name = key.Scalar();
    const bool known = name != "[]" && std::find(names.begin(), names.end(), name) != names.end();
    // It may stand for any other one that seems to be missing there.
    if (!known) {
      return complain(key.Mark(), place.path.empty() ? "" : place.text(),
                      unknown_key(place.path, place.index, name).text());
    }
    const auto inner = place.member(name);
    const auto [first, is_new] = lines.emplace(name, key.Mark().line + 1);
    if (!is_new) {
      return complain(key.Mark(), inner.text(),
                      fmt::format("{} is given twice; first in line {}", inner.text(), first->second));
    }
    read(value, inner, key.Mark());
  }

  std::string name_;
  Settings settings_;
  std::size_t values_ = 0;  // seen so far
  std::size_t complaints_ = 0;
  Mistakes& mistakes_;
};

// Notes where documents start and nothing else.
class DocumentStarts : public YAML::EventHandler {
 public:
  std::vector<YAML::Mark> marks;

  void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// The first two documents' starts. Not YAML::LoadAll: on a text that begins with ',' it never ends (0.7).
std::vector<YAML::Mark> find_documents(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  while (starts.marks.size() < 2 && parser.HandleNextDocument(starts)) {
  }
  return starts.marks;
}

// What yaml-cpp says in front of a colon is its own; behind it comes text of the file, which may be a secret.
std::string without_quote(const std::string& message) { return message.substr(0, message.find(':')); }

// Indenting with a tab is the usual reason why a file is not YAML, and yaml-cpp complains about something else.
YAML::Mark find_tab(const std::string& text) {
  YAML::Mark mark;
  bool indenting = true;
  for (const char c : text) {
    if (indenting && c == '\t') return mark;
    indenting = c == '\n' || (indenting && c == ' ');
    mark.line += c == '\n' ? 1 : 0;
    mark.column = c == '\n' ? 0 : mark.column + 1;
  }
  return YAML::Mark::null_mark();
}

}  // namespace

Result<Settings> read_yaml(const std::string& text, const std::string& name, Mistakes& mistakes) {
  Reader reader(name, mistakes);
  try {
    const auto starts = find_documents(text);
    if (starts.size() > 1) return reader.error(starts[1], "a second document begins; only one is read");
    const auto document = YAML::Load(text);
    if (document.IsNull()) {
      return reader.error(YAML::Mark::null_mark(), "says nothing; the least is  clusters: [{url: http://HOST:8080}]");
    }
    return reader.read_document(document);
  } catch (const YAML::Exception& failure) {
    const auto tab = find_tab(text);
    if (!tab.is_null()) return reader.error(tab, "not YAML: a tab; indent with spaces");
    return reader.error(failure.mark, "not YAML: " + without_quote(failure.msg));
  }
}

std::string find_place(const std::string& text, const std::string& key) {
  try {
    auto node = YAML::Load(text);
    auto mark = YAML::Mark::null_mark();
    std::istringstream steps(key);
    for (std::string step; std::getline(steps, step, '.');) {
      const bool numbered = node.IsSequence() && !step.empty() && step.find_first_not_of("0123456789") == step.npos;
      if (!numbered && !node.IsMap()) break;
      const auto next = numbered ? node[std::stoul(step)] : node[step];
      if (!next) break;
      mark = next.Mark();
      node.reset(next);
    }
    return mark.is_null() ? std::string() : fmt::format(":{}:{}", mark.line + 1, mark.column + 1);
  } catch (const YAML::Exception&) {
    return {};
  }
}

}  // namespace tidemark::settings
