#!/usr/bin/env python3
"""The whole way of an alert, with nothing between that is not real but the cluster: the demo's daemon, Prometheus, Alertmanager, a webhook.

    alerts_test.py --tidemark build/dev/daemon/tidemark

Rules and configurations are those of deploy/prometheus; only lengths of time are divided and addresses put in. What an operator does goes to the demo's
simulated brokers and bookies as it would to real ones. Ends with `N passed, M failed, K skipped`; exit code 1 when a check failed.
"""
import argparse
import contextlib
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "pulsar"))
from checks import Checks  # noqa: E402
from jvm import free_ports, kill_group, start_process  # noqa: E402
from waiting import wait_until  # noqa: E402

DEPLOY = ROOT / "deploy" / "prometheus"
DIVISOR = 600  # ten minutes are a second
DEADLINE = 300  # seconds for one alert to come or go; on an idle machine a minute for leftovers, which must be weeks old in the demo, else seconds
# What the demo's own stories bring, one after the other.
STORIES = {  # alert: where it arrives
    "TidemarkAckHole": "team-shop",
    "TidemarkUnackedBlocked": "team-shop",
    "TidemarkLagging": "team-shop",
    "TidemarkStalled": "platform",
    "TidemarkLeftoverReplicator": "platform",
    "TidemarkTtlOverdue": "platform",
    "TidemarkDelayedOutlivesTtl": "platform",
    "TidemarkTtlRetention": "nobody",
    "TidemarkGrowthWithoutPublishers": "nobody",
    "TidemarkStaleTopicMetadata": "nobody",
    "TidemarkAdminApiStall": "platform",  # first of all: it is over after half a minute
    "TidemarkBookieUnregistered": "pager",
    "TidemarkReadCacheThrash": "platform",
    "TidemarkQuotaForecast": "platform",
    "TidemarkDiskGrowthFlatTraffic": "platform",
    "TidemarkDiskFullForecast": "platform",
    "TidemarkReclaimStuck": "platform",
    "TidemarkSubscriptionCountGrowth": "platform",
}
LASTING = {  # and not over within this test, for a reason
    "TidemarkAckHole": "one hole follows the other",
    "TidemarkSubscriptionCountGrowth": "nobody stops the job; it fires on for days, which are minutes here",
    "TidemarkDiskGrowthFlatTraffic": "another leftover follows; it fires on for days, which are minutes here",
    "TidemarkDiskFullForecast": "likewise",
}
ELSEWHERE = {  # not seen here, for a reason; all of them are in rules_test.yml
    "TidemarkDiskFullSoon": "the last day before a disk is full is three seconds here, in which it may or may not be seen",
    "TidemarkHeldWithoutCursor": "no broker here is so old, or so late with a rollover",
    "TidemarkDanglingPosition": "simulated cursors lose no position",
    "TidemarkPositionNotPersisted": "simulated brokers save every position",
    "TidemarkExpirationIneffective": "nothing expires here",
    "TidemarkExpirationAtRisk": "nothing expires here",
    "TidemarkOrphanLedgers": "simulated bookies list no ledgers",
    "TidemarkHistoryFull": "one cluster this small fills nothing",
    "TidemarkShardsIncomplete": "one daemon watches all",
    "TidemarkSnapshotStale": "its time is the demo's, which is not Prometheus'",
    "TidemarkTopicsLoaded": "nothing is loaded by asking; should it be, it is for nobody",
}
UNITS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
GROUP = {"tenant": "analytics", "pulsar_namespace": "analytics/archive", "group": "loader", "subscription_owner": "team-archive"}


def shortened(text, keys):
    """`key: 10m` is `key: 1000ms`."""
    def divide(found):
        return f"{found[1]}: {max(1, int(found[2]) * UNITS[found[3]] // DIVISOR)}ms"
    divided, count = re.subn(rf"\b({'|'.join(keys)}): (\d+)([smhdw])\b", divide, text)
    assert count, f"nothing to shorten: {keys}"
    return divided


def replaced(text, old, new):
    assert old in text, f"{old!r} is not in the example any more"
    return text.replace(old, new)


