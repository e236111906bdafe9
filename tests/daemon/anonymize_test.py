"""`record --anonymize`: no name of the input is left, the same name is always replaced by the same, and a replay comes to the same verdicts.
Held against every recording there is: real brokers' and cases'."""
import json
import pathlib
import re
import unittest
import urllib.parse

from harness import FAST, Broker, Folder, Subscription, Topic, options, run, scan, states

TESTS = pathlib.Path(__file__).resolve().parent.parent
OWN = [path for path in TESTS.glob("cases/own/*.ndjson") if path.stem != "hostile-documents"]  # its documents are not whole
RECORDINGS = sorted([*TESTS.glob("data/pulsar-*/*.ndjson"), *TESTS.glob("cases/*.ndjson"), *TESTS.glob("cases/recordings/*/*.ndjson"), *OWN])
MAPS = {"subscriptions", "replication", "cursors", "partitions"}  # members whose keys are names
PULSARS = {"pulsar", "system", "persistent", "non-persistent", "__change_events", "__compaction", "pulsar.dedup", "pulsar.repl",
           "pulsar.repl-persistent", "reader"}
# Names of the input that are words of the format as well.
WORDS = {"a", "b", "n", "x", "s", "system", "reader", "topic", "sub", "tenant", "namespace", "consumer", "producer", "host", "cluster", "other", "metrics"}
ORIGIN = {"origin", "group"}  # of the name itself: not kept


def decoded(cursor):
    return urllib.parse.unquote_plus(cursor)


class Pairs:
    """Which original became which replacement, from two documents of one shape side by side."""

    def __init__(self, test):
        self.test, self.forward, self.back = test, {}, {}

    def add(self, original, replacement):
        self.test.assertEqual(self.forward.setdefault(original, replacement), replacement, f"{original} has two replacements")
        self.test.assertEqual(self.back.setdefault(replacement, original), original, f"{replacement} stands for two names")
        if "persistent://" in original:
            self.add(*(name.partition("://")[2].rpartition("/")[0] for name in (original, replacement)))

    def line(self, one, other):
        self.test.assertEqual((one["at_ms"], one["target"]), (other["at_ms"], other["target"]))
        self.add(one["name"].rpartition(":")[0], other["name"].rpartition(":")[0])
        self.test.assertEqual(one["name"].rpartition(":")[2], other["name"].rpartition(":")[2])
        if other["path"] == "/other":
            return
        parts, replaced = one["path"].partition("?")[0].split("/"), other["path"].partition("?")[0].split("/")
        if "/persistent/" in one["path"] and one["path"].count("/") > 4:
            self.topic(*("persistent://" + "/".join(decoded(part) for part in side[4:-1]) for side in (parts, replaced)))
        if one["status"] == 200 and not isinstance(one["body"], str):
            self.walk(one["body"], other["body"], SWEEP_LEVELS if "/broker-stats/topics" in one["path"] else None)

    def topic(self, original, replacement):
        self.add(original, replacement)
        suffix = re.search(r"-partition-\d+$", original)
        self.test.assertEqual(re.search(r"-partition-\d+$", replacement) is None, suffix is None)
        if suffix:
            self.test.assertTrue(replacement.endswith(suffix.group()))
        local = original.rpartition("/")[2]
        self.test.assertEqual(local.startswith("__"), replacement.rpartition("/")[2].startswith("__"))

    def walk(self, one, other, levels=None, member=""):
        if isinstance(one, dict):
            self.test.assertIsInstance(other, dict)
            names = member in MAPS and any(isinstance(value, dict) for value in one.values())
            if levels:
                names, levels = levels[0], levels[1:]
            if names:
                self.test.assertEqual(len(one), len(other), f"{list(one)} {list(other)}")
                for (key, value), (new_key, new_value) in zip(one.items(), other.items(), strict=True):
                    self.add(decoded(key) if member == "cursors" else key, decoded(new_key) if member == "cursors" else new_key)
                    self.walk(value, new_value, levels)
                return
            self.test.assertLessEqual(set(other), set(one))
            for key in other:
                self.walk(one[key], other[key], levels, key)
        elif isinstance(one, list):
            self.test.assertEqual(len(one), len(other))
            for value, new_value in zip(one, other, strict=True):
                self.walk(value, new_value, levels, member)
        elif isinstance(one, str) and one != other:
            self.add(one, other)
        elif isinstance(one, float):
            self.test.assertAlmostEqual(one, other, delta=abs(one) * 1e-12)  # its last digit is the reader's
        else:
            self.test.assertEqual(one, other)


