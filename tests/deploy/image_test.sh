#!/usr/bin/env bash
# Builds the Dockerfile as it stands and looks at what came out: that the binary runs, as whom, and what the image tells an engine.
# Needs neither an engine nor an image registry: buildah builds inside a chroot, on a Debian that debootstrap makes once and keeps in
# ${TIDEMARK_CACHE:-~/.cache/tidemark}. Root only; exit 77 = cannot run here. Compiles the project once more: minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

for tool in buildah debootstrap; do
  command -v $tool >/dev/null || PATH=$PATH:/usr/sbin command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
((EUID == 0)) || { echo "skipped: must be root"; exit 77; }
export PATH=$PATH:/usr/sbin
cache=${TIDEMARK_CACHE:-$HOME/.cache/tidemark}
base=$cache/debian-bookworm.tar
work=$(mktemp -d /var/tmp/tidemark-image.XXXXXX) # not /tmp: it may be a small memory disk, and the layers take a gigabyte
b() { buildah --root "$work/root" --runroot "$work/run" --storage-driver vfs "$@"; }
leave() {
  b rm -a >/dev/null 2>&1
  b rmi -a -f >/dev/null 2>&1
  findmnt -rno TARGET | grep -q "^$work" || rm -rf "$work" # never delete through a mount that stayed
}
trap leave EXIT
step() { printf '%4d s  %s\n' "$SECONDS" "$*"; }

mkdir -p "$cache"
if [[ ! -f $base ]]; then
  step "making a Debian to build on"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/debian" >"$work/debootstrap.log" 2>&1 || {
    tail -n 5 "$work/debootstrap.log"
    exit 1
  }
  rm -rf "$work"/debian/var/cache/apt/archives/*.deb
  tar -C "$work/debian" -cf "$base.part" .
  mv "$base.part" "$base"
  rm -rf "$work/debian"
fi

step "base image"
mkdir "$work/base"
ln "$base" "$work/base/base.tar" 2>/dev/null || cp "$base" "$work/base/base.tar"
printf 'FROM scratch\nADD base.tar /\nCMD ["bash"]\n' >"$work/base/Dockerfile"
b bud --isolation chroot --format docker -q -t localhost/debian:bookworm "$work/base" >/dev/null

step "tidemark's image"
b bud --isolation chroot --format docker -t localhost/tidemark:test --build-arg BASE=localhost/debian:bookworm . >"$work/build.log" 2>&1 || {
  tail -n 40 "$work/build.log"
  exit 1
}

step "looking at it"
passed=0 failed=0
check() { # check WHAT EXPECTED ACTUAL
  if [[ $3 == "$2" ]]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL %s: expected %s, got %s\n' "$1" "$2" "$3"
  fi
}
container=$(b from localhost/tidemark:test)
inside() { b run --isolation chroot "$container" -- "$@"; }
config() { b inspect --type image localhost/tidemark:test | jq -c ".Docker.config.$1"; }

version=$(sed -nE 's/^project\(tidemark VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
check "tidemark --version" "$version" "$(inside tidemark --version 2>&1 | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)"
check "user" 10001 "$(inside id -u)"
check "root is not writable" no "$(inside sh -c 'touch /x /etc/x /usr/bin/x 2>/dev/null && echo yes || echo no')"
check "libraries are all there" "" "$(inside ldd /usr/bin/tidemark | grep 'not found' || true)"
check "no compiler in it" no "$(inside sh -c 'command -v g++ cmake >/dev/null && echo yes || echo no')"
check "entry point" '["tidemark"]' "$(config Entrypoint)"
check "command" '["serve","--config","/etc/tidemark/tidemark.yml"]' "$(config Cmd)"
check "port" '{"10920/tcp":{}}' "$(config ExposedPorts)"
check "configured user" '"10001:10001"' "$(config User)"

# The health check's own words, against no daemon and against one that runs. The network is this machine's.
mapfile -t health < <(b inspect --type image localhost/tidemark:test | jq -r '.Docker.config.Healthcheck.Test[1:][] | @base64')
for i in "${!health[@]}"; do health[i]=$(base64 -d <<<"${health[i]}"); done
if (exec 3<>/dev/tcp/127.0.0.1/10920) 2>/dev/null; then
  echo "port 10920 is taken here: the health check is not tried"
else
  said=$(inside bash -s -- "${health[@]}" 2>/dev/null <<'EOF'
"$@" && echo well || echo sick
tidemark serve --config /etc/tidemark/tidemark.yml >/dev/null &
for _ in {1..50}; do "$@" && break; sleep 0.2; done
"$@" && echo well || echo sick
kill %1
wait %1
echo "exit $?"
EOF
  ) || true
  check "health without and with a daemon, which then ends as told" "sick well exit 0" "${said//$'\n'/ }"
fi

step "done"
echo "$passed passed, $failed failed"
((failed == 0))
