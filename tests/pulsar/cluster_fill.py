"""A disk that fills although the traffic is flat, because of one subscription that nobody reads: what is said on the way, in which order, and after the
clean-up. Days are seconds here: windows are cut by configuration, the disk holds 272 MB.
"""
import time

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
    """What the daemon said of one subject, and when first."""

    def __init__(self, daemon, subject):
        self.daemon, self.subject = daemon, subject
        self.first = {}
        self.latest = {}

    def look(self):
        report = self.daemon.report()
        self.latest = {one["rule"]: one for one in report.findings if one["subject"] == self.subject}
        for rule in self.latest:
            self.first.setdefault(rule, report.at)
        return report

    def wait_for(self, rule, deadline, accept=lambda evidence: True):
        """The finding, once its evidence is accepted."""
        wait_until(lambda: self.look() and rule in self.latest and accept(self.latest[rule]["evidence"]), deadline,
                   lambda: f"{rule} of {self.subject}; so far {self.first}, {self.latest.get(rule)}", every=0.3)
        return self.latest[rule]

    def wait_over(self, rule, deadline):
        wait_until(lambda: self.look() and rule not in self.latest, deadline, lambda: f"{rule} of {self.subject} is over; {self.latest.get(rule)}", every=0.3)


def usage(daemon, bookie):
    return max((value for name, labels, value in daemon.samples() if name == "tidemark_bookie_dir_usage_ratio" and labels["bookie"] == bookie), default=0)


def check_fill(checks, binary, cluster):
    small = cluster.bookies[0].url.removeprefix("http://")
    admin = Admin(cluster.brokers[0])
    admin.make_namespace(NAMESPACE)
    admin.make_topic(TOPIC)
    admin.make_subscription(TOPIC, LEFT)
    with Clients(cluster.brokers[0]) as clients, FlatTraffic(clients, TOPIC):
        # A new bookie's index takes 77 MB at its first write: a step, which no slope may begin with.
        wait_until(lambda: admin.stats(TOPIC)["msgInCounter"] > 2 * RATE, 60, "some seconds of traffic")
        daemon = program.Daemon(binary, cluster.brokers[0].url, interval="1s", settings={**cluster.bookie_settings(), **SETTINGS})
        with daemon:
            daemon.wait_ready()
            journal = Journal(daemon, small)
            grows(checks, daemon, journal, cluster)
            fills(checks, daemon, journal, small)
            heals(checks, daemon, journal, small, admin)


def fills(checks, daemon, journal, small):
    forecast = journal.wait_for("disk_full_forecast", 120)
    facts = forecast["evidence"]
    checks.that(journal.look() and "bookie_read_only" not in journal.first, "fill: the forecast comes before the disk is full", journal.first)
    checks.that(facts["full_earliest_ms"] <= facts["full_ms"] <= facts["full_latest_ms"], "fill: it says when, with a range", facts)
    checks.that("left-behind" in (facts.get("worst_group") or ""), "fill: it names the group whose removal would help", facts)
    journal.wait_for("bookie_read_only", 180)
    order = sorted(EXPECTED, key=lambda rule: (journal.first[rule], EXPECTED.index(rule)))  # on a busy machine one poll may bring two
    checks.equal(order, EXPECTED, "fill: growth, forecast, read-only, in that order")
    checks.that(usage(daemon, small) > 0.85, "fill: the disk is full then", usage(daemon, small))
    journal.wait_over("disk_full_forecast", 30)
    checks.that(True, "fill: what is full has no forecast")


def grows(checks, daemon, journal, cluster):
    journal.wait_for("disk_growth_flat_traffic", 120)
    # What the topic stores is known as of some seconds ago, which is much of these windows.
    of_all = Journal(daemon, cluster.brokers[0].cluster)
    growth = of_all.wait_for("disk_growth_flat_traffic", 120, lambda evidence: evidence["cause"] == "pinned")["evidence"]
    checks.that(growth["pinned_percent"] > 50, "fill: the growth is what the subscription pins", growth)
    checks.that(90 <= growth["attributed_percent"] <= 110, "fill: the shares add up to the measured growth within 10 %", growth)
    checks.that(NAMESPACE in growth["namespaces"], "fill: the namespace that grows is named", growth["namespaces"])


def heals(checks, daemon, journal, small, admin):
    report = daemon.report()
    cursor = report.cursors[TOPIC, LEFT]
    checks.equal(cursor["state"], "abandoned", "fill: who holds it is found")
    admin.remove_subscription(TOPIC, LEFT)
    journal.wait_over("bookie_read_only", 120)
    checks.that(usage(daemon, small) < 0.85, "fill: after the clean-up the bookie takes writes again", usage(daemon, small))

    def receipt():
        found = [one for one in daemon.report().document["removed"] if one["cursor"] == LEFT]
        return found[0] if found and (found[0]["freed_bytes"] or 0) >= 0.9 * (found[0]["removed_reclaimable_bytes"] or 0) > 0 else None
    told = wait_until(receipt, 60, lambda: f"the receipt; {daemon.report().document['removed']}")
    checks.that(told["freed_bytes"] >= 20 * MESSAGE, "fill: the receipt says what was freed", told)
