"""What a scene is made of: `build` makes the situation, `play` asks, removes and measures, which `frees` does.

All scenes play at once, each in a thread of its own and on a namespace of its own. Nothing is published between question and measurement, so what the topic's
bytes fall by is what was freed.
"""
import threading

import program
from client import consume_and_vanish, positions
from truth.passes import TENANT, sizes
from waiting import wait_until

LEFTOVER = {"abandoned", "unused"}
ABANDONED_AFTER = "1s"
SETTINGS = {"detect.held_min_bytes": 1, "poll.suspect_rate": 100}
DEADLINE = 120


class Row:
    def __init__(self, scenario, predicted, freed):
        self.scenario, self.predicted, self.freed = scenario, predicted, freed


class Scene:
    smoke = False  # plays in a smoke too
    watched = False  # needs a daemon that sees it from its start on
    retention = None  # (minutes, megabytes) of the namespace; set before a daemon starts, which asks for policies only now and then

    def __init__(self, checks, admin, clients, passes, binary, url):
        self.checks, self.admin, self.clients, self.passes = checks, admin, clients, passes
        self.binary, self.url = binary, url
        self.daemon = None
        self.rows = []
        self.name = type(self).__name__
        self.namespace = f"{TENANT}/{self.name}"
        self.removed = set()
        self.made = threading.Event()
        self.open = []  # clients that stay

    def prepare(self):
        self.admin.make_namespace(self.namespace)
        if self.retention:
            self.keep(*self.retention)

    def build(self):
        """May run beside other tests, which count loads: unloads nothing."""
        raise NotImplementedError

    def play(self):
        raise NotImplementedError

    def keep(self, minutes, megabytes):
        self.admin.set_policy(self.namespace, "retention", {"retentionTimeInMinutes": minutes, "retentionSizeInMB": megabytes})

    def topic(self, name):
        return f"persistent://{self.namespace}/{name}"

    def new_topic(self, name, subscriptions, messages=0, batch=0, size=100):
        topic = self.topic(name)
        self.admin.make_topic(topic)
        for one in subscriptions:  # first: without one a topic's closed ledgers are deleted as they fill
            self.admin.make_subscription(topic, one)
        if messages:
            self.clients.publish(topic, messages, batch, size)
        return topic

    def leave(self, topic, **counts):
        """Each of these subscriptions takes that many messages and is left behind."""
        for name, count in counts.items():
            consume_and_vanish(self.clients, topic, name, count)

    def work(self, topic, name="works"):
        """A live consumer, at the end of the topic."""
        self.open.append(self.clients.live(topic, name))
        wait_until(lambda: positions(self.admin, topic, [name])[name].entries == 0, 60, f"{name} has caught up")

    # What we say.

    def report(self):
        ran = program.scan(self.binary, self.url, "--namespace", self.namespace, *(word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")),
                           abandoned_after=ABANDONED_AFTER)
        return program.Report(ran.json())

    def figures(self, topic, leftovers, source=None):
        """The topic's cursors by name, once all of `leftovers` are called so and those removed are gone."""
        last = {}

        def judged():
            nonlocal last
            last = {name: one for (where, name), one in (source or self.report)().cursors.items() if where == topic}
            return not self.removed & last.keys() and all(last.get(name, {}).get("state") in LEFTOVER for name in leftovers)
        try:
            wait_until(judged, DEADLINE, f"{self.name}: {leftovers} are leftovers", every=0.5)
        except TimeoutError as error:
            raise TimeoutError(f"{error}; they are {[(name, one['state'], one['age_seconds'], one['mark_delete'], one['pinned_bytes']) for name, one in last.items()]}") from None
        return last

    def alone(self, topic, name, source=None):
        """What we say that removing this one alone would free: those tied with it free nothing one by one."""
        return self.alone_of(self.figures(topic, [name], source)[name])

    @staticmethod
    def alone_of(cursor):
        return 0 if cursor["reclaimable_shared_with"] else cursor["reclaimable_bytes"]

    def together(self, topic, names, source=None):
        return self.figures(topic, names, source)[names[0]]["topic_reclaimable_bytes"]

    # What the broker does.

    def ledgers(self, topic):
        """Ledger -> bytes. Loads the topic if it is not loaded."""
        return sizes(self.admin.internal_stats(topic))

    def remove(self, topic, names, before=None):
        """Removes subscriptions, waits until the broker has trimmed and returns what it freed."""
        before = before or self.ledgers(topic)
        for name in names:
            self.admin.remove_subscription(topic, name)
            self.removed.add(name)
        return self.trimmed(topic, before)

    def trimmed(self, topic, before):
        self.passes.wait()
        internal = self.admin.internal_stats(topic)
        after = sizes(internal)
        grown = {ledger: (before.get(ledger), size) for ledger, size in after.items() if size != before.get(ledger, 0)}
        self.checks.that(not grown, f"{self.name}: nothing was written meanwhile", grown)
        freed = sum(before.values()) - internal["totalSize"]
        self.checks.equal(freed, sum(size for ledger, size in before.items() if ledger not in after), f"{self.name}: the topic lost the bytes of the ledgers that went")
        return freed

    def frees(self, scenario, predicted, freed):
        self.rows.append(Row(scenario, predicted, freed))
        self.checks.equal(predicted, freed, f"{self.name}: {scenario}: what we said is what was freed")
