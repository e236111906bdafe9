#pragma once
// The parts of the plan's script that do not depend on what was found. Bash 4.4 or newer, and python3 to read JSON.

#include <string_view>

namespace tidemark::report {

inline constexpr std::string_view kPlanStart = R"bash(set -u
export LC_ALL=C.UTF-8 # Java reads its arguments by it
yes=0
case ${1-} in
  '') ;;
  --yes) yes=1 ;;
  *) echo "usage: bash $0 [--yes]" >&2; exit 2 ;;
esac
need() { command -v "$1" >/dev/null || { echo "$0: $1 not found" >&2; exit 2; }; }
need python3
)bash";

inline constexpr std::string_view kPlanByAdmin =
    R"bash(# pulsar-admin as it is set up here; PULSAR_ADMIN names another one.
pulsar_admin=${PULSAR_ADMIN:-pulsar-admin}
need "$pulsar_admin"
complaint=$(mktemp)
trap 'rm -f "$complaint"' EXIT

# topics ...: prints the answer. Ends with 4 when it is not there, with 5 when somebody is connected.
admin() {
  "$pulsar_admin" topics "$@" 2>"$complaint" </dev/null && return
  grep -qiE 'HTTP 404|Reason: .*not (found|exist)' "$complaint" && return 4
  grep -qiE 'HTTP 412|active connected consumers' "$complaint" && return 5
  grep -v SLF4J "$complaint" >&2
  return 1
}
clusters_of() {
  "$pulsar_admin" clusters list 2>"$complaint" </dev/null && return
  grep -v SLF4J "$complaint" >&2
  return 1
}
stats_of() { admin stats "$1"; }
positions_of() { admin stats-internal "$1"; }
remove() { admin unsubscribe -s "$2" "$1"; }
)bash";

inline constexpr std::string_view kPlanByCurl =
    R"bash(# PULSAR_URL: the web service of a broker. PULSAR_TOKEN: a token, if one is needed; it is shown to brokers of this cluster only, and to
