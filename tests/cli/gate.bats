#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Two sides built and measured in turn, with the tiny library and the fake driver.

load helper
load compare

setup_file() {
    load helper
    cb_own_cache
    export FAKE_LIBRARY
    FAKE_LIBRARY=$(cb_mini_version)
}

setup() {
    cb_setup
    mini=$CB_ROOT/tests/libraries/mini
}

teardown() {
    cb_comparisons_valid
}

# gate 'FAKE OPTIONS' [OPTION...]
gate() {
    local fake=$1
    shift
    cb_run gate --target x86_64 --runner "exec:$CB_FAKE_DRIVER $fake" --alg aes-128-gcm --size 16 --time 0.1 --timeout 1 \
        --out gate.json "$@"
    echo "exit status $status: $stdout $stderr"
}

# What a comparison says but for the names of the sides.
verdict() {
    printf '%s\n' "$stdout" | jq -S 'del(.base, .new)'
}

@test "two libraries: passes, and compare judges the file alike" {
    gate "--mode good" --base "$mini" --new "$mini" --config O2
    [ "$status" -eq 0 ]
    [[ $stdout == "pass: "*base:*"$mini"*new:*"$mini"* ]]
    [[ $stderr == *"result file: gate.json"* ]]
    cb_valid gate.json
    [ "$(jq -c '[.builds[].side]' gate.json)" = '["base","new"]' ]
    gate "--mode good" --base "$mini" --new "$mini" --config O2 --format json --quiet
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    verdict >gate.txt
    cb_compare gate.json
    [ "$status" -eq 0 ]
    jq -S 'del(.base, .new)' comparison.json >compare.txt
    cmp gate.txt compare.txt
    [ "$(cb_verdicts time)" = "1 same" ]
    [ "$(cb_verdicts size)" = "1 same" ]
    # the side that is judged is the new one
    cb_change gate.json slower.json '(.cells[] | select(.build | test("@new/"))) |= scale(1.1)'
    cb_compare slower.json
    [ "$status" -eq 3 ]
    cb_change gate.json faster.json '(.cells[] | select(.build | test("@base/"))) |= scale(1.1)'
    cb_compare faster.json
    [ "$status" -eq 0 ]
    [ "$(cb_verdicts time)" = "1 faster" ]
}

@test "two configs of one library: passes; a limit on size decides" {
    gate "--mode good" --library "$mini" --config O2,Os
    [ "$status" -eq 0 ]
    [[ $stdout == *"base: O2"*"new: Os"* ]]
    cb_valid gate.json
    gate "--mode good" --library "$mini" --config O2,Os --format json --quiet
    verdict >gate.txt
    cb_compare gate.json --config O2,Os
    jq -S 'del(.base, .new)' comparison.json >compare.txt
    cmp gate.txt compare.txt
    # the other way about the library is larger
    gate "--mode good" --library "$mini" --config Os,O2
    [ "$status" -eq 3 ]
    [[ $stdout == "regression: "*larger* ]]
    gate "--mode good" --library "$mini" --config Os,O2 --max-size 50%
    [ "$status" -eq 0 ]
    gate "--mode good" --library "$mini" --config Os,O2 --metric time
    [ "$status" -eq 0 ]
}

@test "a new side that does not build: no verdict, with the reason" {
    cp -R "$mini" broken
    echo 'int broken = ;' >>broken/crypto/info.c
    for metric in "" "--metric time" "--metric size"; do
        # shellcheck disable=SC2086
        gate "--mode good" --base "$mini" --new ./broken --config O2 $metric
        [ "$status" -eq 4 ]
        [[ $stdout == "no verdict: "*"info.c:"*error* ]]
        cb_valid gate.json
    done
    cb_compare gate.json --metric size
    [ "$status" -eq 4 ]
    # an improvement that does not build is none either
    gate "--mode good" --base ./broken --new "$mini" --config O2
    [ "$status" -eq 4 ]
}

