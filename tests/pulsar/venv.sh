#!/usr/bin/env bash
# Makes a Python environment with one pinned package in the cache folder and prints its python: venv.sh [PACKAGE VERSION MODULE].
# Without arguments the Pulsar client library: Debian packages none, and this version talks to every line tested here.
set -euo pipefail

die() { echo "venv.sh: $*" >&2; exit 1; }

package=${1:-pulsar-client} version=${2:-3.13.0} module=${3:-pulsar}
venv=${TIDEMARK_CACHE:-$HOME/.cache/tidemark}/venv-$package-$version

if [[ -f $venv/.complete ]]; then
  echo "$venv/bin/python"
  exit 0
fi

# A system Python is asked for first: a Python of a version manager may vanish under the environment later.
python=/usr/bin/python3
[[ -x $python ]] || python=$(command -v python3) || die "python3 not found: install the package python3"
mkdir -p "$(dirname "$venv")" || die "cannot write $(dirname "$venv")"
exec 9>"$venv.lock"
flock 9
if [[ ! -f $venv/.complete ]]; then
  rm -rf "$venv"
  "$python" -m venv "$venv" >"$venv.log" 2>&1 || die "python3 -m venv failed: install the package python3-venv ($venv.log)"
  install() { "$venv/bin/python" -m pip install --quiet "$package==$version" >>"$venv.log" 2>&1; }
  install || install || die "pip could not install $package $version: $(grep -m1 -i error "$venv.log" | cut -c1-300) ($venv.log)"
  "$venv/bin/python" -c "import $module" 2>>"$venv.log" || die "$package $version does not load ($venv.log)"
  touch "$venv/.complete"
  rm -f "$venv.log"
fi
echo "$venv/bin/python"