# no list of processes. PULSAR_BROKERS: further "host:port" of brokers. For certificates see curl's own ~/.curlrc and CURL_CA_BUNDLE.
url=${PULSAR_URL:-$url}
url=${url%/}
[[ $url == http*://* ]] || { echo "$0: PULSAR_URL must be http://HOST:PORT or https://HOST:PORT" >&2; exit 2; }
read -ra more <<<"${PULSAR_BROKERS-}"
brokers+=("${url#*://}" "${more[@]}")
need curl

credentials() { [[ -z ${PULSAR_TOKEN-} ]] || printf 'header = "Authorization: Bearer %s"\n' "$PULSAR_TOKEN"; }
is_broker() {
  local one
  for one in "${brokers[@]}"; do [[ $1 == "${url%%://*}://$one"/* ]] && return; done
  return 1
}
# METHOD PATH: prints the answer. Ends with 4 when it is not there, with 5 when somebody is connected.
request() {
  local at=$url/admin/v2/$2 answer status
  for _ in 1 2 3 4; do
    answer=$(curl --silent --show-error --no-location --path-as-is --globoff --max-time 120 --request "$1" \
      --config <(credentials) --write-out '\n%{http_code} %{redirect_url}' -- "$at") || return 1
    answer=${answer//"${PULSAR_TOKEN-}"/(the token)} # who repeats the request in an answer puts it on no terminal
    status=${answer##*$'\n'}
    answer=${answer%$'\n'*}
    case $status in
      '200 '* | '204 '*) printf '%s' "$answer"; return ;;
      '302 '* | '307 '*)
        at=${status#* }
        is_broker "$at" || { echo "$0: sent on to $at, which is no known broker; add it to PULSAR_BROKERS" >&2; return 1; } ;;
      '404 '*) return 4 ;;
      '412 '*) return 5 ;;
      *) printf '%s %s: %s%.300s\n' "$1" "$at" "$status" "$answer" >&2; return 1 ;;
    esac
  done
  echo "$0: sent on too often: $at" >&2
  return 1
}
# The broker decodes a subscription's name twice, and the rest of a path once.
path_of() {
  python3 -c '
import os, sys, urllib.parse
def quoted(text): return urllib.parse.quote(text, safe="").replace(".", "%2E")
topic, document, name = (os.fsencode(one).decode() for one in sys.argv[1:4])
tenant, namespace, local = topic.split("://", 1)[1].split("/", 2)
path = "/".join(["persistent", tenant, namespace, urllib.parse.quote(local, safe=""), document])
print(path + "/" + urllib.parse.quote(quoted(name), safe="") if name else path)' "$@"
}
clusters_of() { request GET clusters; }
stats_of() { request GET "$(path_of "$1" stats '')"; }
positions_of() { request GET "$(path_of "$1" internalStats '')"; }
remove() { request DELETE "$(path_of "$1" subscription "$2")"; }
)bash";

inline constexpr std::string_view kPlanCommon =
    R"bash(# Another cluster, or something else than Pulsar, has none of these subscriptions: all would seem to be gone.
if ! clusters=$(clusters_of); then
  echo "$0: no Pulsar there that tells its clusters; is the address right?" >&2
  exit 2
fi
named=$(cat <<'PYTHON'
import json, os, sys
text = sys.stdin.read()
names = json.loads(text) if text.lstrip().startswith("[") else text.replace('"', " ").split()
sys.exit(os.fsencode(sys.argv[1]).decode() not in names)
PYTHON
)
if [[ -n $cluster ]] && ! python3 -c "$named" "$cluster" <<<"$clusters"; then
  printf '%s: made for cluster %q, and this is one of: %q\n' "$0" "$cluster" "$clusters" >&2
  exit 2
fi

# Who is on a subscription, by `stats`.
attended=$(cat <<'PYTHON'
import json, os, sys
name, plan_ms = os.fsencode(sys.argv[1]).decode(), int(sys.argv[2])
text = sys.stdin.buffer.read().decode()
subscription = json.loads(text[text.index("{"):])["subscriptions"].get(name)
if subscription is None:
    print("gone")
elif subscription["consumers"]:
    print("alive", len(subscription["consumers"]), "consumers are connected")
elif subscription.get("isDurable") is False:
    print("alive it is a reader")
elif subscription.get("lastConsumedFlowTimestamp", 0) > plan_ms:
    print("alive a consumer was there since the plan was made")
else:
    print("same")
PYTHON
)
# Where it stands, by `stats-internal`. At a load and at a rollover some brokers write the last entry of a ledger as the place before the
# first one of the next.
placed=$(cat <<'PYTHON'
import json, os, sys, urllib.parse
name, judged = os.fsencode(sys.argv[1]).decode(), sys.argv[2]
text = sys.stdin.buffer.read().decode()
positions = json.loads(text[text.index("{"):])
cursors = {urllib.parse.unquote_plus(key): one for key, one in positions["cursors"].items()}
now = cursors[name]["markDeletePosition"]
(ledger, entry), (new_ledger, new_entry) = ([int(part) for part in one.split(":")] for one in (judged, now))
listed = [(one["ledgerId"], one["entries"]) for one in positions["ledgers"]]
respelt = (new_entry == -1 and new_ledger > ledger and (ledger, entry + 1) in listed
           and not any(entries for one, entries in listed if ledger < one < new_ledger))
print("same" if now == judged or respelt else f"moved {now}")
PYTHON
)

# TOPIC SUBSCRIPTION [MARK-DELETE]: same, gone, alive or moved. Fails when the broker says nothing certain.
look() {
  local stats positions now
  stats=$(stats_of "$1") || { [[ $? == 4 ]] && echo gone; return; }
  now=$(python3 -c "$attended" "$2" "$plan_ms" <<<"$stats") || return
  [[ $now == same && $# == 3 ]] || { echo "$now"; return; }
  positions=$(positions_of "$1") || return 1
  python3 -c "$placed" "$2" "$3" <<<"$positions"
}

total=0 removed=0 alive=0 moved=0 gone=0 failed=0 freed=0 freed_all=0 untold=0
bytes() {
  local left=$1 unit=B next tenths=0
  for next in kB MB GB TB PB; do
    ((left < 1000)) && break
    tenths=$((left % 1000 / 100)) left=$((left / 1000)) unit=$next
  done
  [[ $unit == B ]] && echo "$left B" || echo "$left.$tenths $unit"
}
say() {
  local LC_ALL=C # shows everything but ASCII as escapes
  printf '%-12s %q [%q]%s\n' "$1" "$2" "$3" "${4:+: $4}"
}

# TOPIC SUBSCRIPTION MARK-DELETE BYTES: removes it if nobody is connected and it stands where it stood; else says why not.
unsubscribe() {
  local now status frees=$4 told
  if [[ $frees == - ]]; then frees=0 told='an untold amount'; else told=$(bytes "$frees"); fi
  ((++total, freed_all += frees))
  now=$(look "$1" "$2" "$3") || now=failed
  case $now in
    same) ;;
    gone) ((++gone)); say gone "$1" "$2"; return ;;
    alive*) ((++alive)); say stays "$1" "$2" "${now#alive }"; return ;;
    moved*) ((++moved)); say stays "$1" "$2" "moved from $3 to ${now#moved }"; return ;;
    *) ((++failed)); say failed "$1" "$2" 'could not be checked'; return ;;
  esac
  if ((yes)); then
    remove "$1" "$2" >/dev/null
    status=$?
    case $status,$(look "$1" "$2") in
      *,gone) ;;
      5,*) ((++alive)); say stays "$1" "$2" 'a consumer has just come'; return ;;
      *) ((++failed)); say failed "$1" "$2" 'it is still there'; return ;;
    esac
  fi
  ((++removed, freed += frees))
  [[ $4 == - ]] && ((++untold))
  if ((yes)); then say removed "$1" "$2" "frees $told"; else say 'would remove' "$1" "$2" "frees $told"; fi
}
)bash";

inline constexpr std::string_view kPlanEnd = R"bash(
echo
if ((yes)); then did=removed; else did='to be removed'; fi
echo "$removed of $total $did, $alive alive, $moved moved, $gone already gone, $failed failed"
((removed == total)) && most='' || most='at most '
((untold)) && of_untold=" and what is untold of $untold" || of_untold=''
echo "frees ${most}$(bytes "$freed") of $(bytes "$freed_all")$of_untold (logical bytes of one copy; the broker deletes them within its next retention checks)"
((yes)) || echo "nothing was changed; with --yes it is done"
((failed == 0))
)bash";

}  // namespace tidemark::report
