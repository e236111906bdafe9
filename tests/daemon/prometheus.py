"""A real Prometheus beside the daemons under test, for what they ask of it."""
import json
import socket
import subprocess
import urllib.request

from harness import query, wait_until


class Prometheus:
    """The server itself, scraping `targets` (host:port) twice a second. A context manager."""

    def __init__(self, folder, targets):
        self.folder, self.targets = folder, targets
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"

    def __enter__(self):
        jobs = [{"job_name": "tidemark", "scrape_interval": "500ms", "static_configs": [{"targets": self.targets}]}]
        config = self.folder.write("prometheus.yml", json.dumps({"scrape_configs": jobs}))
        self.log = open(self.folder.path / "prometheus.log", "wb")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={self.folder.path / 'tsdb'}",
             f"--web.listen-address={self.url.removeprefix('http://')}"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def ask(self, promql):
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/query?{query(query=promql)}", timeout=5) as answer:
                return json.load(answer)["data"]["result"]
        except OSError:
            return []

    def wait_for(self, promql):
        return wait_until(lambda: self.ask(promql), f"{promql} at Prometheus", deadline=60)
