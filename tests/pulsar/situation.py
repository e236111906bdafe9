"""The topics that the checks and the recorded fixtures are about: each is made by real clients, and what is true of it is kept beside it.

    orders      a live worker, a subscription left behind after 25 of 70 messages, one with a hole in its acknowledgements, one never connected, a reader
    batched     left behind inside a topic whose entries hold 10 messages each
    committed   nobody connected, and alive: a job moves the subscription from outside
    drained     caught up, and nobody connected: pins nothing
    parked      left behind, then unloaded with nobody there to load it again
    settled     caught up, then unloaded: a single `stats` call of ours would delete its last ledger
    parts       three partitions: left behind on two, the third never had a ledger
"""
import time

from client import Stay, consume_and_vanish, positions
from waiting import wait_until

NAMESPACE = "acme/live"


def topic_name(short):
    return f"persistent://{NAMESPACE}/{short}"


ORDERS, BATCHED, COMMITTED, DRAINED, PARKED, SETTLED, PARTS = (
    topic_name(short) for short in ("orders", "batched", "committed", "drained", "parked", "settled", "parts"))
UNTOUCHED = PARTS + "-partition-2"
UNLOADED = [PARKED, SETTLED, UNTOUCHED]  # from the end of build() on


class Situation:
    def __init__(self, admin, clients):
        self.admin = admin
        self.clients = clients
        self.stays = {}  # (topic, subscription) -> Stay, of those that nobody is connected to
        self.parked_position = None
        self.open = []  # clients that stay: consumers and readers by name, so that none is collected

    def build(self):
        self.admin.make_namespace(NAMESPACE)
        self._orders()
        self._others()
        self._unloaded()

    def true_age(self, key, at):
        """The greatest age that is true of this cursor at `at` (seconds): a lower bound above it is a false one."""
        return at - self.stays[key].acked

    def durable(self):
        """Logical subscriptions: the partitions of a topic are one topic."""
        return {(topic.removesuffix("-partition-0").removesuffix("-partition-1"), name) for topic, name in self.stays} | {(ORDERS, "worker"), (COMMITTED, "job")}

    def wait_still(self):
        """Until the worker has caught up, so that documents and our report can be compared."""
        wait_until(lambda: self.admin.stats(ORDERS)["subscriptions"]["worker"]["msgBacklog"] == 0, 30, "the live worker catches up")
        wait_until(lambda: self.admin.sweep().get(ORDERS, {}).get("subscriptions", {}).get("worker", {}).get("msgBacklog") == 0, 30, "broker-stats says so too")

    def _new(self, topic, names, messages=70, batch=0):
        # Subscriptions first: without one a topic's closed ledgers are deleted as they fill.
        self.admin.make_topic(topic)
        for name in names:
            self.admin.make_subscription(topic, name)
        self.clients.publish(topic, messages, batch)

    def _leave(self, topic, name, count, **how):
        self.stays[topic, name] = consume_and_vanish(self.clients, topic, name, count, **how)

    def _orders(self):
        before = time.time()
        self._new(ORDERS, ["left-behind", "holed", "never-connected", "worker"])
        self.stays[ORDERS, "never-connected"] = Stay(before, time.time())  # its age begins between its creation and the first message
        self._leave(ORDERS, "left-behind", 25)
        self._leave(ORDERS, "holed", 20, shared=True, acknowledge=lambda index: not 10 <= index < 15)
        self.open += [self.clients.live(ORDERS, "worker"), self.clients.reader(ORDERS, read=3)]
        self.wait_still()

    def _others(self):
        self._new(BATCHED, ["left-behind"], messages=300, batch=10)
        self._leave(BATCHED, "left-behind", 50)
        self._new(DRAINED, ["caught-up"], messages=30)
        self._leave(DRAINED, "caught-up", 30)
        self._new(COMMITTED, ["job"], messages=200)
        self.admin.make_topic(PARTS, partitions=3)
        for partition in (0, 1):
            topic = f"{PARTS}-partition-{partition}"
            self.admin.make_subscription(topic, "left-behind")
            self.clients.publish(topic, 50)
            self._leave(topic, "left-behind", 25)

    def _unloaded(self):
        self._new(PARKED, ["left-behind"])
        self._leave(PARKED, "left-behind", 25)
        self._new(SETTLED, ["caught-up"], messages=30)
        self._leave(SETTLED, "caught-up", 30)
        self.parked_position = positions(self.admin, PARKED, ["left-behind"])["left-behind"]
        # Listed first, gone after: else 'no longer listed' would be true of a document older than the topic.
        self.admin.wait_loaded([PARKED, SETTLED])
        for topic in (PARKED, SETTLED):
            self.admin.unload(topic)
        self.admin.wait_unloaded(UNLOADED)
