"""`--format` of scan and replay: CSV as Python reads it, the text that /metrics serves, a check's line and statuses; `replay --until --each`."""
import csv
import io
import json
import pathlib
import re
import subprocess
import unittest

from harness import BINARY, FAST, SWEEP, Broker, Daemon, Folder, Subscription, Topic, options, parse_metrics, refusing_url, run

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
RECORDING = str(DATA / "pulsar-4.0.7" / "situation.ndjson")
SHORT = ("--set", "detect.abandoned_after=5s")
PERFORMANCE = re.compile(r"'([a-z_]+)'=(U|-?[0-9]+)(B?);;;0")


def as_bytes(*arguments):
    return subprocess.run([BINARY, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False).stdout


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def series_of(samples):
    return {(name, tuple(sorted(labels.items()))) for name, labels, _ in samples}


def check_of(text):
    """Status word, what is said, {label: value}, details."""
    first, *details = text.splitlines()
    said, bar, performance = first.partition(" | ")
    head = re.fullmatch(r"TIDEMARK (OK|WARNING|CRITICAL|UNKNOWN) - (.+)", said)
    assert head, first
    data = dict(PERFORMANCE.fullmatch(one).group(1, 2) for one in performance.split()) if bar else {}
    return head.group(1), head.group(2), data, details


class Csv(unittest.TestCase):
    def test_a_recording_of_a_real_broker(self):
        ran = run("replay", RECORDING, "--format", "csv", *SHORT)
        self.assertEqual((ran.code, ran.err), (1, ""), ran)
        raw = as_bytes("replay", RECORDING, "--format", "csv", *SHORT)
        self.assertEqual(raw.count(b"\r\n"), raw.count(b"\n"))
        rows = rows_of(raw.decode())
        document = run("replay", RECORDING, "--format", "json", *SHORT).json()
        self.assertEqual([(row["topic"], row["cursor"], row["state"], row["pinned_bytes"]) for row in rows],
                         [(one["topic"], one["cursor"], one["state"], "" if one["pinned_bytes"] is None else str(one["pinned_bytes"]))
                          for one in document["cursors"]])
        summaries = {(one["topic"], one["cursor"]): one["summary"] for one in document["findings"] if one["cursor"]}
        self.assertEqual({(row["topic"], row["cursor"]): row["summary"] for row in rows if row["summary"]}, summaries)

    def test_names_made_to_break_it(self):
        names = ["=1+1", "+49", "-1", "@SUM(A1)", "'quoted", 'a,"b"', "two\nlines", "blau\u00fc\u6f6e", "tab\there"]
        with Broker(topics=[Topic("orders", *[Subscription(name, backlog=50, idle_days=30) for name in names])]) as broker:
            raw = as_bytes("scan", broker.url, "--format", "csv", *options(FAST)).decode()
        rows = rows_of(raw)
        self.assertEqual({row["cursor"].removeprefix("'") if row["cursor"][:2] != "''" else row["cursor"][1:] for row in rows}, set(names))
        for row in rows:
            self.assertNotIn(row["cursor"][0], "=+-@")
            self.assertEqual((row["backlog_entries"], row["mark_delete_ledger_id"], row["mark_delete_entry_id"]), ("50", "11", "49"))

    def test_each(self):
        raw = as_bytes("replay", RECORDING, "--format", "csv", "--each", *SHORT).decode()
        rows = rows_of(raw)
        self.assertEqual(raw.count("at_ms,topic,"), 1)
        each = [json.loads(line) for line in run("replay", RECORDING, "--format", "json", "--each", *SHORT).out.splitlines()]
        self.assertGreater(len(each), 1)
        self.assertEqual([int(row["at_ms"]) for row in rows], [one["at_ms"] for one in each for _ in one["cursors"]])


class Prometheus(unittest.TestCase):
    def test_the_series_that_serve_exports(self):
        with Broker() as broker:
            ran = run("scan", broker.url, "--format", "prometheus", "--fail-on", "never", *options(FAST))
            self.assertEqual((ran.code, ran.err), (0, ""), ran)
            with Daemon(broker.url, detect__abandoned_after="5d") as daemon:
                daemon.wait_states(gone="abandoned", live="ok", billing="ok")
                served = daemon.samples()
        scanned = parse_metrics(ran.out)
        families = {name for name, _, _ in scanned}
        self.assertIn("tidemark_subscriptions", families)
        self.assertIn("tidemark_cursor_pinned_bytes", families)
        self.assertEqual(series_of(scanned), series_of(one for one in served if one[0] in families))
        self.assertTrue(ran.out.endswith("\n"))
        for line in ran.out.splitlines():  # node_exporter's textfile collector refuses samples with a time
            self.assertRegex(line, r"^#|\s\S+$")
            if not line.startswith("#"):
                self.assertEqual(len(line.rpartition("}")[2].split()), 1 if "{" in line else 2, line)

    def test_a_recording(self):
        ran = run("replay", RECORDING, "--format", "prometheus", *SHORT)
        self.assertEqual(ran.code, 1, ran)
        abandoned = sum(value for name, labels, value in parse_metrics(ran.out)
                        if name == "tidemark_subscriptions" and labels["state"] == "abandoned")
        self.assertGreater(abandoned, 0)
        capped = run("replay", RECORDING, "--format", "prometheus", "--set", "metrics.max_cursor_series=0", *SHORT)
        self.assertNotIn("tidemark_cursor_pinned_bytes{", capped.out)


class Check(unittest.TestCase):
    def checked(self, *arguments, status, code):
        ran = run(*arguments, "--format", "nagios")
        self.assertEqual((ran.code, ran.err), (code, ""), ran)
        self.assertLessEqual(len(ran.out.encode()), 4096)
        word, *rest = check_of(ran.out)
        self.assertEqual(word, status, ran)
        return rest

    def test_a_recording(self):
        said, data, details = self.checked("replay", RECORDING, *SHORT, status="WARNING", code=1)
        self.assertRegex(said, r"\d+ abandoned")
        document = run("replay", RECORDING, "--format", "json", *SHORT).json()
        warnings = [one for one in document["findings"] if one["severity"] == "warning"]
        self.assertEqual(int(data["findings_warning"]), len(warnings))
        self.assertGreater(int(data["pinned_bytes"]), 0)
        self.assertTrue(details)
        for line in details:
            self.assertNotIn("|", line)
        self.checked("replay", RECORDING, *SHORT, "--fail-on", "critical", status="OK", code=0)
        self.checked("replay", RECORDING, *SHORT, "--fail-on", "never", status="OK", code=0)

    def test_statuses_of_a_scan(self):
        with Broker() as broker:
            _, _, details = self.checked("scan", broker.url, *options(FAST), status="WARNING", code=1)
            self.assertTrue(any("acme/shop/orders [gone]" in line for line in details), details)
            broker.override(SWEEP, cut=len(json.dumps(broker.sweep())) - 5)
            self.checked("scan", broker.url, *options(FAST), "--strict", "--fail-on", "never", status="UNKNOWN", code=3)
        with Broker(topics=[Topic("orders", Subscription("live", consumers=1))]) as broker:
            _, data, details = self.checked("scan", broker.url, *options(FAST), status="OK", code=0)
            self.assertEqual((details, data["abandoned"], data["ok"]), ([], "0", "1"))

    def test_whatever_is_wrong_is_unknown(self):
        url = refusing_url()
        said, _, _ = self.checked("scan", url, status="UNKNOWN", code=3)
        self.assertIn(url.removeprefix("http://"), said)
        with Broker(token="t") as broker:
            self.checked("scan", broker.url, status="UNKNOWN", code=3)
        for arguments in (("scan",), ("scan", "ftp://x"), ("scan", url, "--colour"), ("scan", url, "--set", "detect.x=1"),
                          ("replay", "/nowhere"), ("replay", RECORDING, "--until", "1"), ("replay", RECORDING, "--each")):
            with self.subTest(arguments):
                self.checked(*arguments, status="UNKNOWN", code=3)

    def test_a_bar_in_a_name(self):
        with Broker(topics=[Topic("orders", Subscription("a|b=1B;;", backlog=50, idle_days=30))]) as broker:
            _, _, details = self.checked("scan", broker.url, *options(FAST), status="WARNING", code=1)
        self.assertIn("[a\\x7cb=1B;;]", "\n".join(details))


class Replay(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(Folder())
        lines = pathlib.Path(RECORDING).read_text().splitlines(keepends=True)
        self.head, self.lines = lines[0], lines[1:]
        self.times = sorted({json.loads(line)["at_ms"] for line in self.lines})
        self.assertGreater(len(self.times), 2)

    def refused(self, ran, *words):
        self.assertEqual((ran.code, ran.out), (2, ""), ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        for word in words:
            self.assertIn(word, ran.err)

    def test_until_is_a_recording_that_ends_there(self):
        """Up to and including the poll at that time; the same verdicts as of a file without the later ones."""
        for at in self.times:
            shorter = self.folder.write("shorter.ndjson", self.head + "".join(one for one in self.lines if json.loads(one)["at_ms"] <= at))
            whole = run("replay", str(shorter), "--format", "json", *SHORT)
            for until in (at, at + 1):
                self.assertEqual(run("replay", RECORDING, "--until", str(until), "--format", "json", *SHORT).out, whole.out)
            self.assertEqual(whole.json()["at_ms"], at)
        self.refused(run("replay", RECORDING, "--until", str(self.times[0] - 1)), "--until", str(self.times[0]))
        self.refused(run("replay", RECORDING, "--until", "-1"), "--until")

    def test_each_ends_with_what_one_prints(self):
        each = run("replay", RECORDING, "--format", "json", "--each", *SHORT).out.splitlines()
        self.assertEqual([json.loads(line)["at_ms"] for line in each], self.times)
        for line, at in zip(each, self.times, strict=True):
            self.assertEqual(line + "\n", run("replay", RECORDING, "--format", "json", "--until", str(at), *SHORT).out)

    def test_each_as_tables(self):
        ran = run("replay", RECORDING, "--each", *SHORT)
        heads = re.findall(r"(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z  ", ran.out)
        self.assertEqual(len(heads), len(self.times), ran)
        self.assertEqual(ran.out.count("\n\n" + heads[1]), 1, ran)

    def test_what_shows_one_poll_only(self):
        self.refused(run("replay", RECORDING, "--each", "--format", "prometheus"), "--each", "prometheus", "--until")

    def test_one_odd_file(self):
        """What is wrong with it is said, not that nobody answered."""
        head = json.dumps({"tidemark_recording": 1, "pulsar_cluster": "c", "pulsar_version": "4.0.7"}) + "\n"
        line = {"at_ms": 1, "target": "broker", "name": "b:8080", "path": "/admin/v2/what/is/this", "status": 200, "body": {}}
        odd = self.folder.write("odd.ndjson", head + json.dumps(line) + "\n")
        self.refused(run("replay", str(odd)), "odd.ndjson: none of its documents tells anything")
        refused = self.folder.write("refused.ndjson", head + json.dumps(dict(line, path=SWEEP, status=401, body=None)) + "\n")
        ran = run("replay", str(refused))
        self.assertEqual((ran.code, ran.out, len(ran.err.splitlines())), (3, "", 1), ran)
        self.assertIn(f"every answer in it is a refusal or an error; the first is 401 on {SWEEP}", ran.err)
        self.refused(run("replay", RECORDING, "--cluster", "c"), "--cluster")

    def test_cut_off(self):
        """A recorder that was killed: said with the line, and what was written whole can still be judged."""
        text = self.head + "".join(self.lines)
        cut = self.folder.write("cut.ndjson", text[:len(text) - 100])
        self.refused(run("replay", str(cut)), f"cut.ndjson:{len(self.lines) + 1}:", "cut off", "--until")
        wanted = run("replay", RECORDING, "--until", str(self.times[-2]), "--format", "json", *SHORT)
        self.assertEqual(run("replay", str(cut), "--until", str(self.times[-2]), "--format", "json", *SHORT).out, wanted.out)
        ran = run("replay", str(cut), "--until", str(self.times[-1]), "--format", "json", "--strict", "--fail-on", "never", *SHORT)
        self.assertEqual((ran.code, ran.json()["at_ms"]), (4, self.times[-1]), ran)
        self.assertIn("cut off", ran.err)

    def test_compressed(self):
        packed = self.folder.path / "recording.ndjson.gz"
        packed.write_bytes(b"\x1f\x8b\x08\x00 whatever")
        self.refused(run("replay", str(packed)), "recording.ndjson.gz", "gunzip")


if __name__ == "__main__":
    unittest.main()
