#include "pulsar/internal_stats.h"
#include "support/catch.h"

using namespace tidemark;
using pulsar::parse_ack_ranges;

namespace {

std::string read(std::string_view text, std::size_t most = 100) {
  std::string out;
  for (const auto& range : parse_ack_ranges(text, most)) {
    out += to_string(range.after) + ">" + to_string(range.through) + " ";
  }
  return out;
}

}  // namespace

TEST_CASE("every spelling of the ranges") {
  CHECK(read("[(100:19..100:60],(101:-1..101:4]]") == "100:19>100:60 101:-1>101:4 ");
  CHECK(read("[(100:19\xE2\x80\xA5"
             "100:60]]") == "100:19>100:60 ");
  CHECK(read("[(100:19\xE2\x80\xA6"
             "100:60]]") == "100:19>100:60 ");
  CHECK(read("[[100:20..100:60]]") == "100:19>100:60 ");
  CHECK(read("[(100:19..100:61)]") == "100:19>100:60 ");
  CHECK(read("[[100:20..100:61), (100:70..100:71]]") == "100:19>100:60 100:70>100:71 ");
  CHECK(read("(100:19..101:3]") == "100:19>101:3 ");
  CHECK(read("[]").empty());
  CHECK(read("").empty());
}

TEST_CASE("what is no range is stepped over") {
  CHECK(read("[(x..y],(1:2..1:3]]") == "1:2>1:3 ");
  CHECK(read("[(1:2..1:3") == "");
  CHECK(read("[(1:2...1:3],(1:5..1:6]") == "1:5>1:6 ");
  CHECK(read("[(-\xE2\x88\x9E..1:3],(1:5..1:6]") == "1:5>1:6 ");
  CHECK(read("((((((1:2..1:3]") == "1:2>1:3 ");
  CHECK(read("(99999999999999999999:1..2:2],(3:1..3:2]") == "3:1>3:2 ");
  CHECK(read("[[1:-9223372036854775808..1:-9223372036854775808)]") == "1:-9007199254740993>1:-9007199254740993 ");
}

TEST_CASE("at most as many as asked for") {
  CHECK(read("[(1:1..1:2],(1:3..1:4],(1:5..1:6]]", 2) == "1:1>1:2 1:3>1:4 ");
  CHECK(read("[(1:1..1:2]]", 0).empty());
}

TEST_CASE("ranges over ledger borders, before every entry and with ids of 64 bits") {
  CHECK(read("[(100:19..102:9]]") == "100:19>102:9 ");
  CHECK(read("[(-1:-2..-1:-1],(305:-1..305:19]]") == "-1:-2>-1:-1 305:-1>305:19 ");
  CHECK(read("[(1:2..9223372036854775807:9223372036854775807]]") == "1:2>9223372036854775807:9007199254740992 ");
  CHECK(read("[(1:2..9223372036854775808:0],(1:5..1:6]]") == "1:5>1:6 ");
}
