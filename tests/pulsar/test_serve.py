"""`tidemark serve` watching a broker on which consumers leave, seek, and topics are unloaded: a verdict must follow what clients do and nothing else."""
import time

import pulsar

import program
from client import Committer, Publisher, Stay, receive
from situation import COMMITTED, DRAINED, NAMESPACE, ORDERS, PARKED, SETTLED, UNLOADED, topic_name
from test_scan import ABANDONED_AFTER, LEFT, check_live_and_reader, check_positions, check_untouched, short
from watch import Watch, fingerprint

MOVED, DROPPED, REPLAYS, LEAVING = (topic_name(one) for one in ("moved", "dropped", "replays", "leaving"))
SLACK = 1.5  # seconds an age may differ from its clock: ages are whole seconds


def check_serve(checks, binary, broker, situation):
    admin, clients = situation.admin, situation.clients
    # All topics exist before the daemon's first topology.
    before = time.time()
    for topic, names in ((MOVED, ["left-behind", "worker"]), (DROPPED, ["left-behind"]), (REPLAYS, ["keeper", "rewinder"]), (LEAVING, ["leaver"])):
        situation._new(topic, names)
    for topic in (MOVED, DROPPED):
        situation._leave(topic, "left-behind", 25)
    situation.stays[REPLAYS, "keeper"] = Stay(before, time.time())
    situation.open.append(clients.live(MOVED, "worker"))
    moved_producer = clients.producer(MOVED)
    leaver = clients.subscribe(LEAVING, "leaver")
    leaver.acknowledge_cumulative(receive(leaver, 25)[-1])
    rewinder = clients.subscribe(REPLAYS, "rewinder")
    rewinder.acknowledge_cumulative(receive(rewinder, 45)[-1])
    admin.wait_loaded([MOVED, DROPPED, REPLAYS, LEAVING])

    job = Committer(admin, COMMITTED, "job", every=1)
    with job, Watch(admin, UNLOADED) as watch, program.Daemon(binary, broker.url) as daemon:
        daemon.wait_ready()
        left = [*LEFT, (MOVED, "left-behind"), (DROPPED, "left-behind"), (PARKED, "left-behind")]
        with checks.section("serve: found"), Publisher(clients, ORDERS):
            check_found(checks, daemon, left)
        with checks.section("serve: positions"):
            situation.wait_still()
            # Quiet for whole polls, and a frozen suspect is asked again only after hours: what serve shows of it may be older than the traffic.
            seen = daemon.follow(lambda _: True, 30, "two quiet polls", polls=2)
            still = [key for key in left if key[0] not in (ORDERS, PARKED)]
            check_positions(checks, admin, seen[-1], still, "serve")
            check_metrics(checks, daemon, admin, still)
        with checks.section("serve: leaving"):
            check_leaving(checks, daemon, leaver)
        with checks.section("serve: seek"):
            check_seek(checks, daemon, rewinder)
        raced = 0
        with checks.section("serve: unload"):
            raced = check_unload(checks, daemon, admin, situation, moved_producer)
        with checks.section("serve: job"):
            check_job(checks, daemon, job)
        with checks.section("serve: nothing loaded"):
            daemon.follow(lambda _: True, 30, "three more polls", polls=3)
            loaded = daemon.total("tidemark_topics_loaded_total")
            checks.that(loaded <= raced, "serve: no topic was loaded by asking, but for one asked of in the moment of its unload", f"{loaded}, {raced} unloads were undone")
            check_counts(checks, daemon, situation)
        moved_producer.close()
        daemon.stop()
        checks.equal(daemon.exit_code, 0, "serve: SIGTERM ends it with 0")
        checks.that(daemon.exit_seconds <= 5, "serve: SIGTERM ends it within 5 s", f"{daemon.exit_seconds:.1f} s")
    with checks.section("serve: untouched"):
        check_untouched(checks, watch, "serve")


