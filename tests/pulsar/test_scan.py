"""One pass of `tidemark scan` over the situation, held against what the broker says and what the test's own clients did."""
import time

import program
from client import Committer, positions
from situation import BATCHED, COMMITTED, DRAINED, NAMESPACE, ORDERS, PARKED, PARTS, UNLOADED
from waiting import wait_until
from watch import Watch

ABANDONED_AFTER = 5  # seconds
LEFT = [(ORDERS, "left-behind"), (ORDERS, "holed"), (ORDERS, "never-connected"), (BATCHED, "left-behind"),
        (PARTS + "-partition-0", "left-behind"), (PARTS + "-partition-1", "left-behind")]
BAD = {"abandoned", "idle", "unused", "stalled", "ack_hole"}


def short(key):
    return key[0].removeprefix(f"persistent://{NAMESPACE}/") + " " + key[1]


def check_bounds(checks, situation, ran, report, keys, where):
    """Of each cursor: bounded evidence, a lower bound that is true, and no verdict that it does not carry."""
    for key in keys:
        cursor = report.cursors.get(key)
        if not checks.that(cursor, f"{where}: {short(key)} is reported"):
            continue
        checks.equal(cursor["evidence"], "bounded", f"{where}: {short(key)} has bounded evidence")
        age = cursor["age_seconds"] or {"low": None, "high": None}
        longest = situation.true_age(key, ran.ended)
        checks.that(age["low"] is not None and ABANDONED_AFTER <= age["low"] <= longest, f"{where}: {short(key)}: lower bound is true and enough",
                    f"expected {ABANDONED_AFTER} <= low <= {longest:.3f}, got {age}")
        shortest = ran.began - situation.stays[key].left
        checks.that(age["low"] is None or age["high"] is None or age["high"] >= max(age["low"], int(shortest)),
                    f"{where}: {short(key)}: upper bound is true", f"true age at least {shortest:.3f}, got {age}")


def check_positions(checks, admin, report, keys, where):
    """Equality with the broker, to the entry and to the byte. Only while nothing moves."""
    for key in keys:
        topic, name = key
        broker = positions(admin, topic, [name])[name]
        cursor = report.cursors.get(key, {})
        got = {field: cursor.get(field) for field in ("mark_delete", "last_confirmed", "pinned_entries", "pinned_bytes", "consumers")}
        checks.equal(got, {"mark_delete": broker.mark_delete, "last_confirmed": broker.last_confirmed, "pinned_entries": broker.entries,
                           "pinned_bytes": broker.bytes, "consumers": broker.consumers}, f"{where}: {short(key)}: positions, entries and bytes are the broker's")


def check_live_and_reader(checks, report, where, worker=(ORDERS, "worker")):
    cursor = report.cursors.get(worker)
    checks.that(cursor and cursor["state"] not in BAD, f"{where}: the live worker is not found", cursor)
    checks.that(cursor and cursor["consumers"] == 1, f"{where}: the live worker has its consumer", cursor)
    checks.that(not report.rules_of(*worker), f"{where}: no finding names the live worker", report.rules_of(*worker))
    readers = [one for one in report.document["cursors"] if one["cursor"].startswith("reader-")]
    checks.that(all(one["kind"] == "reader" and one["state"] not in BAD for one in readers), f"{where}: a reader is a reader", readers)
    found = [one for one in report.findings if (one["cursor"] or "").startswith("reader-")]
    checks.that(not found, f"{where}: no finding names a reader", found)


def check_scan(checks, binary, broker, situation, full):
    admin = situation.admin
    situation.wait_still()
    # A limit of 5 s needs cursors that are older by more than a poll's own time.
    wait_until(lambda: all(situation.true_age(key, time.time()) > ABANDONED_AFTER + 2 for key in situation.stays), 60, "all are old enough")
    job = Committer(admin, COMMITTED, "job", every=1)
    for _ in range(3):
        job.commit()
    with Watch(admin, UNLOADED) as watch:
        ran = program.scan(binary, broker.url)
        report = program.Report(ran.json())
        checks.that(ran.code in (0, 1), "scan: exit code", f"{ran.code}: {ran.err[:300]}")
        checks.equal(ran.code, 1, "scan: there are findings, so the exit code is 1")

        for key in LEFT:
            cursor = report.cursors.get(key, {})
            checks.equal(cursor.get("state"), "abandoned", f"scan: {short(key)} is found in one pass")
            checks.that("abandoned" in report.rules_of(*key), f"scan: {short(key)} has its finding", report.rules_of(*key))
        check_bounds(checks, situation, ran, report, LEFT, "scan")
        check_live_and_reader(checks, report, "scan")
        check_positions(checks, admin, report, LEFT, "scan")
        checks.equal(report.cursors.get((DRAINED, "caught-up"), {}).get("state"), "unused", "scan: drained caught-up pins nothing")

        parked = report.cursors.get((PARKED, "left-behind"), {})
        checks.equal(parked.get("mark_delete"), situation.parked_position.mark_delete, "scan: the unloaded topic's position is the one it was unloaded with")
        checks.equal(parked.get("state"), "abandoned", "scan: the unloaded topic's subscription is found")
        check_bounds(checks, situation, ran, report, [(PARKED, "left-behind")], "scan")
        # The last ledger's size is in no document of an unloaded topic.
        checks.that(parked.get("pinned_bytes") is None or 0 < parked["pinned_bytes"] <= situation.parked_position.bytes,
                    "scan: the unloaded topic's pinned bytes are not more than it pins", f"pins {situation.parked_position.bytes}, got {parked}")
        check_job(checks, report, ran, job)
        check_coverage(checks, report)

        if full:
            younger = program.scan(binary, broker.url, abandoned_after="1h")
            kept = program.Report(younger.json())
            states = {key: kept.cursors.get(key, {}).get("state") for key in LEFT}
            checks.that(all(state == "idle" for state in states.values()), "scan: below the limit they are idle, not abandoned", states)
            check_table(checks, binary, broker)
    check_untouched(checks, watch, "scan")


def check_job(checks, report, ran, job):
    cursor = report.cursors.get((COMMITTED, "job"), {})
    checks.that(cursor.get("state") not in (None, "abandoned", "unused"), "scan: a subscription moved from outside a moment ago is not abandoned", cursor)
    low = (cursor.get("age_seconds") or {}).get("low")
    checks.that(low is None or low <= ran.ended - job.last, "scan: its lower bound is true", f"moved {ran.ended - job.last:.3f} s ago, got low {low}")


def check_coverage(checks, report):
    """Nothing that the broker lists is silently absent."""
    coverage = report.document["coverage"]
    checks.that(coverage["listed"] >= 8 and coverage["evaluated"] + coverage["unknown"] == coverage["listed"], "scan: each listed topic is evaluated or unknown", coverage)


def check_table(checks, binary, broker):
    ran = program.run(binary, "scan", broker.url, "--set", "detect.abandoned_after=5s", "--namespace", NAMESPACE)
    checks.that(ran.code == 1 and "left-behind" in ran.out, "scan: the table names the abandoned one", f"{ran.code}: {ran.out[:400]}{ran.err[:300]}")
    dead = program.run(binary, "scan", "http://127.0.0.1:9", "--format", "json")
    checks.equal(dead.code, 3, "scan: an unreachable cluster is exit 3")


def check_untouched(checks, watch, where):
    checks.that(watch.looks > 0 and not watch.listed, f"{where}: no unloaded topic was loaded", f"{watch.looks} looks, listed {watch.listed}")
    checks.equal(watch.changed(), {}, f"{where}: the metadata of the unloaded topics is what it was")


