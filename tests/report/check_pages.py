#!/usr/bin/env python3
"""Field types of the shared JSON and what the landing page is made of: check_pages.py PRINT_SAMPLES

The JSON is a contract with programs that others wrote; this reads it the way they do, with no code of ours.
"""
import html.parser
import json
import subprocess
import sys

WHOLE, NUMBER, TEXT, FLAG, NULL = "whole", "number", "text", "flag", "null"
STATES = {"unknown", "rewound", "delayed", "abandoned", "idle", "unused", "unacked_blocked", "ack_hole",
          "stalled", "lagging", "ok"}
KINDS = {"subscription", "replicator", "dedup", "compaction", "system", "reader"}
LEVELS = {"cursor", "subscription", "topic", "namespace", "tenant", "bookie", "broker", "cluster"}
SEVERITIES = {"info", "warning", "critical"}
ORIGINS = {"per_instance", "batch_job", "test_or_dev", "function_or_sink", "reader_like", "named"}

FACTS = {"*": (TEXT, WHOLE, NUMBER, FLAG, NULL)}
COUNTS = {"listed": (WHOLE,), "evaluated": (WHOLE,), "unknown": (WHOLE,)}
HOLE = {"first": (TEXT,), "last": (TEXT,), "entries": (WHOLE,), "holes": (WHOLE,), "acked_entries_behind": (WHOLE,),
        "holder": (TEXT, NULL)}
EXCEPTION = {"reason": (TEXT,), "until_ms": (WHOLE, NULL)}
CURSOR = {
    "topic": (TEXT,), "cursor": (TEXT,), "kind": (KINDS,), "state": (STATES,), "last_state": (STATES, NULL),
    "state_since_ms": (WHOLE, NULL), "severity": (SEVERITIES,), "drain": ({"none", "ttl", "eviction"},),
    "origin": (ORIGINS,), "group": (TEXT,), "owner": (TEXT, NULL), "exception": (EXCEPTION, NULL), "since_ms": (WHOLE, NULL),
    "created_ms": (WHOLE, NULL), "age_seconds": ({"low": (WHOLE, NUMBER, NULL), "high": (WHOLE, NUMBER, NULL)},),
    "evidence": ({"observed", "bounded"},), "mark_delete": (TEXT, NULL), "last_confirmed": (TEXT, NULL),
    "consumers": (WHOLE, NULL), "backlog_entries": (WHOLE, NULL), "pinned_entries": (WHOLE, NULL),
    "pinned_bytes": (WHOLE, NULL), "reclaimable_bytes": (WHOLE, NULL), "topic_reclaimable_bytes": (WHOLE, NULL),
    "reclaimable_shared_with": ([TEXT],), "hole": (HOLE, NULL), "stale": (FLAG,), "evidence_facts": (FACTS,)}
FINDING = {"rule": (TEXT,), "level": (LEVELS,), "severity": (SEVERITIES,), "topic": (TEXT, NULL),
           "cursor": (TEXT, NULL), "namespace": (TEXT, NULL), "subject": (TEXT,), "since_ms": (WHOLE, NULL),
           "summary": (TEXT,), "evidence": (FACTS,)}
UNATTRIBUTED = {"count": (WHOLE,), "bytes": (WHOLE,), "oldest_ms": (WHOLE, NULL)}
COVERAGE = {**COUNTS, "by_namespace": ({"*": (COUNTS,)},), "unattributed_ledgers": (UNATTRIBUTED, NULL)}
REMOVED = {"topic": (TEXT,), "cursor": (TEXT,), "state": (STATES,), "removed_ms": (WHOLE,), "since_ms": (WHOLE, NULL),
           "pinned_bytes": (WHOLE, NULL), "reclaimable_bytes": (WHOLE, NULL), "topic_reclaimable_bytes": (WHOLE, NULL),
           "removed_reclaimable_bytes": (WHOLE, NULL), "freed_bytes": (WHOLE, NULL), "freed_open_bytes": (WHOLE, NULL)}
FINDINGS = {"at_ms": (WHOLE,), "cursors": ([CURSOR],), "findings": ([FINDING],), "removed": ([REMOVED],), "coverage": (COVERAGE,)}
CURSORS = {"at_ms": (WHOLE,), "cursors": ([CURSOR],), "total": (WHOLE,), "offset": (WHOLE,), "limit": (WHOLE,),
           "coverage": (COVERAGE,)}


def plain_type(value):
    if value is None:
        return NULL
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, int):
        return WHOLE
    return NUMBER if isinstance(value, float) else TEXT


def misfits(value, allowed, where):
    """Lines that say why value is none of what is allowed."""
    for one in allowed:
        if isinstance(one, str) and not isinstance(value, (dict, list)) and plain_type(value) == one:
            return []
        if isinstance(one, set) and isinstance(value, str) and value in one:
            return []
        if isinstance(one, list) and isinstance(value, list):
            return [line for i, item in enumerate(value) for line in misfits(item, (one[0],), f"{where}[{i}]")]
        if isinstance(one, dict) and isinstance(value, dict):
            return object_misfits(value, one, where)
    return [f"{where}: {json.dumps(value)[:80]} is not allowed here"]


def object_misfits(value, shape, where):
    if "*" in shape:
        return [line for key, item in value.items() for line in misfits(item, shape["*"], f"{where}.{key}")]
    lines = [f"{where}: {key} is missing" for key in shape if key not in value]
    lines += [f"{where}: {key} is not in the schema" for key in value if key not in shape]
    return lines + [line for key in shape if key in value for line in misfits(value[key], shape[key], f"{where}.{key}")]


class Page(html.parser.HTMLParser):
    """Collects what a browser would act on."""
    TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "a", "br", "span", "table", "tr",
            "th", "td"}
    VOID = {"meta", "br"}
    ATTRIBUTES = {"lang", "charset", "name", "content", "class", "href"}

    def __init__(self):
        super().__init__()
        self.lines, self.open, self.links = [], [], set()

    def handle_starttag(self, tag, attrs):
        if tag not in self.TAGS:
            self.lines.append(f"page: <{tag}>")
        for name, value in attrs:
            if name not in self.ATTRIBUTES:
                self.lines.append(f"page: <{tag} {name}=...>")
            if name == "href":
                self.links.add(value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.lines.append(f"page: </{tag}> closes nothing")


def check_page(text):
    page = Page()
    page.feed(text)
    page.close()
    wanted = {"/metrics", "/api/v1/findings", "/api/v1/cursors", "/-/healthy", "/-/ready"}
    if page.links != wanted:
        page.lines.append(f"page: links are {sorted(page.links)}")
    return page.lines + [f"page: <{tag}> stays open" for tag in page.open]


def main(program):
    def printed(what):
        return subprocess.run([program, what], check=True, stdout=subprocess.PIPE).stdout.decode("utf-8")

    lines = []
    for what, shape in (("findings", FINDINGS), ("empty", FINDINGS), ("cursors", CURSORS)):
        lines += misfits(json.loads(printed(what)), (shape,), what)
    lines += check_page(printed("page"))
    print("\n".join(lines) if lines else "ok")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