def check_found(checks, daemon, left):
    seen = daemon.follow(lambda report: all(report.cursors.get(key, {}).get("state") == "abandoned" for key in left), 60,
                         f"all of {[short(key) for key in left]} are abandoned", polls=3)
    checks.that(True, f"serve: the abandoned ones are found, at poll {len(seen)}")
    for key in left:
        checks.that("abandoned" in seen[-1].rules_of(*key), f"serve: {short(key)} has its finding", seen[-1].rules_of(*key))
    for report in seen:
        bad = {short((one["topic"], one["cursor"])): one for one in report.document["cursors"] if one["cursor"] == "worker" and one["state"] not in ("ok", "unknown", "lagging")}
        if bad or report.rules_of(ORDERS, "worker"):
            checks.that(False, "serve: the live worker is never found", f"{bad}, {report.rules_of(ORDERS, 'worker')}")
            break
    else:
        checks.that(True, "serve: the live worker is never found")
    check_live_and_reader(checks, seen[-1], "serve")
    checks.equal(seen[-1].cursors.get((DRAINED, "caught-up"), {}).get("state"), "unused", "serve: drained caught-up pins nothing")
    status, text = daemon.get("/api/v1/cursors")
    checks.that(status == 200 and "left-behind" in text, "serve: /api/v1/cursors names the abandoned one", f"{status} {text[:200]}")


def check_metrics(checks, daemon, admin, keys):
    """Per-cursor series carry the topic and the subscription in labels whose names are not ours to fix here: found by their values."""
    samples = daemon.samples()
    for topic, name in keys:
        values = {metric: value for metric, labels, value in samples if topic in labels.values() and name in labels.values()}
        broker = admin.stats(topic)["subscriptions"][name]
        ledger, entry = admin.internal_stats(topic)["cursors"][name]["markDeletePosition"].split(":")
        expected = {"tidemark_cursor_backlog_entries": broker["msgBacklog"], "tidemark_cursor_pinned_bytes": broker["backlogSize"],
                    "tidemark_cursor_mark_delete_ledger_id": int(ledger), "tidemark_cursor_mark_delete_entry_id": int(entry)}
        checks.equal({metric: values.get(metric) for metric in expected}, expected, f"serve: metrics of {short((topic, name))} are the broker's")


def check_job(checks, daemon, job):
    seen = daemon.follow(lambda _: True, 60, "polls of a job that commits from outside", polls=4)
    states = [report.cursors.get((COMMITTED, "job"), {}).get("state") for report in seen]
    checks.that(job.fault is None and not {"abandoned", "unused"} & set(states), "serve: a job that commits from outside is alive", f"{states}, {job.fault}")
    ages = [report.cursors.get((COMMITTED, "job"), {}).get("age_seconds") for report in seen]
    checks.that(all(age is None or age["low"] is None or age["low"] <= 2 * ABANDONED_AFTER for age in ages), "serve: its age does not run on", ages)


def check_leaving(checks, daemon, leaver):
    """A consumer that holds on for longer than the limit after its last acknowledgement is no leak before it left, nor in the first seconds after."""
    key = (LEAVING, "leaver")
    here = daemon.follow(lambda _: True, 30, "polls with the consumer there", polls=4)
    states = {report.cursors.get(key, {}).get("state") for report in here}
    checks.that(not states & {"abandoned", "idle", "unused"}, "serve: a consumer that only holds on is not found", states)
    leaving = time.time()
    leaver.close()
    stay = Stay(leaving, time.time())
    seen = daemon.follow(lambda report: report.cursors.get(key, {}).get("state") == "abandoned", 60, "the one that left becomes abandoned")
    found = seen[-1]
    # The last poll that saw it was up to one interval (and its own duration) before it left; a late list of the broker's can only prolong that.
    checks.that(found.at - stay.acked >= ABANDONED_AFTER - 2.5, "serve: it is not abandoned before its time", f"{found.at - stay.acked:.1f} s after it left")
    checks.that(found.at - stay.left <= 20, "serve: it is abandoned soon after its time", f"{found.at - stay.left:.1f} s after it left")
    cursor = found.cursors[key]
    checks.equal(cursor["evidence"], "observed", "serve: what the daemon saw itself is observed")
    checks.that(cursor["age_seconds"]["low"] <= found.at - stay.acked + 2.5, "serve: its age counts from when it was last seen",
                f"{cursor['age_seconds']}, left {found.at - stay.acked:.1f} s ago")


