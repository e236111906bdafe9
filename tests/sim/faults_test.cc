// Each kind of fault, and that the same seed spoils the same requests.

#include "sim/faults.h"

#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

Reply fine() {
  Reply reply;
  reply.status = 200;
  reply.body = "0123456789";
  return reply;
}

}  // namespace

TEST_CASE("a rule hits what it names, while it lasts") {
  Faults faults(1);
  FaultRule rule;
  rule.name = "broker-0:8080";
  rule.path_contains = "/stats";
  rule.from_ms = 1000;
  rule.until_ms = 2000;
  faults.add(rule);
  const auto status = [&](std::string_view name, std::string_view path, TimeMs now) {
    auto reply = fine();
    faults.apply(model::Target::kBroker, name, path, now, reply);
    return reply.status;
  };
  CHECK(status("broker-0:8080", "/a/stats", 1000) == 503);
  CHECK(status("broker-1:8080", "/a/stats", 1000) == 200);
  CHECK(status("broker-0:8080", "/a/internal-info", 1000) == 200);
  CHECK(status("broker-0:8080", "/a/stats", 999) == 200);
  CHECK(status("broker-0:8080", "/a/stats", 2000) == 200);
  auto bookie = fine();
  faults.apply(model::Target::kBookie, "broker-0:8080", "/a/stats", 1000, bookie);
  CHECK(bookie.status == 200);
}

TEST_CASE("kinds of faults") {
  Faults faults(1);
  FaultRule rule;
  Reply reply = fine();
  SECTION("lost") {
    rule.kind = FaultKind::kLost;
    faults.add(rule);
    faults.apply(model::Target::kBroker, "b", "/", 0, reply);
    CHECK(reply.lost);
  }
  SECTION("too many requests, with Jetty's page") {
    rule.status = 429;
    faults.add(rule);
    faults.apply(model::Target::kBroker, "b", "/", 0, reply);
    CHECK(reply.status == 429);
    CHECK(reply.body.find("Too Many Requests") != std::string::npos);
  }
  SECTION("truncated") {
    rule.kind = FaultKind::kTruncated;
    rule.bytes = 4;
    faults.add(rule);
    faults.apply(model::Target::kBroker, "b", "/", 0, reply);
    CHECK(reply.cut_after == 4);
  }
  SECTION("slow") {
    rule.kind = FaultKind::kSlow;
    faults.add(rule);
    faults.apply(model::Target::kBroker, "b", "/", 0, reply);
    CHECK(reply.delay == Duration{1000});
  }
}

TEST_CASE("chance repeats with the seed") {
  const auto hits = [](std::uint64_t seed) {
    Faults faults(seed);
    FaultRule rule;
    rule.probability = 0.3;
    faults.add(rule);
    std::string text;
    for (int i = 0; i < 200; ++i) {
      auto reply = fine();
      faults.apply(model::Target::kBroker, "b", "/", i, reply);
      text += reply.status == 200 ? '.' : 'x';
    }
    return text;
  };
  CHECK(hits(1) == hits(1));
  CHECK(hits(1) != hits(2));
  const auto text = hits(3);
  CHECK(std::count(text.begin(), text.end(), 'x') > 30);
  CHECK(std::count(text.begin(), text.end(), 'x') < 90);
}
