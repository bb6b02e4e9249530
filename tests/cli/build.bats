#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Builds and the cache, with the tiny library.

load helper

setup_file() {
    load helper
    cb_own_cache
}

setup() {
    cb_setup
    mini="$CB_ROOT/tests/libraries/mini"
}

config_file() { # NAME CFLAG...
    local name=$1
    shift
    jq -n --arg n "$name" '{schema: "crypto-bench-config/1", name: $n, summary: "made by a test", baseline: "O2",
        cflags: $ARGS.positional, configure: [], in_default_set: false, order: 50}' --args -- "$@" >"$name.json"
}

# cells of CONFIG with STATUS
cells() {
    jq --arg c "$1" --arg s "$2" '[.cells[] | select(.config == $c and .status == $s)] | length' result.json
}

@test "build, then nothing left to build" {
    cb_run build --target x86_64 --library "$mini" --config O2,Os
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    [[ $stdout == *built*O2*built*Os* ]]
    [[ $stderr == *"1 of 2"*"2 of 2"* ]]
    cb_run build --target x86_64 --library "$mini" --config O2,Os
    [ "$status" -eq 0 ]
    [[ $stdout == *cached*O2*cached*Os* ]]
    [[ $stderr != *building* ]]
    cb_run build --target x86_64 --library "$mini" --config O2 --rebuild
    [[ $stdout == *built*O2* ]]
}

@test "a config that breaks the build: its first compiler error, numbers for all others, exit 1" {
    config_file broken -O2 -DMINI_BREAK
    cb_fake "--mode good" --alg aes-128-gcm --size 16,64 --config O2,./broken.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    [ "$(cells O2 ok)" -eq 2 ]
    [ "$(cells broken build-failed)" -eq 2 ]
    cb_valid result.json
    jq -e '.builds[] | select(.config.name == "broken") | .reason | test("error:")' result.json
    log=$(jq -r '.builds[] | select(.config.name == "broken") | .log' result.json)
    grep -q 'error:' "$log"
    [[ $stdout == *build-failed* ]]
}

@test "two levels on a line: the last one is recorded, with a warning; no level: that too" {
    config_file twice -O3 -Os
    config_file never -DNOTHING
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config O2,./twice.json,./never.json
    echo "$stderr"
    [ "$status" -eq 0 ]
    jq -e '.builds[] | select(.config.name == "twice") | .effective | .optimisation == "-Os" and .optimisation_repeated' result.json
    jq -e '.builds[] | select(.config.name == "never") | .effective.optimisation == ""' result.json
    jq -e '.builds[] | select(.config.name == "O2") | .effective | .optimisation == "-O2" and (.optimisation_repeated | not)' result.json
    jq -e '[.warnings[].code] | contains(["optimisation-level-repeated", "no-optimisation-level"])' result.json
    [[ $stderr == *"warning: optimisation-level-repeated"* ]]
}

@test "the user's environment does not reach the build" {
    cb_run build --target x86_64 --library "$mini" --config O3
    [ "$status" -eq 0 ]
    export CFLAGS=-O0 CPPFLAGS=-DMINI_BREAK MAKEFLAGS=-n CPATH=/nonexistent GCC_EXEC_PREFIX=/nonexistent/ CC=false
    cb_run build --target x86_64 --library "$mini" --config O3
    [[ $stdout == *cached* ]]
    cb_run build --target x86_64 --library "$mini" --config O3 --rebuild
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
}

@test "a compiler for another machine than the target's is refused, and nothing is measured" {
    sed 's/"name": *"x86_64"/"name": "notmine"/; s/"EM_X86_64"/"EM_AARCH64"/' "$CB_ROOT/targets/x86_64.json" >notmine.json
    cb_run --target ./notmine.json --library "$mini" --config O2 --alg aes-128-gcm --size 16 --out result.json \
        --runner "exec:$CB_FAKE_DRIVER --mode good"
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    jq -e '.cells[0] | .status == "compiler-missing" and (.reason | test("x86-64.*AArch64"))' result.json
    cb_valid result.json
}

@test "the known-answer test guards the real thing: a library that does nothing gives wrong-answer" {
    cb_run --target x86_64 --library "$mini" --config O2 --alg all --size 16 --out result.json --time 0.05
    echo "$stdout"
    [ "$status" -eq 1 ]
    [ "$(jq '[.cells[] | select(.status == "ok")] | length' result.json)" -eq 0 ]
    [ "$(cells O2 wrong-answer)" -gt 0 ]
    cb_valid result.json
}

@test "a missing compiler names its package; the rest goes on" {
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config O2 --cc gcc,gcc-99
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    jq -e '[.cells[] | select(.compiler == "gcc-99")][0] | .status == "compiler-missing" and (.reason | test("gcc-99"))' result.json
    jq -e '[.cells[] | select(.compiler == "gcc")][0].status == "ok"' result.json
    cb_valid result.json
}

@test "the same build wanted by two runs at once is made once" {
    config_file shared -O2 -DSHARED
    "$CRYPTO_BENCH" build --target x86_64 --library "$mini" --config ./shared.json >one 2>&1 &
    a=$!
    "$CRYPTO_BENCH" build --target x86_64 --library "$mini" --config ./shared.json >two 2>&1 &
    b=$!
    wait $a
    wait $b
    cat one two
    [ "$(cat one two | grep -c '^built     mini')" -eq 1 ]
}

@test "killed in the middle of a build: nothing half is left, the next run works" {
    config_file killed -O2 -DKILLED
    "$CRYPTO_BENCH" build --target x86_64 --library "$mini" --config ./killed.json >one 2>&1 &
    pid=$!
    sleep 0.3
    kill -KILL $pid
    wait $pid || true
    cb_run build --target x86_64 --library "$mini" --config ./killed.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    [ -z "$(find "$XDG_CACHE_HOME/crypto-bench/tmp" -mindepth 1 -maxdepth 1)" ]
}

@test "interrupted in the middle of a build: nothing half is left, no child goes on" {
    config_file stopped -O2 -DSTOPPED
    "$CRYPTO_BENCH" build --target x86_64 --library "$mini" --config ./stopped.json >one 2>&1 &
    pid=$!
    sleep 0.3
    kill -TERM $pid
    code=0
    wait $pid || code=$?
    cat one
    [ "$code" -eq 143 ] || [ "$code" -eq 0 ] # 0: it was done before the signal came
    [ -z "$(find "$XDG_CACHE_HOME/crypto-bench/tmp" -mindepth 1 -maxdepth 1)" ]
}

@test "a damaged cache entry is made again" {
    cb_run build --target x86_64 --library "$mini" --config O2
    for f in $(find "$XDG_CACHE_HOME/crypto-bench" -name build.json -o -name driver.json -o -name driver -type f); do
        : >"$f"
    done
    cb_run build --target x86_64 --library "$mini" --config O2
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    [[ $stdout == *built* ]]
}

@test "a prebuilt prefix is measured as it is" {
    cb_run --library /usr --target x86_64 --alg aes-256-gcm --size 1456 --time 0.1 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    jq -e '.builds[0] | .library.kind == "prefix" and .effective.optimisation == null and .sizes.archive.text > 1000000' result.json
    cb_valid result.json
}

@test "a cache that cannot be written is said so" {
    : >file
    XDG_CACHE_HOME=$PWD/file cb_run build --target x86_64 --library "$mini" --config O2
    [ "$status" -eq 1 ]
    [[ $stderr == *"$PWD/file"* ]]
}
