#!/usr/bin/env bash
# Prints the /metrics of a demo as soon as every series that the tests of the rules build on is there: demo_metrics.sh BINARY
# Series per cursor but one, histograms and those of the process are left out: no rule uses them. To take a new sample:
#   tests/deploy/demo_metrics.sh build/dev/daemon/tidemark >tests/data/demo/metrics.txt
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")

binary=${1:?usage: demo_metrics.sh BINARY}
out=$(mktemp)
"$binary" demo --for 280s --days-per-second 1 --set listen=127.0.0.1:0 >"$out" 2>&1 &
demo=$!
trap 'kill "$demo" 2>/dev/null || true; rm -f "$out" "$out".*' EXIT

read_only() { # what an operator sends to a bookie: an example of a finding about one
  local bookie
  bookie=$(sed -nE '/^tidemark_bookie_state\{/s/.*bookie="([^"]*)".*/\1/p' "$out.metrics" | head -n 1)
  [[ -z $bookie ]] || curl -sf -X PUT -d '{"readOnly":true}' "http://$bookie/api/v1/bookie/state/readonly"
}

for _ in {1..500}; do
  url=$(sed -nE 's,.*findings at (http://[^ ]*/).*,\1,p' "$out")
  if [[ -n $url ]] && curl -sf "${url}metrics" >"$out.all" && grep -vE '^(# (HELP|TYPE) )?(tidemark_cursor_[^s]|tidemark_[a-z_]*_duration_|process_)' "$out.all" >"$out.metrics" &&
    read_only && python3 "$here/rules_from_metrics.py" "$out.metrics" "$here/rules_test.yml" >"$out.tests" 2>"$out.missing"; then
    cat "$out.metrics"
    exit 0
  fi
  kill -0 "$demo" 2>/dev/null || break
  sleep 0.5
done
echo "demo_metrics.sh: $(cat "$out.missing"); the demo said:" >&2
tail -n 20 "$out" >&2
exit 1
