"""What operators and applications do to a broker: admin calls over plain HTTP, and the Pulsar client library for producers, consumers and readers.

`stats` and `internal_stats` LOAD an unloaded topic. Nothing here calls them by itself; a test asks them only of topics it knows to be loaded.
"""
import contextlib
import json
import time
import urllib.error
import urllib.parse
import urllib.request

import pulsar

from background import Background
from waiting import wait_until

EARLIEST = {"ledgerId": -1, "entryId": -1, "partitionIndex": -1}
PATIENCE = 90  # seconds for one call: a starved broker on a busy machine has taken more than 30
REDIRECTS = 4
LATEST = {"ledgerId": 2**63 - 1, "entryId": 2**63 - 1, "partitionIndex": -1}


class Admin:
    def __init__(self, broker):
        self.url = broker.url
        self.token = broker.token
        self.version = broker.version
        self.cluster = broker.cluster

    def call(self, method, path, body=None):
        """The decoded answer (None when empty); RuntimeError with the broker's own words on any refusal."""
        data = None if body is None else json.dumps(body).encode()
        url = f"{self.url}/admin/v2/{path}"
        for _ in range(REDIRECTS):
            request = urllib.request.Request(url, data=data, method=method, headers={"Content-Type": "application/json"})
            if self.token:
                request.add_header("Authorization", f"Bearer {self.token}")
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    text = answer.read()
                return json.loads(text) if text else None
            except urllib.error.HTTPError as error:
                if error.code != 307:  # of a cluster: another broker serves this bundle
                    raise RuntimeError(f"{method} {path}: {error.code} {error.read()[:200]!r}") from error
                url = error.headers["Location"]
        raise RuntimeError(f"{method} {path}: redirected {REDIRECTS} times, at last to {url}")

    def make_namespace(self, namespace):
        tenant = namespace.split("/")[0]
        if tenant not in self.call("GET", "tenants"):
            self.call("PUT", f"tenants/{tenant}", {"adminRoles": [], "allowedClusters": [self.cluster]})
        self.call("PUT", f"namespaces/{namespace}", {})

    def set_policy(self, namespace, policy, value):
        self.call("POST", f"namespaces/{namespace}/{policy}", value)

    def make_topic(self, topic, partitions=None):
        if partitions is None:
            self.call("PUT", path_of(topic))
        else:
            self.call("PUT", f"{path_of(topic)}/partitions", partitions)

    def make_subscription(self, topic, name, position=EARLIEST):
        self.call("PUT", path_of_subscription(topic, name), position)

    def remove_subscription(self, topic, name):
        """Of a partitioned topic's parent: on every partition. Loads the topic if it is not loaded."""
        self.call("DELETE", path_of_subscription(topic, name))

    def remove_topic(self, topic):
        """Whoever is on it."""
        self.call("DELETE", f"{path_of(topic)}?force=true")

    def reset_cursor(self, topic, name, ledger, entry):
        self.call("POST", f"{path_of_subscription(topic, name)}/resetcursor", {"ledgerId": ledger, "entryId": entry, "partitionIndex": -1})

    def skip(self, topic, name, count):
        self.call("POST", f"{path_of_subscription(topic, name)}/skip/{count}")

    def skip_all(self, topic, name):
        self.call("POST", f"{path_of_subscription(topic, name)}/skip_all")

    def subscriptions(self, topic):
        """Loads the topic if it is not loaded."""
        return self.call("GET", f"{path_of(topic)}/subscriptions")

    def compact(self, topic):
        self.call("PUT", f"{path_of(topic)}/compaction")

    def compaction(self, topic):
        """The status of the compaction asked for last."""
        return self.call("GET", f"{path_of(topic)}/compaction")

    def unload(self, topic):
        self.call("PUT", f"{path_of(topic)}/unload")

    def unload_for_good(self, topic):
        """Until it stays unloaded: a daemon that asks of a topic in the moment of its unload loads it again. """
        def is_gone():
            self.unload(topic)
            with contextlib.suppress(TimeoutError):
                self.wait_unloaded([topic], deadline=6)
                return True
            return False
        wait_until(is_gone, 120, f"{topic} stays unloaded")

    def stats(self, topic):
        # 2.x leave backlogSize at 0 unless asked.
        return self.call("GET", f"{path_of(topic)}/stats?getPreciseBacklog=true&subscriptionBacklogSize=true")

    def internal_stats(self, topic):
        def whole():
            # 2.8 fill the ledger list in another thread and may answer before it is done, with 200 and an empty list.
            answer = self.call("GET", f"{path_of(topic)}/internalStats")
            return answer if answer["ledgers"] or not answer["numberOfEntries"] else None
        return wait_until(whole, 10, f"internalStats of {topic} with its ledgers")

    def internal_info(self, topic):
        """Metadata only: loads nothing."""
        return self.call("GET", f"{path_of(topic)}/internal-info")

    def sweep(self):
        """Topic -> its entry in the broker's bulk document: the loaded topics, up to one statistics period old. Loads nothing."""
        found = {}
        for bundles in self.call("GET", "broker-stats/topics").values():
            for kinds in bundles.values():
                found.update(kinds.get("persistent", {}))
        return found

    def wait_loaded(self, topics, deadline=30):
        wait_until(lambda: set(topics) <= self.sweep().keys(), deadline, f"broker-stats lists {sorted(topics)}")

    def wait_unloaded(self, topics, deadline=30):
        wait_until(lambda: not set(topics) & self.sweep().keys(), deadline, f"broker-stats no longer lists {sorted(topics)}")


