"""Ages that a former self exported, read back from a real Prometheus; and one that is slow, gone or wrong, which costs nothing but them."""
import json
import unittest

from harness import DAY, Broker, Daemon, Folder, Subscription, Topic, refusing_url, run, scan, topic_path
from prometheus import Prometheus

LATEST = 'tidemark_cursor_last_activity_timestamp_seconds{bound="latest",subscription="gone"}'


def broker_with(backlog=120, idle_days=30.0):
    return Broker([Topic("orders", Subscription("gone", backlog=backlog, idle_days=idle_days), Subscription("live", consumers=1, backlog=3))])


def forget(broker):
    """The topic was loaded again: its clocks are lost."""
    stats = broker.topics[0].stats()
    for subscription in stats["subscriptions"].values():
        subscription.update((clock, 0) for clock in list(subscription) if clock.startswith("last"))
    broker.override(topic_path("orders", "stats"), body=json.dumps(stats))


def cursor(document, name="gone"):
    return next(one for one in document["cursors"] if one["cursor"] == name)


class FromPrometheus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Two daemons watched the cluster until lately; then both ended, and the topic lost its clocks."""
        cls.folder = cls.enterClassContext(Folder())
        cls.broker = cls.enterClassContext(broker_with())
        with Daemon(cls.broker.url, detect__abandoned_after="5d") as first, Daemon(cls.broker.url, detect__abandoned_after="5d") as second:
            for daemon in (first, second):
                daemon.wait_states(gone="abandoned", live="ok")
            targets = [f"127.0.0.1:{daemon.port}" for daemon in (first, second)]
            cls.prometheus = cls.enterClassContext(Prometheus(cls.folder.path, targets))
            # As a finer step of the question sees it.
            cls.prometheus.wait_for(f"count(max_over_time(timestamp({LATEST})[1h:15s])) == 2")
        forget(cls.broker)

    def test_without_it_the_age_begins_now(self):
        ran = scan(self.broker.url, detect__abandoned_after="5d")
        self.assertLess(cursor(ran.json())["age_seconds"]["low"], DAY, ran)
        self.assertNotEqual(cursor(ran.json())["state"], "abandoned")

    def test_a_daemon_takes_up_the_age_with_its_first_poll(self):
        with Daemon(self.broker.url, detect__abandoned_after="5d", restore__prometheus_url=self.prometheus.url) as daemon:
            daemon.wait_ready()
            found = cursor(daemon.findings())
            self.assertEqual(found["state"], "abandoned")
            self.assertAlmostEqual(found["age_seconds"]["low"], 30 * DAY, delta=120)
            finding = next(one for one in daemon.findings()["findings"] if one["cursor"] == "gone" and one["rule"] == "abandoned")
            self.assertEqual(finding["evidence"]["not_active_after_source"], "an earlier export")
            self.assertEqual(daemon.log_lines("restore"), [])

    def test_a_scan_does_too(self):
        ran = scan(self.broker.url, detect__abandoned_after="5d", restore__prometheus_url=self.prometheus.url + "/")
        self.assertEqual(cursor(ran.json())["state"], "abandoned", ran)

    def test_a_cursor_that_stands_elsewhere_has_another_past(self):
        with broker_with(backlog=119) as moved:
            forget(moved)
            ran = scan(moved.url, detect__abandoned_after="5d", restore__prometheus_url=self.prometheus.url)
        self.assertLess(cursor(ran.json())["age_seconds"]["low"], DAY, ran)

    def test_the_broker_s_clock_is_newer(self):
        with broker_with(idle_days=2) as used:
            ran = scan(used.url, detect__abandoned_after="5d", restore__prometheus_url=self.prometheus.url)
        self.assertAlmostEqual(cursor(ran.json())["age_seconds"]["low"], 2 * DAY, delta=120)

    def test_a_topic_that_moves_here(self):
        """The sidecar of another broker had it. Until then this one knows nothing of it."""
        with broker_with() as here:
            forget(here)
            moved = here.topics.pop()
            with Daemon(here.url, detect__abandoned_after="5d", poll__topology_interval="300ms", restore__prometheus_url=self.prometheus.url,
                        restore__interval="300ms") as daemon:
                daemon.wait_polls(2)
                self.assertEqual(daemon.findings()["cursors"], [])
                here.topics.append(moved)
                found = cursor(daemon.wait_states(gone="abandoned", live="ok"))
            self.assertAlmostEqual(found["age_seconds"]["low"], 30 * DAY, delta=120)

    def test_check_tells_what_is_there(self):
        ran = run("check", self.broker.url, "--set", f"restore.prometheus_url={self.prometheus.url}")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("ok    exported ages of 1 cursors at Prometheus", ran.out)
        ran = run("check", self.broker.url, "--set", f"restore.prometheus_url={self.broker.url}")
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("FAIL  exported ages", ran.out)

    def test_another_cluster_s_series_say_nothing(self):
        ran = scan(self.broker.url, "--set", "clusters.0.name=other", detect__abandoned_after="5d", restore__prometheus_url=self.prometheus.url)
        self.assertLess(cursor(ran.json())["age_seconds"]["low"], DAY, ran)


class Trouble(unittest.TestCase):
    def problem(self, url, **settings):
        """The line that the log has of it, beside verdicts as ever."""
        with broker_with() as broker, Daemon(broker.url, detect__abandoned_after="5d", restore__prometheus_url=url, **settings) as daemon:
            daemon.wait_states(gone="abandoned", live="ok")
            daemon.wait_polls(2)
            lines = [line for line in daemon.log_lines("/api/v1/query") if "warning" in line]
            self.assertEqual(len(lines), 1, daemon.log_text())
            return lines[0]

    def test_nobody_there(self):
        url = refusing_url()
        self.assertIn(f"GET {url}/api/v1/query: connect to 127.0.0.1: Connection refused", self.problem(url))

    def test_slow(self):
        with Broker() as silent:
            silent.override(".*", hang=True)
            line = self.problem(silent.url + "/prometheus", restore__timeout="300ms")
            self.assertIn("/prometheus/api/v1/query", line)
            self.assertTrue(silent.asked("/prometheus/api/v1/query"))

    def test_not_prometheus(self):
        with Broker() as other:
            self.assertIn("status 404; restore.prometheus_url must be", self.problem(other.url))
            other.override(".*", body="<html>")
            self.assertIn("byte 0", self.problem(other.url))

    def test_an_answer_without_measure(self):
        with Broker() as other:
            other.override(".*", body='{"status":"success",' + " " * (64 << 20))
            line = self.problem(other.url)
        self.assertIn(f"GET {other.url}/api/v1/query: the body is larger than the cap of 67108864 bytes; a shorter restore.lookback", line)

    def test_it_gets_its_own_token_and_no_cluster_s(self):
        with Folder() as folder, Broker(token="of-prometheus") as prometheus, broker_with() as broker:
            token = folder.write("token", "of-prometheus\n")
            prometheus.override(".*", body='{"status":"success","data":{"resultType":"vector","result":[]}}')
            arguments = ["--set", f"clusters.0.auth.token_file={folder.write('cluster', 'of-cluster')}",
                         "--set", f"restore.auth.token_file={token}"]
            ran = scan(broker.url, *arguments, restore__prometheus_url=prometheus.url)
            self.assertEqual(ran.err, "")
            self.assertEqual({authorization for _, authorization in prometheus.requests}, {"Bearer of-prometheus"})
            self.assertEqual(len(prometheus.requests), 4)
            self.assertEqual({authorization for _, authorization in broker.requests}, {"Bearer of-cluster"})

    def test_a_url_that_cannot_be_one(self):
        ran = scan("http://127.0.0.1:1", restore__prometheus_url="prometheus:9090")
        self.assertEqual((ran.code, ran.out), (2, ""), ran)
        self.assertIn("restore.prometheus_url: 'prometheus:9090' is not a URL", ran.err)


if __name__ == "__main__":
    unittest.main()
