"""One cluster of two brokers watched by three daemons, each a part of it: shards, or a sidecar beside each broker and one daemon for the
rest. Together they say what one daemon says that watches everything: nothing twice, nothing less, also while a bundle moves."""
import json
import os
import re
import unittest
import unittest.mock
from collections import Counter

from harness import DAY, LOADED_TOPICS, SWEEP, Broker, Daemon, Folder, Subscription, Topic, run, topic_path, wait_until
from prometheus import Prometheus

NAMESPACES = [f"acme/ns-{i}" for i in range(8)]
POLICIES = {"replication_clusters": ["fake"], "retention_policies": {"retentionTimeInMinutes": 60, "retentionSizeInMB": 0}}  # a policy_audit
SETTINGS = {"detect__abandoned_after": "5d", "poll__topology_interval": "300ms", "restore__interval": "300ms"}
# As a finer step of the question sees it.
EXPORTED = 'count(max_over_time(timestamp(tidemark_cursor_last_activity_timestamp_seconds{bound="latest"})[1h:15s])) == 28'
PARTS = re.compile(r" \(.*\)$")


def topics():
    """In each namespace one that leaks and two partitions of one that does; every other has one that no broker has loaded."""
    made = []
    for i, ns in enumerate(NAMESPACES):
        for local in (f"orders-{i}", f"events-{i}-partition-0", f"events-{i}-partition-1"):
            made.append(Topic(local, Subscription("gone", backlog=120, idle_days=30), Subscription("live", consumers=1, backlog=3),
                              first_ledger=100 * (len(made) + 1), ns=ns))
        if i % 2:
            made.append(Topic(f"parked-{i}", Subscription("gone", backlog=120, idle_days=30), first_ledger=100 * (len(made) + 1), ns=ns, parked=True))
    return made


class Cluster:
    """Two brokers with a bundle a namespace: half of them each, and a partition each of every partitioned topic. A context manager."""

    def __init__(self):
        self.topics = topics()
        self.brokers = [Broker(self.topics), Broker(self.topics)]
        for broker in self.brokers:
            broker.brokers = [one.authority for one in self.brokers]
            broker.loaded = set()
            broker.stats_seconds = 1
            broker.override("/admin/v2/namespaces/acme/ns-.*", body=json.dumps(POLICIES))
        for topic in self.topics:
            if not topic.parked:
                number = int(topic.local.rpartition("-")[2])
                self.brokers[number % 2].loaded.add(topic.local)

    def __enter__(self):
        for broker in self.brokers:
            broker.__enter__()
        return self

    def __exit__(self, *what):
        for broker in self.brokers:
            broker.__exit__(*what)

    def move(self, local, to):
        """Its clocks start anew there. None: it is unloaded."""
        topic = next(one for one in self.topics if one.local == local)
        topic.parked = to is None
        self.forget(topic)
        for broker in self.brokers:
            broker.loaded.discard(local)
        if to is not None:
            self.brokers[to].loaded.add(local)

    def forget(self, topic):
        stats = topic.stats()
        for subscription in stats["subscriptions"].values():
            subscription.update((clock, 0) for clock in list(subscription) if clock.startswith("last"))
        for broker in self.brokers:
            broker.override(topic_path(topic.local, "stats", topic.ns), body=json.dumps(stats))


def shard(cluster, index, count, **settings):
    return Daemon(cluster.brokers[0].url, url_settings=f"    shards: {count}\n    shard: {index}", **SETTINGS, **settings)


def sidecar(cluster, index, **settings):
    return Daemon(cluster.brokers[index].url, url_settings="    mode: sidecar\n    name: fake", **SETTINGS, **settings)


def beside(cluster, **settings):
    return Daemon(cluster.brokers[1].url, url_settings="    mode: beside_sidecars\n    name: fake", **SETTINGS, **settings)