def path_of(topic):
    return topic.replace("persistent://", "persistent/")


def path_of_subscription(topic, name):
    """The broker decodes the name twice: written once, a percent sign is refused and a plus becomes a blank."""
    twice = urllib.parse.quote(urllib.parse.quote(name, safe=""), safe="")
    return f"{path_of(topic)}/subscription/{twice}"


class Position:
    """What a broker's own documents say of one cursor of a loaded topic, by the plain arithmetic of entries."""

    def __init__(self, stats, internal, name):
        self.mark_delete = internal["cursors"][urllib.parse.quote_plus(name)]["markDeletePosition"]
        self.last_confirmed = internal["lastConfirmedEntry"]
        ledger, entry = (int(part) for part in self.mark_delete.split(":"))
        self.entries = 0
        for index, listed in enumerate(internal["ledgers"]):
            held = listed["entries"]
            if index == len(internal["ledgers"]) - 1:
                held = max(held, internal["currentLedgerEntries"])  # an open ledger is listed with 0
            if listed["ledgerId"] > ledger:
                self.entries += held
            elif listed["ledgerId"] == ledger:
                self.entries += held - (entry + 1)
        subscription = stats["subscriptions"][name]
        self.backlog = subscription["msgBacklog"]
        self.bytes = subscription["backlogSize"]
        self.consumers = len(subscription["consumers"])

    def __repr__(self):
        return f"mark-delete {self.mark_delete}, backlog {self.backlog}, entries {self.entries}, bytes {self.bytes}"


def positions(admin, topic, names):
    """Loads the topic if it is not loaded."""
    stats, internal = admin.stats(topic), admin.internal_stats(topic)
    return {name: Position(stats, internal, name) for name in names}


