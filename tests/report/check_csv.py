"""What Python's csv module reads out of the sample cluster's CSV, held against the JSON of the same verdicts:
check_csv.py PRINT_SAMPLES"""
import csv
import io
import json
import subprocess
import sys


def printed(what):
    return subprocess.run([sys.argv[1], what], capture_output=True, check=True).stdout.decode("utf-8")


def exact(field):
    """A name without the ' that keeps spreadsheets from running it."""
    return field[1:] if field.startswith("'") else field


def text(value):
    return "" if value is None else "true" if value is True else "false" if value is False else str(value)


def position(one, name):
    return one[name].split(":") if one[name] else ["", ""]


def main():
    cursors = json.loads(printed("findings"))["cursors"]
    raw = printed("csv")
    rows = list(csv.DictReader(io.StringIO(raw, newline=""), strict=True))
    assert len(rows) == len(cursors), (len(rows), len(cursors))
    assert raw.endswith("\r\n") and raw.isprintable() is False
    for row, cursor in zip(rows, cursors):
        assert None not in row and None not in row.values(), row
        for name in ("topic", "cursor", "group", "owner"):
            assert exact(row[name]) == text(cursor[name]), (name, row[name], cursor[name])
        for name in ("kind", "state", "last_state", "state_since_ms", "severity", "drain", "origin", "since_ms", "created_ms", "evidence",
                     "consumers", "backlog_entries", "pinned_entries", "pinned_bytes", "reclaimable_bytes", "topic_reclaimable_bytes", "stale"):
            assert row[name] == text(cursor[name]), (name, row[name], cursor[name])
        for name in ("low", "high"):
            assert float(row[f"age_{name}_seconds"] or -1) == (-1 if cursor["age_seconds"][name] is None else cursor["age_seconds"][name]), row
        for name in ("mark_delete", "last_confirmed"):
            assert [row[f"{name}_ledger_id"], row[f"{name}_entry_id"]] == position(cursor, name), row
        assert row["reclaimable_shared_with_count"] == str(len(cursor["reclaimable_shared_with"])), row
    assert any("\n" in row["cursor"] and '"' in row["cursor"] for row in rows), "the sample has no hostile name"


if __name__ == "__main__":
    main()
