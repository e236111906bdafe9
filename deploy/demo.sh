#!/usr/bin/env bash
# From a fresh clone on Debian 12 or 13 to a finding on the screen: installs what is needed, builds the daemon, and runs it
# beside a simulated cluster with some of the leaks that operators report.
#   deploy/demo.sh [--for 60s]     without --for until Ctrl-C; whatever is given is handed to `tidemark demo`
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=build/demo
log=$build.log
step() { printf '== %s\n' "$*"; }
quietly() { "$@" >>"$log" 2>&1 || {
  tail -n 40 "$log" >&2
  printf 'demo.sh: failed: %s (all of it: %s)\n' "$*" "$log" >&2
  exit 1
}; }
mkdir -p build
: >"$log"

step "1/3 packages"
deploy/install.sh build

step "2/3 building into $build (the first time takes minutes; progress: tail -f $log)"
start=$SECONDS
quietly cmake --preset release -B "$build" -DCMAKE_BUILD_TYPE=Release -DTIDEMARK_WERROR=OFF -DBUILD_TESTING=OFF
quietly cmake --build "$build" --target tidemark
echo "built in $((SECONDS - start)) s"

step "3/3 $build/daemon/tidemark demo $*"
exec "$build/daemon/tidemark" demo "$@" # Ctrl-C goes to the daemon itself, which ends by its own rules
