"""A real Prometheus beside the daemons under test, for what they ask of it. Knows nothing of the other tests' helpers: tests/pulsar uses it, too."""
import json
import socket
import subprocess
import time
import urllib.parse
import urllib.request


class Prometheus:
    """The server itself, scraping `targets` (host:port) twice a second. A context manager; its files go into `folder`."""

    def __init__(self, folder, targets):
        self.folder, self.targets = folder, targets
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"

    def __enter__(self):
        jobs = [{"job_name": "tidemark", "scrape_interval": "500ms", "static_configs": [{"targets": self.targets}]}]
        config = self.folder / "prometheus.yml"
        config.write_text(json.dumps({"scrape_configs": jobs}))
        self.log = open(self.folder / "prometheus.log", "wb")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={self.folder / 'tsdb'}",
             f"--web.listen-address={self.url.removeprefix('http://')}"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def ask(self, promql):
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/query?{urllib.parse.urlencode({'query': promql})}", timeout=5) as answer:
                return json.load(answer)["data"]["result"]
        except OSError:
            return []

    def wait_for(self, promql, deadline=60):
        end = time.monotonic() + deadline
        while not self.ask(promql):
            if time.monotonic() >= end:
                raise AssertionError(f"not within {deadline} s: {promql} at Prometheus")
            time.sleep(0.1)
