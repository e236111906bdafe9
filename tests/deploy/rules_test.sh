#!/usr/bin/env bash
# Holds the alert rules against promtool: their syntax, their unit tests on the demo's own series (rules_test.yml), and that
# every runbook they point to has the heading they name. Exit 77 where promtool is missing.
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
cp "$rules" "$work/"
python3 tests/deploy/rules_from_metrics.py tests/data/demo/metrics.txt tests/deploy/rules_test.yml >"$work/rules_test.yml"
promtool test rules "$work/rules_test.yml"

grep -oE 'runbook_url: \S+' "$rules" | cut -d' ' -f2 | while IFS='#' read -r page anchor; do
  sed -nE 's/^#+ +//p' "$page" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n-' | grep -qx "$anchor" || {
    echo "$rules points to $page#$anchor, which is not there"
    exit 1
  }
done
