#!/usr/bin/env bash
# Holds deploy/kubernetes/ against the Kubernetes schemas of two releases, strictly (a mistyped key is an error), and the
# configurations in it against the program, where one is built: kubernetes_test.sh [BINARY].
# The schemas come as a Python package into ${TIDEMARK_CACHE:-~/.cache/tidemark}, the first time from the registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

releases=(1.28 1.34)
package=kubernetes-validate==1.37.0
venv=${TIDEMARK_CACHE:-$HOME/.cache/tidemark}/venv-${package//==/-}
binary=${1:-build/release/daemon/tidemark}

if [[ ! -f $venv/.complete ]]; then
  python=/usr/bin/python3
  [[ -x $python ]] || python=python3
  rm -rf "$venv"
  "$python" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "$package"
  touch "$venv/.complete"
fi

passed=0 failed=0
check() { # check WHAT COMMAND...
  local what=$1 said
  shift
  if said=$("$@" 2>&1); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL %s\n%s\n' "$what" "$said"
  fi
}
refused() { ! "$@"; }
validate() { "$venv/bin/kubernetes-validate" --strict --kubernetes-version "$@"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in deploy/kubernetes/*.yaml; do
  for release in "${releases[@]}"; do
    check "$file against $release" validate "$release" "$file"
  done
done
sed 's/readOnlyRootFilesystem/readOnlyRootFileSystem/' deploy/kubernetes/sidecar.yaml >"$work/typo.yaml"
check "a typo is refused" refused validate "${releases[0]}" "$work/typo.yaml"

"$venv/bin/python" - "$work" deploy/kubernetes/*.yaml <<'EOF'
import pathlib, sys, yaml
for name in sys.argv[2:]:
    for document in yaml.safe_load_all(open(name, encoding="utf-8")):
        if document["kind"] == "ConfigMap":
            pathlib.Path(sys.argv[1], pathlib.Path(name).stem + ".yml").write_text(document["data"]["tidemark.yml"])
EOF
echo token >"$work/token"
accepted() { # no broker is there: anything but the exit for a bad configuration will do
  local status=0
  HOSTNAME=tidemark-0 timeout 60 "$binary" check --config "$1" --set clusters.0.url=http://127.0.0.1:1 --set clusters.0.auth.token_file="$work/token" || status=$?
  ((status != 2))
}
for file in "$work"/*.yml; do
  if [[ -x $binary ]]; then
    check "the configuration in $(basename "$file" .yml).yaml" accepted "$file"
  else
    echo "no program at $binary: the configuration in $(basename "$file" .yml).yaml is not tried"
  fi
done

echo "$passed passed, $failed failed"
((failed == 0))
