"""Runs the program under test: one-shot commands, and a daemon on a free port whose API and metrics are read as a user reads them."""
import contextlib
import json
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from jvm import free_ports
from waiting import wait_until


class Ran:
    def __init__(self, code, out, err, began, ended):
        self.code, self.out, self.err = code, out, err
        self.began, self.ended = began, ended

    def json(self):
        try:
            return json.loads(self.out)
        except ValueError as error:
            raise RuntimeError(f"exit {self.code}, no JSON ({error}): out {self.out[:200]!r}, err {self.err[:300]!r}") from error


def run(binary, *arguments, timeout=120):
    began = time.time()
    done = subprocess.run([binary, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False)
    return Ran(done.returncode, done.stdout, done.stderr, began, time.time())


def scan(binary, url, *arguments, abandoned_after="5s"):
    return run(binary, "scan", url, "--format", "json", "--set", f"detect.abandoned_after={abandoned_after}", *arguments)


class Report:
    """The schema that scan, replay and /api/v1/findings share."""

    def __init__(self, document):
        self.document = document
        self.at = document["at_ms"] / 1000
        self.cursors = {(one["topic"], one["cursor"]): one for one in document["cursors"]}
        self.findings = document["findings"]

    def rules_of(self, topic, cursor):
        return {one["rule"] for one in self.findings if one["cursor"] == cursor and one["topic"] == topic}


class Daemon:
    """`tidemark serve`; a context manager. Leaving it sends SIGTERM and notes how the daemon ended."""

    def __init__(self, binary, url, abandoned_after="5s", interval="2s", token_file=None, settings=None):
        self.binary = binary
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tidemark-serve-"))
        self.address = f"127.0.0.1:{free_ports(1)[0]}"
        lines = [f"listen: {self.address}", "clusters:", f"  - url: {url}"]
        if token_file:
            lines.append(f"    auth: {{token_file: {token_file}}}")
        lines += ["detect:", f"  abandoned_after: {abandoned_after}"]
        (self.folder / "tidemark.yaml").write_text("\n".join(lines) + "\n")
        self.settings = {"poll.interval": interval, **(settings or {})}
        self.exit_code = self.exit_seconds = None

    def __enter__(self):
        self.log = open(self.folder / "log", "w+b")
        command = [self.binary, "serve", "--config", str(self.folder / "tidemark.yaml")]
        for key, value in self.settings.items():
            command += ["--set", f"{key}={value}"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        return self

    def __exit__(self, kind, *_):
        self.stop()
        if kind is not None or self.exit_code != 0:
            print("--- last lines of the daemon's log:")
            for line in self.log_text().splitlines()[-30:]:
                print("    " + line[:300])
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        if self.exit_code is not None:
            return
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.exit_seconds = time.monotonic() - began
        self.exit_code = self.process.returncode

    def log_text(self):
        return (self.folder / "log").read_text(errors="replace")

    def get(self, path):
        """Status and text; status 0 while nothing listens."""
        try:
            with urllib.request.urlopen(f"http://{self.address}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")
        except OSError:
            if self.process.poll() is not None:
                raise RuntimeError(f"the daemon ended with {self.process.returncode}") from None
            return 0, ""

    def wait_ready(self, deadline=60):
        wait_until(lambda: self.get("/-/ready")[0] == 200, deadline, "/-/ready answers 200")

    def report(self):
        status, text = self.get("/api/v1/findings")
        if status != 200:
            raise RuntimeError(f"/api/v1/findings: {status} {text[:200]!r}")
        return Report(json.loads(text))

    def follow(self, done, deadline, what, polls=1):
        """Waits until `done(report)` holds at a poll and at least `polls` new polls were seen; returns every poll's report on the way, the last one included."""
        seen = []

        def step():
            report = self.report()
            if not seen or report.at > seen[-1].at:
                seen.append(report)
                return len(seen) > polls and done(report)
            return False
        wait_until(step, deadline, what, every=0.1)
        return seen

    def samples(self):
        """The /metrics text as [(name, labels, value)]."""
        status, text = self.get("/metrics")
        if status != 200:
            raise RuntimeError(f"/metrics: {status} {text[:200]!r}")
        found = []
        for line in text.splitlines():
            if line and not line.startswith("#"):
                name, labels, value = re.fullmatch(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\d+)?", line).groups()
                found.append((name, dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels or "")), float(value)))
        return found

    def total(self, name, **labels):
        """The sum of a metric's samples that carry these labels; None when there is none."""
        values = [value for found, has, value in self.samples() if found == name and labels.items() <= has.items()]
        return sum(values) if values else None


def unload_under(daemon, admin, topic):
    """Unloads it until it stays so through two polls: brokers list a topic for a while after its unload, and what the daemon asks of it then loads it again.
    Returns how often that happened."""
    tries = []

    def stays():
        tries.append(topic)
        admin.unload(topic)
        with contextlib.suppress(TimeoutError):
            admin.wait_unloaded([topic], deadline=10)
            daemon.follow(lambda _: True, 60, "two more polls", polls=2)
            return topic not in admin.sweep()
        return False
    wait_until(stays, 240, f"{topic} stays unloaded")
    return len(tries) - 1
