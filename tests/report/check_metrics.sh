#!/usr/bin/env bash
# promtool's lint over the sample cluster's series and the daemon's own: check_metrics.sh PRINT_SAMPLES
set -euo pipefail
if ! command -v promtool >/dev/null; then
  echo "skipped: promtool is not installed (Debian package prometheus)"
  exit 77
fi
"$1" metrics | promtool check metrics
