#!/usr/bin/env bash
# Everything that must be green before a change lands, from a fresh clone of Debian 12 or 13 on: installs, builds, tests.
#   tests/run.sh           what CI runs
#   tests/run.sh --quick   the dev build and its ctests, for the minutes in between
#   tests/run.sh --all     CI's stages, and besides: the thread sanitizer, clang-tidy over the Asio and Beast files too, every line of real Pulsar in full
# A stage that fails does not keep the others from running. The logs stay in build/logs; the last line sums all stages up.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

mode=${*:---ci}
if [[ ! $mode =~ ^--(ci|quick|all)$ ]]; then
  echo "usage: tests/run.sh [--quick | --all]" >&2
  exit 2
fi
if ((EUID == 0)) && ! mountpoint -q /; then # a bare chroot: buildah and Java want / to be a mount, so it becomes one for this run only
  exec unshare --mount --propagation unchanged sh -c 'mount --bind / /mnt && mount --make-rprivate /mnt &&
    mount -t proc proc /mnt/proc && mount --rbind /dev /mnt/dev && exec chroot /mnt "$@"' sh "$PWD/tests/run.sh" "$@"
fi
logs=build/logs
mkdir -p "$logs"
jobs=$(nproc)
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 # a clone in another folder may use what was compiled in this one
passed=0 failed=0 began=$SECONDS

# stage NAME COMMAND...: counts what the command's own closing line says, else the command itself as one test.
stage() {
  local name=$1 log=$logs/${1// /-}.log from=$SECONDS status good bad
  shift
  "$@" >"$log" 2>&1 </dev/null
  status=$?
  read -r good bad < <(sed -nE \
    -e 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+).*/\2 \1 ctest/p' \
    -e 's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$log" | tail -n 1 |
    awk '$3 == "ctest" { print $1 - $2, $2; next } { print $1, $2 }')
  ((status == 0)) && [[ -z ${good:-} ]] && good=1 bad=0
  ((status != 0)) && [[ ${bad:-0} == 0 ]] && good=${good:-0} bad=1
  passed=$((passed + good)) failed=$((failed + bad))
  printf '%-4s %-22s %5d s %5d passed, %d failed\n' "$( ((bad)) && echo FAIL || echo ok)" "$name" $((SECONDS - from)) "$good" "$bad"
  grep -E '\*\*\*(Skipped|Not Run)' "$log" | sed 's/^/     /'
  ((bad == 0)) && return
  {
    grep -nE '(error|FAIL(ED)?|Error)[: ]' "$log" | head -n 15
    echo ...
    tail -n 25 "$log"
  } | cut -c1-300 | sed 's/^/     | /'
  echo "     all of it: $log"
  return 1
}

build() {
  local preset=$1
  stage "$preset build" sh -c "cmake --preset $preset && cmake --build --preset $preset -j $jobs" &&
    stage "$preset ctest" ctest --preset "$preset" -j "$jobs" --timeout 300 --no-tests=error
}

if [[ $mode == --quick ]]; then
  build dev
else
  stage "install" deploy/install.sh all
  stage "lint" tests/lint.sh
  build release
  stage "clang-tidy" env TIDY_ALL="$([[ $mode == --all ]] && echo 1 || echo 0)" tests/lint.sh tidy build/release
  build asan
  [[ $mode == --all ]] && build tsan
  stage "kubernetes manifests" tests/deploy/kubernetes_test.sh
  stage "container image" tests/deploy/image_test.sh
  stage "alerts end to end" tests/deploy/alerts_test.py --tidemark build/release/daemon/tidemark
  all=()
  [[ $mode == --all ]] && all=(--all)
  stage "real Pulsar" tests/pulsar/run.sh --tidemark build/release/daemon/tidemark "${all[@]}"
fi

echo "wall time: $((SECONDS - began)) s"
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
