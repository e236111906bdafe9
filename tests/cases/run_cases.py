#!/usr/bin/env python3
"""Judges recorded cases and holds the JSON against what each case expects, in ways that differ in how the documents are had:

    replay     all of the recording, through `tidemark replay`
    directly   what the survey's own planning asks for, and nothing else; a topic's `stats` are folded into its broker's sweep
    over-http  the same through the whole daemon, over HTTP on loopback; findings are read from /api/v1/findings
    unaudited  as directly, without the audits of healthy topics: what a suspicion alone brings in

    run_cases.py TIDEMARK_BINARY ASKED_CASE_BINARY [--way WAY]... [name...]

Cases are NAME.ndjson with NAME.expect.json, here and in own/, and real/NAME.expect.json, which names a recording of a real broker and the
arguments of the replay. pending.json lists the words that are not built yet: what a case expects of them is left out, and a word
that is listed though the vocabulary has it is an error, so the list can only shrink.

What is never asked for is never known, so a rule whose documents nobody asks for fails. What may be missing without being wrong
is counted and printed:
  - where questions are asked: the place of a cursor that is `ok`, for which there was no reason to ask;
  - over-http: findings of ordinary held bytes, which a daemon only counts (docs/design.md, `held_without_cursor`);
  - unaudited: what compares a place with an earlier one of a healthy time, which only an audit reads (`rewound`, ages), and
    what an `ok` cursor without a place could free.
"""
import argparse
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import check_case  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
VOCABULARY = HERE.parent.parent / "lib" / "model" / "vocabulary.h"
WAYS = ("replay", "directly", "over-http", "unaudited")
PLACE = {"mark_delete", "pinned_entries", "pinned_bytes"}
FREED = {"reclaimable_bytes", "topic_reclaimable_bytes", "reclaimable_shared_with"}
GAUGES = {"open_ledger", "retention"}


def cases():
    for expect in sorted(HERE.glob("*.expect.json")) + sorted((HERE / "own").glob("*.expect.json")):
        args = json.loads(expect.read_text(encoding="utf-8")).get("args", [])
        yield expect.name.removesuffix(".expect.json"), expect, expect.with_name(expect.name.replace(".expect.json", ".ndjson")), args
    for expect in sorted((HERE / "real").glob("*.expect.json")):
        wanted = json.loads(expect.read_text(encoding="utf-8"))
        yield expect.name.removesuffix(".expect.json"), expect, HERE / wanted["recording"], wanted["args"]


def without_pending(expect, pending):
    """The expectation less what it says of words that are not built."""
    def built(row):
        return row.get("rule") not in pending and row.get("state") not in pending
    return {name: [row for row in value if built(row)] if name in ("cursors", "findings") else value for name, value in expect.items()}


def usable(args, keys):
    """Arguments less those --set of keys that are not built."""
    kept = []
    for i, arg in enumerate(args):
        is_value = i > 0 and args[i - 1] == "--set" and arg.split("=")[0] in keys
        if not is_value:
            kept.append(arg)
        else:
            kept.pop()
    return kept


# What nobody asks for unless it is configured; a replay takes whatever was recorded.
OFF_BY_DEFAULT = ["--set", "poll.ledger_list_interval=1h"]


def command_of(way, programs, recording, args):
    if way == "replay":
        return [programs.tidemark, "replay", str(recording), "--format", "json", *args]
    if way == "unaudited":
        return [programs.asked_case, "directly", str(recording), "--no-audits", *OFF_BY_DEFAULT, *args]
    return [programs.asked_case, way, str(recording), *OFF_BY_DEFAULT, *args]


