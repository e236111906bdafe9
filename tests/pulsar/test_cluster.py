"""A real cluster of several bookies and brokers, held against the program: what one broker alone cannot show.

    test_cluster.py --version 4.0.7 --tidemark build/dev/daemon/tidemark [--all] [--only NAME,...] [--jars DIR]

Without --all: it comes up, three daemons share it, and a disk fills, which CI has time for. --only: these checks alone, each known by its name without `check_`.

Ends with `N passed, M failed, K skipped`; exit code 1 when a check failed.
"""
import sys
import time

import program
from alone import arguments, ended, names, told
from checks import Checks
from client import Admin
from cluster import Cluster
from cluster_fill import check_comes_back, check_fill
from cluster_loss import check_bookie_killed, check_broker_frozen
from cluster_parts import check_parts
from cluster_topics import spread_topics
from jvm import Skip

NAMESPACE = "acme/fleet"
LEFT = "left-behind"


def check_comes_up(checks, binary, cluster):
    """Both brokers and all bookies are read, and what lies on either broker is found by asking one."""
    topics = [topic for group in spread_topics(cluster, NAMESPACE, LEFT, 20) for topic in group]
    checks.that(all(set(topics) & Admin(broker).sweep().keys() for broker in cluster.brokers), "cluster: both brokers serve topics")

    settings = [part for key, value in cluster.bookie_settings().items() for part in ("--set", f"{key}={value}")]

    checked = program.run(binary, "check", cluster.brokers[0].url, *settings)
    checks.equal(checked.code, 0, "cluster: check finds nothing missing")
    for one in [*cluster.brokers, *cluster.bookies]:
        name = one.url.removeprefix("http://")
        checks.that(any(line.strip().startswith("ok") and name in line for line in checked.out.splitlines()), f"cluster: check reads {one.name}", checked.out)

    scanned = program.scan(binary, cluster.brokers[0].url, *settings)
    report = program.Report(scanned.json())
    checks.equal({topic: report.cursors.get((topic, LEFT), {}).get("pinned_entries") for topic in topics}, dict.fromkeys(topics, 20),
                 "cluster: scan finds what is left behind on both brokers")


# What each cluster is asked: its bookies' settings, what CI has time for, what comes with --all.
CLUSTERS = [
    ({}, [check_comes_up, check_parts, check_fill], [check_broker_frozen, check_bookie_killed]),
    ({"isForceGCAllowWhenNoSpace": "true"}, [], [check_comes_back]),
]


def chosen(options, usual, rest):
    if options.only:
        return [check for check in usual + rest if check.__name__.removeprefix("check_") in options.only]
    return usual + rest if options.all else usual


def run_on(checks, options, bookie_config, wanted):
    with checks.section("cluster"), Cluster(options.version, options.jars, disks_mb=(272, 1024, 1024), bookie_config=bookie_config) as cluster:
        print(f"     a cluster of {options.version} is up after {cluster.start_seconds:.1f} s", flush=True)
        for check in wanted:
            began = time.monotonic()
            with checks.section(check.__name__):
                check(checks, options.tidemark, cluster)
            print(f"     {check.__name__} took {time.monotonic() - began:.0f} s", flush=True)


def main():
    parser = arguments()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", type=names)
    options = told(parser)
    checks = Checks(options.version)
    try:
        for bookie_config, usual, rest in CLUSTERS:
            if wanted := chosen(options, usual, rest):
                run_on(checks, options, bookie_config, wanted)
    except Skip as reason:
        checks.skip("cluster", reason)
    return ended(checks)


if __name__ == "__main__":
    sys.exit(main())
