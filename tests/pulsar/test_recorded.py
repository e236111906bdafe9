"""Replays what real brokers answered to our own `record` and holds the verdicts against what was true then. Needs no Java, no network, no client library.

    test_recorded.py --tidemark BIN [FOLDER...]     default: every tests/data/pulsar-VERSION/ with a situation
"""
import argparse
import json
import pathlib
import sys
import tempfile

import program
from checks import Checks

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def check_folder(checks, binary, folder):
    truth = json.loads((folder / "situation.truth.json").read_text())
    ran = program.run(binary, "replay", str(folder / "situation.ndjson"), "--format", "json", "--set", f"detect.abandoned_after={truth['abandoned_after']}")
    report = program.Report(ran.json())
    for expected in truth["cursors"]:
        got = report.cursors.get((expected["topic"], expected["cursor"]), {})
        fields = [field for field in ("state", "mark_delete", "pinned_entries", "pinned_bytes") if expected[field] is not None]
        checks.equal({field: got.get(field) for field in fields}, {field: expected[field] for field in fields},
                     f"{expected['topic'].rsplit('/', 1)[1]} {expected['cursor']} is {expected['state']}")
    for live in truth["live"]:
        cursor = report.cursors.get((live["topic"], live["cursor"]), {})
        checks.that(cursor.get("state") in ("ok", "lagging"), f"{live['cursor']} is alive", cursor)
    readers = [one for one in report.document["cursors"] if one["cursor"].startswith("reader-") and one["kind"] != "reader"]
    checks.that(not readers, "a reader is a reader", readers)
    checks.that(not any((one["cursor"] or "").startswith("reader-") for one in report.findings), "no finding names a reader")


def check_half_written(checks, binary, folder):
    """2.8 fill the ledger list of internalStats in another thread and sometimes answer before it is done: 200, numberOfEntries 70, `ledgers` empty. Seen once
    in some hundred first questions after a start, so it is made here out of a recording. Nothing may be concluded from such a document."""
    header, *lines = (folder / "situation.ndjson").read_text().splitlines()
    changed, topics = [header], set()
    for line in lines:
        exchange = json.loads(line)
        if exchange["path"].endswith("/internalStats") and exchange["body"]["numberOfEntries"] > 0:
            exchange["body"]["ledgers"] = []
            topics.add(exchange["path"].rsplit("/", 2)[1])
        changed.append(json.dumps(exchange))
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        file.write("\n".join(changed) + "\n")
        file.flush()
        report = program.Report(program.run(binary, "replay", file.name, "--format", "json", "--set", "detect.abandoned_after=5s").json())
    wrong = [(topic.rsplit("/", 1)[1], name, one["state"], one["pinned_entries"]) for (topic, name), one in report.cursors.items()
             if topic.rsplit("/", 1)[1] in topics and name in ("left-behind", "holed", "never-connected") and (one["pinned_entries"] == 0 or one["state"] in ("unused", "ok"))]
    checks.that(topics and not wrong, "a document whose ledgers are not there yet gives no verdict", wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tidemark", required=True)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    folders = options.folders or sorted(path.parent for path in DATA.glob("pulsar-*/situation.truth.json"))
    passed = failed = 0
    for folder in folders:
        checks = Checks(f"recorded {folder.name}:")
        with checks.section("replay"):
            binary = str(pathlib.Path(options.tidemark).resolve())
            check_folder(checks, binary, folder)
            if folder == folders[-1]:
                check_half_written(checks, binary, folder)
        passed, failed = passed + checks.passed, failed + checks.failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
