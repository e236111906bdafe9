#!/usr/bin/env python3
"""The soak: a simulated cluster with every archetype of client, daily broker restarts and names that come and go, watched by two daemons at the
very same moments, a poll each simulated quarter of an hour. One runs through, the other is ended at the end of each simulated day, by turns in
order, killed between two polls, and killed within one. In the end

- at every poll both said the same of every subscription; what a restart may change is in compare.py;
- no topic was loaded by asking that no broker listed any more;
- what the one that ran through has allocated, its resident memory and its descriptors are flat: the last third of the run against the second;
- so are the requests that a poll sends. What a poll takes is printed, third by third, and not judged: it is the machine's as much as ours.

    run.py SOAK_NODE [--for 5m | --days N] [--restart-every HOURS] [--seed S] [--keep FOLDER]
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from compare import Comparison

START = 1_790_000_100_000  # on a whole step
INTERVAL = 900_000
DAY = 86_400_000
SETTINGS = {
    "listen": "127.0.0.1:0",
    "poll.interval": "15m",
    "poll.topology_interval": "15m",
    "poll.suspect_rate": "10000",
    "poll.internal_info_rate": "10000",
    "poll.audit_share": "0",
    # Short, so that days show what takes weeks, and places are read as often as the sweeps.
    "detect.abandoned_after": "1d",
    "history.max_removed": "300",
    "log.level": "warning",
}


class Node:
    """A process that does one step for a line on its standard input."""

    def __init__(self, program, *words, log):
        self.log = open(log, "ab")
        self.process = subprocess.Popen([program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)

    def tell(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"{self.process.args[1]} ended with {self.process.wait()}: see {self.log.name}")
        return line.split()

    def end(self, how=None):
        if how:
            self.process.send_signal(how)
        self.process.stdin.close()
        status = self.process.wait()
        self.process.stdout.close()
        self.log.close()
        return status


class Cluster(Node):
    def __init__(self, program, seed, log):
        super().__init__(program, "cluster", "--seed", str(seed), "--start", str(START), log=log)
        self.url, *self.bookies = (one.decode() for one in self.line())

    def advance(self, at):
        """Topics, subscriptions; so far: requests, loads by GET, and those of a topic that no broker listed any more."""
        self.tell(at)
        return [int(one) for one in self.line()]


class Daemon(Node):
    def __init__(self, program, cluster, at, settings, log):
        words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        words += [word for i, url in enumerate(cluster.bookies) for word in ("--set", f"clusters.0.bookies.urls.{i}={url}")]
        super().__init__(program, "daemon", cluster.url, "--start", str(at), "--set", "clusters.0.name=soak", *words, log=log)

    def result(self):
        """CPU microseconds, bytes allocated, bytes resident, descriptors; topics that wait to be asked; the verdicts."""
        *figures, waiting, size = (int(float(one)) for one in self.line())
        return figures, waiting, self.process.stdout.read(size)


class Soak:
    def __init__(self, program, folder, seed):
        self.program, self.folder, self.seed = program, folder, seed
        self.cluster = Cluster(program, seed, folder / "cluster.log")
        self.at = START
        self.polls = self.restarts = self.since_restart = 0
        self.samples = []  # of the one that runs through: CPU, allocated, resident, descriptors, requests
        self.wrong = []
        self.comparison = Comparison()
        self.states = {}
        self.names = set()
        self.most = [0, 0]
        self.loads = self.careless = 0
        self.through = self.restarted = None

    def daemon(self, name):
        """Begins with a poll."""
        settings = {**SETTINGS, "state.path": self.folder / name}
        return Daemon(self.program, self.cluster, self.at, settings, self.folder / f"{name}.log")

    def poll(self, tear=False):
        """`tear`: the one that is restarted is killed within it, and begins anew."""
        self.at += INTERVAL
        before = self.requests()
        self.through = self.go_on(self.through, "through")
        figures, *through = self.through.result()
        self.samples.append(figures + [self.requests() - before])
        self.restarted = self.go_on(self.restarted, "restarted")
        if tear:
            time.sleep(random.Random(self.polls).random() * figures[0] / 1e6)
            self.restarted.end(signal.SIGKILL)
            self.restarted = self.daemon("restarted")
            self.restarts, self.since_restart = self.restarts + 1, 0
        self.compare(through, self.restarted.result()[1:])
        self.polls += 1
        self.since_restart += 1

    def requests(self):
        topics, subscriptions, requests, self.loads, careless = self.cluster.advance(self.at)
        self.most = [max(self.most[0], topics), max(self.most[1], subscriptions)]
        if careless > self.careless:
            self.wrong.append(f"{self.at}: a topic that no broker listed was loaded by asking")
            self.careless = careless
        return requests

    def go_on(self, daemon, name):
        if daemon is None:
            return self.daemon(name)
        daemon.tell(self.at)
        return daemon

    def compare(self, through, restarted):
        """Each: how many topics wait to be asked, and the verdicts."""
        documents = [json.loads(said[1]) for said in (through, restarted)]
        for one in documents[0]["cursors"]:
            self.states[one["state"]] = self.states.get(one["state"], 0) + 1
            self.names.add(hash((one["topic"], one["cursor"])))
        lines = self.comparison.differences(*documents, (through[0], restarted[0]), self.since_restart)
        self.wrong += [f"{self.at}, poll {self.polls}, {self.since_restart} after a restart: {line}" for line in lines]

    def life(self, number, polls):
        """Ends in order, by SIGKILL between two polls, or by SIGKILL within the next one."""
        for i in range(polls):
            self.poll(tear=i == 0 and number % 3 == 0 and number > 0)
        if number % 3 != 2:
            status = self.restarted.end(signal.SIGKILL if number % 3 == 1 else None)
            if number % 3 == 0 and status != 0:
                self.wrong.append(f"{self.at}: ended with {status}")
            self.restarted = None
            self.restarts, self.since_restart = self.restarts + 1, 0

    def end(self):
        for node in (self.through, self.restarted, self.cluster):
            if node is not None and node.process.poll() is None:
                node.end(signal.SIGKILL)


def thirds(values):
    third = len(values) // 3
    return [values[i * third:(i + 1) * third] for i in range(3)]


# How much more the last third may have than the second, in its median: names come and go in step, so nothing but chance.
LEAST_DAYS = 9
LIMITS = {"allocated": (1, 0.05), "resident": (2, 0.10), "descriptors": (3, 0.0), "requests": (4, 0.10)}


def judge(samples):
    """Lines about what is not flat; prints all of it. Within the first days names that are gone still add up."""
    found = []
    for name, (at, more) in LIMITS.items():
        medians = [statistics.median(third) for third in thirds([one[at] for one in samples])]
        print(f"{name}: medians of thirds {', '.join(f'{one:.0f}' for one in medians)}, most {max(one[at] for one in samples)}")
        if medians[2] > medians[1] * (1 + more) + (1 if name == "descriptors" else 0):
            found.append(f"{name} grow: {medians}")
    cpu = [statistics.median(third) / 1000 for third in thirds([one[0] for one in samples])]
    print(f"CPU a poll, not judged: medians of thirds {', '.join(f'{one:.1f}' for one in cpu)} ms")
    return found if len(samples) >= LEAST_DAYS * DAY // INTERVAL else []


def seconds(text):
    match = re.fullmatch(r"(\d+)([smh])", text)
    if not match:
        raise argparse.ArgumentTypeError("write e.g. 90s, 5m, 2h")
    return int(match.group(1)) * {"s": 1, "m": 60, "h": 3600}[match.group(2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--for", dest="length", type=seconds, help="of the wall, to the end of a simulated day")
    length.add_argument("--days", type=float, default=9)
    parser.add_argument("--restart-every", type=int, default=24, metavar="HOURS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="where the state files and logs stay")
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="tidemark-soak-"))
    folder.mkdir(exist_ok=True)
    soak = Soak(options.program, folder, options.seed)
    began = time.monotonic()
    lives = 0
    polls = options.restart_every * 3_600_000 // INTERVAL
    try:
        while time.monotonic() - began < options.length if options.length else soak.polls < options.days * DAY // INTERVAL:
            known = len(soak.wrong)
            soak.life(lives, polls)
            lives += 1
            for line in soak.wrong[known:known + 3]:
                print(f"WRONG {line}")
            print(f"day {soak.polls * INTERVAL / DAY:g}, {time.monotonic() - began:.0f} s: {len(soak.wrong)} wrong", flush=True)
            if len(soak.wrong) > 200:
                break
        wrong = soak.wrong + judge(soak.samples)
        logs = (folder / "through.log").read_text() + (folder / "restarted.log").read_text()
    finally:
        soak.end()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{soak.polls * INTERVAL / DAY:g} simulated days, {soak.polls} polls, {soak.restarts} restarts, {time.monotonic() - began:.0f} s; at most {soak.most[0]} topics and "
          f"{soak.most[1]} subscriptions at a time, {len(soak.names)} names in all")
    print(f"polls in which one of them left a broker alone and the other did not: {soak.comparison.left_alone.polls}; topics that were loaded by "
          f"asking, while a broker listed them still: {soak.loads}")
    print("states (cursors x polls):", ", ".join(f"{state} {count}" for state, count in sorted(soak.states.items())))
    for line in sorted(set(re.sub(r"^\S+ ", "", line) for line in logs.splitlines()))[:20]:
        print("log:", line)
    kinds = {}
    for line in wrong:
        kind = re.sub(r"\d+|\(.*?\)|\{.*?\}", "*", line)
        kinds.setdefault(kind, []).append(line)
    for lines in list(kinds.values())[:60]:
        print(f"WRONG {lines[0]}" + (f" (and {len(lines) - 1} like it)" if len(lines) > 1 else ""))
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
