#!/usr/bin/env python3
"""Makes promtool unit tests whose series are what the program really exports.

    rules_from_metrics.py METRICS TEMPLATE > TESTS

METRICS is a captured /metrics text, TEMPLATE a promtool test file in which a series is a selector over it:

    - series: tidemark_subscriptions{state="abandoned"}
      values: 'Vx20'

Each captured series that matches becomes one input series, with the labels that a scrape adds; V is its captured value. A
selector that matches nothing ends the run with an error, so a renamed metric or label breaks the test as it would break the alert.
Of what the demo has no example a captured series is made one, by labels that are given other values:

    - series: tidemark_findings{rule:="ttl_overdue"}
"""
import re
import sys

SERIES = re.compile(r"^(?P<indent>\s*)- series:\s*(?P<selector>.*?)\s*$")
VALUES = re.compile(r"^\s*values:\s*'?(?P<values>.*?)'?\s*$")
SAMPLE = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\d+)?$")
LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')
GIVEN = re.compile(r'([a-zA-Z_]\w*):="((?:[^"\\]|\\.)*)"')
SCRAPE = {"job": "tidemark", "instance": "localhost:10920"}
NOT_SCRAPED = ("up",)  # Prometheus writes this one itself: taken as it stands


def parse_series(text):
    found = re.fullmatch(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})?", text)
    if not found:
        raise SystemExit(f"not a series: {text}")
    return found.group(1), dict(LABEL.findall(found.group(2) or "")), dict(GIVEN.findall(found.group(2) or ""))


def read_metrics(text):
    samples = []
    for line in text.splitlines():
        found = SAMPLE.match(line)
        if found and not line.startswith("#"):
            samples.append((found.group(1), dict(LABEL.findall(found.group(2) or "")), found.group(3)))
    return samples


def written(name, labels):
    return name + "{" + ",".join(f'{key}="{value}"' for key, value in labels.items()) + "}"


def expand(indent, selector, values, samples):
    name, wanted, given = parse_series(selector)
    if name in NOT_SCRAPED:
        return [f"{indent}- series: '{selector}'", f"{indent}  values: '{values}'"]
    lines = []
    for found, labels, value in samples:
        if found == name and wanted.items() <= labels.items() and given.keys() <= {**labels, **SCRAPE}.keys():
            lines.append(f"{indent}- series: '{written(name, {**labels, **SCRAPE, **given})}'")
            lines.append(f"{indent}  values: '{re.sub(r'V', plain(value), values)}'")
            if given:
                break
    if not lines:
        raise SystemExit(f"no captured series matches {selector}")
    return lines


def plain(value):
    number = float(value)
    return str(int(number)) if number.is_integer() else repr(number)


def main(metrics, template):
    with open(metrics, encoding="utf-8") as file:
        samples = read_metrics(file.read())
    with open(template, encoding="utf-8") as file:
        lines = iter(file.read().splitlines())
    for line in lines:
        series = SERIES.match(line)
        if series:
            values = VALUES.match(next(lines))
            line = "\n".join(expand(series["indent"], series["selector"].strip("'"), values["values"], samples))
        print(line)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])
