// The cluster over real HTTP, asked by our own client: discovery from one URL, redirects, framing, faults, a token, and
// a broker that goes away.

#include "http/client.h"
#include "http/io_run.h"
#include "sim/clock.h"
#include "sim/http_front.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

constexpr TimeMs kStart = 1'767'225'600'000;

struct Fixture {
  static ClusterOptions options() {
    ClusterOptions made = demo(kStart, 5);
    made.world.step = std::chrono::minutes{5};
    made.stories.troubles = false;
    return made;
  }
  explicit Fixture(FrontOptions front_options = {}) : cluster(options(), clock) {
    front = HttpFront::open(io.executor(), cluster, std::move(front_options)).value();
    client = http::Client::create(io.executor(), {}).value();
    clock.advance(std::chrono::hours{48});
  }

  Result<http::Response> get(const std::string& base, const std::string& path, http::GetOptions get_options = {}) {
    const auto colon = base.rfind(':');
    const http::Origin origin(false, "127.0.0.1", static_cast<std::uint16_t>(std::stoi(base.substr(colon + 1))));
    return io.run(client->get(origin, path, std::move(get_options)));
  }
  std::string body(const std::string& base, const std::string& path) { return get(base, path).value().body; }

  test::Io io;
  VirtualClock clock{kStart};
  SimulatedCluster cluster;
  std::unique_ptr<HttpFront> front;
  std::unique_ptr<http::Client> client;
};

struct WithToken : Fixture {
  WithToken() : Fixture({"127.0.0.1", "s3cret", nullptr}) {}
};

}  // namespace

TEST_CASE_METHOD(Fixture, "everything is found from one URL") {
  CHECK(body(front->url(), "/admin/v2/clusters") == R"(["demo"])");
  const auto brokers = body(front->url(), "/admin/v2/brokers/demo");
  for (const auto& url : front->broker_urls()) CHECK(brokers.find(url.substr(7)) != std::string::npos);
  CHECK(body(front->url(), "/admin/v2/tenants") == R"(["analytics","iot","shop"])");
  CHECK(body(front->url(), "/admin/v2/namespaces/shop").find("shop/orders") != std::string::npos);
  CHECK(body(front->url(), "/admin/v2/persistent/shop/orders").find("orders-events-0") != std::string::npos);
  CHECK(body(front->url(), "/admin/v2/persistent/iot/ingest/partitioned").find("telemetry-0") != std::string::npos);
  std::string sweeps;
  for (const auto& url : front->broker_urls()) sweeps += body(url, "/admin/v2/broker-stats/topics");
  CHECK(sweeps.find("persistent://shop/core/payments-0") != std::string::npos);
  CHECK(front->bookie_urls().size() == 3);
  for (const auto& url : front->bookie_urls()) {
    CHECK(body(url, "/metrics").find("bookie_SERVER_STATUS 1") != std::string::npos);
  }
}

TEST_CASE_METHOD(Fixture, "a large document comes in chunks, and gzip is honoured") {
  http::GetOptions zipped;
  zipped.accept_gzip = true;
  const std::string url = front->url();
  const auto plain = get(url, "/admin/v2/broker-stats/topics").value();
  CHECK(plain.body.size() > 32'768);
  CHECK(get(url, "/admin/v2/broker-stats/topics", zipped).value().body == plain.body);
}

TEST_CASE_METHOD(Fixture, "the other broker redirects to the owner") {
  const std::string path = "/admin/v2/persistent/shop/core/payments-0/stats";
  int redirects = 0;
  for (const auto& url : front->broker_urls()) {
    const auto answer = get(url, path).value();
    if (answer.head.status == 200) continue;
    CHECK(answer.head.status == 307);
    CHECK(answer.head.location ==
          "http://" + cluster.owner_of("persistent://shop/core/payments-0") + path + "?authoritative=true");
    ++redirects;
  }
  CHECK(redirects == 1);
  CHECK(cluster.loads_by_get() == 0);
}

TEST_CASE_METHOD(WithToken, "a wrong token is refused") {
  http::GetOptions right;
  right.authorization = "Bearer s3cret";
  http::GetOptions wrong;
  wrong.authorization = "Bearer other";
  CHECK(get(front->url(), "/admin/v2/clusters", right).value().head.status == 200);
  CHECK(get(front->url(), "/admin/v2/clusters", wrong).value().head.status == 401);
  CHECK(get(front->url(), "/admin/v2/clusters").value().head.status == 401);
  CHECK(get(front->bookie_urls()[0], "/metrics").value().head.status == 200);
  // Its time is not ours: a Date would be taken for a clock that is years off.
  CHECK_FALSE(get(front->bookie_urls()[0], "/metrics").value().head.date);
}

TEST_CASE_METHOD(Fixture, "faults on the wire") {
  FaultRule rule;
  SECTION("an error") {
    rule.status = 429;
    cluster.faults().add(rule);
    CHECK(get(front->url(), "/admin/v2/clusters").value().head.status == 429);
  }
  SECTION("a truncated document") {
    rule.kind = FaultKind::kTruncated;
    cluster.faults().add(rule);
    CHECK(get(front->url(), "/admin/v2/broker-stats/topics").error().code() == Errc::kTruncated);
  }
  SECTION("an answer that never comes") {
    rule.kind = FaultKind::kLost;
    cluster.faults().add(rule);
    http::GetOptions hasty;
    hasty.total = Duration{200};
    CHECK(get(front->url(), "/admin/v2/clusters", hasty).error().code() == Errc::kTimeout);
  }
}

TEST_CASE_METHOD(Fixture, "a broker that is down refuses connections until it is back") {
  cluster.advance_to(clock.now());
  const auto urls = front->broker_urls();
  CHECK(get(urls[0], "/admin/v2/clusters").value().head.status == 200);
  cluster.world().stop_broker(0);
  CHECK(body(urls[1], "/admin/v2/brokers") == "[\"" + urls[1].substr(7) + "\"]");
  CHECK(get(urls[0], "/admin/v2/clusters").error().code() == Errc::kNetwork);
  cluster.world().start_broker(0);
  CHECK(get(urls[1], "/admin/v2/clusters").value().head.status == 200);
  CHECK(body(urls[0], "/admin/v2/broker-stats/topics") == "{}");
}

TEST_CASE_METHOD(Fixture, "under its own request a broker that went down breaks off") {
  cluster.advance_to(clock.now());
  cluster.world().stop_broker(0);
  CHECK(get(front->url(), "/admin/v2/clusters").has_error());
}

TEST_CASE("a clock that is faster than the simulation waits for it") {
  test::Io io;
  ScaledClock clock(kStart, 86'400'000);  // a day in a millisecond
  SimulatedCluster cluster(Fixture::options(), clock);
  FrontOptions options;
  options.pace = &clock;
  const auto front = HttpFront::open(io.executor(), cluster, options).value();
  const auto client = http::Client::create(io.executor(), {}).value();
  const http::Origin origin(false, "127.0.0.1", static_cast<std::uint16_t>(std::stoi(front->url().substr(17))));
  for (int i = 0; i < 20; ++i) {
    const auto answer = io.run(client->get(origin, "/admin/v2/clusters", {}));
    REQUIRE(answer.has_value());
  }
}
