"""docs/truth.md: what we said and what brokers freed, side by side."""
import re

HEAD = """# Predicted and freed

What Tidemark said that removing subscriptions would free, and what real brokers then freed. Made by `tests/pulsar/run.sh --all --truth docs/truth.md`; a run of some
versions replaces the lines of those. *Predicted* is `reclaimable_bytes` of one subscription, or the topic's `topic_reclaimable_bytes`, 0 for one that shares its
figure with others tied with it. *Freed* is what the topic's `totalSize` fell by, once the broker had trimmed: logical bytes, one copy.
*Watched*: said by a daemon that saw the topic before.

| version | scenario | predicted | freed | difference |
|---|---|---:|---:|---:|
"""


def number(version):
    return tuple(int(part) for part in re.findall(r"\d+", version))


def line(version, row):
    if row.predicted is None:
        return f"| {version} | {row.scenario} | untold | {row.freed} | |\n"
    off = row.freed - row.predicted
    share = f" ({100 * off / row.freed:+.2f} %)" if off and row.freed else ""
    return f"| {version} | {row.scenario} | {row.predicted} | {row.freed} | {off:+d}{share} |\n" if off else f"| {version} | {row.scenario} | {row.predicted} | {row.freed} | 0 |\n"


def write(path, version, rows):
    """Replaces the lines of this version in the file."""
    kept = {}
    if path.exists():
        for old in path.read_text().removeprefix(HEAD).splitlines(keepends=True):
            if found := re.match(r"\| (\d[\d.]*) \|", old):
                kept.setdefault(found[1], []).append(old)
    kept[version] = [line(version, row) for row in rows]
    path.write_text(HEAD + "".join(one for key in sorted(kept, key=number) for one in kept[key]))
