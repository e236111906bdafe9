"""What `tidemark serve` answers: health, metrics, API and page."""
import json
import shutil
import socket
import subprocess
import unittest

from harness import Broker, Daemon, families, gunzip, parse_metrics, query, run, wait_until


class WithDaemon(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.broker = cls.enterClassContext(Broker())
        cls.daemon = cls.enterClassContext(Daemon(cls.broker.url, detect__abandoned_after="5d"))
        cls.daemon.wait_states(gone="abandoned", live="ok", billing="ok")


class Health(unittest.TestCase):
    def test_healthy_at_once_and_ready_after_the_first_poll(self):
        with Broker() as broker:
            broker.override("/admin/v2/broker-stats/topics", hang=True)
            with Daemon(broker.url, url_settings="    name: fake", poll__sweep_idle_timeout="1h") as daemon:
                self.assertEqual(daemon.get("/-/healthy"), (200, "ok\n"))
                self.assertEqual(daemon.get("/-/ready")[0], 503)
                self.assertEqual(daemon.get("/api/v1/findings")[0], 503)
                self.assertEqual(daemon.get("/api/v1/cursors")[0], 503)
                self.assertEqual(daemon.get("/")[0], 200)
                self.assertNotIn("tidemark_subscriptions", families(daemon.get("/metrics")[1]))
                self.assertIn("tidemark_up", families(daemon.get("/metrics")[1]))

    def test_ready_when_no_broker_answers(self):
        """Ready says that the first poll is over, not that it went well: tidemark_up says that."""
        with Broker() as broker:
            broker.override(".*", status=503)
            with Daemon(broker.url) as daemon:
                daemon.wait_ready()
                self.assertEqual(daemon.total("tidemark_up"), 0)

    def test_a_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            ran = run("serve", "http://127.0.0.1:1", "--set", f"listen=127.0.0.1:{port}")
        self.assertEqual(ran.code, 2, ran)
        self.assertEqual(ran.out, "")
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        self.assertIn(f"127.0.0.1:{port}: address in use", ran.err)


class Metrics(WithDaemon):
    def test_head_is_get_without_the_body(self):
        for path in ("/metrics", "/api/v1/findings", "/", "/-/healthy"):
            with self.subTest(path):
                # The self metrics differ from scrape to scrape, so lengths are compared elsewhere only.
                status, headers, body = self.daemon.ask(path, "HEAD")
                full_status, full_headers, _ = self.daemon.ask(path)
                self.assertEqual((status, body), (full_status, b""))
                self.assertEqual(headers.keys(), full_headers.keys())
                self.assertEqual(headers["content-type"], full_headers["content-type"])
                self.assertGreater(int(headers["content-length"]), 0)

    def test_gzip_is_the_same_text(self):
        status, headers, body = self.daemon.ask("/metrics", headers={"Accept-Encoding": "gzip"})
        self.assertEqual(status, 200)
        self.assertEqual(headers["content-encoding"], "gzip")
        self.assertEqual(int(headers["content-length"]), len(body))
        self.assertEqual(families(gunzip(body)), families(self.daemon.get("/metrics")[1]))
        self.assertGreater(len(parse_metrics(gunzip(body))), 50)

    def test_plain_where_gzip_is_not_wanted(self):
        for accept in ("identity", "gzip;q=0", "deflate"):
            with self.subTest(accept):
                _, headers, body = self.daemon.ask("/metrics", headers={"Accept-Encoding": accept})
                self.assertNotIn("content-encoding", headers)
                self.assertIn(b"# TYPE tidemark_up gauge", body)

    def test_content_type_of_the_exposition_format(self):
        self.assertEqual(self.daemon.ask("/metrics")[1]["content-type"], "text/plain; version=0.0.4; charset=utf-8")

    def test_two_scrapes_of_one_poll_have_one_cluster_part(self):
        def pair():
            first, second = (self.daemon.get("/metrics")[1] for _ in range(2))
            first, second = (text.split("# HELP tidemark_requests_total ")[0] for text in (first, second))
            at = [value for name, _, value in parse_metrics(first) + parse_metrics(second) if name == "tidemark_snapshot_timestamp_seconds"]
            return (first, second) if len(set(at)) == 1 and len(at) == 2 else None
        first, second = wait_until(pair, "two scrapes between two polls")
        self.assertEqual(first, second)
        self.assertIn('tidemark_subscriptions{pulsar_cluster="fake",tenant="acme",pulsar_namespace="acme/shop",state="abandoned"} 1', first)

    def test_the_daemons_own_part(self):
        found = {name for name, _, _ in self.daemon.samples()}
        for name in ("tidemark_up", "tidemark_build_info", "tidemark_poll_duration_seconds_count", "tidemark_last_success_timestamp_seconds",
                     "tidemark_requests_total", "tidemark_brokers_partial", "tidemark_history_bytes", "tidemark_config_reload_success",
                     "process_resident_memory_bytes"):
            self.assertIn(name, found)
        self.assertEqual(self.daemon.total("tidemark_up"), 1)
        self.assertGreater(self.daemon.total("tidemark_requests_total", endpoint="sweep", code="200"), 0)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool(self):
        text = self.daemon.get("/metrics")[1]
        done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_scrape_asks_no_broker(self):
        with Broker() as broker, Daemon(broker.url, poll__interval="1h", poll__suspect_rate="1000") as daemon:
            daemon.wait_ready()
            before = len(broker.requests)
            for path in ("/metrics", "/api/v1/findings", "/api/v1/cursors", "/"):
                self.assertEqual(daemon.get(path)[0], 200)
            self.assertEqual(len(broker.requests), before)


class Api(WithDaemon):
    def test_findings_schema(self):
        document = self.daemon.findings()
        self.assertLessEqual({"at_ms", "cursors", "findings", "coverage"}, document.keys())
        keys = {"topic", "cursor", "kind", "state", "drain", "origin", "group", "owner", "since_ms", "created_ms", "age_seconds", "evidence",
                "mark_delete", "last_confirmed", "consumers", "pinned_entries", "pinned_bytes", "reclaimable_bytes", "topic_reclaimable_bytes",
                "reclaimable_shared_with", "hole", "stale"}
        for cursor in document["cursors"]:
            self.assertLessEqual(keys, cursor.keys())
            self.assertLessEqual({"low", "high"}, cursor["age_seconds"].keys())
        self.assertLessEqual({"listed", "evaluated", "unknown", "by_namespace"}, document["coverage"].keys())
        finding = next(one for one in document["findings"] if one["rule"] == "abandoned")
        self.assertLessEqual({"rule", "level", "severity", "topic", "cursor", "namespace", "subject", "since_ms", "summary", "evidence"},
                             finding.keys())
        gone = next(one for one in document["cursors"] if one["cursor"] == "gone")
        self.assertEqual((gone["mark_delete"], gone["last_confirmed"], gone["pinned_entries"]), ("10:79", "11:99", 120))

    def cursors(self, **parameters):
        status, text = self.daemon.get("/api/v1/cursors?" + query(**parameters))
        self.assertEqual(status, 200, text)
        return {one["cursor"] for one in json.loads(text)["cursors"]}

    def test_cursor_filters(self):
        everything = {"gone", "live", "billing"}
        self.assertEqual(self.cursors(), everything)
        self.assertEqual(self.cursors(state="abandoned"), {"gone"})
        self.assertEqual(self.cursors(state="abandoned", tenant="acme"), {"gone"})
        self.assertEqual(self.cursors(tenant="nobody"), set())
        self.assertEqual(self.cursors(namespace="acme/shop"), everything)
        self.assertEqual(self.cursors(topic="persistent://acme/shop/payments"), {"billing"})
        self.assertEqual(self.cursors(cluster="fake"), everything)

    def test_what_if(self):
        status, text = self.daemon.get("/api/v1/what-if?expire=7d")
        told = json.loads(text)
        self.assertEqual((status, [one["cursor"] for one in told["deleted"]]), (200, ["gone"]))
        self.assertGreater(told["frees_bytes"], 0)
        status, text = self.daemon.get("/api/v1/what-if?expire=60d")
        self.assertEqual((status, json.loads(text)["deleted"]), (200, []))

    def test_what_is_asked_wrongly(self):
        for path in ("/api/v1/cursors?colour=red", "/api/v1/cursors?state=asleep", "/api/v1/cursors?cluster=other", "/api/v1/findings?state=ok",
                     "/api/v1/findings?cluster=other", "/api/v1/what-if", "/api/v1/what-if?expire=soon", "/api/v1/what-if?expire=3s",
                     "/api/v1/what-if?expire=7d&state=ok"):
            with self.subTest(path):
                status, headers, body = self.daemon.ask(path)
                self.assertEqual(status, 400)
                self.assertEqual(headers["content-type"], "application/json")
                self.assertTrue(json.loads(body)["error"])

    def test_page(self):
        status, headers, body = self.daemon.ask("/")
        self.assertEqual((status, headers["content-type"]), (200, "text/html; charset=utf-8"))
        self.assertIn("persistent://acme/shop/orders", body.decode())
        self.assertIn("abandoned", body.decode())

    def test_unknown_paths_and_methods(self):
        for path in ("/nothing", "/api/v1/", "/api/v2/findings", "/-/", "/metrics/"):
            self.assertEqual(self.daemon.get(path)[0], 404, path)
        for method in ("POST", "PUT", "DELETE"):
            self.assertEqual(self.daemon.ask("/metrics", method)[0], 405, method)
        for method in ("GET", "HEAD"):
            self.assertEqual(self.daemon.ask("/-/reload", method)[0], 405, method)


if __name__ == "__main__":
    unittest.main()
