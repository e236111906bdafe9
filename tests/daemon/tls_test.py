"""TLS: verified by default, with an authority of one's own, and each refusal says what to set."""
import shutil
import ssl
import subprocess
import unittest

from harness import Broker, Daemon, Folder, refusing_url, run, scan


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=60)


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(Folder())
        cls.path = cls.folder.path
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=Test authority",
                "-keyout", cls.path / "ca.key", "-out", cls.path / "ca.pem")
        cls.good = cls.certificate("good", "IP:127.0.0.1,DNS:localhost")
        cls.elsewhere = cls.certificate("elsewhere", "DNS:broker.example.com")

    @classmethod
    def certificate(cls, name, names):
        key, request, made = (cls.path / f"{name}.{end}" for end in ("key", "csr", "pem"))
        extensions = cls.folder.write(f"{name}.ext", f"subjectAltName={names}\n")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", cls.path / "ca.pem", "-CAkey", cls.path / "ca.key", "-CAcreateserial", "-days", "2",
                "-extfile", extensions, "-out", made)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(made, key)
        return context

    def scan(self, url, **tls):
        return scan(url, **{f"clusters__0__tls__{key}": value for key, value in tls.items()})

    def refused(self, ran, *words):
        self.assertEqual((ran.code, ran.out), (3, ""), ran)
        self.assertEqual(len(ran.err.splitlines()), 1, ran)
        for word in words:
            self.assertIn(word, ran.err)

    def test_an_unknown_authority(self):
        with Broker(tls=self.good) as broker:
            self.refused(self.scan(broker.url), broker.url, "tls.ca_file")
            self.assertEqual(broker.requests, [])

    def test_with_the_authority(self):
        with Broker(tls=self.good) as broker:
            for host in ("127.0.0.1", "localhost"):
                with self.subTest(host):
                    ran = self.scan(f"https://{host}:{broker.port}", ca_file=self.path / "ca.pem")
                    self.assertEqual((ran.code, ran.err), (1, ""), ran)

    def test_a_certificate_for_another_host(self):
        with Broker(tls=self.elsewhere) as broker:
            self.refused(self.scan(broker.url, ca_file=self.path / "ca.pem"), broker.url, "127.0.0.1", "not for")
            self.assertEqual(broker.requests, [])

    def test_not_verified_when_told_so(self):
        for context in (self.good, self.elsewhere):
            with Broker(tls=context) as broker:
                ran = self.scan(broker.url, verify="false")
                self.assertEqual(ran.code, 1, ran)

    def test_one_side_speaks_tls_only(self):
        with Broker() as plain:
            self.refused(self.scan(plain.url.replace("http:", "https:")), "https")
        with Broker(tls=self.good) as broker:
            self.refused(self.scan(broker.url.replace("https:", "http:")), broker.authority)

    def test_files_that_are_none(self):
        bad = self.folder.write("bad.pem", "no certificate\n")
        for key in ("ca_file", "cert_file"):
            for path in (self.path / "missing.pem", bad):
                with self.subTest(key, path=path.name):
                    tls = {key: path}
                    if key == "cert_file":
                        tls["key_file"] = self.path / "good.key"
                    ran = self.scan(refusing_url().replace("http:", "https:"), **tls)
                    self.assertEqual((ran.code, ran.out), (2, ""), ran)
                    self.assertEqual(len(ran.err.splitlines()), 1, ran)
                    self.assertIn(f"tls.{key}", ran.err)
                    self.assertIn(path.name, ran.err)

    def test_serve(self):
        with Broker(tls=self.good) as broker:
            with Daemon(broker.url, url_settings=f"    tls: {{ca_file: {self.path / 'ca.pem'}}}") as daemon:
                daemon.wait_states(gone="abandoned", live="ok")
            with Daemon(broker.url) as daemon:
                daemon.wait_polls(3)
                self.assertEqual(daemon.total("tidemark_up"), 0)
                self.assertEqual(len([line for line in daemon.log_lines(" warning ") if "tls.ca_file" in line]), 1)

    def test_a_server_that_drops_the_handshake(self):
        with Broker() as broker:
            ran = run("scan", f"https://{broker.authority}")
            self.refused(ran, broker.authority)


if __name__ == "__main__":
    unittest.main()
