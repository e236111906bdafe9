"""A real cluster of several bookies and brokers, held against the program: what one broker alone cannot show.

    test_cluster.py --version 4.0.7 --tidemark build/dev/daemon/tidemark [--all] [--only NAME,...] [--jars DIR]

Without --all: it comes up, three daemons share it, and a disk fills, which CI has time for. --only: these checks alone, each known by its name without `check_`.

Ends with `N passed, M failed, K skipped`; exit code 1 when a check failed.
"""
import sys

import program
from alone import arguments, ended, names, told
from checks import Checks
from client import Admin, Clients
from cluster import Cluster
from cluster_fill import check_fill
from cluster_loss import check_bookie_killed, check_broker_frozen
from cluster_parts import check_parts
from jvm import Skip
from waiting import wait_until

NAMESPACE = "acme/fleet"


def check_comes_up(checks, binary, cluster):
    """Both brokers and all bookies are read, and what lies on either broker is found by asking one."""
    admin = Admin(cluster.brokers[0])
    admin.make_namespace(NAMESPACE)
    topics = [f"persistent://{NAMESPACE}/spread-{i}" for i in range(8)]
    for topic in topics:
        admin.make_topic(topic)
        admin.make_subscription(topic, "left-behind")
    elsewhere = next(topic for topic in topics if cluster.bundle(topic) != cluster.bundle(topics[0]))
    for broker, topic in zip(cluster.brokers, (topics[0], elsewhere)):  # so that none is without one
        cluster.move(topic, broker)
    with Clients(cluster.brokers[0]) as clients:
        for topic in topics:
            clients.publish(topic, 20)
    listed = [Admin(broker) for broker in cluster.brokers]
    wait_until(lambda: set(topics) <= {topic for one in listed for topic in one.sweep()}, 60, "the brokers list all topics as loaded")
    checks.that(all(set(topics) & one.sweep().keys() for one in listed), "cluster: both brokers serve topics")

    settings = [part for key, value in cluster.bookie_settings().items() for part in ("--set", f"{key}={value}")]

    checked = program.run(binary, "check", cluster.brokers[0].url, *settings)
    checks.equal(checked.code, 0, "cluster: check finds nothing missing")
    for one in [*cluster.brokers, *cluster.bookies]:
        name = one.url.removeprefix("http://")
        checks.that(any(line.strip().startswith("ok") and name in line for line in checked.out.splitlines()), f"cluster: check reads {one.name}", checked.out)

    scanned = program.scan(binary, cluster.brokers[0].url, *settings)
    report = program.Report(scanned.json())
    checks.equal({topic: report.cursors.get((topic, "left-behind"), {}).get("pinned_entries") for topic in topics}, dict.fromkeys(topics, 20),
                 "cluster: scan finds what is left behind on both brokers")


def chosen(options):
    usual, rest = [check_comes_up, check_parts, check_fill], [check_broker_frozen, check_bookie_killed]
    if options.only:
        return [check for check in usual + rest if check.__name__.removeprefix("check_") in options.only]
    return usual + rest if options.all else usual


def main():
    parser = arguments()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", type=names)
    options = told(parser)
    checks = Checks(options.version)
    try:
        with checks.section("cluster"), Cluster(options.version, options.jars, disks_mb=(272, 1024, 1024)) as cluster:
            print(f"     a cluster of {options.version} is up after {cluster.start_seconds:.1f} s", flush=True)
            for check in chosen(options):
                with checks.section(check.__name__):
                    check(checks, options.tidemark, cluster)
    except Skip as reason:
        checks.skip("cluster", reason)
    return ended(checks)


if __name__ == "__main__":
    sys.exit(main())
