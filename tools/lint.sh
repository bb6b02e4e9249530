#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Static checks, each said by name: tools/lint.sh [CHECK...]. Without a word, all of them. Exit status 1 when
# one complains; the others run all the same.

set -u
cd "$(dirname "$0")/.." || exit 1
shopt -s nullglob

max_lines=700
jobs=$(nproc 2>/dev/null || echo 1)

host=(src/*.c bench/qemu/*.c) # the plugin is run by the host's QEMU
driver=(bench/*.c tests/model/driver.c)
unit=(tests/unit/*.c tests/model/measure.c)
fake=(tests/driver/*.c)
kernel=(libraries/*/*.c) # the interface over the kernel's code
headers=(src/*.h bench/*.h)
shell=(tools/*.sh tests/*.sh examples/*.sh examples/*.sbatch ci/*.sh .ci/run)
sourced=(tests/*/*.bash)
c_files=(src/*.[ch] bench/*.[ch] bench/*/*.[ch] tests/*/*.[ch] tools/*.h libraries/*/*.[ch] libraries/*/*/*/*.h)
json_files=(targets/*.json tests/model/*.json targets/cores/*.json configs/*.json libraries/*.json suites/*.json docs/*.json examples/*.json)

warn=(-Wall -Wextra -Wshadow -Wmissing-prototypes -Wconversion -Werror)
read -ra packages < <(pkg-config --cflags libcjson libelf smartcols libcrypto capstone cmocka)
# -O2: gcc sees through more, and warns of what it finds. -iquote: <spawn.h> is the system's.
c11=(-std=c11 -D_GNU_SOURCE '-DCB_VERSION="lint"' -DCOUNT_API=1 -iquote src -O2 "${packages[@]}")
gnu11=(-std=gnu11 -O2 -Ilibraries/linux-aes/kernel -Ilibraries/linux-aes/include)
c99=(-std=c99 -D_POSIX_C_SOURCE=200809L -iquote bench -O2)

# each COMMAND... -- FILE...: the command once per file, side by side; fails when one fails.
each() {
    local command=()
    while [ "$1" != -- ]; do
        command+=("$1")
        shift
    done
    shift
    [ $# -eq 0 ] || printf '%s\0' "$@" | xargs -0 -n 1 -P "$jobs" "${command[@]}"
}

# compile COMPILER FLAG...: its warnings over all that is compiled; banned functions in the programs.
compile() {
    local status=0 ban=(-include tools/banned.h)
    each "$@" "${warn[@]}" "${c11[@]}" "${ban[@]}" -- "${host[@]}" || status=1
    each "$@" "${warn[@]}" "${c11[@]}" -- "${unit[@]}" || status=1
    each "$@" "${warn[@]}" "${c99[@]}" "${ban[@]}" -- "${driver[@]}" || status=1
    each "$@" "${warn[@]}" "${c99[@]}" -- "${fake[@]}" || status=1
    each "$@" "${warn[@]}" "${gnu11[@]}" -- "${kernel[@]}" || status=1
    return $status
}

lint_format() {
    clang-format --dry-run -Werror "${c_files[@]}"
}

lint_gcc() {
    # Some warnings come only when code is generated.
    compile gcc -c -o /dev/null
}

lint_clang() {
    compile clang -fsyntax-only
}

lint_headers() {
    local status=0
    each gcc "${c11[@]}" "${warn[@]}" -fsyntax-only -x c -- src/*.h || status=1
    each gcc "${c99[@]}" "${warn[@]}" -fsyntax-only -x c -- bench/*.h || status=1
    return $status
}

# A third of the analyzer's usual budget per function: a minute instead of three.
budget=(-Xclang -analyzer-config -Xclang max-nodes=75000)

# tidy FILE... -- FLAG...
tidy() {
    local files=()
    while [ "$1" != -- ]; do
        files+=("$1")
        shift
    done
    [ ${#files[@]} -gt 0 ] || return 0
    printf '%s\0' "${files[@]}" |
        xargs -0 -P "$jobs" -I{} clang-tidy --quiet {} "$@" "${budget[@]}" 2>&1 |
        grep -vE '^[0-9]+ warnings? generated|^Suppressed |^Use -header-filter'
    [ "${PIPESTATUS[1]}" -eq 0 ]
}

lint_tidy() {
    local status=0
    # Not the unit tests: the analyzer does not know that cmocka's assertions leave the test.
    tidy "${host[@]}" -- "${c11[@]}" || status=1
    tidy "${driver[@]}" "${fake[@]}" -- "${c99[@]}" || status=1
    return $status
}

lint_shell() {
    local status=0
    shellcheck "${shell[@]}" || status=1
    # What a helper sets is used by the files that load it.
    [ ${#sourced[@]} -eq 0 ] || shellcheck --exclude SC2034 "${sourced[@]}" || status=1
    return $status
}

lint_json() {
    python3 - "${json_files[@]}" <<'EOT'
import json
import sys

status = 0


def pairs(items):
    names = [name for name, _ in items]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"duplicate key {name!r}")
    return dict(items)


for path in sys.argv[1:]:
    try:
        with open(path, encoding="utf-8") as file:
            json.load(file, object_pairs_hook=pairs)
    except ValueError as error:
        print(f"{path}: {error}")
        status = 1
sys.exit(status)
EOT
}

# Length of files, licence headers, white space at line ends.
lint_house() {
    local status=0 long bare
    local code=("${c_files[@]}" "${shell[@]}" "${sourced[@]}")
    local all=(Makefile "${code[@]}" tests/*/*.bats)
    long=$(wc -l "${code[@]}" | awk -v max="$max_lines" '$2 != "total" && $1 > max')
    if [ -n "$long" ]; then
        printf '%s\n' "$long" "more than $max_lines lines in these files: split them"
        status=1
    fi
    bare=$(awk 'FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ { has[FILENAME] = 1 }
        END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in has)) print ARGV[i] }' "${all[@]}")
    if [ -n "$bare" ]; then
        printf '%s\n' "$bare" "no SPDX-License-Identifier: Apache-2.0 in the first three lines of these files"
        status=1
    fi
    if grep -nE '[[:space:]]+$' "${all[@]}"; then
        echo "white space at the end of these lines"
        status=1
    fi
    return $status
}

