"""The command line: what is wrong with it is said in one line, what the exit status says, and what `check` tells."""
import json
import unittest

from harness import SWEEP, Broker, Daemon, Folder, Subscription, Topic, options, refusing_url, run, scan, topic_path


class Usage(unittest.TestCase):
    def refused(self, ran, *words):
        self.assertEqual((ran.code, ran.out), (2, ""), ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        for word in words:
            self.assertIn(word, ran.err)

    def test_what_does_not_exist(self):
        url = "http://127.0.0.1:1"
        self.refused(run("scna", url), "scna")
        self.refused(run())
        self.refused(run("scan", url, "--colour"), "--colour")
        self.refused(run("scan", url, "--format", "xml"), "xml")
        self.refused(run("scan", url, "--fail-on", "everything"), "everything")
        self.refused(run("scan", url, "--config"), "--config")
        self.refused(run("scan", url, url), url)
        self.refused(run("record", url), "--out")
        self.refused(run("replay"), "file")

    def test_the_url_may_come_behind_settings(self):
        url = refusing_url()
        ran = run("scan", "--set", "poll.interval=1s", "--set", "poll.suspect_rate=9", url)
        self.assertEqual(ran.code, 3, ran)
        self.assertIn(url, ran.err)
        self.refused(run("replay", "x.ndjson", "--until", "noon"), "noon")

    def test_settings(self):
        url = "http://127.0.0.1:1"
        for command in ("scan", "serve", "check"):
            self.refused(run(command, url, "--set", "detect.abandoned_afer=2d"), "abandoned_afer", "abandoned_after")
            self.refused(run(command, url, "--set", "detect.abandoned_after=soon"), "detect.abandoned_after", "soon")
            self.refused(run(command, url, "--set", "detect.abandoned_after"), "detect.abandoned_after")
            self.refused(run(command, url, "--set", "poll.interval=1ms"), "poll.interval")
            self.refused(run(command, url, "--set", "listen=here"), "listen")

    def test_clusters(self):
        for command in ("scan", "serve", "check"):
            self.refused(run(command), "no cluster")
            self.refused(run(command, "broker:8080"), "broker:8080")
            self.refused(run(command, "ftp://broker"), "ftp")
            self.refused(run(command, "http://broker:99999"), "99999")
            self.refused(run(command, "http://broker:8080/admin/v2"))
        with Folder() as folder:
            two = folder.write("two.yaml", "clusters: [{name: a, url: 'http://a:8080'}, {name: b, url: 'http://b:8080'}]\n")
            self.refused(run("scan", "--config", str(two)), "a, b")
            self.refused(run("scan", "--config", str(two), "--cluster", "c"), "a, b")
            self.refused(run("scan", "http://c:8080", "--config", str(two)), "--cluster")

    def test_filters(self):
        url = "http://127.0.0.1:1"
        for command in (("scan", url), ("record", url, "--out", "-"), ("replay", "x")):
            self.refused(run(*command, "--topic", "orders"), "--topic", "orders")
            self.refused(run(*command, "--topic", "non-persistent://a/b/c"), "--topic")
            self.refused(run(*command, "--namespace", "acme"), "--namespace", "acme")
            self.refused(run(*command, "--tenant", "acme/shop"), "--tenant", "acme/shop")
            for contradiction in (("--tenant", "acm", "--namespace", "acme/shop"), ("--tenant", "other", "--topic", "acme/shop/orders"),
                                  ("--namespace", "acme/shopping", "--topic", "persistent://acme/shop/orders")):
                self.refused(run(*command, *contradiction), *contradiction)

    def test_files(self):
        with Folder() as folder:
            missing = folder.path / "missing.yaml"
            for command in ("scan", "serve", "check"):
                self.refused(run(command, "--config", str(missing)), str(missing))
            self.refused(run("replay", str(missing)), str(missing))
            self.refused(run("replay", str(folder.path)), str(folder.path))
            head = '{"tidemark_recording":1,"pulsar_cluster":"c","pulsar_version":"4"}\n'
            for text in ("", "not json\n", "{}\n", '{"tidemark_recording":99}\n', head):
                self.refused(run("replay", str(folder.write("bad.ndjson", text))), "bad.ndjson")
            wrong = folder.write("wrong.yaml", "clusters:\n  - url: http://a:8080\n    tsl: {}\n")
            self.refused(run("scan", "--config", str(wrong)), "wrong.yaml", "3", "tsl", "tls")
            self.refused(run("scan", "--config", str(folder.path)), str(folder.path))

    def test_files_that_the_configuration_names(self):
        """`check` said `configuration ok` first."""
        with Broker() as broker:
            for setting in ("auth.token_file", "tls.ca_file"):
                for command in ("scan", "check"):
                    self.refused(run(command, broker.url, "--set", f"clusters.0.{setting}=/nowhere/file"), "/nowhere/file")
            with Folder() as folder:
                two = folder.write("two.yaml", f"clusters: [{{name: a, url: '{broker.url}'}}, {{name: b, url: 'http://127.0.0.1:1', auth: {{token_file: /nowhere/file}}}}]\n")
                self.refused(run("check", "--config", str(two)), "/nowhere/file")
            self.assertEqual(broker.requests, [])

    def test_listening(self):
        ran = run("serve", "http://127.0.0.1:1", "--set", "listen=192.0.2.1:0")
        self.refused(ran, "192.0.2.1")

    def test_help_and_version(self):
        for arguments in (("--help",), ("scan", "--help"), ("--version",)):
            ran = run(*arguments)
            self.assertEqual((ran.code, ran.err), (0, ""), ran)
            self.assertTrue(ran.out)


class ScanStatus(unittest.TestCase):
    def status(self, broker, *arguments):
        return run("scan", broker.url, *options({"poll.suspect_rate": "1000"}), *arguments).code

    def test_fail_on(self):
        with Broker() as broker:  # one warning
            self.assertEqual([self.status(broker, "--fail-on", one) for one in ("info", "warning", "critical", "never")], [1, 1, 0, 0])
            self.assertEqual(self.status(broker), 1)
        with Broker(topics=[Topic("orders", Subscription("unused", idle_days=30))]) as broker:
            self.assertEqual([self.status(broker, "--fail-on", one) for one in ("warning", "critical", "never")], [0, 0, 0])
        with Broker(topics=[Topic("orders", Subscription("gone", backlog=50, idle_days=1))]) as broker:  # idle, an info
            self.assertEqual([self.status(broker, "--fail-on", one) for one in ("info", "warning")], [1, 0])

    def test_strict(self):
        with Broker() as broker:
            self.assertEqual(self.status(broker, "--strict", "--fail-on", "never"), 0)
            broker.override(SWEEP, cut=len(json.dumps(broker.sweep())) - 5)
            self.assertEqual(self.status(broker, "--fail-on", "never"), 0)
            self.assertEqual(self.status(broker, "--strict", "--fail-on", "never"), 4)

    def test_filters(self):
        with Broker() as broker:
            for arguments, wanted in ((("--topic", "persistent://acme/shop/payments"), {"billing"}), (("--topic", "acme/shop/payments"), {"billing"}),
                                      (("--namespace", "acme/shop"), {"gone", "live", "billing"}), (("--tenant", "acme"), {"gone", "live", "billing"})):
                ran = scan(broker.url, "--fail-on", "never", *arguments)
                self.assertEqual(ran.code, 0, ran)
                self.assertEqual({one["cursor"] for one in ran.json()["cursors"]}, wanted)

    def test_filters_that_match_nothing_are_slips(self):
        with Broker() as broker:
            for arguments in (("--topic", "acme/shop/paymnts"), ("--namespace", "acme/shpo"), ("--tenant", "other")):
                ran = scan(broker.url, "--fail-on", "never", *arguments)
                self.assertEqual((ran.code, ran.out), (2, ""), ran)
                self.assertIn(arguments[1], ran.err)

    def test_one_of_several_clusters(self):
        with Broker() as broker, Folder() as folder:
            config = folder.write("two.yaml", f"clusters: [{{name: a, url: '{refusing_url()}'}}, {{name: b, url: '{broker.url}'}}]\n")
            self.assertEqual(run("scan", "--config", str(config), "--cluster", "b").code, 1)
            self.assertEqual(run("scan", "--config", str(config), "--cluster", "a").code, 3)

    def test_only_what_is_harmless_is_asked(self):
        with Broker() as broker:
            scan(broker.url)
            paths = {path.partition("?")[0] for path, _ in broker.requests}
            self.assertNotIn(topic_path("payments", "stats"), paths)
            for path in paths:
                self.assertNotRegex(path, r"health|backlog-quota-check|partitioned-(internalS|s)tats|/subscriptions$|^/metrics")


class Check(unittest.TestCase):
    def test_all_well(self):
        with Broker() as broker:
            ran = run("check", broker.url)
        self.assertEqual(ran.code, 0, ran)
        self.assertNotIn("FAIL", ran.out)
        self.assertIn("cluster fake, Pulsar 4.0.7", ran.out)
        self.assertIn("2 topics loaded", ran.out)

    def test_what_is_lost(self):
        for path, title, lost in (("/admin/v2/namespaces/acme/shop", "namespace policies", "retention is unknown"),
                                  (".*/internalStats", "positions of a loaded topic", "no position"),
                                  ("/admin/v2/persistent/acme/shop/partitioned", "list of partitioned topics", "stale_topic_metadata"),
                                  ("/admin/v2/tenants", "tenant list", "unloaded topics are not found")):
            with self.subTest(path), Broker() as broker:
                broker.override(path, status=403)
                ran = run("check", broker.url)
                self.assertEqual(ran.code, 1, ran)
                lines = ran.out.splitlines()
                at = next(i for i, line in enumerate(lines) if "FAIL" in line)
                self.assertIn(title, lines[at])
                self.assertIn("403", lines[at])
                self.assertIn(lost, lines[at + 1])

    def test_allowed_here_and_refused_there(self):
        with Broker() as broker:
            broker.override(topic_path("orders", "internalStats"), status=403)
            ran = run("check", broker.url)
        self.assertEqual(ran.code, 1, ran)
        self.assertRegex(ran.out, r"FAIL  positions of a loaded topic .*403: not everywhere")

    def test_the_sweep_refused(self):
        with Broker() as broker:
            broker.override(SWEEP, status=401)
            ran = run("check", broker.url)
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("no subscription can be judged", ran.out)

    def test_nobody_there(self):
        url = refusing_url()
        ran = run("check", url)
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("refused", ran.out + ran.err)

    def test_it_judges_nothing_as_served(self):
        """A configuration that `check` accepts is one that `serve` starts with."""
        with Broker() as broker, Daemon(broker.url) as daemon:
            self.assertEqual(run("check", "--config", str(daemon.config)).code, 0)


if __name__ == "__main__":
    unittest.main()
