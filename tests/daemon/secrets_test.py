"""Tokens: read from a file, read again when it changes, sent to brokers and shown to nobody."""
import base64
import json
import unittest

from harness import SWEEP, Broker, Daemon, Folder, run, scan, states, wait_until

FIRST, SECOND = "eyFirst.Secret-0123456789", "eySecond.Secret-9876543210"


class Secrets(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(Folder())
        self.file = self.folder.write("token", FIRST + "\n")
        self.broker = self.enterContext(Broker(token=FIRST))
        self.auth = f"    auth: {{token_file: {self.file}}}"

    def scan(self, *arguments, **settings):
        return scan(self.broker.url, *arguments, **{"clusters__0__auth__token_file": self.file, **settings})

    def test_sent_with_every_request(self):
        self.assertEqual(self.scan("--strict", "--fail-on", "never").code, 0)
        self.assertEqual({authorization for _, authorization in self.broker.requests}, {f"Bearer {FIRST}"})

    def test_basic_authentication(self):
        password = self.folder.write("password", SECOND + "\n")
        with Broker() as broker:
            ran = scan(broker.url, clusters__0__auth__basic__user="tide", clusters__0__auth__basic__password_file=password)
            self.assertEqual(ran.code, 1, ran)
            self.assertEqual({one for _, one in broker.requests}, {"Basic " + base64.b64encode(f"tide:{SECOND}".encode()).decode()})

    def test_files_that_hold_no_token(self):
        for name, text in {"empty": "", "only a line end": "\n", "two lines": "a\nb\n"}.items():
            with self.subTest(name):
                self.folder.write("token", text)
                ran = self.scan()
                self.assertEqual((ran.code, ran.out), (2, ""), ran)
                self.assertEqual(len(ran.err.splitlines()), 1, ran)
                self.assertIn(str(self.file), ran.err)
        self.assertEqual(self.broker.requests, [])

    def test_no_file(self):
        self.file.unlink()
        ran = self.scan()
        self.assertIn(ran.code, (2, 3), ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        self.assertIn(str(self.file), ran.err)
        self.assertEqual(self.broker.requests, [])

    def test_a_wrong_token(self):
        self.folder.write("token", SECOND)
        ran = self.scan()
        self.assertEqual((ran.code, ran.out), (3, ""), ran)
        self.assertIn("401", ran.err)
        self.assertNotIn(SECOND, ran.err)

    def test_rotated_while_serving(self):
        with Daemon(self.broker.url, url_settings=self.auth) as daemon:
            daemon.wait_states(gone="abandoned", live="ok")
            self.broker.token = SECOND
            daemon.wait_states(gone="unknown", live="unknown")
            self.assertEqual(len(daemon.log_lines("401")), 1)
            self.folder.write("token", SECOND + "\n")
            daemon.wait_states(gone="abandoned", live="ok")
            self.assertEqual(self.broker.requests[-1][1], f"Bearer {SECOND}")

    def test_lost_while_serving(self):
        with Daemon(self.broker.url, url_settings=self.auth) as daemon:
            daemon.wait_states(gone="abandoned", live="ok")
            self.file.unlink()
            wait_until(lambda: daemon.log_lines(" warning "), "the log says so")
            daemon.wait_polls(3)
            lines = daemon.log_lines(" warning ")
            self.assertTrue(all(str(self.file) in line for line in lines), lines)
            self.assertEqual(len(lines), 1)
            self.assertTrue(all(authorization for _, authorization in self.broker.requests), "asked without the token")
            self.folder.write("token", FIRST)
            daemon.wait_states(gone="abandoned", live="ok")

    def test_shown_to_nobody(self):
        texts = {}
        with Daemon(self.broker.url, url_settings=self.auth, log__level="debug") as daemon:
            daemon.wait_states(gone="abandoned")
            self.broker.override("/admin/v2/broker-stats/topics", status=401, body=f"bad token {FIRST}")
            daemon.wait_states(gone="unknown")
            self.folder.write("token", f"{FIRST}\n{FIRST}\n")
            daemon.wait_polls(2)
            for path in ("/metrics", "/api/v1/findings", "/api/v1/cursors", "/"):
                texts[path] = daemon.get(path)[1]
            texts["log"], texts["stdout"] = daemon.log_text(), daemon.out_text()
        self.folder.write("token", FIRST)
        self.broker.behave()
        recording = self.folder.path / "recording.ndjson"
        token = ("--set", f"clusters.0.auth.token_file={self.file}")
        for name, ran in {"record": run("record", self.broker.url, "--out", str(recording), *token),
                          "check": run("check", self.broker.url, *token), "scan": run("scan", self.broker.url, *token)}.items():
            texts[name] = ran.out + ran.err
        texts["recording"] = recording.read_text()
        self.assertEqual(states(self.scan().json())["orders", "gone"], "abandoned")
        for name, text in texts.items():
            self.assertNotIn(FIRST, text, name)
            self.assertNotIn("Bearer", text, name)
            self.assertTrue(text or name == "stdout", name)

    def test_a_server_that_repeats_its_requests(self):
        """In 200s, refusals and redirects: nothing of it is used, shown or recorded."""
        recording = self.folder.path / "recording.ndjson"
        token = ("--set", f"clusters.0.auth.token_file={self.file}")
        echo = json.dumps({"Host": "broker", "Authorization": f"Bearer {FIRST}"})
        for path in ("/admin/v2/.*", SWEEP, "/admin/v2/(clusters|bookies/all|namespaces/.*|persistent/acme/shop|brokers/version)"):
            for how in ({"body": echo}, {"body": f'["{FIRST}"]'}, {"body": FIRST}, {"status": 500, "body": echo},
                        {"status": 307, "body": "", "location": f"/{FIRST}"}):
                with self.subTest(path=path, how=str(how)):
                    self.broker.behave()
                    self.broker.override(path, **how)
                    recording.unlink(missing_ok=True)
                    texts = [ran.out + ran.err for ran in (run("record", self.broker.url, "--out", str(recording), *token), run("check", self.broker.url, *token),
                                                           self.scan(), run("plan", self.broker.url, *token))]
                    texts += [recording.read_text()] if recording.exists() else []
                    for text in texts:
                        self.assertTrue(text)
                        self.assertNotIn(FIRST, text)
        self.broker.behave()
        self.broker.override("/admin/v2/.*", body=echo)
        ran = run("record", self.broker.url, "--out", str(recording), *token)
        self.assertEqual((ran.code, len(ran.err.splitlines())), (3, 1), ran)
        self.assertIn("repeats the credentials", ran.err)

    def test_a_url_beside_a_configuration_of_another_server(self):
        """What the configuration holds for its cluster is for that cluster."""
        with Broker() as other:
            for more in (f"auth: {{token_file: {self.file}}}", "name: blue", "tls: {verify: false}", "bookies: {urls: ['http://127.0.0.1:1']}", "mode: sidecar"):
                config = self.folder.write("tidemark.yml", f"clusters: [{{url: '{self.broker.url}', {more}}}]\n")
                for command in (["scan"], ["check"], ["serve"], ["plan"], ["record", "--out", "-"]):
                    with self.subTest(more=more, command=command):
                        ran = run(*command, other.url, "--config", str(config))
                        self.assertEqual((ran.code, ran.out, len(ran.err.splitlines())), (2, "", 1), ran)
                        self.assertIn(self.broker.url, ran.err)
            https = self.broker.url.replace("http:", "https:")
            config = self.folder.write("tidemark.yml", f"clusters: [{{url: '{https}', auth: {{token_file: {self.file}}}}}]\n")
            self.assertEqual(run("scan", self.broker.url, "--config", str(config)).code, 2)
            self.assertEqual(self.broker.requests + other.requests, [])
            config = self.folder.write("tidemark.yml", f"clusters: [{{url: '{self.broker.url}', auth: {{token_file: {self.file}}}}}]\n")
            self.assertEqual(run("scan", self.broker.url.upper().replace("HTTP", "http") + "/", "--config", str(config), "--fail-on", "never").code, 0)
            config = self.folder.write("tidemark.yml", f"clusters: [{{url: '{self.broker.url}'}}]\ndetect: {{abandoned_after: 2d}}\n")
            self.assertEqual(run("scan", other.url, "--config", str(config), "--fail-on", "never").code, 0)
            self.assertEqual({authorization for _, authorization in other.requests}, {None})

    def test_a_url_that_holds_one(self):
        for url in (f"{self.broker.url}/?token={FIRST}", f"{self.broker.url}/{FIRST}/", f"{self.broker.authority}?{FIRST}", f"pulsar://h/{FIRST}"):
            config = self.folder.write("tidemark.yml", f'clusters: [{{url: "{url}"}}]\n')
            restore = self.folder.write("restore.yml", f'clusters: [{{url: {self.broker.url}}}]\nrestore: {{prometheus_url: "{url}?"}}\n')
            for arguments in (["scan", url], ["scan", "--config", str(config)], ["check", "--config", str(restore)],
                              ["scan", self.broker.url, "--set", f"restore.prometheus_url={url}?"], ["check", "--set", f"clusters.0.bookies.urls.0={url}", self.broker.url]):
                with self.subTest(url=url, arguments=arguments[0]):
                    ran = run(*arguments)
                    self.assertEqual((ran.code, len(ran.err.splitlines())), (2, 1), ran)
                    self.assertNotIn(FIRST, ran.out + ran.err)

    def test_not_taken_from_the_configuration_itself(self):
        ran = run("scan", self.broker.url, "--set", f"clusters.0.auth.token={FIRST}")
        self.assertEqual(ran.code, 2, ran)
        self.assertNotIn(FIRST, ran.err)
        ran = run("scan", f"http://user:{FIRST}@{self.broker.authority}")
        self.assertEqual((ran.code, len(ran.err.splitlines())), (2, 1), ran)
        self.assertNotIn(FIRST, ran.err)


if __name__ == "__main__":
    unittest.main()