def verdicts_of(command):
    """The decoded output, or the lines that say why there is none."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 1):
        return None, [f"{command[1]} ended with {done.returncode}: {done.stderr.strip()[-300:]}"]
    return json.loads(done.stdout), []


def name_of(row):
    return row.get("topic"), row.get("cursor")


def excused(output, lists, way):
    """The lists less what may be missing in this way, and how much that is."""
    count = 0
    placeless = {name_of(c) for c in output["cursors"] if c.get("state") == "ok" and all(c.get(field) is None for field in PLACE)}
    free = (PLACE | FREED if way == "unaudited" else PLACE) if way != "replay" else set()
    cursors = []
    for want in lists["cursors"]:
        dropped = set(want) & ((free if name_of(want) in placeless else set()) | ({"age_seconds"} if way == "unaudited" else set()))
        count += bool(dropped)
        cursors.append({field: value for field, value in want.items() if field not in dropped})
    lists = {**lists, "cursors": cursors}
    if way == "over-http":
        lists["findings"] = [row for row in lists["findings"]
                             if not (row.get("rule") == "held_without_cursor" and GAUGES & set(row.get("mentions", [])))]
    if way == "unaudited":
        rewound = {name_of(row) for row in cursors if row.get("state") == "rewound"}
        lists["cursors"] = [row for row in cursors if name_of(row) not in rewound]
        lists["findings"] = [row for row in lists["findings"] if row.get("rule") != "rewound"]
        lists["absent_findings"] = [row for row in lists["absent_findings"] if name_of(row) not in rewound]
        count += len(rewound)
    return lists, count


def mismatches(output, expect, lists, way):
    """Lines that say how output misses what is expected, and how much was excused."""
    lines = check_case.check_shape(output)
    if lines:
        return lines, 0
    cursors, findings = output["cursors"], output["findings"]
    before = len(lists["findings"])
    lists, count = excused(output, lists, way)
    count += before - len(lists["findings"])
    if "at_ms" in expect:
        lines += check_case.differs(output.get("at_ms"), expect["at_ms"], "at_ms")
    lines += check_case.check_always(cursors, findings)
    lines += check_case.check_cursors(cursors, lists["cursors"])
    lines += check_case.check_findings(findings, lists["findings"])
    return lines + check_case.check_absent(cursors, findings, lists["absent_findings"], lists["absent_cursors"]), count


def run_case(programs, way, case, pending):
    """Mismatch lines, and how much was excused."""
    _, expect_path, recording, args = case
    output, lines = verdicts_of(command_of(way, programs, recording, usable(args, pending["keys"])))
    if lines:
        return lines, 0
    expect = json.loads(expect_path.read_text(encoding="utf-8"))
    reduced = without_pending(expect, pending["rules"])
    return mismatches(output, expect, {key: reduced.get(key, []) for key in check_case.LISTS}, way)


def is_in_part(case, pending):
    _, expect_path, _, args = case
    expect = json.loads(expect_path.read_text(encoding="utf-8"))
    return without_pending(expect, pending["rules"]) != expect or usable(args, pending["keys"]) != args


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tidemark")
    parser.add_argument("asked_case")
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    pending = json.loads((HERE / "pending.json").read_text(encoding="utf-8"))
    vocabulary = VOCABULARY.read_text(encoding="utf-8")
    stale = [word for word in pending["rules"] if f'"{word}"' in vocabulary]
    for word in stale:
        print(f"FAIL  pending.json lists {word}, which is built")
    ways = options.way or WAYS
    passed, failed, excuses = dict.fromkeys(ways, 0), dict.fromkeys(ways, 0), dict.fromkeys(ways, 0)
    for case in cases():
        if options.names and not any(name in case[0] for name in options.names):
            continue
        results = {way: run_case(options, way, case, pending) for way in ways}
        words = [f"{way} {'FAIL' if lines else 'ok'}" for way, (lines, _) in results.items()]
        print(f"{case[0]}: {', '.join(words)}{'  (in part: it expects words that are pending)' if is_in_part(case, pending) else ''}")
        for way, (lines, excused_here) in results.items():
            for line in lines[:20]:
                print(f"      {way}: {line}")
            passed[way], failed[way] = passed[way] + (not lines), failed[way] + bool(lines)
            excuses[way] += excused_here
    for way in ways:
        print(f"{way}: {passed[way]} passed, {failed[way]} failed, {excuses[way]} expectations excused")
    return 1 if stale or sum(failed.values()) or not all(passed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
