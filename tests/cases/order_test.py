#!/usr/bin/env python3
"""Verdicts depend neither on the order in which a poll's documents come nor on the pieces in which a body arrives.

    order_test.py TIDEMARK_BINARY ASKED_CASE_BINARY

Each case is replayed with the lines of each poll shuffled, and asked for with its documents cut into pieces, a piece being as
small as one byte. Every output must be the same, byte for byte.
"""
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import run_cases  # noqa: E402

SEEDS = range(1, 6)
# Over HTTP a byte a piece takes long for what the reading of a sweep has proved already.
CHUNKS = {"directly": (1, 7, 4096), "over-http": (97, 4096)}


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def shuffled(recording, seed):
    """The recording's text with the lines of each poll in another order."""
    head, *lines = recording.read_text(encoding="utf-8").splitlines()
    dice = random.Random(seed)
    text = [head]
    for _, poll in itertools.groupby(lines, key=lambda line: json.loads(line)["at_ms"]):
        poll = list(poll)
        dice.shuffle(poll)
        text += poll
    return "\n".join(text) + "\n"


def main():
    tidemark, asked_case = sys.argv[1:]
    pending = json.loads((run_cases.HERE / "pending.json").read_text(encoding="utf-8"))
    compared, faults = 0, []
    for name, _, recording, case_args in run_cases.cases():
        args = run_cases.usable(case_args, pending["keys"])
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "shuffled.ndjson"
            replay = [tidemark, "replay", "--each", "--format", "json", *args]
            expected = output_of([*replay, recording])
            for seed in SEEDS:
                other.write_text(shuffled(recording, seed), encoding="utf-8")
                compared += 1
                if output_of([*replay, other]) != expected:
                    faults.append(f"{name}: other verdicts when its documents are shuffled with seed {seed}")
        for way, sizes in CHUNKS.items():
            asked = [asked_case, way, recording, *args]
            expected = output_of(asked)
            for size in sizes:
                compared += 1
                if output_of([*asked, "--chunk", str(size)]) != expected:
                    faults.append(f"{name}: other verdicts {way} in pieces of {size} bytes")
    for fault in faults:
        print(fault)
    print(f"{compared} outputs compared, {len(faults)} differ")
    return 1 if faults or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