SWEEP_LEVELS = [True, False, False, True]


def pieces(name):
    """What of a name nobody may see again."""
    for piece in re.split(r"[/:\s]+", name):
        piece = re.sub(r"^(pulsar\.repl\.|reader-|multiTopicsReader-)", "", re.sub(r"-partition-\d+$", "", piece))
        if piece and piece not in PULSARS and piece not in WORDS and not re.fullmatch(r"\d{1,5}", piece):
            yield piece


def renamed(value, forward, key=""):
    """A verdict about other names."""
    if isinstance(value, dict):
        return {name: renamed(item, forward, name) for name, item in value.items() if name not in ORIGIN | {"summary", "subject"}}
    if isinstance(value, list):
        return [renamed(item, forward, key) for item in value]
    if key == "names":  # several in one text, in the order that they give
        return ", ".join(sorted(forward.get(one, one) for one in value.split(", ")))
    return forward.get(value, value) if isinstance(value, str) else value


def in_order(document):
    """Without the order that names give."""
    for cursor in document["cursors"]:
        cursor["reclaimable_shared_with"].sort()
    for part in ("cursors", "removed"):
        document[part].sort(key=lambda one: (one["topic"], one["cursor"]))
    document["findings"].sort(key=lambda one: json.dumps(one, sort_keys=True))
    namespaces = document["coverage"]["by_namespace"]
    document["coverage"]["by_namespace"] = dict(sorted(namespaces.items()))
    return document


def polls(path):
    ran = run("replay", str(path), "--format", "json", "--each", "--fail-on", "never", "--set", "detect.abandoned_after=5s",
              "--set", "detect.stuck_after=5s")
    return ran, [json.loads(line) for line in ran.out.splitlines()]


class Anonymize(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(Folder())
        self.file = self.folder.path / "anonymous.ndjson"

    def anonymized(self, recording):
        ran = run("record", "--from", str(recording), "--anonymize", "--out", str(self.file))
        self.assertEqual((ran.code, ran.out), (0, ""), ran)
        head, *lines = [json.loads(line) for line in recording.read_text(encoding="utf-8").splitlines() if line]
        new_head, *new_lines = [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]
        pairs = Pairs(self)
        pairs.add(head["pulsar_cluster"], new_head["pulsar_cluster"])
        for one, other in zip(lines, new_lines, strict=True):
            pairs.line(one, other)
        return pairs

    def test_no_name_is_left(self):
        self.assertGreater(len(RECORDINGS), 20)
        for recording in RECORDINGS:
            with self.subTest(recording.name):
                pairs = self.anonymized(recording)
                text = self.file.read_text(encoding="utf-8")
                names = {piece for name in pairs.forward for piece in pieces(name)}
                self.assertTrue(names)
                self.assertEqual({name for name in names if re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text)}, set())

    def test_the_same_verdicts(self):
        for recording in RECORDINGS:
            with self.subTest(recording.name):
                forward = self.anonymized(recording).forward
                # A finding may name the cluster alone.
                forward |= {name.removeprefix("pulsar.repl."): new.removeprefix("pulsar.repl.") for name, new in forward.items() if name.startswith("pulsar.repl.")}
                ran, original = polls(recording)
                other_ran, other = polls(self.file)
                self.assertEqual(ran.code, other_ran.code, other_ran)
                self.assertEqual(len(ran.err.splitlines()), len(other_ran.err.splitlines()), other_ran)
                self.assertTrue(original, ran)
                for one, two in zip(original, other, strict=True):
                    one["coverage"]["by_namespace"] = {forward.get(ns, ns): value for ns, value in one["coverage"]["by_namespace"].items()}
                    self.assertEqual(in_order(renamed(one, forward)), in_order(renamed(two, {})))

    def test_a_live_cluster(self):
        topics = [Topic("orders", Subscription("gone", backlog=120, idle_days=30), Subscription("acme/shop/ripple", consumers=1, backlog=3)),
                  Topic("caf\u00e9-partition-1", Subscription("pulsar.repl.green", backlog=9, idle_days=20))]
        with Broker(topics=topics, cluster="bluebell") as broker:
            ran = run("record", broker.url, "--anonymize", "--out", str(self.file), *options(FAST))
            self.assertEqual((ran.code, ran.out), (0, ""), ran)
            live = sorted(states(scan(broker.url).json()).values())
        text = self.file.read_text(encoding="utf-8")
        for name in ("acme", "shop", "orders", "gone", "caf", "green", "bluebell", "127.0.0.1", "client-0", "192.0.2", "ripple"):
            self.assertNotIn(name, text)
        replayed = run("replay", str(self.file), "--format", "json").json()
        self.assertEqual(sorted(states(replayed).values()), live)
        cursors = {one["cursor"] for one in replayed["cursors"]}
        self.assertTrue(any(one.startswith("tenant-1/namespace-1/") for one in cursors), cursors)
        self.assertTrue(any(one.startswith("pulsar.repl.cluster-") for one in cursors), cursors)
        self.assertTrue(any(one["topic"].endswith("-partition-1") for one in replayed["cursors"]), replayed)


