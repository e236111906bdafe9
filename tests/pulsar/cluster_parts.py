"""Three daemons on a cluster of two brokers, each watching a part of it: a sidecar beside each broker and one for what they leave. Every leftover is said by
one of them, before and after bundles were moved, and its age goes along: through a real Prometheus, as no document has it."""
import contextlib
import pathlib
import shutil
import sys
import tempfile
import time

from client import Admin, Clients
from cluster_topics import spread_topics
from program import Daemon
from waiting import wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "daemon"))
from prometheus import Prometheus  # pylint: disable=wrong-import-position

NAMESPACE = "acme/parts"
NAME = "gone"
BESIDE = 2
DEADLINE = 150
# Who loses a topic keeps it for two polls and a statistics period. Within them the other must see it, by statistics that are two seconds old: the rest is for a busy machine.
SETTINGS = {"clusters.0.name": "parts", "poll.topology_interval": "2s", "restore.interval": "1s"}
INTERVAL = "6s"


class Parts:
    """The three daemons, and what they say of `topics`."""

    def __init__(self, binary, cluster, prometheus, topics, stack):
        self.binary, self.cluster, self.stack = binary, cluster, stack
        self.topics = topics
        self.prometheus = prometheus
        self.stacks = {}
        self.daemons = {}
        self.lost = set()  # (topic, what was missing) at any look
        for index in (0, 1, BESIDE):
            self.start(index)

    def start(self, index):
        beside = index == BESIDE
        settings = {**SETTINGS, "clusters.0.mode": "beside_sidecars" if beside else "sidecar", "restore.prometheus_url": self.prometheus.url}
        if beside:
            settings.update(self.cluster.bookie_settings())
        self.stacks[index] = self.stack.enter_context(contextlib.ExitStack())
        url = self.cluster.brokers[0 if beside else index].url
        self.daemons[index] = self.stacks[index].enter_context(Daemon(self.binary, url, abandoned_after="10s", interval=INTERVAL, settings=settings))

    def restart(self, index):
        self.stacks[index].close()
        self.start(index)

    def said(self):
        """{topic: {daemon: the cursor}}"""
        found = {topic: {} for topic in self.topics}
        for index, daemon in self.daemons.items():
            with contextlib.suppress(RuntimeError):  # its first poll is not over
                for (topic, name), cursor in daemon.report().cursors.items():
                    if name == NAME and topic in found:
                        found[topic][index] = cursor
        return found

    def removed(self):
        return [one for daemon in self.daemons.values() for one in daemon.report().document["removed"]]

    def wait_places(self, places_now, what):
        """Each is said to be abandoned by the daemon at `places_now()` and by nobody else; what the cursors are then."""
        places = {}

        def look():
            found = self.said()
            places.update(places_now())
            for topic, by in found.items():
                if not by:
                    self.lost.add(topic)
            return found if all({index: one["state"] for index, one in found[topic].items()} == {place: "abandoned"} for topic, place in places.items()) else None
        found = wait_until(look, DEADLINE, lambda: f"{what}: {places}, now "
                           f"{ {topic: {index: one['state'] for index, one in by.items()} for topic, by in self.said().items()} }")
        return {topic: by[places[topic]] for topic, by in found.items()}


def places_of(cluster, topics, unloaded):
    return {topic: BESIDE if topic in unloaded else cluster.brokers.index(cluster.owner(topic)) for topic in topics}


def check_ages(checks, before, after, what):
    """It was last used when it was, whoever says so: never later, and an age is no younger than the time that went by."""
    younger = {topic: (before[topic]["age_seconds"]["low"], after[topic]["age_seconds"]["low"]) for topic in before
               if after[topic]["age_seconds"]["low"] < before[topic]["age_seconds"]["low"]}
    checks.equal(younger, {}, f"parts: {what}: no age is lost")


def check_parts(checks, binary, cluster):
    if shutil.which("prometheus") is None:
        checks.skip("parts", "prometheus is not installed (deploy/install.sh test)")
        return
    bundles = spread_topics(cluster, NAMESPACE, NAME, 600)  # more than a ledger: of an unloaded topic the last one has no size
    topics = [topic for group in bundles for topic in group]
    # One that moves with a consumer, what moves without, and one that no broker has loaded.
    moving, staying = bundles[0], bundles[1]
    parked = staying[-1] if len(staying) > 1 else bundles[-1][-1]
    Admin(cluster.owner(parked)).unload_for_good(parked)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tidemark-parts-")))
        prometheus = Prometheus(folder, [])
        parts = Parts(binary, cluster, prometheus, topics, stack)
        prometheus.targets = [daemon.address for daemon in parts.daemons.values()]
        stack.enter_context(prometheus)
        places = places_of(cluster, topics, {parked})
        checks.equal(set(places.values()), {0, 1, BESIDE}, "parts: each daemon has some")
        before = parts.wait_places(lambda: places, "each leftover is one daemon's")
        checks.that(True, "parts: each leftover is said by the one daemon whose part it is in")
        # As a finer step of the question sees it.
        prometheus.wait_for('count(max_over_time(timestamp(tidemark_cursor_last_activity_timestamp_seconds{bound="latest",'
                            f'pulsar_namespace="{NAMESPACE}"}})[1h:15s])) == {len(topics)}', deadline=DEADLINE)
        parts.lost.clear()

        clients = stack.enter_context(Clients(cluster.brokers[0]))
        stack.callback(clients.live(moving[0], "live").close)
        target = 1 - places[moving[0]]
        cluster.move(moving[0], cluster.brokers[target])
        wait_until(lambda: moving[0] in Admin(cluster.brokers[target]).sweep(), DEADLINE, f"{moving[0]} is loaded where it was moved to")
        def moved():
            """Those of its bundle without a client are loaded by nobody, unless the sidecar that had them asked in that very moment."""
            loaded = Admin(cluster.brokers[target]).sweep()
            return {**places, **{topic: target if topic in loaded else BESIDE for topic in moving[1:]}, moving[0]: target}
        after = parts.wait_places(moved, "after a bundle was moved")
        checks.that(True, "parts: a bundle that was moved by admin goes to the other sidecar, what nobody loads to the daemon beside them")
        checks.equal(parts.lost, set(), "parts: at no time was a leftover in nobody's list")
        checks.equal(parts.removed(), [], "parts: and nothing is called removed")
        check_ages(checks, before, after, "a bundle was moved")

        began = time.monotonic()
        parts.restart(target)
        again = parts.wait_places(moved, "after a restart")
        check_ages(checks, after, again, "a sidecar without a state of its own started again")
        print(f"     it took {time.monotonic() - began:.1f} s to know all again", flush=True)
        others = [(one["rule"], one["subject"]) for daemon in parts.daemons.values() for one in daemon.report().findings if one["cursor"] is None]
        checks.equal(sorted({one for one in others if others.count(one) > 1}), [], "parts: nothing about namespaces, bookies and the cluster is said twice")
