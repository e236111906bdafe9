"""A disk that fills although the traffic is flat, because of one subscription that nobody reads: what is said on the way, in which order, and after the
clean-up. Days are seconds here: windows are cut by configuration, the disk holds 272 MB.

As BookKeeper's defaults are, what was freed stays on the full disk: compaction is suspended, and a few live entries in each log keep it. Told to compact
when it is full (isForceGCAllowWhenNoSpace) the bookie comes back by itself.
"""
import contextlib
import json
import re
import time
import urllib.request

import program
from background import Background
from client import Admin, Clients
from waiting import wait_until

NAMESPACE = "acme/fill"
TOPIC = f"persistent://{NAMESPACE}/orders"
LEFT = "left-behind"
MESSAGE = 50_000  # bytes; large ones, so that the rate costs little here
RATE = 60  # a second
EXPECTED = ["disk_growth_flat_traffic", "disk_full_forecast", "bookie_read_only"]
# Slopes of seconds. What is watched for less than disk_min_history has none, and no forecast goes further ahead than its slope was watched.
SETTINGS = {"detect.disk_window": "90s", "detect.disk_min_history": "12s", "poll.topology_interval": "5s"}


class FlatTraffic(Background):
    """The same number of messages each second, for as long as it lasts; one reader keeps up."""

    def __init__(self, clients, topic):
        self.producer = clients.producer(topic)
        self.worker = clients.live(topic, "worker")
        self.body = bytes(range(256)) * (MESSAGE // 256)
        super().__init__()

    def __exit__(self, *exception):
        super().__exit__(*exception)
        self.producer.close()
        self.worker.close()

    def _run(self):
        began, sent = time.monotonic(), 0
        while not self._end.wait(0.05):
            while sent < (time.monotonic() - began) * RATE:
                self.producer.send_async(self.body, None)
                sent += 1


class Journal:
    """What the daemon said of one subject, and when first; and what it concluded of the subscription that is left behind."""

    def __init__(self, daemon, subject):
        self.daemon, self.subject = daemon, subject
        self.first = {}
        self.latest = {}
        self.concluded = []  # from "abandoned" on, each time it was another state

    def look(self):
        report = self.daemon.report()
        self.conclude(report.cursors.get((TOPIC, LEFT)))
        self.latest = {one["rule"]: one for one in report.findings if one["subject"] == self.subject}
        for rule in self.latest:
            self.first.setdefault(rule, report.at)
        return report

    def conclude(self, left):
        """While the broker or the topic is in motion a state is unknown, and the last one stands beside it."""
        if left:
            state = left["last_state"] or left["state"]
            if (self.concluded or state == "abandoned") and state not in self.concluded[-1:]:
                self.concluded.append(state)

    def wait_for(self, rule, deadline, accept=lambda evidence: True):
        """The finding, once its evidence is accepted."""
        wait_until(lambda: self.look() and rule in self.latest and accept(self.latest[rule]["evidence"]), deadline,
                   lambda: f"{rule} of {self.subject}; so far {self.first}, now {self.latest}", every=0.3)
        return self.latest[rule]

    def wait_over(self, rule, deadline):
        wait_until(lambda: self.look() and rule not in self.latest, deadline, lambda: f"{rule} of {self.subject} is over; {self.latest.get(rule)}", every=0.3)


def usage(daemon, bookie):
    return max((value for name, labels, value in daemon.samples() if name == "tidemark_bookie_dir_usage_ratio" and labels["bookie"] == bookie), default=0)


class QuietTopics(Background):
    """Small messages that nobody reads: a few of them lie in every entry log, whichever bookies a ledger is on."""

    def __init__(self, clients, admin):
        topics = [f"persistent://{NAMESPACE}/quiet-{i}" for i in range(6)]
        for topic in topics:
            admin.make_topic(topic)
            admin.make_subscription(topic, "keeper")
        self.producers = [clients.producer(topic) for topic in topics]
        super().__init__()

    def __exit__(self, *exception):
        super().__exit__(*exception)
        for producer in self.producers:
            producer.close()

    def _run(self):
        while not self._end.wait(0.2):
            for producer in self.producers:
                producer.send_async(b"small", None)


@contextlib.contextmanager
def filled(checks, binary, cluster):
    """A daemon that saw the disk of the first bookie fill, what it said of that bookie and of the cluster; traffic goes on."""
    admin = Admin(cluster.brokers[0])
    admin.make_namespace(NAMESPACE)
    admin.make_topic(TOPIC)
    admin.make_subscription(TOPIC, LEFT)
    with Clients(cluster.brokers[0]) as clients, FlatTraffic(clients, TOPIC), QuietTopics(clients, admin):
        # A new bookie's index takes 77 MB at its first write: a step, which no slope may begin with.
        wait_until(lambda: admin.stats(TOPIC)["msgInCounter"] > 2 * RATE, 60, "some seconds of traffic")
        with program.Daemon(binary, cluster.brokers[0].url, interval="1s", settings={**cluster.bookie_settings(), **SETTINGS}) as daemon:
            daemon.wait_ready()
            journal, of_all = Journal(daemon, cluster.bookies[0].url.removeprefix("http://")), Journal(daemon, cluster.brokers[0].cluster)
            grows(checks, journal, of_all)
            fills(checks, daemon, journal)
            checks.equal(journal.concluded, ["abandoned"], "fill: who holds it is found, and nothing else said of it since")
            cleans_up(checks, daemon, of_all, admin)
            yield daemon, journal


def check_fill(checks, binary, cluster):
    """By default a bookie that filled stays read-only after the clean-up, until somebody does what the finding says."""
    with filled(checks, binary, cluster) as (daemon, journal):
        evidence = journal.wait_for("reclaim_stuck", 180)["evidence"]
        checks.that(journal.first.get("reclaim_pending", 0) < journal.first["reclaim_stuck"], "fill: what was freed is pending, then stuck", journal.first)
        checks.equal((evidence["major_compaction_suspended"], evidence["minor_compaction_suspended"], evidence["isForceGCAllowWhenNoSpace"]),
                     (True, True, False), "fill: it says that compaction is suspended, and which setting leaves it so")
        checks.that(evidence["garbage_bytes"] > 0.5 * evidence["stored_bytes"] > 0, "fill: and how much of what is stored is dead", evidence)
        checks.that("bookie_read_only" in journal.latest, "fill: the bookie is read-only still", journal.latest)
        force(cluster.bookies[0], evidence["remedy"])
        journal.wait_over("reclaim_stuck", 120)
        checks.that(True, "fill: the remedy that it names clears it")
        recovers(checks, daemon, journal)


def check_comes_back(checks, binary, cluster):
    """Told to compact when it is full, it comes back by itself, and nothing is stuck on the way."""
    with filled(checks, binary, cluster) as (daemon, journal):
        recovers(checks, daemon, journal)
        checks.that("reclaim_stuck" not in journal.first, "fill: nothing was stuck", journal.first)


def force(bookie, remedy):
    """Does what a finding's remedy says, to the letter."""
    method, path, body = re.match(r"(\w+) (\S+) with (\{[^}]*\})", remedy).groups()
    json.loads(body)
    with urllib.request.urlopen(urllib.request.Request(bookie.url + path, body.encode(), method=method), timeout=60) as answer:
        answer.read()


def fills(checks, daemon, journal):
    forecast = journal.wait_for("disk_full_forecast", 120)
    facts = forecast["evidence"]
    checks.that(journal.look() and "bookie_read_only" not in journal.first, "fill: the forecast comes before the disk is full", journal.first)
    checks.that(facts["full_earliest_ms"] <= facts["full_ms"] <= facts["full_latest_ms"], "fill: it says when, with a range", facts)
    checks.that("left-behind" in (facts.get("worst_group") or ""), "fill: it names the group whose removal would help", facts)
    journal.wait_for("bookie_read_only", 180)
    order = sorted(EXPECTED, key=lambda rule: (journal.first[rule], EXPECTED.index(rule)))  # on a busy machine one poll may bring two
    checks.equal(order, EXPECTED, "fill: growth, forecast, read-only, in that order")
    checks.that(usage(daemon, journal.subject) > 0.85, "fill: the disk is full then", usage(daemon, journal.subject))
    journal.wait_over("disk_full_forecast", 30)
    checks.that(True, "fill: what is full has no forecast")


def grows(checks, journal, of_all):
    journal.wait_for("disk_growth_flat_traffic", 120)
    # What the topic stores is known as of some seconds ago, which is much of these windows.
    growth = of_all.wait_for("disk_growth_flat_traffic", 120, lambda evidence: evidence["cause"] == "pinned")["evidence"]
    checks.that(growth["pinned_percent"] > 50, "fill: the growth is what the subscription pins", growth)
    checks.that(90 <= growth["attributed_percent"] <= 110, "fill: the shares add up to the measured growth within 10 %", growth)
    checks.that(NAMESPACE in growth["namespaces"], "fill: the namespace that grows is named", growth["namespaces"])


def cleans_up(checks, daemon, of_all, admin):
    admin.remove_subscription(TOPIC, LEFT)
    pending = of_all.wait_for("reclaim_pending", 240, lambda evidence: evidence["freed_bytes"] >= 20 * MESSAGE)["evidence"]
    checks.equal(pending["removed_subscriptions"], 1, "fill: what the removal is to free is pending")

    def receipt():
        found = [one for one in daemon.report().document["removed"] if one["cursor"] == LEFT]
        return found[0] if found and (found[0]["freed_bytes"] or 0) >= 0.9 * (found[0]["removed_reclaimable_bytes"] or 0) > 0 else None
    told = wait_until(receipt, 150, lambda: f"the receipt; {daemon.report().document['removed']}")
    checks.that(told["freed_bytes"] >= 20 * MESSAGE, "fill: the receipt says what was freed", told)


def recovers(checks, daemon, journal):
    journal.wait_over("bookie_read_only", 120)
    checks.that(usage(daemon, journal.subject) < 0.85, "fill: the bookie takes writes again", usage(daemon, journal.subject))
    journal.wait_over("reclaim_pending", 180)
    checks.that(True, "fill: and nothing is pending on it")
