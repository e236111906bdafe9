"""Records the situation on one real broker with the program's own `record`, and writes beside it what is true of each cursor, so that a replay without any
Java can be held against it. Called by record.sh.

    record.py --version 4.0.7 --jars DIR --tidemark BIN --out FOLDER
"""
import argparse
import json
import pathlib
import signal
import sys
import time

import program
from broker import Broker
from client import Admin, Clients, Publisher, positions
from situation import BATCHED, DRAINED, ORDERS, PARKED, PARTS, SETTLED, Situation
from waiting import wait_until

ABANDONED_AFTER = 5  # what a replay must set for the verdicts below
SECONDS = 20
INTERVAL = 4


def truth(situation):
    """Of each durable cursor that does not move while we record: its verdict and its position."""
    states = {(ORDERS, "left-behind"): "abandoned", (ORDERS, "holed"): "abandoned", (ORDERS, "never-connected"): "abandoned", (BATCHED, "left-behind"): "abandoned",
              (PARTS + "-partition-0", "left-behind"): "abandoned", (PARTS + "-partition-1", "left-behind"): "abandoned", (DRAINED, "caught-up"): "unused"}
    cursors = []
    for (topic, name), state in states.items():
        position = positions(situation.admin, topic, [name])[name]
        cursors.append({"topic": topic, "cursor": name, "state": state, "mark_delete": position.mark_delete,
                        # The worker's topic goes on growing: what is pinned there depends on the poll.
                        "pinned_entries": None if topic == ORDERS else position.entries, "pinned_bytes": None if topic == ORDERS else position.bytes})
    cursors.append({"topic": PARKED, "cursor": "left-behind", "state": "abandoned", "mark_delete": situation.parked_position.mark_delete,
                    "pinned_entries": None, "pinned_bytes": None})
    return {"abandoned_after": f"{ABANDONED_AFTER}s", "live": [{"topic": ORDERS, "cursor": "worker"}], "unloaded": [PARKED, SETTLED], "cursors": cursors}


def main():
    parser = argparse.ArgumentParser()
    for option in ("--version", "--jars", "--tidemark", "--out"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    recording = folder / "situation.ndjson"

    with Broker(options.version, options.jars) as broker, Clients(broker) as clients:
        situation = Situation(Admin(broker), clients)
        situation.build()
        wait_until(lambda: all(situation.true_age(key, time.time()) > ABANDONED_AFTER + 2 for key in situation.stays), 60, "all are old enough")
        with Publisher(clients, ORDERS):
            ran = program.run(options.tidemark, "record", broker.url, "--out", str(recording), "--for", f"{SECONDS}s", "--set", f"poll.interval={INTERVAL}s", timeout=180)
        if ran.code != 0:
            raise SystemExit(f"record.py: `record` ended with {ran.code}: {ran.err[:400]}")
        (folder / "situation.truth.json").write_text(json.dumps(truth(situation), indent=1) + "\n")

    lines = [json.loads(line) for line in recording.read_text().splitlines()]
    polls = {one["at_ms"] for one in lines[1:]}
    print(f"{recording}: {len(lines) - 1} documents of {len(polls)} polls, {recording.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
