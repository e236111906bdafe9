"""What operators write about names, from the YAML file to what is printed, exported and logged: `origins`, `owners`, `exceptions`."""
import datetime
import json
import unittest

from harness import FAST, NAMESPACE, Broker, Daemon, Folder, Subscription, Topic, options, run, topic_name, wait_until

TODAY = datetime.datetime.now(datetime.timezone.utc).date()
NEXT_YEAR = TODAY + datetime.timedelta(days=365)
LAST_YEAR = TODAY - datetime.timedelta(days=365)

CONTRACT = r"""
origins:
  - {pattern: '^nightly-', origin: batch_job}
owners:
  - {pattern: '/audit \[', owner: team-audit}
exceptions:
  - {pattern: '/audit \[ledger-.*\]$', until: UNTIL, reason: read once a year}
"""


def contract(until=NEXT_YEAR):
    return CONTRACT.replace("UNTIL", str(until))


def topics():
    return [Topic("audit", Subscription("ledger-reader", backlog=150, idle_days=30), Subscription("live", consumers=1), first_ledger=10),
            Topic("jobs", Subscription("nightly-load", backlog=120, idle_days=30, properties={"owner": "anna", "tidemark.keep": "by hand"}),
                  Subscription("live", consumers=1), first_ledger=20)]


def of(document, cursor):
    return next(one for one in document["cursors"] if one["cursor"] == cursor)


class Contract(unittest.TestCase):
    def setUp(self):
        self.broker = self.enterContext(Broker(topics()))
        self.folder = self.enterContext(Folder())

    def config(self, text):
        return str(self.folder.write("tidemark.yml", f"clusters: [{{url: {self.broker.url}}}]\n{text}"))

    def scan(self, text, *arguments):
        return run("scan", "--config", self.config(text), *options(FAST), *arguments)

    def assert_silenced(self, document):
        audit = of(document, "ledger-reader")
        self.assertEqual((audit["state"], audit["severity"], audit["owner"]), ("abandoned", "info", "team-audit"))
        self.assertEqual(audit["exception"]["reason"], "read once a year")
        self.assertGreater(audit["exception"]["until_ms"], document["at_ms"])
        self.assertGreater(audit["reclaimable_bytes"], 0)
        self.assertEqual(audit["topic_reclaimable_bytes"], 0)
        nightly = of(document, "nightly-load")
        self.assertEqual((nightly["state"], nightly["severity"], nightly["owner"]), ("abandoned", "info", "anna"))
        self.assertEqual(nightly["exception"], {"reason": "by hand", "until_ms": None})
        self.assertEqual((nightly["origin"], nightly["group"]), ("batch_job", "nightly-load"))
        findings = [one for one in document["findings"] if one["rule"] == "abandoned"]
        self.assertEqual({one["cursor"]: (one["severity"], one["evidence"]["exception"]) for one in findings},
                         {"ledger-reader": ("info", "read once a year"), "nightly-load": ("info", "by hand")})

    def test_scan_says_it_and_fails_no_run(self):
        ran = self.scan(contract(), "--format", "json")
        self.assertEqual(ran.code, 0, ran)
        self.assert_silenced(ran.json())
        self.assertEqual(self.scan(contract(), "--fail-on", "info").code, 1)
        table = self.scan(contract())
        self.assertEqual(table.code, 0, table)
        self.assertIn("abandoned (silenced)", table.out)
        self.assertIn(f"silenced until {NEXT_YEAR}: read once a year; owner team-audit", table.out)

    def test_without_it_they_speak(self):
        self.broker.topics[1].subscriptions[0].properties = {"tidemark.keep": "false"}
        ran = self.scan("", "--format", "json")
        self.assertEqual(ran.code, 1, ran)
        audit, nightly = of(ran.json(), "ledger-reader"), of(ran.json(), "nightly-load")
        self.assertEqual((audit["severity"], audit["exception"], audit["owner"], audit["origin"]), ("warning", None, None, "named"))
        self.assertGreater(audit["topic_reclaimable_bytes"], 0)
        self.assertEqual((nightly["severity"], nightly["exception"]), ("warning", None))

    def test_the_namespace_owns_what_nobody_claims(self):
        self.broker.override(f"/admin/v2/namespaces/{NAMESPACE}", body=json.dumps({"properties": {"owner": "team-shop"}}))
        document = self.scan(contract(), "--format", "json").json()
        self.assertEqual((of(document, "ledger-reader")["owner"], of(document, "nightly-load")["owner"]), ("team-shop", "anna"))

    def test_replay_says_the_same(self):
        recording = str(self.folder.path / "recording.ndjson")
        self.assertEqual(run("record", self.broker.url, "--out", recording, *options(FAST)).code, 0)
        ran = run("replay", recording, "--config", self.config(contract()), "--format", "json")
        self.assertEqual(ran.code, 0, ran)
        self.assert_silenced(ran.json())

    def test_an_ended_exception_is_told_once_and_speaks(self):
        poll = "".join(f"  {key.removeprefix('poll.')}: {value}\n" for key, value in FAST.items())
        text = f"listen: 127.0.0.1:0\nclusters: [{{url: {self.broker.url}}}]\npoll:\n{poll}{contract(LAST_YEAR)}"
        with Daemon(self.broker.url, config=text) as daemon:
            document = daemon.wait_states(**{"ledger-reader": "abandoned", "nightly-load": "abandoned"})
            self.assertEqual(of(document, "ledger-reader")["severity"], "warning")
            daemon.wait_polls(3)
            told = daemon.log_lines("ended with")
            self.assertEqual(len(told), 1, told)
            self.assertIn(f"ended with {LAST_YEAR}: what it silenced speaks again (it was: read once a year)", told[0])
            abandoned = {"pulsar_namespace": NAMESPACE, "state": "abandoned"}
            self.assertEqual(daemon.total("tidemark_subscriptions", **abandoned), 2)
            self.assertEqual(daemon.total("tidemark_subscriptions_silenced", **abandoned), 1)
            self.assertEqual(daemon.total("tidemark_findings", rule="abandoned", severity="warning"), 1)
            # Prolonged and read again: silent, and its bytes are no leftover's.
            self.assertGreater(daemon.total("tidemark_topic_reclaimable_bytes", topic=topic_name("audit")), 0)
            daemon.folder.write("tidemark.yaml", text.replace(str(LAST_YEAR), str(NEXT_YEAR)))
            self.assertEqual(daemon.ask("/-/reload", "POST")[0], 202)
            wait_until(lambda: daemon.total("tidemark_subscriptions_silenced", **abandoned) == 2, "both are silenced")
            self.assertEqual(daemon.total("tidemark_subscriptions", **abandoned), 2)
            self.assertEqual(daemon.total("tidemark_topic_reclaimable_bytes", topic=topic_name("audit")), 0)

    def test_bad_ones_are_refused_with_their_place(self):
        for text, place in (("owners:\n  - {pattern: '(', owner: a}\n", "3:15: owners.0.pattern: '(' is not"),
                            ("exceptions:\n  - {pattern: a, until: soon, reason: b}\n", "3:25: exceptions.0.until: 'soon' is not a date"),
                            ("origins:\n  - {pattern: '', origin: named}\n", "3:15: origins.0.pattern: missing")):
            with self.subTest(place):
                ran = self.scan(text)
                self.assertEqual((ran.code, ran.out), (2, ""), ran)
                self.assertEqual(len(ran.err.splitlines()), 1, ran)
                self.assertIn(f"tidemark.yml:{place}", ran.err)


if __name__ == "__main__":
    unittest.main()