class Copy(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(Folder())
        self.file = self.folder.path / "copy.ndjson"

    def refused(self, ran, *words):
        self.assertEqual((ran.code, ran.out), (2, ""), ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        for word in words:
            self.assertIn(word, ran.err)

    def test_a_copy_of_a_copy(self):
        first = run("record", "--from", str(RECORDINGS[0]), "--out", str(self.file))
        self.assertEqual(first.code, 0, first)
        again = run("record", "--from", str(self.file), "--out", "-")
        self.assertEqual((again.code, again.out), (0, self.file.read_text(encoding="utf-8")))

    def test_what_does_not_go_together(self):
        source = str(RECORDINGS[0])
        for arguments in (("http://127.0.0.1:1",), ("--for", "1m"), ("--tenant", "acme"), ("--config", "x")):
            self.refused(run("record", "--from", source, "--out", str(self.file), *arguments), "--from")
        self.assertFalse(self.file.exists())

    def test_a_slip_of_the_pen_costs_no_file(self):
        kept = self.folder.write("kept.ndjson", "precious\n")
        self.refused(run("record", "--from", "/nowhere", "--out", str(kept)), "/nowhere")
        self.refused(run("record", "--from", str(kept), "--out", str(self.file)), "kept.ndjson", "not a tidemark recording")
        self.refused(run("record", "--from", str(kept), "--out", str(kept)), "--out")
        self.assertEqual(kept.read_text(), "precious\n")
        self.assertFalse(self.file.exists())

    def test_what_replay_refuses_is_not_copied(self):
        """Nor is anything left of it, and what was there stays."""
        text = RECORDINGS[0].read_text(encoding="utf-8")
        head, *lines = text.splitlines(keepends=True)
        self.assertNotEqual(json.loads(lines[0])["at_ms"], json.loads(lines[-1])["at_ms"])
        for name, content, said in (("cut.ndjson", text[:len(text) - 50], f":{len(lines) + 1}: "),
                                    ("back.ndjson", head + lines[-1] + lines[0], ":3: times go back from ")):
            odd = self.folder.write(name, content)
            self.refused(run("replay", str(odd)), name + said)
            for out in (self.file, self.folder.write("kept.ndjson", "precious\n")):
                before = sorted(self.folder.path.iterdir())
                self.refused(run("record", "--from", str(odd), "--anonymize", "--out", str(out)), name + said)
                self.assertEqual(sorted(self.folder.path.iterdir()), before)
            self.assertEqual(out.read_text(), "precious\n")
            ran = run("record", "--from", str(odd), "--out", "-")
            self.assertEqual(ran.code, 2, ran)


if __name__ == "__main__":
    unittest.main()