class Webhook:
    """Where Alertmanager sends to. `alerts` is what was said last of each: {(receiver, labels): status}; `resolved` has the names of those that ever were."""

    def __init__(self):
        outer = self
        self.alerts = {}
        self.annotations = {}
        self.resolved = set()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                for alert in message["alerts"]:
                    key = (self.path.strip("/"), frozenset(alert["labels"].items()))
                    outer.annotations[key] = alert["annotations"]
                    outer.alerts[key] = alert["status"]
                    if alert["status"] == "resolved":
                        outer.resolved.add(alert["labels"]["alertname"])
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def status(self, receiver, name, **labels):
        """`firing` if one such alert does, `resolved` if all did; None if none ever came there."""
        wanted = {"alertname": name, **labels}.items()
        found = {status for (there, has), status in list(self.alerts.items()) if there == receiver and wanted <= set(has)}
        return "firing" if "firing" in found else "resolved" if found else None

    def receivers(self, name, **labels):
        wanted = {"alertname": name, **labels}.items()
        return {there for there, has in list(self.alerts) if wanted <= set(has)}

    def one(self, name, **labels):
        wanted = {"alertname": name, **labels}.items()
        return next(self.annotations[key] for key in list(self.annotations) if wanted <= set(key[1]))


class Stack:
    """Demo, Prometheus and Alertmanager in a folder of their own."""

    def __init__(self, binary, hook):
        self.binary, self.hook = binary, hook
        self.processes = {}

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tidemark-alerts-"))
        daemon, prometheus, alertmanager = free_ports(3)
        self.daemon, self.prometheus, self.alertmanager = (f"127.0.0.1:{port}" for port in (daemon, prometheus, alertmanager))
        rules = (DEPLOY / "tidemark.rules.yml").read_text()
        (self.folder / "tidemark.rules.yml").write_text(shortened(rules, ["for", "keep_firing_for"]))
        config = (DEPLOY / "prometheus.example.yml").read_text()
        config = replaced(replaced(config, "localhost:10920", self.daemon), "localhost:9093", self.alertmanager)
        (self.folder / "prometheus.yml").write_text(replaced(replaced(config, "scrape_interval: 30s", "scrape_interval: 1s"),
                                                             "evaluation_interval: 30s", "evaluation_interval: 1s"))
        config = replaced((DEPLOY / "alertmanager.example.yml").read_text(), "localhost:8060", f"127.0.0.1:{self.hook.port}")
        # What is for nobody comes here, too: to be seen.
        config = replaced(config, "- name: nobody", f"- name: nobody\n    webhook_configs: [{{url: 'http://127.0.0.1:{self.hook.port}/nobody'}}]")
        (self.folder / "alertmanager.yml").write_text(shortened(config, ["group_wait", "group_interval"]))
        try:
            self._start("alertmanager", ["prometheus-alertmanager", f"--config.file={self.folder}/alertmanager.yml", f"--storage.path={self.folder}/data",
                                         f"--web.listen-address={self.alertmanager}", "--cluster.listen-address="])
            self._start("prometheus", ["prometheus", f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/tsdb",
                                       f"--web.listen-address={self.prometheus}"])
            for name, address in (("prometheus", self.prometheus), ("alertmanager", self.alertmanager)):  # first: a story that is over is not told again
                self._wait_ready(name, address)
            # A poll waits twice for a broker that hangs, and series are shown for three polls: two polls that wait must fit in, as they do by default.
            pace = ("poll.interval=1600ms", "poll.document_timeout=1100ms", "poll.sweep_idle_timeout=1100ms", "detect.growth_window=30d")
            # No faster: between two polls of a busy machine must be no day, else nobody can tell that a burst was used for no more than a day.
            self._start("demo", [self.binary, "demo", "--days-per-second", "0.3", *(f"--set={one}" for one in (f"listen={self.daemon}", *pace))])
            self._wait_ready("demo", self.daemon)
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(self, kind, *_):
        for name, process in self.processes.items():
            kill_group(process)
            if kind is not None:
                print(f"--- last lines of the log of {name}:")
                print("\n".join("    " + line[:300] for line in (self.folder / f"{name}.log").read_text(errors="replace").splitlines()[-15:]))
        shutil.rmtree(self.folder, ignore_errors=True)

    def freeze(self, name):
        os.killpg(self.processes[name].pid, signal.SIGSTOP)

    def resume(self, name):
        os.killpg(self.processes[name].pid, signal.SIGCONT)

    @property
    def brokers(self):
        """The URL of one of the simulated brokers."""
        return re.search(r"simulated cluster at (http://\S+?),", (self.folder / "demo.log").read_text())[1]

    def api(self, path):
        return json.loads(request(f"http://{self.daemon}/api/v1/{path}"))

    def bookies(self):
        """The addresses of the simulated bookies, as the daemon's metrics name them; the one with the smallest disk, which fills by itself, last."""
        return [name for name, _ in sorted(re.findall(r'tidemark_bookie_dir_usage_ratio\{[^}]*bookie="([^"]*)"[^}]*\} (\S+)',
                                                      request(f"http://{self.daemon}/metrics")), key=lambda one: float(one[1]))]

    def _start(self, name, command):
        self.processes[name] = start_process(command, self.folder, self.folder / f"{name}.log")

    def _wait_ready(self, name, address):
        wait_until(lambda: self._answers(name, f"http://{address}/-/ready"), DEADLINE, f"{name} is ready")

    def _answers(self, name, url):
        if self.processes[name].poll() is not None:
            raise RuntimeError(f"{name} ended with {self.processes[name].returncode}")
        with contextlib.suppress(OSError, urllib.error.URLError):
            request(url)
            return True
        return False