class Clients:
    """One connection to the broker and everything on it; a context manager that closes all of it."""

    def __init__(self, broker):
        options = {"logger": pulsar.ConsoleLogger(pulsar.LoggerLevel.Error), "operation_timeout_seconds": PATIENCE}
        if broker.token:
            options["authentication"] = pulsar.AuthenticationToken(broker.token)
        self.client = pulsar.Client(broker.binary_url, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()

    def producer(self, topic, batch=0):
        """`batch` messages make one entry; 0: each message is an entry of its own."""
        if batch:
            return self.client.create_producer(topic, batching_enabled=True, batching_max_messages=batch, batching_max_publish_delay_ms=2000)
        return self.client.create_producer(topic, batching_enabled=False)

    def publish(self, topic, count, batch=0, size=100):
        """Sizes differ from entry to entry: equal ones would hide a wrong division."""
        producer = self.producer(topic, batch)
        for i in range(count):
            producer.send_async(b"x" * (size + 13 * (i % 7)), None)
            if batch and i % batch == batch - 1:
                producer.flush()
        producer.flush()
        producer.close()

    def subscribe(self, topic, name, shared=False, listener=None, consumer_name=None):
        return self.client.subscribe(topic, name, consumer_type=pulsar.ConsumerType.Shared if shared else pulsar.ConsumerType.Exclusive,
                                     initial_position=pulsar.InitialPosition.Earliest, message_listener=listener, consumer_name=consumer_name)

    def live(self, topic, name):
        """A consumer that acknowledges whatever comes for as long as it is open."""
        return self.subscribe(topic, name, shared=True, listener=lambda consumer, message: consumer.acknowledge(message))

    def reader(self, topic, read=0):
        reader = self.client.create_reader(topic, pulsar.MessageId.earliest)
        for _ in range(read):
            reader.read_next(1000 * PATIENCE)
        return reader


def receive(consumer, count):
    return [consumer.receive(1000 * PATIENCE) for _ in range(count)]


class Publisher(Background):
    """Traffic that goes on: an abandoned subscription's backlog grows, the worker's does not."""

    def __init__(self, clients, topic):
        self.producer = clients.producer(topic)
        super().__init__()

    def __exit__(self, *exception):
        super().__exit__(*exception)
        self.producer.close()

    def _run(self):
        while not self._end.wait(0.2):
            self.producer.send(b"y" * 150)


class Committer(Background):
    """A job that keeps no consumer and commits by moving its subscription from outside, as Spark's and Flink's connectors do. Such a move touches no
    timestamp of the broker's: only the position shows that somebody is there."""

    def __init__(self, admin, topic, name, every):
        self.admin, self.topic, self.name, self.every = admin, topic, name, every
        self.rest = [(ledger["ledgerId"], entry) for ledger in admin.internal_stats(topic)["ledgers"] for entry in range(ledger["entries"])]
        self.last = None  # seconds
        self.fault = None
        super().__init__()

    def commit(self):
        if len(self.rest) < 5:  # never to the end: there must be something pinned all the time
            raise RuntimeError(f"{self.topic} has too few messages for {self.name}")
        ledger, entry = self.rest.pop(0)
        began = time.time()
        self.admin.reset_cursor(self.topic, self.name, ledger, entry)
        self.last = began

    def _run(self):
        try:
            while not self._end.wait(self.every):
                self.commit()
        except Exception as error:  # seen by the test, not by nobody
            self.fault = error


class Stay:
    """When a consumer acted for the last time: its true last activity lies between `acked` (before its last acknowledgement was sent) and `left` (after
    its close was answered); both by this machine's clock, which is the broker's too."""

    def __init__(self, acked, left):
        self.acked = acked
        self.left = left


def consume_and_vanish(clients, topic, name, count, shared=False, acknowledge=None):
    """Receives `count` messages, acknowledges all (or those whose index `acknowledge` accepts) and leaves without unsubscribing."""
    consumer = clients.subscribe(topic, name, shared=shared)
    messages = receive(consumer, count)
    acked = time.time()
    if shared or acknowledge:
        for index, message in enumerate(messages):
            if acknowledge is None or acknowledge(index):
                consumer.acknowledge(message)
    elif messages:
        consumer.acknowledge_cumulative(messages[-1])
    consumer.close()  # also sends what acknowledgements were being grouped
    return Stay(acked, time.time())
