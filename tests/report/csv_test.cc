#include "report/csv.h"

#include "report/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;

// What a real CSV reader makes of the sample cluster is checked in check_csv.py.

TEST_CASE("other people's text in a field") {
  struct Row {
    std::string text;
    std::string field;
  };
  const std::vector<Row> rows{
      {"", ""},
      {"plain-name_1", "plain-name_1"},
      {"a,b", "\"a,b\""},
      {"say \"hi\"", "\"say \"\"hi\"\"\""},
      {"two\nlines", "\"two\nlines\""},
      {"two\r\nlines", "\"two\r\nlines\""},
      {"blau\xC3\xBC", "blau\xC3\xBC"},
      {" blank", "\" blank\""},
      {"=1+1", "'=1+1"},
      {"+49", "'+49"},
      {"-1", "'-1"},
      {"@SUM(A1)", "'@SUM(A1)"},
      {"\t=1", "'\t=1"},
      {"'quoted", "''quoted"},
      {"=a,\"b\"", "\"'=a,\"\"b\"\"\""},
      {"a=b", "a=b"},
      {std::string("a\0b", 3),
       "a\xEF\xBF\xBD"
       "b"},
      {"bad\xFF", "bad\xEF\xBF\xBD"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    CHECK(csv_text(row.text) == row.field);
  }
}

TEST_CASE("one row a cursor, every line ended by CRLF") {
  model::Verdicts verdicts;
  verdicts.at_ms = report_samples::kNow;
  auto cursor = report_samples::cursor("persistent://t/n/x", "s", model::State::kAckHole);
  cursor.mark_delete = model::Position{101, -1};
  cursor.hole = model::Hole{{100, 15}, {100, 19}, 5, 1, 90, std::string("-consumer")};
  cursor.tie = report_samples::tie({"a", "b", "s"});
  cursor.created_ms = std::nullopt;
  cursor.exception = model::Exception{"kept, by law", 1767225600000};
  verdicts.cursors.push_back(cursor);
  model::Finding finding;
  finding.rule = "ack_hole";
  finding.topic = cursor.topic.str();
  finding.cursor = cursor.cursor;
  finding.summary = "5 entries, held";
  verdicts.findings.push_back(finding);
  CHECK(csv_rows(verdicts) ==
        "1736467200000,persistent://t/n/x,s,subscription,ack_hole,,1736380800000,warning,none,named,s,,1735689600000,,"
        "777600,777601.5,observed,101,-1,107,3,0,42,42,1000,0,,2,100,15,5,'-consumer,false,\"5 entries, held\",\"kept, "
        "by law\",1767225600000\r\n");
  CHECK(csv_rows({}).empty());
  const auto header = csv_header();
  CHECK(header.starts_with("at_ms,topic,cursor,kind,state,"));
  CHECK(header.ends_with(",stale,summary,exception,exception_until_ms\r\n"));
  CHECK(std::ranges::count(header, ',') == std::ranges::count(csv_rows(verdicts), ',') - 2);
}
