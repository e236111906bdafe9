#!/usr/bin/env bash
# Makes tests/data/pulsar-VERSION/ anew: what real brokers answered to our own `record`. Run it by hand when the program asks for something new;
# the tests replay the files without Java or network.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binary=${TIDEMARK_BIN:-$here/../../build/dev/daemon/tidemark}
if [[ ${1:-} == --tidemark ]]; then
  binary=${2:?--tidemark needs a path}
  shift 2
fi
versions=("$@")
(($#)) || versions=(2.10.5 3.0.7 4.0.7 4.2.4)
[[ -x $binary ]] || { echo "record.sh: no program at $binary: build it first, or name it with --tidemark" >&2; exit 2; }

python=$("$here/venv.sh")
export PYTHONDONTWRITEBYTECODE=1
for version in "${versions[@]}"; do
  lib=$("$here/jars.sh" "$version")
  "$python" "$here/record.py" --version "$version" --jars "$lib" --tidemark "$binary" --out "$here/../data/pulsar-$version"
done
