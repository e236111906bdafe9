#include "formats/shape.h"

#include "support/catch.h"

using namespace tidemark;
using formats::read_shape;
using formats::Scalar;
using formats::Shape;

namespace {

struct Leaf {
  std::string name;
  std::int64_t count = 7;
};

struct Root {
  std::int64_t integer = -1;
  int small = -1;
  double real = -1;
  bool flag = false;
  std::string text = "default";
  std::optional<std::int64_t> maybe;
  std::optional<std::string> maybe_text;
  Leaf leaf;
  std::optional<Leaf> maybe_leaf;
  std::vector<Leaf> list;
  std::vector<Leaf> named;
  std::vector<Leaf> strict;
  std::map<std::string, std::string> texts;
  std::int64_t counted = -1;
  std::int64_t sum = 0;
  std::vector<std::string> in_place;
};

const Shape<Root>& root_shape() {
  static const auto leaf = [] {
    Shape<Leaf> made;
    made.value<&Leaf::name>("name").value<&Leaf::count>("count");
    return made;
  }();
  static const auto adding = [] {
    Shape<Root> made;
    made.set<[](Root& self, const Scalar& value) { self.sum += value.as_integer().value_or(0); }>("n");
    return made;
  }();
  static const auto shape = [] {
    Shape<Root> made;
    made.value<&Root::integer>("integer")
        .value<&Root::small>("small")
        .value<&Root::real>("real")
        .value<&Root::flag>("flag")
        .value<&Root::text>("text")
        .value<&Root::maybe>("maybe")
        .value<&Root::maybe_text>("maybeText")
        .object<&Root::leaf>("leaf", leaf)
        .object<&Root::maybe_leaf>("maybeLeaf", leaf)
        .list<&Root::list>("list", leaf)
        .named<&Root::named, &Leaf::name>("named", leaf)
        .named<&Root::strict, &Leaf::name>("strict", leaf, true)
        .texts<&Root::texts>("texts")
        .each<&Root::counted>("counted", adding)
        .flat("inner", adding)
        .set_in_place<[](Root& self, const Scalar& value) {
          self.in_place.emplace_back(value.as_text().value_or("not a text"));
        }>("inPlace");
    return made;
  }();
  return shape;
}

Root read(std::string_view json) {
  Root root;
  const auto done = read_shape("test", json, root_shape(), root);
  INFO(json);
  REQUIRE(done.has_value());
  return root;
}

std::string error_of(std::string_view json) {
  Root root;
  return read_shape("test", json, root_shape(), root).error().text();
}

}  // namespace

TEST_CASE("scalars go to their members") {
  const auto root = read(R"({"integer":5,"small":-3,"real":2.5,"flag":true,"text":"x","maybe":0,"maybeText":""})");
  CHECK(root.integer == 5);
  CHECK(root.small == -3);
  CHECK(root.real == 2.5);
  CHECK(root.flag);
  CHECK(root.text == "x");
  CHECK(root.maybe == 0);
  CHECK(root.maybe_text == "");
}

TEST_CASE("whole numbers and real ones stand for one another") {
  CHECK(read(R"({"integer":5.0})").integer == 5);
  CHECK(read(R"({"real":5})").real == 5);
}

TEST_CASE("a value of the wrong type leaves the default") {
  const std::string wrong[] = {R"("NaN")",
                               R"("5")",
                               "null",
                               "[]",
                               "[5]",
                               "{}",
                               R"({"integer":5})",
                               "true",
                               "1e300",
                               "NaN",
                               "99999999999999999999"};
  for (const auto& value : wrong) {
    INFO(value);
    const auto root = read("{\"integer\":" + value + ",\"small\":" + value + ",\"leaf\":{\"count\":" + value +
                           "},\"maybe\":" + value + "}");
    CHECK(root.integer == -1);
    CHECK(root.small == -1);
    CHECK(root.leaf.count == 7);
    CHECK(!root.maybe);
  }
  const auto root =
      read(R"({"small":3000000000,"text":5,"flag":"true","real":"NaN","maybeText":{},"leaf":[{"count":1}],)"
           R"("list":{"count":1},"named":[{"count":1}],"texts":[1],"counted":{"n":1},"maybeLeaf":null})");
  CHECK(root.small == -1);
  CHECK(root.text == "default");
  CHECK(!root.flag);
  CHECK(root.real == -1);
  CHECK(root.leaf.count == 7);
  CHECK(root.list.empty());
  CHECK(root.named.empty());
  CHECK(root.texts.empty());
  CHECK(root.counted == -1);
  CHECK(!root.maybe_leaf);
}

TEST_CASE("objects, lists and maps") {
  const auto root =
      read(R"({"leaf":{"name":"l","count":1},"maybeLeaf":{},"list":[{"name":"a"},3,{"count":2},[{"count":9}]],)"
           R"("named":{"x":{"count":1},"y":null,"z":{"name":"inner"}},"texts":{"k":"v","n":1,"o":{"k":"no"}},)"
           R"("counted":[{"n":1},{"n":2},{}],"inner":{"n":10}})");
  CHECK(root.leaf.name == "l");
  CHECK(root.leaf.count == 1);
  REQUIRE(root.maybe_leaf);
  CHECK(root.maybe_leaf->count == 7);
  REQUIRE(root.list.size() == 2);
  CHECK(root.list[0].name == "a");
  CHECK(root.list[1].count == 2);
  REQUIRE(root.named.size() == 2);
  CHECK(root.named[0].name == "x");
  CHECK(root.named[0].count == 1);
  CHECK(root.named[1].name == "inner");  // the table's own member comes later than the key
  CHECK(root.texts == std::map<std::string, std::string>{{"k", "v"}});
  CHECK(root.counted == 3);
  CHECK(root.sum == 13);
}

