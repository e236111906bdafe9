#!/usr/bin/env python3
"""Replays recorded cases through the program and holds its JSON against what each case expects.

    run_cases.py TIDEMARK_BINARY [name...]

Cases are NAME.ndjson with NAME.expect.json, and real/NAME.expect.json, which names a recording of a real broker and the
arguments of the replay. pending.json lists the words that are not built yet: what a case expects of them is left out, and a word
that is listed though the vocabulary has it is an error, so the list can only shrink.
"""
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import check_case  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
VOCABULARY = HERE.parent.parent / "lib" / "model" / "vocabulary.h"


def cases():
    for expect in sorted(HERE.glob("*.expect.json")):
        yield expect.name.removesuffix(".expect.json"), expect, expect.with_name(expect.name.replace(".expect.json", ".ndjson")), []
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


def run(binary, name, expect_path, recording, args, pending):
    command = [binary, "replay", str(recording), "--format", "json", *usable(args, pending["keys"])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 1):
        return [f"replay ended with {done.returncode}: {done.stderr.strip()[-300:]}"]
    expect = json.loads(expect_path.read_text(encoding="utf-8"))
    reduced = without_pending(expect, pending["rules"])
    lists = {key: reduced.get(key, []) for key in check_case.LISTS}
    output = json.loads(done.stdout)
    lines = check_case.check_shape(output)
    if lines:
        return lines
    cursors, findings = output["cursors"], output["findings"]
    if "at_ms" in expect:
        lines += check_case.differs(output.get("at_ms"), expect["at_ms"], "at_ms")
    lines += check_case.check_always(cursors, findings)
    lines += check_case.check_cursors(cursors, lists["cursors"])
    lines += check_case.check_findings(findings, lists["findings"])
    return lines + check_case.check_absent(cursors, findings, lists["absent_findings"], lists["absent_cursors"])


def main(arguments):
    binary, chosen = arguments[0], arguments[1:]
    pending = json.loads((HERE / "pending.json").read_text(encoding="utf-8"))
    vocabulary = VOCABULARY.read_text(encoding="utf-8")
    passed, failed = 0, 0
    for word in pending["rules"]:
        if f'"{word}"' in vocabulary:
            print(f"FAIL  pending.json lists {word}, which is built")
            failed += 1
    for name, expect, recording, args in cases():
        if chosen and not any(c in name for c in chosen):
            continue
        lines = run(binary, name, expect, recording, args, pending)
        expected = json.loads(expect.read_text(encoding="utf-8"))
        partly = without_pending(expected, pending["rules"]) != expected or usable(args, pending["keys"]) != args
        print(f"{'FAIL' if lines else 'ok'}  {name}{'  (in part: it expects words that are pending)' if partly and not lines else ''}")
        for line in lines[:20]:
            print(f"      {line}")
        passed, failed = passed + (not lines), failed + bool(lines)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
