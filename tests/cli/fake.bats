#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Drivers that misbehave: the cell says how, the others go on, no number comes of it.

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

two_algs="--alg aes-128-gcm,aes-256-gcm --size 16,1456 --config O2,Os"

# cells STATUS: how many cells of result.json have it
cells() {
    jq --arg s "$1" '[.cells[] | select(.status == $s)] | length' result.json
}

# No number anywhere in cells that are not ok, and nothing that is not finite.
no_false_numbers() {
    cb_valid result.json
    [ "$(jq '[.cells[] | select(.status != "ok" and .time != null)] | length' result.json)" -eq 0 ]
}

# faulty MODE STATUS: the fault hits aes-256-gcm only; that gives STATUS with a reason, the rest is ok.
faulty() {
    # shellcheck disable=SC2086
    cb_fake "--mode $1 --only aes-256-gcm" $two_algs
    echo "status $status: $stdout $stderr"
    [ "$status" -eq 1 ]
    [ "$(cells ok)" -eq 4 ]
    [ "$(cells "$2")" -eq 4 ]
    no_false_numbers
    [[ $stdout == *"$2"* ]]
}

@test "a good driver: every cell ok, a valid file, a table" {
    # shellcheck disable=SC2086
    cb_fake "--mode good" $two_algs
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(cells ok)" -eq 8 ]
    no_false_numbers
    [[ $stdout == *aes-128-gcm*O2*Os*"vs O2"* ]]
}

@test "crash" { faulty crash driver-died; jq -e '.cells[] | select(.status == "driver-died") | .reason | test("SIGSEGV")' result.json; }
@test "illegal instruction" { faulty sigill illegal-instruction; }
@test "garbage" { faulty garbage bad-answer; }
@test "wrong tag" { faulty wrong-tag wrong-answer; }
@test "wrong after timing" { faulty wrong-after wrong-answer; }
@test "silent" { faulty silent timeout; }
@test "half a line" { faulty partial timeout; }
@test "huge line" { faulty huge-line bad-answer; }
@test "clock that never moves" { faulty stuck-clock bad-clock; }
@test "negative duration" { faulty negative bad-clock; }
@test "0 operations" { faulty zero-ops bad-clock; }
@test "4103 s of work in a short run" { faulty long-work bad-clock; }
@test "NaN as a duration" {
    # shellcheck disable=SC2086
    cb_fake "--mode nan --only aes-256-gcm" $two_algs
    [ "$status" -eq 1 ]
    [ "$(cells ok)" -eq 4 ]
    no_false_numbers
}
@test "exit in mid-work" { faulty exit driver-died; }
@test "unsupported algorithm" { faulty unsupported unsupported; }

@test "a driver that cannot start: all its cells say so, and it ends soon" {
    # shellcheck disable=SC2086
    cb_fake "--mode start-crash" $two_algs
    [ "$status" -eq 1 ]
    [ "$(cells ok)" -eq 0 ]
    [ "$(cells driver-died)" -eq 8 ]
    no_false_numbers
}

@test "another library at run time is not measured" {
    # shellcheck disable=SC2086
    cb_fake "--mode wrong-library" $two_algs
    [ "$status" -eq 1 ]
    [ "$(cells wrong-library)" -eq 8 ]
    no_false_numbers
}

@test "a flood on the driver's standard error does no harm" {
    # shellcheck disable=SC2086
    cb_fake "--mode stderr-flood" $two_algs
    [ "$status" -eq 0 ]
    [ "$(cells ok)" -eq 8 ]
}

@test "a program that is no driver" {
    # shellcheck disable=SC2086
    cb_run --target x86_64 --library "$CB_ROOT/tests/libraries/mini" --runner exec:/bin/true --out result.json \
        --time 0.05 --timeout 1 $two_algs
    [ "$status" -eq 1 ]
    [ "$(cells ok)" -eq 0 ]
    no_false_numbers
    # shellcheck disable=SC2086
    cb_run --target x86_64 --library "$CB_ROOT/tests/libraries/mini" --runner exec:/no/such/program --out result.json \
        --time 0.05 --timeout 1 $two_algs
    [ "$status" -eq 1 ]
    [[ $stdout$stderr == *"/no/such/program"* ]]
}

@test "locale changes nothing in the file but the times" {
    if ! locale -a | grep -qi '^de_DE.utf'; then
        localedef -i de_DE -f UTF-8 "$BATS_TEST_TMPDIR/de_DE.UTF-8" || skip "no German locale, and localedef cannot make one"
        export LOCPATH=$BATS_TEST_TMPDIR
    fi
    export LC_ALL=de_DE.UTF-8
    # shellcheck disable=SC2086
    cb_fake "--mode good" --time 0.3 $two_algs
    [ "$status" -eq 0 ]
    cb_valid result.json
    jq -e '.settings.seconds_per_cell == 0.3' result.json
    [[ $stdout != *[0-9],[0-9]%* ]]
}

@test "interleaving: linear drift of 10% in the clock cancels in the change" {
    cb_fake "--mode drift --drift 0.1 --ns-per-op 20000" --alg aes-128-gcm --size 1456 --config O2,Os --time 1
    echo "$stderr"
    [ "$status" -eq 0 ]
    jq -e '.cells[] | select(.vs_baseline != null) | .vs_baseline.time_ratio.median | (. > 0.997 and . < 1.003)' result.json
}

@test "--out - prints the file and nothing else; --format json too; none prints nothing" {
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config O2 --out -
    [ "$status" -eq 0 ]
    printf '%s\n' "$stdout" >out.json
    cb_valid out.json
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config O2 --format json
    printf '%s\n' "$stdout" >out.json
    cmp out.json result.json
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config O2 --format none --quiet
    [ -z "$stdout" ]
    [ -z "$stderr" ]
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config O2 --format markdown
    [[ $stdout == *"|---|"* ]]
}

@test "the default file is results/TIME-TARGETS.json" {
    cb_run --target x86_64 --library "$CB_ROOT/tests/libraries/mini" --runner "exec:$CB_FAKE_DRIVER --mode good" \
        --time 0.05 --alg aes-128-gcm --size 16 --config O2
    [ "$status" -eq 0 ]
    ls results
    cb_valid results/*-x86_64.json
    [[ $(ls results) =~ ^[0-9]{8}T[0-9]{6}Z-x86_64.json$ ]]
}

@test "interrupted: what was measured is written, the rest is skipped, and the signal is passed on" {
    # shellcheck disable=SC2086
    env "CB_X=1" "$CRYPTO_BENCH" --target x86_64 --library "$CB_ROOT/tests/libraries/mini" --out result.json --time 2 --precision 0% \
        --runner "exec:$CB_FAKE_DRIVER --mode good" $two_algs >out 2>err &
    pid=$!
    for _ in $(seq 100); do
        grep -q '^first sample' err && break
        sleep 0.1
    done
    kill -TERM $pid
    code=0
    wait $pid || code=$?
    cat err
    [ "$code" -eq 143 ]
    cb_valid result.json
    [ "$(cells skipped)" -gt 0 ]
    jq -e '.warnings[] | select(.code == "interrupted")' result.json
}

@test "the first sample is shown at once when all is cached" {
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config O2
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config O2
    [[ $stderr == *"first sample"* ]]
    [[ $stderr != *building* ]]
}
