#!/usr/bin/env bash
# Holds the Alertmanager example against amtool: that it is one, where each kind of alert goes, and that the alerts it names exist. What it inhibits
# is seen in alerts_test.py. Exit 77 where amtool is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

example=deploy/prometheus/alertmanager.example.yml
rules=deploy/prometheus/tidemark.rules.yml
command -v amtool >/dev/null || {
  echo "skipped: amtool is not installed (deploy/install.sh test)"
  exit 77
}
amtool check-config "$example"

goes_to() { # RECEIVER LABEL=VALUE...
  local receiver=$1
  shift
  amtool config routes test --config.file="$example" --verify.receivers="$receiver" "$@" >/dev/null || {
    echo "$* does not go to $receiver but to $(amtool config routes test --config.file="$example" "$@")"
    exit 1
  }
}
abandoned="alertname=TidemarkSubscriptionAbandoned severity=warning pulsar_cluster=blue group=orders-* subscription_owner=team-orders"
# shellcheck disable=SC2086 # words on purpose
{
  set -f
  goes_to team-shop $abandoned tenant=shop pulsar_namespace=shop/orders
  goes_to team-data $abandoned tenant=iot pulsar_namespace=iot/metrics
  goes_to team-data $abandoned tenant=analytics pulsar_namespace=analytics/batch
  goes_to platform $abandoned tenant=another pulsar_namespace=another/one
}
goes_to platform alertname=TidemarkDiskFullForecast severity=warning pulsar_cluster=blue bookie=bookie-0:8000
goes_to platform alertname=TidemarkDown severity=warning instance=localhost:10920 job=tidemark
goes_to pager alertname=TidemarkBookieReadOnly severity=critical pulsar_cluster=blue bookie=bookie-0:8000
goes_to pager alertname=TidemarkWritesFail severity=critical pulsar_cluster=blue
goes_to nobody alertname=TidemarkTopicsLoaded severity=info pulsar_cluster=blue

sed -nE 's/.*alertname=~?"([^"]*)".*/\1/p' "$example" | sort -u | while read -r pattern; do
  sed -nE 's/^ *- alert: (.*)/\1/p' "$rules" | grep -qxE "$pattern" || {
    echo "$example: no alert is called $pattern"
    exit 1
  }
done
