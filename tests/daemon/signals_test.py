"""How the daemon ends, and how it takes up a changed configuration."""
import http.client
import os
import pty
import signal
import subprocess
import threading
import unittest

from harness import BINARY, PATIENCE, SWEEP, Broker, Daemon, topic_path, wait_until

IN_TIME = 5


class Interrupted(unittest.TestCase):
    def test_a_scan_says_on_a_terminal_for_whom_it_waits(self):
        with Broker() as broker:
            broker.override(SWEEP, hang=True)
            ours, theirs = pty.openpty()
            self.addCleanup(os.close, ours)
            scan = subprocess.Popen([BINARY, "scan", broker.url], stdout=subprocess.DEVNULL, stderr=theirs)
            os.close(theirs)
            said = b""
            address = broker.url.removeprefix("http://").encode()
            while b"waiting for %s (sweep)" % address not in said:
                said += os.read(ours, 4096)
            scan.send_signal(signal.SIGINT)
            self.assertEqual(scan.wait(PATIENCE), 3)


class End(unittest.TestCase):
    def ends(self, daemon, number=signal.SIGTERM):
        seconds, status = daemon.end(number)
        self.assertEqual(status, 0, daemon.log_text())
        self.assertLess(seconds, IN_TIME)
        self.assertNotIn("exception", daemon.log_text())

    def test_between_two_polls(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number), Broker() as broker, Daemon(broker.url, poll__interval="1h") as daemon:
                daemon.wait_ready()
                self.ends(daemon, number)

    def test_before_anything_answered(self):
        with Broker() as broker:
            broker.override(".*", hang=True)
            with Daemon(broker.url) as daemon:
                wait_until(lambda: broker.requests, "a request")
                self.ends(daemon)

    def test_during_a_sweep_that_hangs(self):
        with Broker() as broker:
            broker.override(SWEEP, hang=True)
            with Daemon(broker.url) as daemon:
                wait_until(lambda: broker.asked(SWEEP), "the sweep is asked for")
                self.ends(daemon)

    def test_during_a_slow_download(self):
        started = threading.Event()

        def slowly(broker):
            yield b'{"acme/shop":{"0x00000000_0xffffffff":{"persistent":{'
            while not broker.closing.wait(0.02):
                started.set()
                yield b" "
        with Broker() as broker:
            broker.override(SWEEP, pieces=slowly)
            with Daemon(broker.url) as daemon:
                self.assertTrue(started.wait(PATIENCE))
                self.ends(daemon)

    def test_during_a_question_about_one_topic(self):
        with Broker() as broker:
            broker.override(topic_path("orders", "stats"), hang=True)
            with Daemon(broker.url) as daemon:
                wait_until(lambda: broker.asked(topic_path("orders", "stats")), "the question")
                self.ends(daemon)

    def test_with_an_open_connection_of_a_scraper(self):
        with Broker() as broker, Daemon(broker.url) as daemon:
            daemon.wait_ready()
            scraper = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
            scraper.request("GET", "/metrics")
            self.assertEqual(scraper.getresponse().read(12), b"# HELP tidem")
            waiting = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
            waiting.connect()
            waiting.sock.sendall(b"GET /metrics HTTP/1.1\r\nHos")
            self.ends(daemon)
            scraper.close()
            waiting.close()


