#!/usr/bin/env bash
# Holds the alert rules against promtool: their syntax, and their unit tests (rules_test.yml) on the series of a demo, taken from
# the program itself when it is given: rules_test.sh [BINARY], else from the sample in tests/data/demo. Then: that rules and
# runbooks name only metrics that exist, and rules only headings that exist. Exit 77 where promtool is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

rules=deploy/prometheus/tidemark.rules.yml
command -v promtool >/dev/null || {
  echo "skipped: promtool is not installed (deploy/install.sh test)"
  exit 77
}
promtool check rules --lint=all --lint-fatal "$rules"
(cd deploy/prometheus && promtool check config prometheus.example.yml)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
metrics=tests/data/demo/metrics.txt
if (($#)); then
  metrics=$work/metrics.txt
  tests/deploy/demo_metrics.sh "$1" >"$metrics"
fi
cp "$rules" "$work/"
python3 tests/deploy/rules_from_metrics.py "$metrics" tests/deploy/rules_test.yml >"$work/rules_test.yml"
promtool test rules "$work/rules_test.yml"

grep -oE 'runbook_url: \S+' "$rules" | cut -d' ' -f2 | while IFS='#' read -r page anchor; do
  sed -nE 's/^#+ +//p' "$page" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qx "$anchor" || {
    echo "$rules points to $page#$anchor, which is not there"
    exit 1
  }
done

grep -ohE '\btidemark_[a-z_]+' "$rules" docs/runbooks/*.md | sort -u | while read -r name; do
  # Not everything happens in a demo; the README has what is in the sources (tests/docs).
  grep -qE "^${name}[{ ]" "$metrics" || grep -qF "\`$name\`" README.md || {
    echo "no series is called $name"
    exit 1
  }
done