def said(daemon):
    """(topic, cursor): state, and the findings about anything else, by rule and subject."""
    status, text = daemon.get("/api/v1/findings")
    if status != 200:
        return {}, Counter(), []
    document = json.loads(text)
    cursors = {(one["topic"], one["cursor"]): one["state"] for one in document["cursors"]}
    others = Counter((one["rule"], one["subject"]) for one in document["findings"] if one["cursor"] is None)
    return cursors, others, document["removed"]


def together(daemons):
    """What all say, and how many of them say it."""
    counts, states, others, removed = Counter(), {}, Counter(), []
    for daemon in daemons:
        mine, mine_others, mine_removed = said(daemon)
        counts.update(mine.keys())
        states.update(mine)
        others.update(mine_others)
        removed += mine_removed
    return counts, states, others, removed


def sums(daemons, metric):
    """Summed over the daemons, by labels."""
    total = Counter()
    for daemon in daemons:
        for labels, value in re.findall(rf"^{metric}{{(.*)}} (\S+)$", daemon.get("/metrics")[1], re.M):
            total[labels] += float(value)
    return {labels: value for labels, value in total.items() if value}


class Parts(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.cluster = self.enterContext(Cluster())
        with Daemon(self.cluster.brokers[0].url, **SETTINGS) as whole:
            wait_until(lambda: Counter(said(whole)[0].values()) == {"abandoned": 28, "ok": 24}, lambda: said(whole))
            self.states, self.others, _ = said(whole)
            self.figures = {metric: sums([whole], metric) for metric in (
                "tidemark_subscriptions", "tidemark_topics", "tidemark_namespace_reclaimable_bytes", "tidemark_namespace_pinned_bytes",
                "tidemark_topic_reclaimable_bytes", "tidemark_cursor_pinned_bytes")}

    def is_whole(self, daemons):
        counts, states, _, _ = together(daemons)
        return states == self.states and set(counts.values()) == {1}

    def wait_whole(self, daemons):
        wait_until(lambda: self.is_whole(daemons), lambda: [sorted(said(one)[0].items()) for one in daemons], deadline=30)

    def assert_figures(self, daemons, *but):
        for metric, figures in self.figures.items():
            if metric not in but:
                wait_until(lambda metric=metric, figures=figures: sums(daemons, metric) == figures,
                           lambda metric=metric, figures=figures: f"{metric}: {sums(daemons, metric)}, not {figures}")

    def never_less(self, daemons, condition):
        """Until `condition`: at no time is a cursor in nobody's list, or one abandoned that nobody says is, or called removed."""
        def look():
            counts, states, _, removed = together(daemons)
            self.assertEqual(set(self.states) - set(counts), set())
            self.assertEqual(removed, [])
            said_so = {key for daemon in daemons for key, state in said(daemon)[0].items() if state == "abandoned"}
            self.assertEqual({key for key, state in self.states.items() if state == "abandoned"} - said_so, set())
            return condition(counts, states)
        wait_until(look, lambda: [sorted(said(one)[0].items()) for one in daemons], deadline=120)


class Shards(Parts):
    def test_three_shards_say_what_one_daemon_says_each_thing_once(self):
        names = [{"HOSTNAME": f"tidemark-{index}"} for index in range(3)]
        daemons = [self.enterContext(Daemon(self.cluster.brokers[0].url, url_settings="    shards: 3", environment=name, **SETTINGS))
                   for name in names]
        self.wait_whole(daemons)
        self.assertTrue(all(said(one)[0] for one in daemons), "each has a part")
        self.assertEqual(together(daemons)[2], self.others)
        self.assertTrue(any(rule == "policy_audit" for rule, _ in self.others))
        self.assert_figures(daemons)
        self.assertEqual(sums(daemons, "tidemark_shards"), {f'pulsar_cluster="fake",shard="{index}"': 3 for index in range(3)})

    def test_a_bundle_that_moves_is_none_of_their_business(self):
        daemons = [self.enterContext(shard(self.cluster, index, 3)) for index in range(3)]
        self.wait_whole(daemons)
        for local, to in (("orders-0", 1), ("orders-1", 0), ("orders-2", None)):
            self.cluster.move(local, to)
        for daemon in daemons:
            daemon.wait_polls(4)
        self.never_less(daemons, lambda counts, states: states == self.states and set(counts.values()) == {1})
        for daemon in daemons:
            for one in daemon.findings()["cursors"]:
                if one["cursor"] == "gone":
                    self.assertGreater(one["age_seconds"]["low"], 29 * DAY)

    def test_a_shard_that_starts_again_goes_on_where_it_was(self):
        folder = self.enterContext(Folder())
        others = [self.enterContext(shard(self.cluster, index, 3)) for index in (0, 1)]
        with shard(self.cluster, 2, 3, state__path=folder.path) as first:
            self.wait_whole([*others, first])
            wait_until(lambda: sums([first], "tidemark_state_bytes"), "its state is written")
            first.wait_polls(2)
        for topic in self.cluster.topics:
            self.cluster.forget(topic)
        with shard(self.cluster, 2, 3, state__path=folder.path) as second:
            self.wait_whole([*others, second])

    def test_with_another_number_of_shards_each_asks_prometheus_for_what_it_takes_over(self):
        with Folder() as folder:
            before = [self.enterContext(shard(self.cluster, index, 2)) for index in range(2)]
            self.wait_whole(before)
            prometheus = self.enterContext(Prometheus(folder.path, [f"127.0.0.1:{one.port}" for one in before]))
            prometheus.wait_for(EXPORTED)
            for topic in self.cluster.topics:
                self.cluster.forget(topic)
            after = [self.enterContext(shard(self.cluster, index, 3, restore__prometheus_url=prometheus.url)) for index in range(3)]
            self.wait_whole(after)

    def test_which_shard_it_is_must_be_told(self):
        ran = run("scan", "http://127.0.0.1:1", "--set", "clusters.0.shards=3", "--set", "clusters.0.shard=3")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("clusters.0.shard: 3 of 3 shards there is none", ran.err)
        ran = run("scan", "http://127.0.0.1:1", "--set", "clusters.0.shards=3", "--set", "clusters.0.mode=sidecar")
        self.assertIn("clusters.0.shards: only 'mode: cluster' is split", ran.err)
        for host, why in (("laptop", "does not end in '-' and a number"), ("tidemark-3", "has the number of none")):
            with unittest.mock.patch.dict(os.environ, HOSTNAME=host):
                ran = run("scan", "http://127.0.0.1:1", "--set", "clusters.0.shards=3")
            self.assertEqual(ran.code, 2, ran)
            self.assertIn(f"clusters.0.shard: which of the 3 shards is this? The host '{host}' {why}", ran.err)

    def test_what_is_wrong_about_shards_is_told_with_all_other_mistakes(self):
        with Folder() as folder, unittest.mock.patch.dict(os.environ, HOSTNAME="laptop"):
            path = folder.write("tidemark.yml", "poll: {interval: soon}\nclusters:\n- {url: 'http://127.0.0.1:1', name: a, shards: 3}\n"
                                                "- {url: 'http://127.0.0.1:2', shards: 3, shard: 3}\n")
            ran = run("serve", "--config", path, "--set", "detect.stuck_aftr=1h")
            self.assertEqual(ran.code, 2, ran)
            lines = ran.err.splitlines()
            wanted = ["tidemark.yml:1:18: poll.interval: ", "--set: unknown key 'detect.stuck_aftr'", "tidemark.yml:4:49: clusters.1.shard: 3 of 3 shards",
                      "tidemark.yml:4:3: clusters.1: has no 'name'", "tidemark.yml:3:3: clusters.0.shard: which of the 3 shards is this?"]
            self.assertEqual(len(lines), len(wanted), ran)
            for line, said in zip(lines, wanted):
                self.assertIn(said, line)
            ran = run("scan", "--config", path, "--cluster", "http://127.0.0.1:2")
            self.assertIn("clusters.1.shard: 3 of 3 shards", ran.err)
            self.assertNotIn("clusters.0.shard", ran.err)


class Sidecars(Parts):
    def watch(self, **settings):
        return [self.enterContext(one) for one in (sidecar(self.cluster, 0, **settings), sidecar(self.cluster, 1, **settings),
                                                   beside(self.cluster, **settings))]

    def test_two_sidecars_and_one_beside_say_what_one_daemon_says_each_thing_once(self):
        daemons = self.watch()
        self.wait_whole(daemons)
        self.assert_figures(daemons, "tidemark_subscriptions")
        # A partitioned topic's subscriptions count once on each broker.
        more = {labels: value + (1 if re.search('state="(abandoned|ok)"', labels) else 0)
                for labels, value in self.figures["tidemark_subscriptions"].items()}
        self.assertEqual(sums(daemons, "tidemark_subscriptions"), more)
        others = together(daemons)[2]
        self.assertEqual(set(others.values()), {1})
        # What rests on what a part has says which; without that it is what the one daemon says.
        self.assertEqual({(rule, PARTS.sub("", subject)) for rule, subject in others}, set(self.others))
        policies = {key for key in self.others if key[0] == "policy_audit"}
        self.assertTrue(policies)
        self.assertEqual({key for key in said(daemons[2])[1] if key[0] == "policy_audit"}, policies)
        self.assertEqual(said(daemons[2])[0].keys(), {key for key in self.states if "parked" in key[0]})

    def test_beside_them_nobody_reads_a_sweep(self):
        for broker in self.cluster.brokers:
            broker.requests.clear()
        with beside(self.cluster) as daemon:
            wait_until(lambda: len(said(daemon)[0]) == 4, lambda: said(daemon))
            for broker in self.cluster.brokers:
                self.assertEqual(broker.asked(SWEEP), [])
                self.assertEqual([path for path, _ in broker.requests if path.endswith(("/stats", "/internalStats"))], [])

    def test_check_tries_what_the_mode_asks_for(self):
        for mode, has in (("beside_sidecars", "ok    loaded topics of a broker"), ("cluster", "ok    bulk statistics of a broker")):
            ran = run("check", self.cluster.brokers[0].url, "--set", f"clusters.0.mode={mode}")
            self.assertEqual(ran.code, 0, ran)
            self.assertIn(has, ran.out)
            self.assertEqual(("loaded topics" in ran.out, "bulk statistics" in ran.out), (mode != "cluster", mode == "cluster"), ran)
        self.cluster.brokers[0].override(LOADED_TOPICS, status=403, body="")
        ran = run("check", self.cluster.brokers[0].url, "--set", "clusters.0.mode=beside_sidecars")
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("FAIL  loaded topics of a broker", ran.out)

    def test_a_bundle_that_moves_keeps_its_findings_and_their_age(self):
        with Folder() as folder:
            prometheus = Prometheus(folder.path, [])
            # Who gets a topic has the rest of two polls for it, on however busy a machine.
            daemons = self.watch(restore__prometheus_url=prometheus.url, poll__interval="5s")
            self.wait_whole(daemons)
            prometheus.targets = [f"127.0.0.1:{one.port}" for one in daemons]
            self.enterContext(prometheus)
            prometheus.wait_for(EXPORTED)
            moves = {"orders-0": 1, "events-1-partition-1": 0, "orders-2": None, "parked-1": 1}
            for local, to in moves.items():
                self.cluster.move(local, to)
            places = {f"persistent://acme/ns-{re.search('[0-9]', local)[0]}/{local}": 2 if to is None else to for local, to in moves.items()}

            def settled(counts, states):
                there = all((topic, "gone") in said(daemons[place])[0] for topic, place in places.items())
                gone = {key: state for key, state in states.items() if key[1] == "gone"}  # of those alive, one lost its consumers with the move
                return there and set(gone.values()) == {"abandoned"} and set(counts.values()) == {1}
            self.never_less(daemons, settled)
            ages = {one["topic"]: one["age_seconds"]["low"] for daemon in daemons for one in daemon.findings()["cursors"] if one["cursor"] == "gone"}
            for topic in places:
                self.assertGreater(ages[topic], 29 * DAY, topic)


if __name__ == "__main__":
    unittest.main()
