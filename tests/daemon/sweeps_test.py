"""Sweeps that are damaged, endless, huge or empty: the rest of the broker's topics survives, in bounded memory, and no verdict is made of
what was not said."""
import json
import unittest

from harness import NAMESPACE, SANITIZED, SWEEP, Broker, Daemon, Onlooker, Subscription, Topic, default_topics, scan, states, topic_name

BUNDLE = "0x00000000_0xffffffff"
MB = 1 << 20


def sweep_of(texts):
    """The document, of (topic name, JSON text of the topic)."""
    inside = ",".join(f"{json.dumps(topic_name(local))}:{text}" for local, text in texts)
    return f'{{"{NAMESPACE}":{{"{BUNDLE}":{{"persistent":{{{inside}}}}}}}}}'


class WithBroker(unittest.TestCase):
    def setUp(self):
        broken = Topic("broken", Subscription("lost", backlog=10, idle_days=30), first_ledger=50)
        orders, payments = default_topics()
        self.broker = self.enterContext(Broker(topics=[orders, broken, payments]))

    def spoil(self, change):
        """`change`: from the JSON text of the topic in the middle to what is sent for it."""
        texts = [(one.local, json.dumps(one.sweep())) for one in self.broker.topics]
        texts[1] = (texts[1][0], change(texts[1][1]))
        self.broker.override(SWEEP, body=sweep_of(texts))

    def others_survive(self, reason="malformed"):
        ran = scan(self.broker.url, "--strict", "--fail-on", "never")
        self.assertEqual(ran.code, 4, ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        self.assertIn(self.broker.url + SWEEP, ran.err)
        verdicts = states(ran.json())
        self.assertEqual(verdicts["orders", "gone"], "abandoned")
        self.assertEqual(verdicts["orders", "live"], "ok")
        self.assertEqual(verdicts["payments", "billing"], "ok")
        self.assertNotEqual(verdicts.get(("broken", "lost")), "abandoned")
        with Daemon(self.broker.url) as daemon:
            daemon.wait_states(gone="abandoned", live="ok", billing="ok")
            daemon.wait_polls(2)
            self.assertEqual(daemon.total("tidemark_brokers_partial"), 1)
            self.assertEqual(daemon.total("tidemark_up"), 1)
            self.assertGreater(daemon.total("tidemark_documents_rejected_total", endpoint="sweep", reason=reason), 0)
            self.assertEqual(len(daemon.log_lines(" warning ")), 1)


class Damaged(WithBroker):
    def test_an_array_that_is_left_open(self):
        self.spoil(lambda text: text.replace('"publishers": []', '"publishers": ['))
        self.others_survive()

    def test_an_object_that_is_left_open(self):
        self.spoil(lambda text: text[:-1])
        self.others_survive()

    def test_values_that_are_no_json(self):
        for bad in ("nul", "'text'", "01", "\x00"):
            with self.subTest(bad):
                self.spoil(lambda text, b=bad: text.replace('"storageSize": 40000', f'"storageSize": {b}'))
                self.others_survive()

    def test_what_is_no_object(self):
        for bad in ("[]", "3", "null", '"text"'):
            with self.subTest(bad):
                self.spoil(lambda _, b=bad: b)
                ran = scan(self.broker.url, "--fail-on", "never")
                self.assertEqual(ran.code, 0, ran)
                verdicts = states(ran.json())
                self.assertEqual((verdicts["orders", "gone"], verdicts["payments", "billing"]), ("abandoned", "ok"))

    def test_very_deep(self):
        self.spoil(lambda text: text.replace('"publishers": []', '"publishers": ' + "[" * 100000 + "]" * 100000))
        self.others_survive()

    def test_text_that_is_no_utf8(self):
        body = json.dumps(self.broker.sweep()).replace('"type": "Exclusive"', '"type": "Exclu\x01"').encode().replace(b"\x01", b"\xff\xfe")
        self.broker.override(SWEEP, body=body)
        ran = scan(self.broker.url, "--fail-on", "never")
        self.assertIn(ran.code, (0, 3), ran)
        self.assertNotIn("exception", ran.err)

    def test_garbage(self):
        for name, body in {"nothing": "", "a list": "[]", "a number": "7", "null": "null", "bytes": bytes(range(256)) * 100}.items():
            with self.subTest(name):
                self.broker.override(SWEEP, body=body)
                ran = scan(self.broker.url, "--strict", "--fail-on", "never")
                self.assertIn(ran.code, (3, 4), ran)
                self.assertEqual(len(ran.err.splitlines()), 1, ran)
                self.assertNotIn("abandoned", ran.out)


class Truncated(WithBroker):
    def test_cut_anywhere(self):
        whole = json.dumps(self.broker.sweep())
        first = len(json.dumps({**self.broker.sweep()}).split('"persistent://acme/shop/broken"')[0])
        for chunked in (False, True):
            for at in (1, 40, first + 30, len(whole) - 3, len(whole) - 1):
                with self.subTest(at=at, chunked=chunked):
                    self.broker.behave()
                    self.broker.override(SWEEP, cut=at, chunked=chunked)
                    ran = scan(self.broker.url, "--strict", "--fail-on", "never")
                    self.assertEqual(ran.code, 4 if at > first else 3, ran)
                    self.assertIn(self.broker.url + SWEEP, ran.err)
                    self.assertEqual(len(ran.err.splitlines()), 1, ran)
                    if at > first:
                        verdicts = states(ran.json())
                        self.assertEqual((verdicts["orders", "gone"], verdicts["orders", "live"]), ("abandoned", "ok"))

    def test_a_cut_sweep_takes_nothing_back(self):
        for chunked in (False, True):
            with self.subTest(chunked=chunked), Daemon(self.broker.url, poll__interval="150ms") as daemon:
                daemon.wait_states(gone="abandoned", live="ok", billing="ok", lost="abandoned")
                with Onlooker(daemon) as onlooker:
                    self.broker.override(SWEEP, cut=60, chunked=chunked)
                    daemon.wait_states(gone="unknown", live="unknown", billing="unknown")
                    daemon.wait_polls(2)
                    self.assertEqual(daemon.total("tidemark_brokers_partial"), 1)
                    self.assertGreater(daemon.total("tidemark_documents_rejected_total", endpoint="sweep", reason="truncated"), 0)
                    self.kept(daemon)
                    self.broker.behave()
                    daemon.wait_states(gone="abandoned", live="ok", billing="ok", lost="abandoned")
                self.assertEqual(onlooker.ever["live"], {"ok", "unknown"})
                self.assertEqual(onlooker.ever["gone"], {"abandoned", "unknown"})
                self.assertEqual(len(daemon.log_lines(" warning ")), 1)

    def kept(self, daemon):
        """The last verdicts are shown beside `unknown`, and their findings do not clear."""
        document = daemon.findings()
        last = {one["cursor"]: (one["last_state"], one["stale"]) for one in document["cursors"]}
        self.assertEqual(last["gone"], ("abandoned", True))
        self.assertEqual(last["live"], ("ok", True))
        self.assertIn(("abandoned", "gone"), {(one["rule"], one["cursor"]) for one in document["findings"]})


class Empty(Truncated):
    test_cut_anywhere = test_a_cut_sweep_takes_nothing_back = None

    def test_an_empty_sweep_after_content(self):
        """A broker that was just started answers {} with 200 for up to a minute."""
        for body in ("{}", f'{{"{NAMESPACE}":{{}}}}', f'{{"{NAMESPACE}":{{"{BUNDLE}":{{"persistent":{{}}}}}}}}'):
            with self.subTest(body), Daemon(self.broker.url, poll__interval="150ms") as daemon:
                daemon.wait_states(gone="abandoned", live="ok", billing="ok")
                with Onlooker(daemon) as onlooker:
                    self.broker.override(SWEEP, body=body)
                    daemon.wait_states(gone="unknown", live="unknown", billing="unknown")
                    daemon.wait_polls(3)
                    self.kept(daemon)
                    self.assertEqual(daemon.total("tidemark_brokers_partial"), 1)
                    self.broker.behave()
                    daemon.wait_states(gone="abandoned", live="ok", billing="ok")
                self.assertEqual(onlooker.ever["live"], {"ok", "unknown"})
                self.assertEqual(onlooker.ever["gone"], {"abandoned", "unknown"})

    def test_empty_from_the_start(self):
        self.broker.override(SWEEP, body="{}")
        ran = scan(self.broker.url, "--strict")
        self.assertEqual(ran.code, 4, ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        self.assertIn(self.broker.authority, ran.err)

    def test_one_topic_fewer_is_no_empty_sweep(self):
        with Daemon(self.broker.url) as daemon:
            daemon.wait_states(gone="abandoned", live="ok", billing="ok", lost="abandoned")
            self.broker.loaded = ["orders", "payments"]
            daemon.wait_polls(3)
            daemon.wait_states(gone="abandoned", live="ok", billing="ok")
            self.assertEqual(daemon.total("tidemark_brokers_partial"), 0)


class Huge(WithBroker):
    def huge_topic(self, megabytes, filler):
        texts = [(one.local, json.dumps(one.sweep())) for one in self.broker.topics]
        head, tail = sweep_of([texts[0], (texts[1][0], "@"), texts[2]]).split("@")

        def pieces(_):
            yield head.encode() + filler[0]
            block = filler[1] * (MB // len(filler[1]))
            for _ in range(megabytes):
                yield block
            yield filler[2] + tail.encode()
        return pieces

    def peak_of(self, how):
        with Broker(topics=self.broker.topics) as broker:
            if how:
                broker.override(SWEEP, **how)
            with Daemon(broker.url, poll__interval="1h", poll__suspect_rate="1000") as daemon:
                daemon.wait_states(gone="abandoned", live="ok", billing="ok")
                if how:
                    self.assertEqual(daemon.total("tidemark_brokers_partial"), 1)
                    self.assertGreater(daemon.total("tidemark_documents_rejected_total", endpoint="sweep"), 0)
                return daemon.peak_kb()

    def test_a_topic_of_a_hundred_megabytes(self):
        fillers = {
            "many subscriptions": (b'{"subscriptions":{', b'"s":{"consumers":[],"msgBacklog":1},' * 1, b'"t":{"consumers":[]}}}'),
            "one long text": (b'{"publishers":[{"producerName":"', b"x", b'"}],"subscriptions":{}}'),
        }
        usual = self.peak_of(None)
        for name, filler in fillers.items():
            with self.subTest(name):
                peak = self.peak_of({"pieces": self.huge_topic(100, filler), "chunked": True})
                if not SANITIZED:
                    self.assertLess(peak - usual, 32 * 1024, f"{peak} kB against {usual} kB")

    def test_a_topic_list_of_fifty_thousand_names(self):
        def pieces(_):
            yield b"["
            for i in range(50):
                yield b"".join(b'"persistent://acme/shop/t-%06d",' % (1000 * i + k) for k in range(1000))
            yield b'"persistent://acme/shop/orders","persistent://acme/shop/payments"]'
        self.broker.override("/admin/v2/persistent/acme/shop", pieces=pieces, chunked=True)
        with Daemon(self.broker.url, poll__interval="3s", poll__internal_info_rate="10") as daemon:
            daemon.wait_states(gone="abandoned", live="ok", billing="ok")
            self.assertEqual(daemon.total("tidemark_topics", state="listed"), 50002)


if __name__ == "__main__":
    unittest.main()
