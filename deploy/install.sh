#!/usr/bin/env bash
# Installs what Tidemark needs from Debian's own packages, on Debian 12 or 13, as root or through sudo:
#   deploy/install.sh [build|test|all]
# build (the default): what the daemon and the demo are compiled with. test: what tests/run.sh needs besides. all: both.
# May be run at any time: what is there is left alone, and apt is asked only when something is missing.
set -euo pipefail

die() {
  echo "install.sh: $*" >&2
  exit 1
}

what=${1:-build}
[[ $what =~ ^(build|test|all)$ ]] || die "usage: deploy/install.sh [build|test|all]"

# shellcheck source=/dev/null
release=$(. /etc/os-release 2>/dev/null && echo "${ID:-} ${VERSION_ID:-}") || true
case $release in
  "debian 12") boost=libboost1.81-dev java=openjdk-17-jre-headless promtool= ;; # libboost-dev is 1.74 there: too old
  "debian 13") boost=libboost-dev java=openjdk-21-jre-headless promtool=promtool ;;
  *) die "knows the package names of Debian 12 and 13 only, this is '${release:-unknown}'. The lists are in $0." ;;
esac

build=(g++ cmake ninja-build ccache mold "$boost" libcli11-dev libspdlog-dev libssl-dev libyaml-cpp-dev
  prometheus-cpp-dev rapidjson-dev zlib1g-dev)
test=(catch2 ca-certificates clang-format-19 clang-tidy-19 curl git jq openssl python3 python3-venv shellcheck # the checks
  ${promtool:+"$promtool"}
  "$java" maven        # a real Pulsar, and Maven to fetch it
  buildah debootstrap) # the container image, and a Debian to build it on

wanted=()
[[ $what == test ]] || wanted+=("${build[@]}")
[[ $what == build ]] || wanted+=("${test[@]}")

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || status=none
  [[ $status == installed ]] || missing+=("$package")
done
extract=no # Debian 12 has promtool in the package of the server, which would be started: only the tool is taken out of it
[[ $what == build || -n $promtool ]] || command -v promtool >/dev/null || extract=promtool

if ((${#missing[@]} == 0)) && [[ $extract == no ]]; then
  echo "install.sh: all there ($what)"
  exit 0
fi

root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || die "must install ${missing[*]:-promtool}: run it as root, there is no sudo here"
  root=(sudo)
fi
apt() {
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
    -o Dpkg::Use-Pty=0 "$@" </dev/null
}
log=$(mktemp)
quietly() { "$@" >"$log" 2>&1 || {
  grep -E '^(E|W|dpkg):' "$log" >&2 || tail -n 20 "$log" >&2
  die "$* failed"
}; }

echo "install.sh: installing ${missing[*]}$([[ $extract == no ]] || echo " $extract")"
apt update >"$log" 2>&1 || echo "install.sh: going on although: $(grep -m1 '^E' "$log")" >&2 # one foreign source of many may be down
((${#missing[@]} == 0)) || quietly apt install -y --no-install-recommends "${missing[@]}"
if [[ $extract != no ]]; then
  folder=$(mktemp -d)
  (cd "$folder" && quietly apt-get -qq download prometheus)
  dpkg-deb --fsys-tarfile "$folder"/prometheus_*.deb | tar -x -C "$folder" ./usr/bin/promtool
  "${root[@]}" install -m 755 "$folder/usr/bin/promtool" /usr/local/bin/promtool
  rm -rf "$folder"
fi
rm -f "$log"
