"""What a cluster looks like while one of its processes is gone or hangs: nobody's verdict is lost, and who is missing is named."""
import program
from cluster_topics import spread_topics
from waiting import wait_until

NAMESPACE = "acme/loss"
LEFT = "left-behind"
# As by default a broker that hangs costs half a poll.
INTERVAL = "4s"
SETTINGS = {"poll.document_timeout": "2s", "poll.sweep_idle_timeout": "2s", "poll.topology_interval": "8s"}


def check_bookie_killed(checks, binary, cluster):
    """A killed bookie answers nothing and so says nothing: another one, which lists who is registered, does."""
    gone = cluster.bookies[-1]
    name = gone.url.removeprefix("http://")
    with program.Daemon(binary, cluster.brokers[0].url, interval=INTERVAL, settings={**cluster.bookie_settings(), **SETTINGS}) as daemon:
        daemon.wait_ready()
        daemon.follow(lambda _: daemon.total("tidemark_bookie_state", bookie=name) == 1, 60, "its metrics are read", polls=2)
        checks.equal([one for one in daemon.report().findings if one["rule"] == "bookie_unregistered"], [], "loss: nobody is missing as long as all run")
        gone.kill()

        def found():
            return [one for one in daemon.report().findings if one["rule"] == "bookie_unregistered"]
        wait_until(found, 120, "bookie_unregistered")
        checks.equal([one["subject"] for one in found()], [name], "loss: the killed bookie is unregistered, and no other one")
        checks.equal(found()[0]["evidence"]["answers"], False, "loss: it is said that it answers nothing")
        checks.equal(daemon.total("tidemark_bookie_state", bookie=name), -1, "loss: its metric says so, too")
        gone.start()
        gone.wait_ready()
        wait_until(lambda: not found(), 120, lambda: f"it is over once the bookie is back: {found()}")
        checks.that(True, "loss: it is over once the bookie is back")


def check_broker_frozen(checks, binary, cluster):
    """A broker that hangs, as in a long garbage collection: its topics keep their verdicts, stale; the other's stay fresh."""
    topics = [topic for group in spread_topics(cluster, NAMESPACE, LEFT, 20) for topic in group]
    frozen = cluster.brokers[1]
    theirs = [topic for topic in topics if cluster.owner(topic) is frozen]
    with program.Daemon(binary, cluster.brokers[0].url, interval=INTERVAL, settings={**cluster.bookie_settings(), **SETTINGS}) as daemon:
        daemon.wait_ready()

        def verdicts(report):
            return {topic: report.cursors.get((topic, LEFT), {}) for topic in topics}

        def all_fresh(report):
            return all(one.get("state") == "abandoned" and not one["stale"] for one in verdicts(report).values())
        daemon.follow(all_fresh, 90, "all of them are abandoned")
        checks.equal(stalls(daemon.report()), [], "loss: no broker stalls as long as both answer")
        counted = daemon.total("tidemark_subscriptions", pulsar_namespace=NAMESPACE, state="abandoned")
        frozen.freeze()
        try:
            seen = daemon.follow(lambda report: all(verdicts(report)[topic].get("stale") for topic in theirs), 120, "its topics are stale")
            seen += daemon.follow(stalls, 120, "admin_api_stall", polls=3)
            still = daemon.total("tidemark_subscriptions", pulsar_namespace=NAMESPACE, state="abandoned")
        finally:
            frozen.resume()
        checks.equal([one["subject"] for one in stalls(seen[-1])], [frozen.url.removeprefix("http://")], "loss: the frozen broker stalls, and no other one")
        checks.that(stalls(seen[-1])[0]["evidence"]["timed_out"] > 0, "loss: it is said that its calls got no answer", stalls(seen[-1]))
        lost = [(topic, one.get("state"), one.get("last_state")) for report in seen for topic, one in verdicts(report).items()
                if one.get("state") != "abandoned" and one.get("last_state") != "abandoned"]
        checks.equal(lost, [], f"loss: no verdict is lost through {len(seen)} polls of a frozen broker")
        checks.equal(still, counted, "loss: its leftovers are still counted, so no alert resolves")
        others = [topic for topic in topics if topic not in theirs]
        checks.that(not any(verdicts(seen[-1])[topic]["stale"] for topic in others), "loss: the other broker's verdicts are fresh")
        daemon.follow(all_fresh, 180, "all of them are fresh again")
        checks.that(True, "loss: once it goes on all of them are fresh again")
        daemon.follow(lambda report: not stalls(report), 120, "the stall is over")
        checks.that(True, "loss: and its stall is over")


def stalls(report):
    return [one for one in report.findings if one["rule"] == "admin_api_stall"]
