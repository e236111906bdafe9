"""A pass over brokers that refuse, hang, or answer with something else: one clear line, a fitting exit status, never a wrong verdict."""
import unittest

from harness import ALL, HASTE, HTML, OF_A_TOPIC, SWEEP, TOPOLOGY, Broker, refusing_url, run, scan, states

NEEDED = ("stats", "internal_stats")  # without them `abandoned` cannot be told in one pass


class Scan(unittest.TestCase):
    def setUp(self):
        self.broker = self.enterContext(Broker())

    def one_line(self, ran, path, *words):
        lines = ran.err.splitlines()
        self.assertEqual(len(lines), 1, ran)
        self.assertTrue(lines[0].startswith("tidemark: "), ran)
        self.assertIn(f"{self.broker.url}{path}", lines[0])
        for word in words:
            self.assertIn(word, lines[0])

    def nothing_reached(self, ran, url, *words):
        self.assertEqual((ran.code, ran.out), (3, ""), ran)
        lines = ran.err.splitlines()
        self.assertEqual(len(lines), 1, ran)
        self.assertIn(url, lines[0])
        for word in words:
            self.assertIn(word, lines[0])

    def partial(self, endpoint, *words):
        """A pass whose questions of this kind fail: said in one line, no wrong verdict, partial under --strict."""
        ran = scan(self.broker.url, "--strict", "--fail-on", "never", **HASTE)
        self.assertEqual(ran.code, 4, ran)
        self.one_line(ran, ALL[endpoint], *words)
        verdicts = states(ran.json())
        self.assertEqual(verdicts["orders", "live"], "ok")
        self.assertEqual(verdicts["payments", "billing"], "ok")
        self.assertEqual(verdicts["orders", "gone"], "idle" if endpoint in NEEDED else "abandoned")
        return ran


    def test_nobody_listens(self):
        url = refusing_url()
        self.nothing_reached(run("scan", url), url, "refused")

    def test_no_such_host(self):
        self.nothing_reached(run("scan", "http://no-such-host.invalid:8080"), "http://no-such-host.invalid:8080")

    def test_never_an_answer(self):
        self.broker.override(".*", hang=True)
        self.nothing_reached(scan(self.broker.url, **HASTE), self.broker.url, "300ms")

    def test_everything_refused(self):
        for status in (401, 403, 404, 429, 500, 503):
            with self.subTest(status):
                self.broker.behave()
                self.broker.override(".*", status=status, body="no")
                self.nothing_reached(scan(self.broker.url), self.broker.url + SWEEP, f": {status}")

    def test_the_sweep_refused(self):
        for status in (401, 403, 429, 500, 503):
            with self.subTest(status):
                self.broker.behave()
                self.broker.override(SWEEP, status=status, body="no")
                ran = scan(self.broker.url)
                self.nothing_reached(ran, self.broker.url + SWEEP, f": {status}")
                if status in (401, 403):
                    self.assertIn("tidemark check", ran.err)

    def test_one_kind_of_question_refused(self):
        for endpoint, path in {**TOPOLOGY, **OF_A_TOPIC}.items():
            for status in (401, 403, 429, 500, 503):
                if (endpoint, status) == ("internal_info", 500):
                    continue  # is how a broker says that there is no such topic
                with self.subTest(endpoint=endpoint, status=status):
                    self.broker.behave()
                    self.broker.override(path, status=status, body="no")
                    self.partial(endpoint, f": {status}")

    def test_a_page_instead_of_a_document(self):
        for endpoint, path in {**TOPOLOGY, **OF_A_TOPIC}.items():
            with self.subTest(endpoint):
                self.broker.behave()
                self.broker.override(path, **HTML)
                ran = self.partial(endpoint)
                self.assertNotIn("html", ran.out)

    def test_a_document_that_is_cut_off(self):
        for endpoint, path in {**TOPOLOGY, **OF_A_TOPIC}.items():
            for chunked in (False, True):
                with self.subTest(endpoint, chunked=chunked):
                    self.broker.behave()
                    self.broker.override(path, cut=3, chunked=chunked)
                    self.partial(endpoint, "ended early")

    def test_a_question_that_is_never_answered(self):
        for endpoint in ("tenants", "topics", "policies", *OF_A_TOPIC):
            with self.subTest(endpoint):
                self.broker.behave()
                self.broker.override(ALL[endpoint], hang=True)
                self.partial(endpoint, "300ms")

    def test_a_document_that_has_no_end(self):
        def endless(broker):
            while not broker.closing.is_set():
                yield b" " * 65536
        for endpoint in ("tenants", "stats"):
            with self.subTest(endpoint):
                self.broker.behave()
                self.broker.override(ALL[endpoint], pieces=endless)
                ran = scan(self.broker.url, "--strict", "--fail-on", "never", poll__max_document_bytes="64KiB")
                self.assertEqual(ran.code, 4, ran)
                self.one_line(ran, ALL[endpoint])

    def test_what_is_no_broker(self):
        answers = {
            "nothing": b"",
            "line ends": b"\r\n\r\n",
            "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
            "half a head": b"HTTP/1.1 200 OK\r\nContent-Le",
            "no status": b"HTTP/1.1 \r\n\r\n",
            "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
            "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\n{}aaaaa",
            "an endless head": b"HTTP/1.1 200 OK\r\n" + b"X-A: y\r\n" * 200000,
            "no chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "a chunk beyond all bounds": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc",
            "no gzip": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        }
        for path in (".*", SWEEP):
            for name, raw in answers.items():
                with self.subTest(name, path=path):
                    self.broker.behave()
                    self.broker.override(path, raw=raw)
                    self.nothing_reached(scan(self.broker.url), self.broker.url + SWEEP)
        self.broker.override(".*", **HTML)
        self.nothing_reached(scan(self.broker.url), self.broker.url + SWEEP)

    def test_the_same_in_a_table(self):
        self.broker.override(OF_A_TOPIC["internal_stats"], status=403)
        ran = run("scan", self.broker.url)
        self.assertIn(self.broker.url + OF_A_TOPIC["internal_stats"] + ": 403", ran.out)


if __name__ == "__main__":
    unittest.main()