class Reload(unittest.TestCase):
    def change(self, daemon, extra="", **settings):
        daemon.settings.update({key.replace("__", "."): value for key, value in settings.items()})
        daemon.folder.write("tidemark.yaml", daemon.config_text(extra))

    def since(self, daemon, cursor):
        return next(one["state_since_ms"] for one in daemon.findings()["cursors"] if one["cursor"] == cursor)

    def test_a_good_change_takes_effect_and_history_stays(self):
        for how in ("SIGHUP", "POST", "PUT"):
            with self.subTest(how), Broker() as broker, Daemon(broker.url, detect__abandoned_after="5d") as daemon:
                daemon.wait_states(gone="abandoned", live="ok")
                daemon.wait_polls(2)
                before = {cursor: self.since(daemon, cursor) for cursor in ("gone", "live")}
                self.change(daemon, detect__abandoned_after="90d")
                if how == "SIGHUP":
                    daemon.process.send_signal(signal.SIGHUP)
                else:
                    self.assertEqual(daemon.ask("/-/reload", how)[0], 202)
                daemon.wait_states(gone="idle", live="ok")
                self.assertEqual(self.since(daemon, "live"), before["live"])
                self.change(daemon, detect__abandoned_after="5d")
                daemon.ask("/-/reload", "POST")
                document = daemon.wait_states(gone="abandoned")
                gone = next(one for one in document["cursors"] if one["cursor"] == "gone")
                self.assertGreater(gone["age_seconds"]["low"], 29 * 86400)
                facts = gone["evidence_facts"]
                self.assertLessEqual(facts["position_first_seen_ms"], before["gone"], "history began anew at the reload")
                self.assertEqual(daemon.total("tidemark_config_reload_success"), 1)

    def test_a_bad_file_keeps_the_old_configuration(self):
        bad = {"unknown key": "detcet: {}\n", "wrong type": "metrics: 3\n", "not YAML": "  x: [\n", "no token file setting": "listen: nowhere\n"}
        with Broker() as broker, Daemon(broker.url, detect__abandoned_after="5d") as daemon:
            daemon.wait_states(gone="abandoned")
            for name, extra in bad.items():
                with self.subTest(name):
                    told = len(daemon.log_lines(" error "))
                    if name == "wrong type":
                        self.change(daemon, extra)
                    else:
                        self.change(daemon, extra, detect__abandoned_after="90d")
                    daemon.process.send_signal(signal.SIGHUP)
                    wait_until(lambda t=told: len(daemon.log_lines(" error ")) > t, "an error in the log")
                    lines = daemon.log_lines(" error ")
                    self.assertEqual(len(lines), told + 1)
                    self.assertIn("tidemark.yaml", lines[-1])
                    self.assertIn("the old configuration stays", lines[-1])
                    self.assertEqual(daemon.total("tidemark_config_reload_success"), 0)
                    daemon.wait_polls(2)
                    daemon.wait_states(gone="abandoned", live="ok")
            self.change(daemon)
            daemon.ask("/-/reload", "POST")
            wait_until(lambda: daemon.total("tidemark_config_reload_success") == 1, "the good file is taken")
            daemon.wait_states(gone="idle")

    def test_a_file_that_is_gone(self):
        with Broker() as broker, Daemon(broker.url) as daemon:
            daemon.wait_states(gone="abandoned")
            daemon.config.unlink()
            daemon.process.send_signal(signal.SIGHUP)
            wait_until(lambda: daemon.total("tidemark_config_reload_success") == 0, "the reload fails")
            daemon.wait_polls(2)
            daemon.wait_states(gone="abandoned")

    def test_while_a_broker_hangs(self):
        with Broker() as broker, Daemon(broker.url, detect__abandoned_after="5d") as daemon:
            daemon.wait_states(gone="abandoned")
            asked = len(broker.asked(SWEEP))
            broker.override(SWEEP, hang=True, times=1)
            wait_until(lambda: len(broker.asked(SWEEP)) > asked, "a sweep hangs")
            self.change(daemon, detect__abandoned_after="90d")
            daemon.process.send_signal(signal.SIGHUP)
            daemon.wait_states(gone="idle")

    def test_many_at_once(self):
        with Broker() as broker, Daemon(broker.url, detect__abandoned_after="5d") as daemon:
            daemon.wait_states(gone="abandoned")
            self.change(daemon, detect__abandoned_after="90d")
            for _ in range(20):
                self.assertEqual(daemon.ask("/-/reload", "POST")[0], 202)
            daemon.wait_states(gone="idle")
            daemon.wait_polls(2)
            self.assertEqual(daemon.log_lines(" error "), [])


if __name__ == "__main__":
    unittest.main()
