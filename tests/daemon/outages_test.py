"""The daemon beside brokers that refuse, hang or lie: said once, counted, the others watched on, and never a wrong verdict."""
import unittest

from harness import HASTE, HTML, OF_A_TOPIC, SWEEP, TOPOLOGY, Broker, Daemon, Subscription, Topic, refusing_url, run, wait_until


class WithBroker(unittest.TestCase):
    def setUp(self):
        self.broker = self.enterContext(Broker())


class OnePass(WithBroker):
    def test_a_broker_that_dies_in_mid_pass_is_not_waited_for(self):
        self.broker.topics = [Topic(f"orders-{i}", Subscription("gone", backlog=120, idle_days=40)) for i in range(40)]
        self.broker.override(".*/(stats|internalStats)", raw=b"")
        ran = run("scan", self.broker.url, "--format", "json", "--strict", "--set", "poll.suspect_rate=1000")
        self.assertEqual(ran.code, 4, ran)
        self.assertEqual(len(ran.json()["cursors"]), 40)
        self.assertLess(len(self.broker.asked(".*/(stats|internalStats)")), 40)
        self.assertIn("closed the connection without an answer", ran.err)


class Serve(WithBroker):
    def test_each_refusal_is_said_once_and_counted(self):
        with Daemon(self.broker.url, poll__interval="150ms", poll__topology_interval="150ms") as daemon:
            daemon.wait_states(gone="abandoned")
            for endpoint, path in {**TOPOLOGY, "sweep": SWEEP}.items():
                with self.subTest(endpoint):
                    self.broker.override(path, status=403, body="no")
                    line = f"{self.broker.url}{path}: 403"
                    wait_until(lambda t=line: daemon.log_lines(t), "a line in the log")
                    daemon.wait_polls(2)
                    self.assertEqual(len(daemon.log_lines(line)), 1)
                    self.assertEqual(daemon.log_lines(f" {endpoint}"), [])
                    self.assertGreater(daemon.total("tidemark_requests_total", endpoint=endpoint, code="403"), 0)
                    self.assertEqual(daemon.total("tidemark_brokers_partial"), 1 if endpoint == "sweep" else 0)
                    self.broker.behave()
                    wait_until(lambda e=endpoint: daemon.log_lines(f" {e}"), "the log says that it answers again")
                    self.assertIn("answers again", daemon.log_lines(f" {endpoint}")[0])

    def test_a_refused_document_of_a_topic(self):
        for endpoint, path in OF_A_TOPIC.items():
            with self.subTest(endpoint), Broker() as broker:
                broker.override(path, status=403, body="no")
                with Daemon(broker.url) as daemon:
                    daemon.wait_polls(3)
                    self.assertEqual(len(daemon.log_lines(f"{broker.url}{path}: 403")), 1)
                    self.assertEqual(len(daemon.log_lines(" warning ")), 1)
                    self.assertGreater(daemon.total("tidemark_requests_total", endpoint=endpoint, code="403"), 0)

    def test_what_is_asked_rarely_is_not_said_to_answer_again(self):
        """Between two rounds nobody asks, so nobody knows."""
        self.broker.override(TOPOLOGY["policies"], status=403)
        with Daemon(self.broker.url) as daemon:
            daemon.wait_polls(4)
            self.assertEqual(len(daemon.log_lines(TOPOLOGY["policies"] + ": 403")), 1)
            self.assertEqual(daemon.log_lines("answers again"), [])

    def test_damaged_documents_are_counted(self):
        damage = ((HTML, "malformed"), ({"cut": 3, "chunked": True}, "truncated"))
        with Daemon(self.broker.url, poll__interval="150ms", poll__topology_interval="150ms") as daemon:
            for endpoint, path in {**TOPOLOGY, "sweep": SWEEP}.items():
                for how, reason in damage:
                    with self.subTest(endpoint, reason=reason):
                        self.broker.override(path, **how)
                        daemon.wait_total(0, "tidemark_documents_rejected_total", endpoint=endpoint, reason=reason)
                        self.broker.behave()
        for endpoint, path in OF_A_TOPIC.items():
            for how, reason in damage:
                with self.subTest(endpoint, reason=reason), Broker() as broker:
                    broker.override(path, **how)
                    with Daemon(broker.url) as daemon:
                        daemon.wait_total(0, "tidemark_documents_rejected_total", endpoint=endpoint, reason=reason)

    def test_a_broker_that_comes_later(self):
        """It is asked again for what it did not answer, long before the next round of topology."""
        for how in ({"status": 503}, {"hang": True}):
            with self.subTest(str(how)), Broker() as broker:
                broker.override(".*", **how)
                with Daemon(broker.url, **HASTE) as daemon:
                    daemon.wait_ready()
                    self.assertEqual(daemon.total("tidemark_up"), 0)
                    broker.behave()
                    daemon.wait_states(gone="abandoned", live="ok", billing="ok")
                    for path in TOPOLOGY.values():
                        wait_until(lambda p=path: len(broker.asked(p)) >= 1, f"{path} is asked for")
                    wait_until(lambda: daemon.findings()["coverage"]["listed"] == 2, "the topic list is read")
                    wait_until(lambda: daemon.total("tidemark_topics", state="listed") == 2, "and shown")
                    self.assertEqual(daemon.total("tidemark_up"), 1)

    def test_a_dead_broker_is_asked_little(self):
        self.broker.override(".*", status=503)
        with Daemon(self.broker.url) as daemon:
            daemon.wait_polls(2)
            before = len(self.broker.requests)
            daemon.wait_polls(5)
            self.assertLessEqual(len(self.broker.requests) - before, 3 * 7)

    def test_who_cannot_be_reached_is_one_line_whatever_was_asked(self):
        with Daemon(refusing_url()) as daemon:
            daemon.wait_polls(3)
            self.assertEqual(len(daemon.log_lines("Connection refused")), 1)
            self.assertEqual(len(daemon.log_lines(" warning ")), 1)

    def test_another_broker_is_not_held_up_by_one_that_is_gone(self):
        with Broker(topics=[]) as dead:
            self.broker.brokers = [self.broker.authority, dead.authority]
            dead.override(".*", status=503)
            with Daemon(self.broker.url) as daemon:
                daemon.wait_states(gone="abandoned", live="ok", billing="ok")
                self.assertEqual(daemon.total("tidemark_brokers_partial"), 1)
                self.assertEqual(daemon.total("tidemark_up"), 1)
                wait_until(lambda: len(daemon.log_lines(dead.authority + SWEEP)) == 1, "one line")
                daemon.wait_polls(3)
                self.assertEqual(len(daemon.log_lines(dead.authority + SWEEP)), 1)


if __name__ == "__main__":
    unittest.main()
