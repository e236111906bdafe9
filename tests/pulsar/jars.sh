#!/usr/bin/env bash
# Brings the jars of one Pulsar line (broker, bookie and metadata store included) with Maven and prints their folder; with "admin" those of pulsar-admin alone.
# No distribution archive is needed that way. A marker file is written last, so that an interrupted download is never taken for a whole one.
set -euo pipefail

die() { echo "jars.sh: $*" >&2; exit 1; }

version=${1:?usage: jars.sh VERSION [admin]}
kind=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lib=${TIDEMARK_CACHE:-$HOME/.cache/tidemark}/pulsar/$version${kind:+-$kind}

if [[ -f $lib/.complete ]]; then
  echo "$lib"
  exit 0
fi

command -v mvn >/dev/null || die "mvn not found: install the package maven"
mkdir -p "$(dirname "$lib")" || die "cannot write $(dirname "$lib")"
exec 9>"$lib.lock"
flock 9 # two test runs may start at once
if [[ ! -f $lib/.complete ]]; then
  profile=()
  main=pulsar-broker-$version.jar
  [[ $version == 5.* ]] && profile=(-Ppulsar5) # names artifacts that its own management gets wrong
  [[ $kind == admin ]] && profile=(-Padmin) main=pulsar-client-tools-$version.jar
  log=$lib.log
  fetch() {
    rm -rf "$lib.part"
    mvn -B -q -f "$here/pom.xml" -s "$here/settings.xml" "${profile[@]}" "-Dpulsar.version=$version" \
      dependency:copy-dependencies "-DoutputDirectory=$lib.part" "$@" >"$log" 2>&1
  }
  why() { grep -m1 -E '(Non-resolvable|Could not|Failed to|Unknown)' "$log" | sed 's/.*ERROR. *//' | cut -c1-200; }
  # One more try: a registry that drops a single file of 250 is no reason to fail a test run. Maven keeps the files it has, and
  # remembers those that it could not get, unless -U is given.
  fetch || fetch -U || die "Maven could not bring Pulsar $version: $(why) (all of it: $log)"
  [[ -f $lib.part/$main ]] || die "Maven ended well, but $main is not there ($log)"
  rm -rf "$lib"
  mv "$lib.part" "$lib"
  touch "$lib/.complete"
  rm -f "$log"
fi
echo "$lib"
