"""Replays what real brokers answered to our own `record` and holds the verdicts against what was true then. Needs no Java, no network, no client library.

    test_recorded.py --tidemark BIN [FOLDER...]     default: every tests/data/pulsar-VERSION/ with a situation
"""
import argparse
import json
import pathlib
import sys

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
            check_folder(checks, str(pathlib.Path(options.tidemark).resolve()), folder)
        passed, failed = passed + checks.passed, failed + checks.failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