TEST_CASE("unknown members are passed over, whatever is in them") {
  const auto root = read(R"({"?":{"integer":1,"list":[{"count":1}]},"??":[[{"integer":2}]],"integer":3,"":4})");
  CHECK(root.integer == 3);
  CHECK(root.list.empty());
}

TEST_CASE("of a member given twice the last one counts") {
  const auto root = read(
      R"({"integer":1,"integer":2,"list":[{},{}],"list":[{}],"leaf":{"name":"x"},"leaf":{"count":1},)"
      R"("named":{"a":{"count":1},"b":{"count":2},"a":{"count":3},"c":{},"b":{"count":4}},"texts":{"k":"1","k":"2"}})");
  CHECK(root.integer == 2);
  CHECK(root.list.size() == 1);
  CHECK(root.leaf.name.empty());
  REQUIRE(root.named.size() == 3);
  CHECK(root.named[0].name == "a");
  CHECK(root.named[0].count == 3);
  CHECK(root.named[1].name == "c");
  CHECK(root.named[2].count == 4);
  CHECK(root.texts.at("k") == "2");
}

TEST_CASE("maps that must hold objects only") {
  CHECK(read(R"({"strict":{"a":{},"b":null}})").strict.size() == 1);
  CHECK(error_of(R"({"strict":{"a":{},"storageSize":5}})") == "test: byte 32: a value where objects belong");
  CHECK(error_of(R"({"strict":{"a":{},"b":[]}})") == "test: byte 22: a list where objects belong");
}

TEST_CASE("what is no object is refused") {
  CHECK(error_of("[]") == "test: byte 0: not an object");
  CHECK(error_of("5").ends_with("not an object"));
  CHECK(error_of("null").ends_with("not an object"));
  CHECK(error_of("{").ends_with("the text ends early"));
}

TEST_CASE("a table of many members finds each of them") {
  Shape<Leaf> shape;
  const std::vector<std::string> keys = [] {
    std::vector<std::string> made;
    for (int i = 0; i < 32; ++i)
      made.push_back("aXXXb" + std::to_string(i % 10) + std::string(1, static_cast<char>(65 + i)));
    return made;
  }();
  for (const auto& key : keys) shape.value<&Leaf::count>(key);
  for (const auto& key : keys) CHECK(shape.find(key) != nullptr);
  CHECK(shape.find("aXXXb0") == nullptr);
  CHECK(shape.find("") == nullptr);
  CHECK_THROWS_AS(shape.value<&Leaf::count>("one more"), std::logic_error);
}

TEST_CASE("a text in place is what it would be otherwise, and what follows it is not lost") {
  const auto of = [](const std::string& value) {
    const auto root = read("{\"inPlace\"" + value + ",\"integer\":5,\"text\":\"behind\"}");
    CHECK(root.integer == 5);
    CHECK(root.text == "behind");
    return root.in_place;
  };
  using Texts = std::vector<std::string>;
  CHECK(of(R"(:"")") == Texts{""});
  CHECK(of(R"(:"plain")") == Texts{"plain"});
  CHECK(of(" \n:\t \"plain \xE2\x80\xA5 {}[],:\"") == Texts{"plain \xE2\x80\xA5 {}[],:"});
  CHECK(of(R"(:"quo\"te\\")") == Texts{"quo\"te\\"});
  CHECK(of(R"(:"\u2025")") == Texts{"\xE2\x80\xA5"});
  CHECK(of(R"(:5)") == Texts{"not a text"});
  CHECK(of(R"(:null)") == Texts{"not a text"});
  CHECK(of(R"(:["a"])").empty());
  CHECK(of(R"(:{"inPlace":"a"})").empty());
  CHECK(of(R"(:"a","inPlace":"b")") == Texts{"a", "b"});
  CHECK(of(R"(:"a","?":{"inPlace":"b"},"named":{"inPlace":{"name":"c"}})") == Texts{"a"});
  CHECK(error_of(R"({"inPlace":"a)").ends_with("the text ends early"));
  CHECK(error_of(R"({"inPlace")").ends_with("the text ends early"));
  CHECK(error_of(R"({"inPlace":"a" "b"})") == "test: byte 15: Missing a comma or '}' after an object member.");
  CHECK(error_of(R"({"inPlace" "a"})") == "test: byte 11: Missing a colon after a name of object member.");
}

TEST_CASE("numbers are cut to what can be counted with") {
  constexpr std::int64_t kMost = 9007199254740992;
  CHECK(read(R"({"integer":9007199254740991})").integer == kMost - 1);
  CHECK(read(R"({"integer":9223372036854775807})").integer == kMost);
  CHECK(read(R"({"integer":-9223372036854775808})").integer == -kMost);
  CHECK(read(R"({"integer":9.0E18})").integer == kMost);
  CHECK(read(R"({"integer":1.0E10})").integer == 10000000000);
  for (const auto* java : {"NaN", "Infinity", "-Infinity", "\"NaN\"", "\"Infinity\"", "9223372036854775808"}) {
    INFO(java);
    CHECK(read("{\"integer\":" + std::string(java) + "}").integer == -1);
  }
  for (const auto* java : {"NaN", "Infinity", "-Infinity", "\"NaN\"", "\"Infinity\""}) {
    INFO(java);
    CHECK(read("{\"real\":" + std::string(java) + "}").real == -1);
  }
}
