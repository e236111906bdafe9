#!/usr/bin/env bash
# Holds the built program against real Pulsar: jars, client library, then one broker after the other (two at once would only fight for the cores).
# Without versions: what CI runs, 4.0.7 in full and as a cluster, 2.10.5 and the newest as smoke; --all: six lines in full. Other options: --tidemark BIN;
# --truth FILE: writes what was predicted and freed, docs/truth.md. Names of versions alone run in full; VERSION:smoke is short.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binary=${TIDEMARK_BIN:-$here/../../build/dev/daemon/tidemark}
usual=(4.0.7 2.10.5:smoke 4.2.4:smoke 5.0.1:smoke) # the last one skips itself, and says so, without a Java of 21 or newer
truth=() bring_java=0
while [[ ${1:-} == --* ]]; do
  case $1 in
    --tidemark) binary=${2:?--tidemark needs a path}; shift 2 ;;
    --truth) truth=(--truth "${2:?--truth needs a path}"); shift 2 ;;
    --all) usual=(4.0.7 2.8.2 2.10.5 3.0.7 4.2.4 5.0.1) bring_java=1; shift ;;
    *) echo "usage: run.sh [--tidemark BIN] [--truth FILE] [--all] [VERSION[:smoke]...]" >&2; exit 2 ;;
  esac
done
versions=("$@")
cluster=()
((bring_java)) && cluster=(--all)
(($#)) && bring_java=1 || versions=("${usual[@]}")
[[ -x $binary ]] || { echo "run.sh: no program at $binary: build it first, or name it with --tidemark" >&2; exit 2; }

python=$("$here/venv.sh")
export PYTHONDONTWRITEBYTECODE=1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
passed=0 failed=0 skipped=0 times=()

count() { # adds the closing line of what just ran; without one it died on the way
  if [[ $(tail -n 1 "$out") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
  else
    failed=$((failed + 1))
  fi
}

"$python" "$here/test_recorded.py" --tidemark "$binary" 2>&1 | tee "$out" || true
count
for entry in "${versions[@]}"; do
  version=${entry%%:*}
  extent=()
  ((bring_java)) && extent=(--expirations) # named versions and --all
  [[ $entry == *:smoke ]] && extent=(--smoke)
  began=$SECONDS
  java=${TIDEMARK_JAVA:-}
  if ((bring_java)) && ! "$python" "$here/broker.py" "$version" >/dev/null; then
    java=$("$here/java.sh") || true
  fi
  if ! TIDEMARK_JAVA=$java "$python" "$here/broker.py" "$version" | tee "$out"; then
    : # no Java for it: 160 MB of jars would be of no use
  elif lib=$("$here/jars.sh" "$version"); then
    TIDEMARK_JAVA=$java "$python" "$here/test_live.py" --version "$version" --tidemark "$binary" --jars "$lib" "${extent[@]}" "${truth[@]}" 2>&1 | tee "$out" || true
    if [[ $entry == 4.0.7 ]]; then # one line is enough: bookies of the others are read as recorded
      count
      "$python" "$here/test_cluster.py" --version "$version" --tidemark "$binary" --jars "$lib" "${cluster[@]}" 2>&1 | tee "$out" || true
    fi
  else
    echo "FAIL $version no jars" | tee "$out"
  fi
  count
  times+=("$entry $((SECONDS - began)) s")
done

printf 'pulsar: %s\n' "${times[@]}"
((skipped)) && echo "pulsar: $skipped skipped"
echo "$passed passed, $failed failed"
((failed == 0 && passed + skipped > 0))
