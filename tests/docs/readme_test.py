#!/usr/bin/env python3
"""Holds README.md against the sources: every metric, state, rule, command and alert is listed, no other metric is, what has no alert is said to have
none, and every link leads somewhere.

    tests/docs/readme_test.py [ROOT]      checks ROOT (default: this checkout)
    tests/docs/readme_test.py --self-test plants each kind of fault in small texts and expects it to be found
"""
import pathlib
import re
import sys
import tempfile

METRIC = re.compile(r'"((?:tidemark|process)_[a-z0-9_]+)"')
WORD = re.compile(r'\{(?:State|Rule)::k\w+,\s*"([a-z_]+)"')
FINDING = re.compile(r'\{(?:Rule::k\w+,\s*"([a-z_]+)"|State::k\w+,\s*"([a-z_]+)",\s*Severity::k\w+,\s*true)')
ALERTED = re.compile(r'(?:rule|state)="([a-z_]+)"')
UNALERTED = re.compile(r"^Without an alert is .*?\n\n", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r'add_subcommand\(\s*"([a-z]+)"')
ALERT = re.compile(r"- alert: (\w+)")
LISTED = re.compile(r"`([^`\s]+)`")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
# In the first column of a table, where a metric is what the row is about.
METRIC_ROW = re.compile(r"^\|((?: `[a-z0-9_]+`,?)+) \|", re.MULTILINE)


def found(pattern, root, *globs):
    names = set()
    for glob in globs:
        for path in sorted(root.glob(glob)):
            names.update(pattern.findall(path.read_text(encoding="utf-8")))
    return names


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(text):
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def check_links(root):
    for path in [*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md"))]:
        for link in LINK.findall(without_code(path.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            there = (path.parent / target) if target else path
            if not there.exists():
                yield f"{path.relative_to(root)}: the link to {link} leads nowhere"
            elif anchor and anchor not in anchors(there.read_text(encoding="utf-8")):
                yield f"{path.relative_to(root)}: {link} has no such heading"


def check_alerts(root, readme):
    """Whatever is found has an alert, or the README says why not."""
    words = {one or other for one, other in found(FINDING, root, "lib/model/vocabulary.h")}
    alerted = words & found(ALERTED, root, "deploy/prometheus/*.rules.yml")
    paragraph = UNALERTED.search(readme)
    excused = words & set(LISTED.findall(paragraph[0])) if paragraph else set()
    for name in sorted(words - alerted - excused):
        yield f"README.md: `{name}` has no alert, and nothing says why"


def check(root):
    readme = (root / "README.md").read_text(encoding="utf-8")
    listed = set(LISTED.findall(readme))
    metrics = found(METRIC, root, "lib/report/*.cc")
    wanted = {
        "metric": metrics,
        "state or rule": found(WORD, root, "lib/model/vocabulary.h"),
        "alert": found(ALERT, root, "deploy/prometheus/*.rules.yml"),
    }
    for kind, names in wanted.items():
        if not names:
            yield f"no {kind} found in the sources: this test looks in the wrong place"
        for name in sorted(names - listed):
            yield f"README.md: the {kind} `{name}` is missing"
    for command in sorted(found(COMMAND, root, "daemon/commands/*.cc")):
        if not re.search(rf"\btidemark {command}\b|`{command}`|\btidemark/{command}\b", readme):
            yield f"README.md: the command `{command}` is missing"
    rows = {name for row in METRIC_ROW.findall(readme) for name in LISTED.findall(row) if re.match(r"(tidemark|process)_", name)}
    for name in sorted(rows - metrics):
        yield f"README.md: the metric `{name}` is not in the sources"
    yield from check_alerts(root, readme)
    yield from check_links(root)


def self_test():
    good = {
        "README.md": "| `tidemark_a` | x |\n`ok` `some_rule` `Alert` `run` [a](docs/a.md#a-heading) `[no](link)`\n\nWithout an alert is `quiet`.\n\n",
        "docs/a.md": "# A heading\n[back](../README.md) [out](https://x.example/)\n",
        "lib/report/x.cc": '{"tidemark_a", "Help."}',
        "lib/model/vocabulary.h": '{State::kOk, "ok", Severity::kInfo, false}, {State::kQuiet, "quiet", Severity::kInfo, true}, {Rule::kSome, "some_rule", x}',
        "deploy/prometheus/t.rules.yml": '      - alert: Alert\n        expr: tidemark_findings{rule="some_rule"}\n',
        "daemon/commands/run.cc": 'app.add_subcommand("run", "x")',
    }
    faults = {  # what is planted -> what must be said
        ("lib/report/y.cc", '{"tidemark_b", "Help."}'): "the metric `tidemark_b` is missing",
        ("README.md", good["README.md"] + "| `tidemark_c` | x |\n"): "the metric `tidemark_c` is not in the sources",
        ("lib/model/vocabulary.h", good["lib/model/vocabulary.h"] + '{State::kNew,\n "new", x}'): "the state or rule `new` is missing",
        ("deploy/prometheus/t.rules.yml", "      - alert: Alert\n"): "`some_rule` has no alert",
        ("README.md", good["README.md"].replace("Without an alert is `quiet`", "`quiet`")): "`quiet` has no alert",
        ("deploy/prometheus/u.rules.yml", "- alert: Other\n"): "the alert `Other` is missing",
        ("daemon/commands/go.cc", 'app.add_subcommand(\n"go", "x")'): "the command `go` is missing",
        ("docs/b.md", "[x](gone.md)"): "the link to gone.md leads nowhere",
        ("docs/c.md", "[x](a.md#other)"): "a.md#other has no such heading",
    }
    failed = 0
    for planted, expected in [(None, None), *faults.items()]:
        files = dict(good)
        if planted:
            files[planted[0]] = planted[1]
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            said = list(check(root))
        right = said == [] if expected is None else len(said) == 1 and expected in said[0]
        if not right:
            failed += 1
            print(f"self-test: expected {expected!r}, got {said}")
    print(f"{len(faults) + 1 - failed} passed, {failed} failed")
    return failed


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    faults = list(check(root))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
