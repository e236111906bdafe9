"""`record` and `replay`: a recording gives the verdicts that the live cluster gave, and holds nothing of its clients."""
import json
import os
import re
import signal
import socket
import subprocess
import unittest

from harness import BINARY, FAST, SWEEP, Broker, Folder, options, refusing_url, run, scan, states, wait_until


class Recording(unittest.TestCase):
    def setUp(self):
        self.broker = self.enterContext(Broker())
        self.folder = self.enterContext(Folder())
        self.file = self.folder.path / "recording.ndjson"

    def record(self, *arguments):
        return run("record", self.broker.url, "--out", str(self.file), *options(FAST), *arguments)

    def lines(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def test_replayed_as_it_was_scanned(self):
        ran = self.record()
        self.assertEqual((ran.code, ran.out), (0, ""), ran)
        live = scan(self.broker.url)
        replayed = run("replay", str(self.file), "--format", "json")
        self.assertEqual(replayed.code, live.code, replayed)
        self.assertEqual(replayed.err, "")
        self.assertEqual(states(replayed.json()), states(live.json()))
        figures = ("mark_delete", "last_confirmed", "pinned_entries", "pinned_bytes", "reclaimable_bytes", "topic_reclaimable_bytes", "consumers")
        for one, other in zip(replayed.json()["cursors"], live.json()["cursors"], strict=True):
            self.assertEqual({key: one[key] for key in figures}, {key: other[key] for key in figures})

    def test_its_form(self):
        self.record()
        head, *exchanges = self.lines()
        self.assertEqual(head, {"tidemark_recording": 1, "pulsar_cluster": "fake", "pulsar_version": "4.0.7"})
        self.assertEqual(len({one["at_ms"] for one in exchanges}), 1)
        for one in exchanges:
            self.assertEqual(one.keys() - {"took_ms"}, {"at_ms", "target", "name", "path", "status", "body"})
        paths = [one["path"].partition("?")[0] for one in exchanges]
        self.assertIn(SWEEP, paths)
        self.assertIn("/admin/v2/persistent/acme/shop/orders/internalStats", paths)

    def test_nothing_of_clients(self):
        self.record()
        text = self.file.read_text()
        for secret in ("192.0.2.77", "secret-host", "eyCluster"):
            self.assertNotIn(secret, text)
        self.assertEqual(set(re.findall(r'"address":"[^"]*"', text)), {'"address":""'})
        self.assertEqual(set(re.findall(r'"metadata":.{2}', text)), {'"metadata":{}'})

    def test_to_standard_output(self):
        ran = run("record", self.broker.url, "--out", "-", *options(FAST))
        self.assertEqual(ran.code, 0, ran)
        self.file.write_text(ran.out)
        self.assertEqual(states(run("replay", str(self.file), "--format", "json").json())["orders", "gone"], "abandoned")

    def test_a_filter(self):
        self.record("--topic", "persistent://acme/shop/payments")
        ran = run("replay", str(self.file), "--format", "json")
        self.assertEqual(states(ran.json()), {("payments", "billing"): "ok"})

    def test_several_polls(self):
        ran = self.record("--for", "1s")
        self.assertEqual(ran.code, 0, ran)
        times = sorted({one["at_ms"] for one in self.lines()[1:]})
        self.assertGreater(len(times), 1)
        each = run("replay", str(self.file), "--format", "json", "--each")
        self.assertEqual([json.loads(line)["at_ms"] for line in each.out.splitlines()], times)
        until = run("replay", str(self.file), "--format", "json", "--until", str(times[0]))
        self.assertEqual(until.json()["at_ms"], times[0])

    def test_ended_by_a_signal(self):
        process = subprocess.Popen([BINARY, "record", self.broker.url, "--out", str(self.file), "--for", "1h", *options(FAST)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            wait_until(lambda: len(self.broker.asked(SWEEP)) > 2, "polls")
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=5)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(states(run("replay", str(self.file), "--format", "json").json())["orders", "gone"], "abandoned")

    def test_ended_while_it_asks_who_is_there(self):
        self.file.write_text("what was there")
        with socket.create_server(("127.0.0.1", 0)) as silent:
            process = subprocess.Popen([BINARY, "record", f"http://127.0.0.1:{silent.getsockname()[1]}", "--out", str(self.file)],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                connection, _ = silent.accept()
                with connection:
                    connection.recv(1)  # it has asked, so it listens for signals
                    process.send_signal(signal.SIGTERM)
                    _, err = process.communicate(timeout=10)
            finally:
                process.kill()
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertEqual(self.file.read_text(), "what was there")

    def test_damage_is_recorded_as_it_was(self):
        """Documents that came damaged make the replay as careful as the live pass, and the file stays readable."""
        for how in ({"cut": 700}, {"cut": 700, "chunked": True}, {"body": "<html>"}, {"status": 503}, {"body": "{}"}):
            with self.subTest(str(how)):
                self.broker.behave()
                self.broker.override(SWEEP, **how)
                self.record()
                self.lines()
                ran = run("replay", str(self.file), "--format", "json", "--fail-on", "never")
                self.assertEqual(ran.code, 0, ran)
                for cursor, state in states(ran.json()).items():
                    self.assertNotEqual((cursor, state), (("orders", "live"), "abandoned"))
        for path in (".*/stats", ".*/internalStats", "/admin/v2/tenants", "/admin/v2/persistent/acme/shop"):
            with self.subTest(path):
                self.broker.behave()
                self.broker.override(path, body="<html>")
                self.record()
                self.lines()
                ran = run("replay", str(self.file), "--format", "json", "--fail-on", "never")
                self.assertEqual(states(ran.json())["orders", "live"], "ok")

    def test_nobody_there(self):
        url = refusing_url()
        ran = run("record", url, "--out", str(self.file))
        self.assertEqual((ran.code, ran.out), (3, ""), ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        self.assertIn(url, ran.err)

    def test_nobody_there_costs_no_recording(self):
        self.record()
        before = self.file.read_bytes()
        self.assertEqual(run("record", refusing_url(), "--out", str(self.file)).code, 3)
        self.assertEqual(self.file.read_bytes(), before)

    def test_a_filter_that_nothing_passes(self):
        self.record()
        ran = run("replay", str(self.file), "--tenant", "nosuch")
        self.assertEqual((ran.code, ran.out), (2, ""), ran)
        self.assertIn("--tenant", ran.err)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk(self):
        ran = run("record", self.broker.url, "--out", "/dev/full", *options(FAST))
        self.assertEqual((ran.code, ran.out), (2, ""), ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        self.assertIn("/dev/full: cannot be written: No space left on device", ran.err)

    def test_a_file_that_cannot_be_made(self):
        path = str(self.folder.path / "no" / "such" / "folder")
        ran = run("record", self.broker.url, "--out", path)
        self.assertEqual((ran.code, ran.out), (2, ""), ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        self.assertIn(path, ran.err)
        self.assertEqual(self.broker.requests, [])


if __name__ == "__main__":
    unittest.main()