@test "a new side that builds in one config only is no pass" {
    cp -R "$mini" half
    printf '#ifdef __OPTIMIZE_SIZE__\n#error "not for size"\n#endif\n' >>half/crypto/info.c
    for metric in "" "--metric time" "--metric size"; do
        # shellcheck disable=SC2086
        gate "--mode good" --base "$mini" --new ./half --config O2,Os $metric
        [ "$status" -eq 4 ]
        [[ $stdout == *"not for size"* ]]
    done
}

@test "a driver that dies on both sides: no verdict" {
    gate "--mode crash" --base "$mini" --new "$mini" --config O2 --metric time
    [ "$status" -eq 4 ]
    [[ $stdout == "no verdict: "*SIGSEGV* ]]
}

@test "usage errors, before anything is built" {
    export XDG_CACHE_HOME=$PWD/cache
    for words in "" "--base $mini" "--new $mini" "--base $mini --new $mini --library $mini" "--library $mini" "--library $mini --config O2" \
        "--library $mini --config O2,Os,O3" "--library $mini,openssl-3.0 --config O2,Os" "extra --base $mini --new $mini" \
        "--base $mini --new $mini --frobnicate" "--base $mini --new $mini --format none" "--base $mini --new $mini --allow x" \
        "--base $mini --new $mini --max-slowdown x" "--base $mini --new $mini --policy none.json" "--base $mini --new none" \
        "--base $mini --new $mini --selftest" "--base $mini --new $mini --out no/such/gate.json"; do
        # shellcheck disable=SC2086
        cb_run gate --target x86_64 $words
        echo "$words: $status $stderr"
        [ "$status" -eq 2 ]
        [ -z "$stdout" ]
        [[ $stderr == "crypto-bench: "* ]]
    done
    [ ! -e cache ] || [ -z "$(find cache -name 'libcrypto.a')" ]
}

@test "interrupted: no verdict, and a whole file or none" {
    cb_run build --target x86_64 --library "$mini" --config O2,Os
    # A shell's children in the background do not hear SIGINT otherwise.
    env --default-signal=INT "$CRYPTO_BENCH" gate --target x86_64 --library "$mini" --config O2,Os --alg aes-128-gcm,aes-256-gcm \
        --size 16,1456 --time 3 --runner "exec:$CB_FAKE_DRIVER --mode good" --out gate.json >out 2>err &
    pid=$!
    for _ in $(seq 200); do
        grep -q '^first sample' err && break
        sleep 0.1
    done
    kill -INT $pid
    code=0
    wait $pid || code=$?
    cat out err
    [ "$code" -eq 130 ]
    [ ! -s out ]
    grep -q 'interrupted: no verdict' err
    cb_valid gate.json
    jq -e '.warnings[] | select(.code == "interrupted")' gate.json
    [ "$(find . -type f ! -name .out ! -name .err | sort | tr '\n' ' ')" = "./err ./gate.json ./out " ]
}

# One clock for all drivers, since a driver that starts 20 ms after another would else be 0.5% behind it.
@test "drift of 10% in the drivers' clock cancels in what is measured in turn" {
    cb_run build --target x86_64 --library "$mini" --config O2,Os
    since=$(python3 -c 'import time; print(time.monotonic_ns())')
    cb_fake "--mode drift --drift 0.25 --since $since --ns-per-op 20000" --alg aes-128-gcm --size 1456 --config O2,Os --time 0.23 \
        --precision 0%
    [ "$status" -eq 0 ]
    # it was there: from the first to the last samples of each process
    jq -e '[.cells[].time | .launches as $l | .samples | map(.[1] / .[0]) as $x
        | [foreach ($l[][]) as $n ({end: 0}; {start: .end, end: (.end + $n)}; $x[.start:.end])] | .[]
        | (.[-3:] | add) / (.[:3] | add)] | debug | min > 1.04' result.json
    jq -e '.cells[] | select(.vs_baseline != null) | .vs_baseline.time_ratio.median | debug | (. > 0.997 and . < 1.003)' result.json
    cb_compare result.json --config O2,Os --metric time --max-slowdown 0.5%
    [ "$status" -eq 0 ]
    [ "$(cb_verdicts time)" = "1 same" ]
}
