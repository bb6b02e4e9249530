#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Suites: experiments as JSON files, with their layouts.

load helper

setup_file() {
    load helper
    cb_own_cache
    export FAKE_LIBRARY
    FAKE_LIBRARY=$(cb_mini_version)
}

setup() {
    cb_setup
}

# A suite of the tiny library on the fake driver.
mini_suite() {
    jq -n --arg mini "$CB_ROOT/tests/libraries/mini" '{schema: "crypto-bench-suite/1", name: "mine", summary: "a test",
        library: [$mini], target: ["x86_64"], config: ["Os", "small-footprint", "O3"], cc: ["gcc", "gcc-99"],
        alg: ["aes-256-gcm", "aes-128-gcm", "chacha20-poly1305"], size: [64, 1456], workload: ["stream/1", "record/1"],
        metric: ["time", "cycles"], baseline: "Os", layout: ["openwrt", "recommendation", "compilers", "openssl-speed"]}' >suite.json
}

run_suite() {
    cb_run run --suite ./suite.json --runner "exec:$CB_FAKE_DRIVER" --time 0.02 --timeout 2 --out result.json "$@"
    echo "$status: $stdout $stderr"
}

@test "a suite fills the axes, says what it skipped, and prints its layouts" {
    mini_suite
    run_suite
    [ "$status" -eq 0 ]
    cb_valid result.json
    [ "$(jq '.cells | length' result.json)" -eq 36 ]
    [ "$(jq -c '[.cells[].workload] | unique' result.json)" = '["record/1","stream/1"]' ]
    [ "$(jq -c '[.builds[].compiler.word] | unique' result.json)" = '["gcc"]' ]
    [[ $stderr == *"skipped: gcc-99 for x86_64"*"gcc-99"* ]]
    jq -e '.warnings[] | select(.code == "skipped") | .text | test("gcc-99")' result.json
    [[ $stdout == *"What each option saves and costs"* ]]
    [[ $stdout == *"The 'numbers' are in 1000s of bytes per second processed."* ]]
    [[ $stdout == *"cycles/byte by fake"* ]]
    [[ $stdout == *"AES-128-GCM/ChaCha20"* ]]
    [[ $stdout == *"x86_64, mini, stream/1"* ]]
}

@test "options on the command line narrow a suite; report prints the same layouts" {
    mini_suite
    run_suite --size 64 --workload record/1 --cc gcc --config Os,O3
    [ "$status" -eq 0 ]
    [ "$(jq '.cells | length' result.json)" -eq 6 ]
    [[ $stderr != *skipped:* ]]
    printf '%s\n' "$stdout" >printed
    cb_run report result.json
    [ "$status" -eq 0 ]
    printf '%s\n' "$stdout" | diff printed -
}

@test "a baseline that the command line leaves out is none" {
    mini_suite
    run_suite --config O3 --cc gcc
    [ "$status" -eq 0 ]
}

@test "nothing left to run is an error that says why" {
    mini_suite
    run_suite --cc gcc-99
    [ "$status" -eq 1 ]
    [[ $stderr == *"nothing of this suite is left"*gcc-99* ]]
}

@test "the shipped suites are listed and are what their schema says" {
    cb_run list suites
    for f in "$CB_ROOT"/suites/*.json; do
        python3 "$CB_ROOT/tests/validate.py" "$CB_ROOT/docs/suite.schema.json" "$f"
        name=$(basename "$f" .json)
        [ "$(jq -r .name "$f")" = "$name" ]
        [[ $stdout == *"$name"* ]]
    done
}

# bad TEXT JQ: the suite changed by JQ is refused with TEXT
bad() {
    mini_suite
    jq "$2" suite.json >bad.json
    cb_run run --suite ./bad.json --out result.json
    echo "$status: $stderr"
    [ "$status" -eq 2 ]
    [[ $stderr == *bad.json*"$1"* ]]
    [ ! -e result.json ]
}

@test "bad suites: exit 2, file and place" {
    bad "did you mean 'config'" '.confi = ["Os"]'
    bad '$.alg' '.alg = "aes-256-gcm"'
    bad '$.alg[0]' '.alg = [1]'
    bad '$.alg' '.alg = []'
    bad '$.size' '.size = [0]'
    bad '$.size' '.size = [1.5]'
    bad '$.layout' '.layout = ["circle"]'
    bad '$.schema' '.schema = "crypto-bench-suite/9"'
    cb_run run --suite small-footprnt
    [ "$status" -eq 2 ]
    [[ $stderr == *small-footprint* ]]
    mini_suite
    jq '.alg = ["aes-257-gcm"]' suite.json >bad.json
    cb_run run --suite ./bad.json --out result.json
    [ "$status" -eq 2 ]
    [[ $stderr == *aes-256-gcm* ]]
}

@test "--cc all builds once with a compiler that has two names; its own name still chooses it" {
    mkdir bin
    ln -s "$(command -v gcc)" bin/gcc-29
    local PATH="$PWD/bin:$PATH"
    cb_run run --library "$CB_ROOT/tests/libraries/mini" --target x86_64 --config O2 --cc all --metric stack --out all.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    jq -e '[.builds[].compiler.word] | index("gcc") != null and index("gcc-29") == null' all.json
    [[ $stderr == *"gcc-29 is gcc for x86_64, built once"* ]]
    cb_run run --library "$CB_ROOT/tests/libraries/mini" --target x86_64 --config O2 --cc gcc,gcc-29 --metric stack --out both.json
    [ "$status" -eq 0 ]
    [ "$(jq -c '[.builds[].compiler.word]' both.json)" = '["gcc","gcc-29"]' ]
}
