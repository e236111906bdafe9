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

build=(g++ cmake ninja-build ccache mold "$boost" libcli11-dev libre2-dev libspdlog-dev libssl-dev libyaml-cpp-dev
  libzstd-dev prometheus-cpp-dev rapidjson-dev zlib1g-dev)
test=(catch2 ca-certificates clang-format-19 clang-tidy-19 curl git jq libsqlite3-dev openssl python3 python3-venv shellcheck # the checks
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
extract=() # PACKAGE:TOOL of servers, whose packages would start them once installed; in Debian 12 promtool is in one, too
if [[ $what != build ]]; then
  for entry in prometheus:prometheus prometheus:promtool prometheus-alertmanager:prometheus-alertmanager prometheus-alertmanager:amtool; do
    command -v "${entry#*:}" >/dev/null || [[ ${entry#*:} == "$promtool" ]] || extract+=("$entry")
  done
fi

if ((${#missing[@]} + ${#extract[@]} == 0)); then
  echo "install.sh: all there ($what)"
  exit 0
fi

root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || die "must install ${missing[*]} ${extract[*]}: run it as root, there is no sudo here"
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

echo "install.sh: installing ${missing[*]} ${extract[*]}"
apt update >"$log" 2>&1 || echo "install.sh: going on although: $(grep -m1 '^E' "$log")" >&2 # one foreign source of many may be down
((${#missing[@]} == 0)) || quietly apt install -y --no-install-recommends "${missing[@]}"
if ((${#extract[@]} > 0)); then
  folder=$(mktemp -d)
  for entry in "${extract[@]}"; do
    package=${entry%:*} tool=${entry#*:}
    compgen -G "$folder/${package}_*.deb" >/dev/null || (cd "$folder" && quietly apt-get -qq download "$package")
    dpkg-deb --fsys-tarfile "$folder/$package"_*.deb | tar -x -C "$folder" "./usr/bin/$tool"
    "${root[@]}" install -m 755 "$folder/usr/bin/$tool" "/usr/local/bin/$tool"
  done
  rm -rf "$folder"
fi
rm -f "$log"
