#!/usr/bin/env bash
# What can be said about the sources without running them:
#   tests/lint.sh [format] [shell] [python] [tidy BUILD]     without arguments: the first three
# format: clang-format over every tracked C++ file. shell, python: shellcheck, and whether Python can read its files.
# tidy: clang-tidy over lib/ and daemon/ with the compile commands of the build folder BUILD. Files that include Asio or Beast
# cost ten times the others and are left to the `tidy` preset; TIDY_ALL=1 takes them in.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

tracked() { git ls-files -- "$@" | while read -r file; do [[ ! -f $file ]] || echo "$file"; done; }
each() { # each PATTERN... -- COMMAND...: the command over the tracked files, or success when there is none
  local patterns=()
  while [[ $1 != -- ]]; do patterns+=("$1") && shift; done
  shift
  tracked "${patterns[@]}" | xargs -r -d '\n' -P "$(nproc)" -n 40 "$@"
}

format() { each '*.cc' '*.h' -- clang-format-19 --dry-run -Werror; }
shell() { each '*.sh' .ci/run -- shellcheck; }
python() {
  each '*.py' -- python3 -c 'import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding="utf-8").read(), name)'
}

# Files that see Asio or Beast, themselves or through one of our headers.
heavy() {
  local headers
  headers=$(tracked 'lib/**.h' 'daemon/**.h' | xargs -r grep -lE '#include <boost/(asio|beast)' | sed 's,^lib/,,' | paste -sd'|')
  grep -lE "#include (<boost/(asio|beast)|\"(${headers:-none})\")" "$@"
}
tidy() {
  local build=$1 files=() file skip=
  [[ -f $build/compile_commands.json ]] || { echo "no $build/compile_commands.json: configure first" >&2; return 1; }
  mapfile -t files < <(tracked 'lib/**.cc' 'daemon/**.cc')
  [[ ${TIDY_ALL:-0} == 1 ]] || skip=$(heavy "${files[@]}")
  local chosen=()
  for file in "${files[@]}"; do grep -qxF "$file" <<<"$skip" || chosen+=("$file"); done
  echo "clang-tidy: ${#chosen[@]} files of ${#files[@]}"
  printf '%s\0' "${chosen[@]}" | xargs -0 -P "$(nproc)" -n 1 clang-tidy-19 -p "$build" --quiet --warnings-as-errors='*' \
    2> >(grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated' >&2)
}

(($#)) || set -- format shell python
failed=0
while (($#)); do
  case $1 in
    format) format || failed=1 ;;
    shell) shell || failed=1 ;;
    python) python || failed=1 ;;
    tidy) tidy "${2:?tidy BUILD}" || failed=1; shift ;;
    *) echo "usage: tests/lint.sh [format] [shell] [python] [tidy BUILD]" >&2; exit 2 ;;
  esac
  shift
done
exit "$failed"
