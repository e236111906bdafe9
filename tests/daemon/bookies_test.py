"""Bookies that answer with something else, or with too much: one line in the log, once, and a count."""
import json
import unittest

from harness import FAST, HTML, Broker, Daemon, options, run

METRICS = "bookie_SERVER_STATUS 1\nbookie_ledger_dir__a_usage 50.0\n"
NO_BOOKIE = "no metric of a bookie in the text"


class Bookies(unittest.TestCase):
    def setUp(self):
        self.broker = self.enterContext(Broker())
        self.bookie = self.enterContext(Broker([]))
        self.port = self.bookie.authority.rpartition(":")[2]
        self.ways = {  # how the daemon knows of it
            "configured": f"    bookies: {{urls: ['{self.bookie.url}']}}",
            "named by the broker": f"    bookies: {{metrics_port: {self.port}}}",
        }
        self.broker.override("/admin/v2/bookies/all", body=json.dumps({"bookies": [{"bookieId": "127.0.0.1:3181"}]}))

    def warnings(self, daemon):
        return [line for line in daemon.log_lines(self.bookie.authority) if " warning " in line]

    def test_a_page_instead_of_metrics(self):
        for way, settings in self.ways.items():
            with self.subTest(way):
                self.bookie.behave()
                self.bookie.override(".*", **HTML)
                with Daemon(self.broker.url, url_settings=settings) as daemon:
                    daemon.wait_total(3, "tidemark_documents_rejected_total", endpoint="bookie_metrics", reason="malformed")
                    said = self.warnings(daemon)
                    self.assertEqual(len(said), 1, said)
                    for words in (f"GET {self.bookie.url}/metrics: {NO_BOOKIE}", "clusters[].bookies.metrics_port"):
                        self.assertIn(words, said[0])
                    self.bookie.behave()
                    self.bookie.override("/metrics", body=METRICS, content_type="text/plain")
                    daemon.wait_total(0, "tidemark_bookie_dir_usage_ratio")
                    self.assertEqual(self.warnings(daemon), said)
                    self.assertIn("answers again", daemon.log_text())

    def test_more_directories_than_any_bookie_has(self):
        text = METRICS + "".join(f"bookie_ledger_dir_{i}_usage 1.0\n" for i in range(300))
        self.bookie.override("/metrics", body=text, content_type="text/plain")
        with Daemon(self.broker.url, url_settings=self.ways["configured"]) as daemon:
            daemon.wait_total(3, "tidemark_documents_rejected_total", endpoint="bookie_metrics", reason="too_large")
            said = self.warnings(daemon)
            self.assertEqual(len(said), 1, said)
            self.assertIn("45 ledger directories more than 256", said[0])
            _, series = daemon.get("/metrics")
            self.assertEqual(len([line for line in series.splitlines() if line.startswith("tidemark_bookie_dir_usage_ratio{")]), 256)

    def test_a_pass_says_it_too(self):
        self.bookie.override(".*", **HTML)
        ran = run("scan", self.broker.url, "--fail-on", "never", *options({**FAST, "clusters.0.bookies.metrics_port": self.port}))
        self.assertIn(NO_BOOKIE, " ".join(ran.out.split()))


if __name__ == "__main__":
    unittest.main()