def request(url, method="GET", body=None):
    """The answer's text; a broker that does not own the topic says who does."""
    for _ in range(3):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data=body, method=method), timeout=30) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            if error.code != 307:
                raise
            url = error.headers["Location"]
    raise RuntimeError(f"redirected without end to {url}")


def unsubscribe(stack, topic, subscription):
    twice = urllib.parse.quote(urllib.parse.quote(subscription, safe=""), safe="")
    request(f"{stack.brokers}/admin/v2/{topic.replace('://', '/')}/subscription/{twice}", "DELETE")


def set_read_only(bookie, wanted):
    request(f"http://{bookie}/api/v1/bookie/state/readonly", "PUT", json.dumps({"readOnly": wanted}).encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tidemark", required=True)
    binary = str(pathlib.Path(parser.parse_args().tidemark).resolve())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    checks = Checks("alerts")
    missing = [tool for tool in ("prometheus", "prometheus-alertmanager") if not shutil.which(tool)]
    if missing:
        checks.skip("end to end", f"{missing[0]} is not installed (deploy/install.sh test)")
    else:
        hook = Webhook()
        with checks.section("end to end"), Stack(binary, hook) as stack:
            for check in (check_bookies, check_inhibition, check_clean_up, check_burst, check_stories, check_down):
                with checks.section(check.__name__):
                    check(checks, stack, hook)
        came = {dict(has)["alertname"] for _, has in hook.alerts}
        there = set(re.findall(r"- alert: (\w+)", (DEPLOY / "tidemark.rules.yml").read_text()))
        checks.equal(there - came - ELSEWHERE.keys(), set(), "every alert arrived, or it is said why it cannot")
        for name in sorted(there - came):
            print(f"     not seen here: {name}: {ELSEWHERE.get(name)}")
    print(f"{checks.passed} passed, {checks.failed} failed, {checks.skipped} skipped")
    return 1 if checks.failed else 0


def comes(checks, hook, receiver, name, **labels):
    wait_until(lambda: hook.status(receiver, name, **labels) == "firing", DEADLINE, lambda: f"{name} at {receiver}; came: {list(hook.alerts.items())}")
    checks.equal(hook.receivers(name, **labels), {receiver}, f"{name} arrives at {receiver} and nowhere else")


def resolves(checks, hook, receiver, name, **labels):
    wait_until(lambda: hook.status(receiver, name, **labels) == "resolved", DEADLINE, f"{name} is resolved at {receiver}")
    checks.that(True, f"{name} is resolved at {receiver}")


def check_bookies(checks, stack, hook):
    """One bookie takes no writes, then a second one; both come back."""
    wait_until(lambda: len(stack.bookies()) == 3, DEADLINE, "three bookies in the metrics")
    first, second, _ = stack.bookies()
    set_read_only(first, True)
    comes(checks, hook, "pager", "TidemarkBookieReadOnly", bookie=first)
    comes(checks, hook, "platform", "TidemarkWritableBookiesLow")
    set_read_only(second, True)
    comes(checks, hook, "pager", "TidemarkWritesFail")
    for bookie in (first, second):
        set_read_only(bookie, False)
    for name in ("TidemarkBookieReadOnly", "TidemarkWritesFail"):
        resolves(checks, hook, "pager", name)
    resolves(checks, hook, "platform", "TidemarkWritableBookiesLow")


def check_inhibition(checks, stack, hook):
    """Of two disks that will be full the one is silent whose bookie is read-only already. Whether the rules find both is promtool's part."""
    bookie = stack.bookies()[0]
    set_read_only(bookie, True)
    wait_until(lambda: hook.status("pager", "TidemarkBookieReadOnly", bookie=bookie) == "firing", DEADLINE, "it is read-only")
    forecast = {"alertname": "TidemarkDiskFullForecast", "severity": "warning", "pulsar_cluster": "demo"}
    for name in (bookie, "another:8000"):
        alert = {"labels": {**forecast, "bookie": name}, "annotations": {}}
        post = urllib.request.Request(f"http://{stack.alertmanager}/api/v2/alerts", json.dumps([alert]).encode(), {"Content-Type": "application/json"})
        urllib.request.urlopen(post, timeout=30).close()
    comes(checks, hook, "platform", "TidemarkDiskFullForecast", bookie="another:8000")
    checks.equal(hook.status("platform", "TidemarkDiskFullForecast", bookie=bookie), None, "a read-only bookie silences its own forecast")
    set_read_only(bookie, False)
    resolves(checks, hook, "pager", "TidemarkBookieReadOnly")


def check_clean_up(checks, stack, hook):
    """Leftovers of a group, which nobody makes anew: removed, they are over."""
    comes(checks, hook, "team-data", "TidemarkSubscriptionAbandoned", **GROUP)
    annotations = hook.one("TidemarkSubscriptionAbandoned", **GROUP)
    checks.that("loader in analytics/archive" in annotations["summary"], "the summary says whose they are", annotations["summary"])
    checks.that("would free" in annotations["description"] and "Worst topic" in annotations["description"], "the description says what it costs",
                annotations["description"])
    page, _, anchor = annotations["runbook_url"].partition("#")
    checks.that(anchor in (ROOT / page).read_text().lower().replace(" ", "-"), "the runbook is there", annotations["runbook_url"])

    def left():
        cursors = [one for one in stack.api("cursors?namespace=analytics/archive")["cursors"] if one["cursor"] == "loader" and not one["consumers"]]
        for one in cursors:
            with contextlib.suppress(urllib.error.HTTPError):  # gone since
                unsubscribe(stack, one["topic"], one["cursor"])
        return not cursors
    wait_until(left, DEADLINE, "no loader is left")
    resolves(checks, hook, "team-data", "TidemarkSubscriptionAbandoned", **GROUP)


def check_burst(checks, stack, hook):
    """A load test's subscriptions, made at once; the twin that unsubscribes is in no alert."""
    comes(checks, hook, "platform", "TidemarkCreationBurst")
    found = [one for one in stack.api("findings")["findings"] if one["rule"] == "creation_burst"]
    checks.equal({one["topic"] for one in found}, {"persistent://shop/loadtest/checkout-0"}, "the burst is on its topic and on no other one")
    for one in stack.api("cursors?namespace=shop/loadtest")["cursors"]:
        if one["cursor"].startswith("load-test-"):
            unsubscribe(stack, one["topic"], one["cursor"])
    resolves(checks, hook, "platform", "TidemarkCreationBurst")


def check_stories(checks, stack, hook):
    """What goes wrong in the demo, and is mended there, came and went meanwhile or will. Of its healthy twins nobody was told."""
    for name, receiver in STORIES.items():
        wait_until(lambda name=name: hook.receivers(name), DEADLINE, lambda name=name: f"{name}; came: {sorted({dict(has)['alertname'] for _, has in hook.alerts})}")
        checks.equal(hook.receivers(name), {receiver}, f"{name} arrives at {receiver} and nowhere else")
    for name in STORIES.keys() - LASTING.keys():
        wait_until(lambda name=name: name in hook.resolved, DEADLINE, lambda name=name: f"{name} is resolved; {hook.alerts}")
        checks.that(True, f"{name} is resolved")


def check_down(checks, stack, hook):
    """A daemon that hangs, and goes on."""
    stack.freeze("demo")
    comes(checks, hook, "platform", "TidemarkDown")
    stack.resume("demo")
    resolves(checks, hook, "platform", "TidemarkDown")


if __name__ == "__main__":
    sys.exit(main())
