"""Names without end: what is remembered stays within its limits, who was there before is watched on as ever, and it is said once."""
import unittest

from harness import Broker, Daemon, Subscription, Topic, default_topics, wait_until

LIMIT = 64 << 10


def flood(front, count):
    """Subscriptions that were left behind just now, with names of 100 characters."""
    return Topic("zz-flood", *(Subscription(f"{front}-{i}-".ljust(100, "x"), backlog=10) for i in range(count)), first_ledger=50)


class Names(unittest.TestCase):
    def setUp(self):
        self.broker = self.enterContext(Broker())

    def cursors(self, daemon, front):
        return [one for one in daemon.findings()["cursors"] if one["cursor"].startswith(front)]

    def test_memory_that_is_full_takes_nobody_new_and_says_so_once(self):
        with Daemon(self.broker.url, history__max_bytes="64KiB") as daemon:
            before = next(one for one in daemon.wait_states(gone="abandoned")["cursors"] if one["cursor"] == "gone")
            for limit in ("cursors", "topics", "figures"):
                self.assertEqual(daemon.total("tidemark_history_refused", what=limit), 0)
            self.broker.topics = default_topics() + [flood("many", 1000)]
            daemon.wait_total(100, "tidemark_history_refused", what="cursors")
            daemon.wait_polls(3)
            self.assertLess(daemon.total("tidemark_history_bytes"), LIMIT * 1.5)
            self.assertEqual(len(daemon.log_lines("history.max_bytes (65.5 kB) is met")), 1)
            found = self.cursors(daemon, "many")
            self.assertEqual(len(found), 1000)
            self.assertEqual({one["state"] for one in found}, {"idle"})
            after = next(one for one in daemon.findings()["cursors"] if one["cursor"] == "gone")
            for key in ("state", "since_ms", "state_since_ms", "evidence"):
                self.assertEqual(after[key], before[key], key)
            # Who has a place keeps it; who has none is seen anew at each poll.
            since = {one["cursor"]: one["state_since_ms"] for one in found}
            daemon.wait_polls(1)
            moved = [one for one in self.cursors(daemon, "many") if one["state_since_ms"] != since[one["cursor"]]]
            self.assertEqual(len(moved), daemon.total("tidemark_history_refused", what="cursors"))
            # The flood ends, and there is room again.
            self.broker.topics = default_topics() + [flood("few", 1)]
            wait_until(lambda: daemon.total("tidemark_history_refused", what="cursors") == 0, "nobody is refused")

    def test_names_that_come_and_go_do_not_add_up(self):
        with Daemon(self.broker.url, history__max_removed="100") as daemon:
            daemon.wait_states(gone="abandoned")
            for i in range(8):
                self.broker.topics = default_topics() + [flood(f"wave{i}", 100)]
                wait_until(lambda front=f"wave{i}": len(self.cursors(daemon, front)) == 100, f"wave {i} is seen")
            self.broker.topics = default_topics() + [flood("last", 1)]
            wait_until(lambda: not self.cursors(daemon, "wave"), "the last wave is gone")
            daemon.wait_polls(2)
            self.assertLessEqual(len(daemon.findings()["removed"]), 100)
            self.assertGreater(daemon.total("tidemark_history_forgotten_total"), 500)
            self.assertLess(daemon.total("tidemark_history_bytes"), 300 * 300)
            self.assertEqual(len(daemon.log_lines("history.max_removed (100) is met")), 1)
            daemon.wait_states(gone="abandoned")


if __name__ == "__main__":
    unittest.main()
