"""Redirects: followed to known brokers with the token, to nobody else, and not for ever."""
import unittest

from harness import SWEEP, Broker, Daemon, Folder, run, scan, states, topic_path, wait_until

STATS = topic_path("orders", "stats")
TOKEN = "a-token-that-nobody-else-may-see"


class Redirects(unittest.TestCase):
    def setUp(self):
        self.token_file = self.enterContext(Folder()).write("token", TOKEN + "\n")
        self.broker = self.enterContext(Broker(token=TOKEN))
        self.other = self.enterContext(Broker())

    def scan(self, *arguments):
        return scan(self.broker.url, *arguments, **{"clusters__0__auth__token_file": self.token_file})

    def test_to_a_broker_of_the_cluster(self):
        self.broker.brokers = [self.broker.authority, self.other.authority]
        self.other.token = TOKEN
        self.other.loaded = ["payments"]
        self.broker.loaded = ["orders"]
        for status in (301, 302, 307, 308):
            with self.subTest(status):
                self.broker.behave()
                self.broker.override(STATS, status=status, body="", location=f"{self.other.url}{STATS}?authoritative=true")
                ran = self.scan("--strict", "--fail-on", "never")
                self.assertEqual((ran.code, ran.err), (0, ""), ran)
                self.assertEqual(states(ran.json())["orders", "gone"], "abandoned")
                self.assertEqual(self.other.asked(STATS)[-1], (f"{STATS}?authoritative=true", f"Bearer {TOKEN}"))

    def test_to_a_stranger(self):
        targets = (f"{self.other.url}{STATS}", f"//{self.other.authority}{STATS}", f"http://user@{self.other.authority}{STATS}",
                   f"{self.broker.url}.example.invalid{STATS}", f"{self.broker.url}@{self.other.authority}{STATS}",
                   f"https://{self.other.authority}{STATS}", f"ftp://{self.other.authority}/", "", "no-url", "http://")
        for path in (STATS, "/admin/v2/tenants", "/admin/v2/persistent/acme/shop", SWEEP):
            for target in targets:
                with self.subTest(path=path, target=target):
                    self.broker.behave()
                    self.broker.override(path, status=307, body="", location=target)
                    ran = self.scan("--strict", "--fail-on", "never")
                    self.assertEqual(ran.code, 3 if path == SWEEP else 4, ran)
                    self.assertEqual(len(ran.err.splitlines()), 1, ran)
                    self.assertIn(path, ran.err)
                    self.assertNotIn(TOKEN, ran.err)
        self.assertEqual(self.other.requests, [])

    def test_the_line_names_the_stranger(self):
        """The same words for what is streamed: the sweep and the topic lists said a bare 307."""
        for path in (STATS, "/admin/v2/tenants", "/admin/v2/persistent/acme/shop", SWEEP):
            with self.subTest(path):
                self.broker.behave()
                self.broker.override(path, status=307, body="", location=f"{self.other.url}{path}")
                ran = self.scan("--fail-on", "never")
                self.assertIn(f"{path}: redirected to {self.other.url}, which is no broker of this cluster; not followed\n", ran.err)
                self.assertEqual(self.other.requests, [])

    def test_a_sweep_is_not_taken_from_another_broker(self):
        self.broker.brokers = [self.broker.authority, self.other.authority]
        self.other.token = TOKEN
        self.other.loaded = []
        self.broker.override(SWEEP, status=307, body="", location=f"{self.other.url}{SWEEP}")
        ran = self.scan("--fail-on", "never")
        self.assertIn(f"{self.broker.url}{SWEEP}: redirected to {self.other.url}, whose topics are others; not followed\n", ran.err)

    def test_a_list_comes_from_whom_it_is_redirected_to(self):
        path = "/admin/v2/persistent/acme/shop"
        self.broker.brokers = [self.broker.authority, self.other.authority]
        self.other.token = TOKEN
        self.other.loaded = ["payments"]
        self.broker.loaded = ["orders"]
        self.broker.override(path, status=307, body="", location=f"{self.other.url}{path}")
        ran = self.scan("--strict", "--fail-on", "never")
        self.assertEqual((ran.code, ran.err), (0, ""), ran)
        self.assertEqual(len(self.other.asked(path)), 1)

    def test_to_a_stranger_while_serving(self):
        self.broker.override("/admin/v2/.*", status=307, body="", location=f"{self.other.url}/admin/v2/tenants")
        with Daemon(self.broker.url, url_settings=f"    auth: {{token_file: {self.token_file}}}", poll__topology_interval="300ms") as daemon:
            daemon.wait_polls(3)
            self.assertEqual(self.other.requests, [])
            self.assertEqual(len(daemon.log_lines("/tenants")), 1)
            self.broker.behave()
            daemon.wait_states(gone="abandoned", live="ok")
            self.assertNotIn(TOKEN, daemon.log_text())

    def test_in_a_circle(self):
        for path in (STATS, "/admin/v2/persistent/acme/shop", SWEEP):
            for target in (path, f"{self.broker.url}{path}"):
                with self.subTest(target):
                    self.broker.behave()
                    self.broker.override(path, status=307, body="", location=target)
                    before = len(self.broker.asked(path))
                    ran = self.scan("--strict", "--fail-on", "never")
                    self.assertEqual(ran.code, 3 if path == SWEEP else 4, ran)
                    self.assertIn("circle", ran.err)
                    self.assertLessEqual(len(self.broker.asked(path)) - before, 10)

    def test_between_two_brokers_for_ever(self):
        self.broker.brokers = [self.broker.authority, self.other.authority]
        self.other.loaded = []
        self.broker.override(STATS, status=307, body="", location=f"{self.other.url}{STATS}")
        self.other.override(STATS, status=307, body="", location=f"{self.broker.url}{STATS}")
        ran = self.scan("--fail-on", "never")
        self.assertIn("circle", ran.err)
        self.assertLessEqual(len(self.other.asked(STATS)), 10)


class OtherHostsInDocuments(unittest.TestCase):
    def test_check_sends_nothing_to_a_stranger(self):
        with Broker() as broker, Broker() as stranger:
            broker.override("/admin/v2/tenants", status=307, body="", location=f"{stranger.url}/admin/v2/tenants")
            ran = run("check", broker.url)
            wait_until(lambda: broker.asked("/admin/v2/tenants"), "the question")
            self.assertEqual(ran.code, 1, ran)
            self.assertEqual(stranger.requests, [])


if __name__ == "__main__":
    unittest.main()
