"""Automatic expiration on a live broker, whose checks take minutes: whom it deletes, who outlives it and why we say so, and where it is missing.

    test_expiration.py --version 4.0.7 --tidemark build/dev/daemon/tidemark [--jars DIR]     this alone, on a broker of its own
"""
import contextlib
import sys
import threading
import time

import program
from alone import run_alone
from background import Background
from client import Admin, consume_and_vanish
from jvm import number

TENANT = "expiring"
SET, PARKED, ZERO, UNSET = (f"{TENANT}/{one}" for one in ("set", "parked", "zero", "unset"))
STILL, RELOADED = (f"persistent://{SET}/{one}" for one in ("still", "reloaded"))
UNLOADED = f"persistent://{PARKED}/topic"
NOWHERE = f"persistent://{UNSET}/topic"
ALLOWED = 120  # seconds: an expiration of a minute, and one check
RELOAD_EVERY = 20  # seconds


class Reloads(Background):
    """A topic that is loaded anew more often than its subscriptions expire."""

    def __init__(self, admin, topic):
        self.admin, self.topic = admin, topic
        self.count = 0
        self.fault = None
        super().__init__()

    def _run(self):
        try:
            while not self._end.wait(RELOAD_EVERY):
                self.admin.unload(self.topic)
                self.admin.stats(self.topic)  # loads it
                self.count += 1
        except Exception as fault:  # told by the test
            self.fault = fault


class Expiration(contextlib.ExitStack):
    """From `with` on the clocks run; `check` waits for what comes of them. It loads and unloads: not beside tests that count loads."""

    def __init__(self, checks, binary, broker, clients):
        super().__init__()
        self.checks, self.admin, self.clients = checks, Admin(broker), clients
        self.restarts = (3, 2, 4) <= number(broker.version) < (5,)  # such a line loses the clock with each load
        self.daemon = program.Daemon(binary, broker.url, abandoned_after="5s", interval="5s",
                                     settings={"poll.suspect_rate": 100, "poll.topology_interval": "10s"})
        self.reloads = Reloads(self.admin, RELOADED)
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        super().__enter__()
        self.began = time.monotonic()
        self.thread.start()
        return self

    def check(self):
        asked = time.monotonic()
        self.thread.join()
        now = time.monotonic()
        print(f"     expirations are over after {now - self.began:.1f} s, {now - asked:.1f} s of these waited for", flush=True)

    def _make(self):
        for namespace, minutes in ((SET, 1), (PARKED, None), (ZERO, 0), (UNSET, None)):
            self.admin.make_namespace(namespace)
            if minutes is not None:
                self.expire(namespace, minutes)
        for topic in (STILL, RELOADED, UNLOADED, NOWHERE):
            self.admin.make_topic(topic)
            self.admin.make_subscription(topic, "gone")
            self.clients.publish(topic, 45)
            consume_and_vanish(self.clients, topic, "gone", 10)
        self.worker = self.clients.live(RELOADED, "worker")

    def expire(self, namespace, minutes):
        self.admin.set_policy(namespace, "subscriptionExpirationTime", minutes)

    def _run(self):
        with self.checks.section("expiration"):
            self._make()
            self.enter_context(self.daemon).wait_ready()
            self.enter_context(self.reloads)
            self._unload()
            reports = self.daemon.follow(self._is_over, 4 * ALLOWED + 60, self._what_is_missing)
            self.checks.equal(self.reloads.fault, None, f"expiration: {self.reloads.count} reloads went well")
            self._check_survivors()
            self._check_found(reports)

    def _unload(self):
        """Once the daemon knows since when nobody is there, which an unloaded topic's documents do not tell. An unload takes its time where daemons ask of
        everything all the time, so it may expire only from then on."""
        self.daemon.follow(lambda report: report.cursors.get((UNLOADED, "gone"), {}).get("state") == "abandoned", 40, f"{UNLOADED} [gone] is abandoned")
        program.unload_under(self.daemon, self.admin, UNLOADED)
        self.expire(PARKED, 1)

    def _is_over(self, report):
        """The broker deleted whom it deletes, and the time of the others is over."""
        due = {STILL} if self.restarts else {STILL, RELOADED}
        causes = {"unloaded", "reloaded"} if self.restarts else {"unloaded"}
        there = {topic: one for (topic, cursor), one in report.cursors.items() if cursor == "gone" and topic.startswith(f"persistent://{TENANT}/")}
        self.missing = f"not deleted: {due & there.keys()}, causes: {ineffective(report).keys()}, cursors: {there}"
        return not due & there.keys() and causes <= ineffective(report).keys()

    def _what_is_missing(self):
        return f"expirations come true; {self.reloads.count} reloads, {self.missing}"

    def _check_survivors(self):
        self.checks.equal(self.admin.subscriptions(STILL), [], "expiration: on a topic that stays loaded it deletes")
        expected = {"gone", "worker"} if self.restarts else {"worker"}
        self.checks.equal(set(self.admin.subscriptions(RELOADED)), expected, "expiration: on a topic that is loaded anew all the time the broker does what its line does")
        self.checks.that(UNLOADED not in self.admin.sweep(), "expiration: the unloaded topic stayed so")
        self.checks.equal(self.admin.subscriptions(UNLOADED), ["gone"], "expiration: on an unloaded topic it deletes nobody")

    def _check_found(self, reports):
        last = reports[-1]
        found = ineffective(last)
        self.checks.equal(worst(found["unloaded"]), (1, UNLOADED, "gone"), "expiration: ineffective, unloaded")
        if self.restarts:
            self.checks.equal(worst(found["reloaded"]), (1, RELOADED, "gone"), "expiration: ineffective, reloaded")
            told = found["reloaded"]["evidence"]["reloads"]
            self.checks.that(2 <= told <= self.reloads.count, "expiration: as many reloads as were", f"{told} of {self.reloads.count}")
        else:
            self.checks.that(not any("reloaded" in ineffective(one) for one in reports), "expiration: no report says that reloads defeat it")
        self.checks.equal({one["namespace"] for one in last.findings if one["rule"] == "expiration_ineffective"}, {SET, PARKED} if self.restarts else {PARKED},
                          "expiration: ineffective nowhere else")
        self.checks.equal({one["namespace"] for one in last.findings if one["rule"] == "expiration_legacy_zero"}, {ZERO}, "expiration: a stored 0 is found, and nothing else is taken for one")
        unset = {one["namespace"]: one["evidence"]["abandoned"] for one in last.findings if one["rule"] == "expiration_unset" and one["namespace"].startswith(f"{TENANT}/")}
        self.checks.equal(unset, {UNSET: 1}, "expiration: where it is missing is found")
        rules = last.rules_of(RELOADED, "worker")
        self.checks.that(not rules, "expiration: nobody is found who is there", rules)


def ineffective(report):
    """Cause -> its finding."""
    return {one["evidence"]["cause"]: one for one in report.findings if one["rule"] == "expiration_ineffective" and one["namespace"] in (SET, PARKED)}


def worst(finding):
    return tuple(finding["evidence"][name] for name in ("subscriptions", "worst_topic", "worst_cursor"))


def alone(checks, broker, clients, options):
    with Expiration(checks, options.tidemark, broker, clients) as expiration:
        expiration.check()


if __name__ == "__main__":
    sys.exit(run_alone(alone))
