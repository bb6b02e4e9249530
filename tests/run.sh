#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Runs test suites and sums up: tests/run.sh BUILD-DIRECTORY SUITE...
#
# Suites: unit (cmocka programs in BUILD-DIRECTORY/unit), cli (tests/cli/*.bats), full
# (tests/full/*.bats). Both runners speak TAP. One line a file, the details of what failed, and a closing
# line "N passed, N failed, N skipped". Exit status 1 when a test failed or none ran.
#
# SAN=1: BUILD-DIRECTORY holds a sanitizer build; any report of a sanitizer is a failure, whatever the
# test made of the exit status. TEST_TIMEOUT: seconds for one file, in place of the defaults below.

set -u
cd "$(dirname "$0")/.." || exit 1

unit_timeout=${TEST_TIMEOUT:-300}
cli_timeout=${TEST_TIMEOUT:-1500}
full_timeout=${TEST_TIMEOUT:-5400}

build=${1:?give the build directory and suites}
shift
case $build in /*) ;; *) build=$PWD/$build ;; esac

export CB_ROOT=$PWD
export CB_FAKE_DRIVER=$build/tests/fake
export CRYPTO_BENCH=$build/crypto-bench
export CMOCKA_MESSAGE_OUTPUT=TAP
export HOME=${HOME:-/root}
# The checkout's data is what is tested.
unset CRYPTO_BENCH_DATA

work=$(mktemp -d) || exit 1
child=
trap 'rm -rf "$work"' EXIT
trap '[ -z "$child" ] || kill -TERM "$child" 2>/dev/null; wait; exit 130' INT TERM

# Where another python3 comes before the system's, and lacks what the system's has.
modules='import jsonschema, prometheus_client, yaml'
if ! python3 -c "$modules" 2>/dev/null && /usr/bin/python3 -c "$modules" 2>/dev/null; then
    mkdir "$work/bin"
    ln -s /usr/bin/python3 "$work/bin/python3"
    PATH=$work/bin:$PATH
fi

# A locale with a decimal comma, for the tests that must not notice it.
if ! locale -a 2>/dev/null | grep -qiE '^de_DE\.utf-?8$'; then
    mkdir "$work/locale"
    if localedef -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8" >/dev/null 2>&1; then
        export LOCPATH=$work/locale
    fi
fi

if [ -n "${SAN-}" ]; then
    mkdir "$work/san"
    export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:exitcode=99:log_path=$work/san/report
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99:log_path=$work/san/report
    # glibc's own, once per process that sets a locale under LOCPATH.
    echo 'leak:argz_add_sep' >"$work/leaks"
    export LSAN_OPTIONS=exitcode=99:print_suppressions=0:suppressions=$work/leaks
fi

passed=0 failed=0 skipped=0

# run_file NAME TIMEOUT COMMAND...: runs one file's tests and adds them up.
run_file() {
    local name=$1 limit=$2 out=$work/out
    local rc planned ok notok skip missing bad note='' began=$SECONDS
    shift 2
    # Its own process group (set -m), so that a time-out or Ctrl-C ends all that it started.
    set -m
    timeout -k 10 "$limit" "$@" >"$out" 2>&1 </dev/null &
    child=$!
    set +m
    { wait "$child"; } 2>/dev/null
    rc=$?
    child=

    planned=$(sed -nE 's/^1\.\.([0-9]+).*/\1/p' "$out" | awk '{n += $1} END {print n + 0}')
    # cmocka writes "not ok N # SKIP name", bats "ok N name # skip reason".
    skip=$(grep -ciE '^(not )?ok [0-9]+ (.* )?# skip' "$out")
    ok=$(grep -E '^ok [0-9]+' "$out" | grep -civE '# skip')
    notok=$(grep -E '^not ok [0-9]+' "$out" | grep -civE '^not ok [0-9]+ # skip')
    missing=$((planned - ok - notok - skip))
    bad=$notok
    if [ "$missing" -gt 0 ]; then
        bad=$((bad + missing))
        note="$missing did not report"
    fi
    if [ "$rc" -eq 124 ] || [ "$rc" -eq 137 ]; then
        note="${note:+$note; }stopped after $limit s"
    elif [ "$rc" -gt 128 ]; then
        note="${note:+$note; }killed by signal $((rc - 128))"
    elif [ "$rc" -ne 0 ] && [ "$bad" -eq 0 ]; then
        note="exit status $rc"
    elif [ "$planned" -eq 0 ]; then
        note="ran no test"
    fi
    if [ -n "${SAN-}" ] && ls "$work"/san/report* >/dev/null 2>&1; then
        note="${note:+$note; }sanitizer report"
    fi
    # Whatever went wrong outside a test is at least one failure.
    if [ -n "$note" ] && [ "$bad" -eq 0 ]; then
        bad=1
    fi

    printf '%-28s %4d passed %4d failed %4d skipped %5d s%s\n' \
        "$name" "$ok" "$bad" "$skip" $((SECONDS - began)) "${note:+  ($note)}"
    grep -iE '^(not )?ok [0-9]+ (.* )?# skip' "$out" | sed -E 's/^(not )?ok [0-9]+ (# SKIP )?/    skipped: /'
    if [ "$bad" -gt 0 ]; then
        if [ -n "$note" ]; then
            tail -n 60 "$out" | sed 's/^/    /'
        else
            # Each failed test, what it said before and after its line.
            grep -vE '^(ok [0-9]|1\.\.)' "$out" | head -n 200 | sed 's/^/    /'
        fi
        if [ -n "${SAN-}" ]; then
            cat "$work"/san/report* 2>/dev/null | head -n 80 | sed 's/^/    /'
        fi
    fi
    [ -z "${SAN-}" ] || rm -f "$work"/san/report*
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
}

for suite in "$@"; do
    case $suite in
    unit)
        for source in tests/unit/test_*.c; do
            [ -f "$source" ] || continue
            name=$(basename "$source" .c)
            run_file "unit/$name" "$unit_timeout" "$build/unit/$name"
        done
        ;;
    cli | full)
        limit=$cli_timeout
        [ "$suite" = cli ] || limit=$full_timeout
        for file in tests/"$suite"/*.bats; do
            [ -f "$file" ] || continue
            run_file "$suite/$(basename "$file")" "$limit" bats --formatter tap "$file"
        done
        ;;
    *)
        echo "tests/run.sh: unknown suite '$suite'; known: unit cli full" >&2
        exit 2
        ;;
    esac
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ $((passed + failed)) -gt 0 ]