def check_seek(checks, daemon, rewinder):
    key = (REPLAYS, "rewinder")
    before = daemon.follow(lambda report: report.cursors.get(key, {}).get("mark_delete"), 60, "the position before the seek is known")[-1].cursors[key]["mark_delete"]
    rewinder.seek(pulsar.MessageId.earliest)
    seen = daemon.follow(lambda report: report.cursors.get(key, {}).get("state") == "rewound", 60, "a seek backwards is rewound")
    cursor = seen[-1].cursors[key]
    checks.that(cursor["mark_delete"] != before, "serve: after a seek the position is the new one", f"{before} -> {cursor['mark_delete']}")
    checks.that("rewound" in seen[-1].rules_of(*key), "serve: a seek backwards is rewound", seen[-1].rules_of(*key))
    states = {report.cursors.get(key, {}).get("state") for report in seen}
    checks.that(not states & {"abandoned", "idle", "unused"}, "serve: a seek is nothing else on the way", states)
    rewinder.acknowledge_cumulative(receive(rewinder, 50)[-1])
    daemon.follow(lambda report: report.cursors.get(key, {}).get("state") not in ("rewound", None), 30, "it moves forward and is rewound no more")
    rewinder.close()


def check_unload(checks, daemon, admin, situation, producer):
    """One topic comes back at once because clients hold it, another stays away. Neither may look younger, older or healthier for it."""
    kept = [(MOVED, "left-behind"), (DROPPED, "left-behind")]
    first = daemon.follow(lambda _: True, 30, "a poll before the unload")[-1]
    ledgers = admin.internal_stats(MOVED)["ledgers"]
    undone = program.unload_under(daemon, admin, DROPPED)
    admin.unload(MOVED)
    producer.send(b"after the unload")  # the clients load it again, as they do in life
    admin.wait_loaded([MOVED])
    checks.that(admin.internal_stats(MOVED)["ledgers"] != ledgers, "serve: the unload was real: clients loaded the topic anew")
    with Watch(admin, [DROPPED]) as watch:
        since_gone = time.time()
        seen = daemon.follow(lambda report: report.at > since_gone, 60, "four whole polls after the unload", polls=5)
    for key in kept:
        was = first.cursors[key]
        faults = []
        for report in seen:
            cursor = report.cursors.get(key)
            if cursor is None or cursor["state"] != "abandoned":
                faults.append(f"{report.at - first.at:.0f} s later: {cursor and cursor['state']}")
                continue
            elapsed = report.at - first.at
            age, old = cursor["age_seconds"], was["age_seconds"]
            if abs(age["low"] - old["low"] - elapsed) > SLACK or age["low"] > situation.true_age(key, report.at) + 0.05:
                faults.append(f"{elapsed:.0f} s later: low {old['low']} -> {age['low']}")
            if old["high"] is not None and (age["high"] is None or age["high"] > old["high"] + elapsed + SLACK):
                faults.append(f"{elapsed:.0f} s later: high {old['high']} -> {age['high']}")
            if cursor["mark_delete"] != was["mark_delete"]:
                faults.append(f"{elapsed:.0f} s later: position {was['mark_delete']} -> {cursor['mark_delete']}")
        checks.that(not faults, f"serve: an unload changes neither age nor verdict of {short(key)}, through {len(seen)} polls", "; ".join(faults[:5]))
    checks.that("worker" not in {one["cursor"] for one in seen[-1].findings}, "serve: an unload makes no finding of a live worker")
    check_untouched(checks, watch, "serve, after the unload")
    return undone


def check_counts(checks, daemon, situation):
    """The readers are connected and counted nowhere; the partitions of a topic are one subscription."""
    durable = situation.durable() | {(MOVED, "worker"), (REPLAYS, "rewinder"), (LEAVING, "leaver")}
    tenant, namespace = NAMESPACE.split("/")
    counted = daemon.total("tidemark_subscriptions", tenant=tenant)
    checks.equal(counted, len(durable), f"serve: tidemark_subscriptions counts the durable ones of {namespace}, each once")
    checks.that(fingerprint(situation.admin, SETTLED)[2], "serve: the caught-up unloaded topic still has its ledger")