run() {
    local name=$1 out began=$SECONDS
    if out=$("lint_$name" 2>&1); then
        printf 'lint: %-8s ok       %3d s  %s\n' "$name" $((SECONDS - began)) "$2"
        [ -z "$out" ] || printf '%s\n' "$out"
    else
        printf 'lint: %-8s FAILED   %3d s  %s\n' "$name" $((SECONDS - began)) "$2"
        printf '%s\n' "$out" | sed 's/^/    /'
        failed+=("$name")
    fi
}

failed=()
known=()
selected=" $* "
while read -r name what; do
    known+=("$name")
    [ $# -eq 0 ] || [[ $selected == *" $name "* ]] || continue
    run "$name" "$what"
done <<EOT
format clang-format over ${#c_files[@]} files
gcc gcc -Werror and banned functions over $((${#host[@]} + ${#unit[@]} + ${#driver[@]} + ${#fake[@]} + ${#kernel[@]})) files
clang clang -Werror and banned functions over the same
headers each of ${#headers[@]} headers alone
tidy clang-tidy (.clang-tidy) over $((${#host[@]} + ${#driver[@]} + ${#fake[@]})) files
shell shellcheck over $((${#shell[@]} + ${#sourced[@]})) scripts
json syntax of ${#json_files[@]} JSON files
house file length, licence headers, white space
EOT

for name in "$@"; do
    case " ${known[*]} " in *" $name "*) ;; *)
        echo "lint: unknown check '$name'; known: ${known[*]}" >&2
        exit 2
        ;;
    esac
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "lint: failed: ${failed[*]}"
    exit 1
fi
echo "lint: all clean"
