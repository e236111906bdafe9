"""A live subscription stays alive in the daemon's eyes whatever its broker fails to say."""
import unittest

from harness import SWEEP, Broker, Daemon, Onlooker, topic_path


class NeverAbandoned(unittest.TestCase):
    """A live subscription whose consumer does nothing, so that only our knowledge of the consumer protects it."""

    def setUp(self):
        self.broker = self.enterContext(Broker())
        self.topic = self.broker.topics[0]
        self.live = self.topic.subscriptions[1]
        self.live.idle_days = 30

    def polls(self, spoil, mend, live=("ok", "unknown", "idle"), polls=3):
        # Longer than the fault lasts, shorter than everything else: a wrong reading of `no consumer` for one poll must not
        # make a verdict, because the consumer was seen a moment ago.
        with Daemon(self.broker.url, detect__abandoned_after="20s") as daemon:
            daemon.wait_states(gone="abandoned", live="ok", billing="ok")
            with Onlooker(daemon) as onlooker:
                for _ in range(2):
                    spoil()
                    daemon.wait_polls(polls)
                    mend()
                    daemon.wait_states(gone="abandoned", live="ok", billing="ok")
            self.assertLessEqual(onlooker.ever["live"], set(live), daemon.log_text())
            self.assertNotIn("abandoned", onlooker.rules.get("live", set()))
            self.assertLessEqual(onlooker.ever["gone"], {"abandoned", "unknown"})

    def test_refused_sweeps(self):
        statuses = iter((500, 403))
        self.polls(lambda: self.broker.override(SWEEP, status=next(statuses)), self.broker.behave, live=("ok", "unknown"))

    def test_refused_documents_of_the_topic(self):
        self.polls(lambda: self.broker.override(topic_path("orders", ".*"), status=500), self.broker.behave, live=("ok",))

    def test_a_sweep_without_consumers_for_a_moment(self):
        real = self.live.consumers

        def spoil():
            self.live.consumers = 0

        def mend():
            self.live.consumers = real
        self.polls(spoil, mend)

    def test_consumers_that_are_no_list(self):
        """A document that does not say who is connected says nothing; it does not say nobody."""
        honest = self.live.sweep

        def lying(lie):
            document = honest()
            document["consumers"] = lie
            if lie == "absent":
                del document["consumers"]
            return document
        with Daemon(self.broker.url, poll__interval="150ms", detect__abandoned_after="1s") as daemon:
            daemon.wait_states(gone="abandoned", live="ok")
            for lie in ("absent", None, "text", {}, 3):
                with self.subTest(str(lie)), Onlooker(daemon) as onlooker:
                    self.live.sweep = lambda what=lie: lying(what)
                    daemon.wait_polls(8)
                    self.live.sweep = honest
                    daemon.wait_states(live="ok")
                self.assertLessEqual(onlooker.ever["live"], {"ok", "unknown"}, lie)


if __name__ == "__main__":
    unittest.main()
