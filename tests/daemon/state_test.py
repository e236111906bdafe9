"""What is remembered outlives the daemon: a restart changes no age and no verdict, however the daemon ended; and whatever is wrong with the file
costs a line in the log and what was in the damaged place.

    state_test.py --kills N     that many ends by SIGKILL (CI: 50)
"""
import datetime
import json
import random
import re
import sys
import threading
import time
import unittest

from harness import SANITIZED, Broker, Daemon, Folder, Subscription, Topic, run, topic_path, wait_until

KILLS = 50
FILE = "fake.state"
NAMED = "    name: fake"


def broker():
    return Broker([Topic("orders", Subscription("gone", backlog=120, idle_days=30), Subscription("live", consumers=1, backlog=3)),
                   Topic("payments", Subscription("billing", consumers=2, backlog=1), first_ledger=20)])


def cursor(document, name="gone"):
    return next(one for one in document["cursors"] if one["cursor"] == name)


class State(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(Folder())
        self.path = self.folder.path / "state"
        self.broker = self.enterContext(broker())

    def daemon(self, **settings):
        return Daemon(self.broker.url, url_settings=NAMED, state__path=str(self.path), **settings)

    def written(self, daemon, since=0):
        """Until a poll that began after now is in the file."""
        before = daemon.total("tidemark_state_last_write_timestamp_seconds")
        wait_until(lambda: daemon.total("tidemark_state_last_write_timestamp_seconds") > max(before, since), "the state is written")
        return daemon.total("tidemark_state_last_write_timestamp_seconds")

    def forget_clocks(self):
        """The topic was loaded again: its clocks are lost, and what was published."""
        stats = self.broker.topics[0].stats()
        for subscription in stats["subscriptions"].values():
            subscription.update((clock, 0) for clock in list(subscription) if clock.startswith("last"))
        internal = self.broker.topics[0].internal_stats()
        for one in internal["cursors"].values():
            one["lastLedgerSwitchTimestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.broker.override(topic_path("orders", "stats"), body=json.dumps(stats))
        self.broker.override(topic_path("orders", "internalStats"), body=json.dumps(internal))


class Restart(State):
    def test_ages_and_verdicts_go_on(self):
        with self.daemon() as daemon:
            before = cursor(daemon.wait_states(gone="abandoned", live="ok"))
            self.written(daemon)
        self.forget_clocks()
        with self.daemon() as daemon:
            daemon.wait_ready()
            first = cursor(daemon.findings())
            self.assertIn((first["state"], first["last_state"]), [("abandoned", None), ("unknown", "abandoned")])
            after = cursor(daemon.wait_states(gone="abandoned", live="ok"))
            for key in ("since_ms", "state_since_ms", "mark_delete", "evidence"):
                self.assertEqual(after[key], before[key], key)
            facts = [one["evidence_facts"]["position_first_seen_ms"] for one in (before, after)]
            self.assertEqual(facts[0], facts[1])
            self.assertEqual(len(daemon.log_lines("2 topics as of")), 1)

    def test_without_a_path_a_restart_forgets(self):
        """So the test above proves something."""
        with Daemon(self.broker.url, url_settings=NAMED) as daemon:
            daemon.wait_states(gone="abandoned")
        self.forget_clocks()
        with Daemon(self.broker.url, url_settings=NAMED) as daemon:
            daemon.wait_states(gone="idle")

    def test_what_was_done_meanwhile_is_seen(self):
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned")
            self.written(daemon)
        orders = self.broker.topics[0]
        orders.subscriptions = [one for one in orders.subscriptions if one.name != "gone"]
        with self.daemon() as daemon:
            daemon.wait_ready()
            removed = wait_until(lambda: daemon.findings()["removed"], "the removal is told")
            self.assertEqual([one["cursor"] for one in removed], ["gone"])

    def test_a_move_meanwhile_is_activity(self):
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned")
            self.written(daemon)
        self.broker.topics[0].subscriptions[0].backlog = 60
        self.broker.topics[0].subscriptions[0].idle_days = 0
        with self.daemon() as daemon:
            daemon.wait_states(gone="idle")

    def test_brokers_that_are_away_at_the_start_clear_nothing(self):
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned")
            self.written(daemon)
        self.broker.override(".*", status=503)
        with self.daemon() as daemon:
            daemon.wait_ready()
            document = daemon.findings()
            self.assertEqual(document["removed"], [])
            self.broker.behave()
            daemon.wait_states(gone="abandoned", live="ok")

    def test_a_reload_keeps_writing(self):
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned")
            daemon.ask("/-/reload", "POST")
            self.written(daemon, time.time())
            self.assertEqual(daemon.log_lines(" warning "), [])
        self.assertEqual([one.name for one in self.path.iterdir()], [FILE])

    def test_a_cluster_that_comes_and_goes_finds_its_file(self):
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned")
            self.written(daemon)
        with Daemon(self.broker.url, url_settings="    name: green", state__path=str(self.path)) as daemon:
            self.written(daemon)
        self.assertEqual(sorted(one.name for one in self.path.iterdir()), [FILE, "green.state"])
        self.forget_clocks()
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned")


class Trouble(State):
    def test_two_daemons(self):
        with self.daemon() as daemon:
            self.written(daemon)
            ran = run("serve", self.broker.url, "--set", "listen=127.0.0.1:0", "--set", f"state.path={self.path}")
            self.assertEqual((ran.code, ran.out), (2, ""), ran)
            self.assertEqual(len(ran.err.splitlines()), 1, ran)
            self.assertIn(f"{self.path}: another tidemark keeps its state there", ran.err)
            self.written(daemon)

    def test_a_path_that_cannot_be(self):
        ran = run("serve", self.broker.url, "--set", "listen=127.0.0.1:0", "--set", f"state.path={self.folder.write('file', '')}/state")
        self.assertEqual((ran.code, len(ran.err.splitlines())), (2, 1), ran)
        self.assertIn("state.path", ran.err)

    def damaged(self, change, *words):
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned")
            self.written(daemon)
        file = self.path / FILE
        bad = change(file.read_bytes())
        file.write_bytes(bad)
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned", live="ok")
            self.written(daemon)
            lines = daemon.log_lines(" warning ")
            self.assertEqual(len(lines), 1, lines)
            for word in (str(file), *words):
                self.assertIn(word, lines[0])
        aside = [one for one in self.path.iterdir() if one.name != FILE]
        self.assertEqual([one.read_bytes() for one in aside], [bad])
        return aside[0].name

    def test_damage(self):
        name = self.damaged(lambda good: good[:60] + bytes([good[60] ^ 1]) + good[61:], "damaged in 1 place", "kept as", "Going on with")
        self.assertTrue(name.startswith(FILE + ".damaged-2"), name)

    def test_an_empty_file(self):
        self.damaged(lambda good: b"", "ends too early")

    def test_a_newer_version(self):
        name = self.damaged(lambda good: good[:16] + bytes([good[16] ^ 8]) + good[17:24] + bytes([good[24], good[25], good[26] ^ 8, good[27]]) + good[28:],
                            "format 10")
        self.assertTrue(name.startswith(FILE + ".newer-2"), name)

    def test_a_disk_that_is_full_for_a_while(self):
        with self.daemon() as daemon:
            daemon.wait_states(gone="abandoned")
            self.written(daemon)
            file = self.path / FILE
            file.unlink()
            file.mkdir()  # nothing can take the place of a folder, whoever writes
            wait_until(lambda: daemon.total("tidemark_state_write_errors_total") >= 3, "writes fail")
            daemon.wait_states(gone="abandoned")
            self.assertEqual(len(daemon.log_lines(" warning ")), 1)
            self.assertIn(str(file), daemon.log_lines(" warning ")[0])
            file.rmdir()
            self.written(daemon)
            self.assertEqual(len(daemon.log_lines("written again")), 1)
        self.assertEqual([one.name for one in self.path.iterdir()], [FILE])


class Kills(State):
    def test_at_any_moment(self):
        """Each start finds the file whole and one poll old at most."""
        dice = random.Random(KILLS)
        written = None
        for _ in range(KILLS // 5 if SANITIZED else KILLS):
            daemon = self.daemon(poll__interval="100ms").__enter__()
            try:
                said = wait_until(lambda d=daemon: d.log_lines(FILE) or None, "the state is read")[0]
                if written:
                    self.assertNotIn("kept as", said)
                    self.assertGreaterEqual(milliseconds(re.search(r"as of (\S+),", said).group(1)), written)
                written = self.second_newest(daemon)
                threading.Event().wait(dice.random() * 0.15)  # a moment of the polls that follow
            finally:
                daemon.kill()
        self.assertEqual({one.name for one in self.path.iterdir()} - {FILE + ".new"}, {FILE})

    def second_newest(self, daemon):
        """A poll behind which another one has been published: so it was written."""
        daemon.wait_ready()
        first = daemon.findings()["at_ms"]
        wait_until(lambda: daemon.findings()["at_ms"] > first, "the next poll")
        return first


def milliseconds(text):
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


if __name__ == "__main__":
    if "--kills" in sys.argv:
        at = sys.argv.index("--kills")
        KILLS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    unittest.main()
