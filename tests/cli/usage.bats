#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# What the command line refuses, and how. Nothing here builds or measures.

load helper

setup() {
    cb_setup
}

# refused OPTION...: exit 2, exactly one line on stderr, nothing on stdout.
refused() {
    cb_run "$@"
    echo "status $status: $stdout / $stderr"
    [ "$status" -eq 2 ]
    [ -z "$stdout" ]
    [ "$(printf '%s\n' "$stderr" | wc -l)" -eq 1 ]
}

@test "unknown algorithm: the nearest and the list" {
    refused --alg aes-257-gcm
    [[ $stderr == *"'aes-257-gcm'"*"aes-256-gcm"*"chacha20-poly1305"* ]]
}

@test "unknown target" {
    refused --target vax
    [[ $stderr == *"'vax'"*aarch64*mips* ]]
}

@test "unknown config, library, op, workload, format, runner, CPU model: each names the nearest" {
    refused --config small-fotprint
    [[ $stderr == *"did you mean 'small-footprint'"* ]]
    refused --library openssl-3.1
    [[ $stderr == *"'openssl-3.1'"*"did you mean 'openssl-3"* ]]
    refused --op encrpyt
    [[ $stderr == *"did you mean 'encrypt'"* ]]
    refused --workload record/2
    [[ $stderr == *"did you mean 'record/1'"* ]]
    refused --format tabel
    [[ $stderr == *"did you mean 'table'"* ]]
    refused --runner qmeu
    [[ $stderr == *"'qmeu'"*qemu* ]]
    refused --target aarch64 --cpu cortex-a35
    [[ $stderr == *"'cortex-a35'"*"cortex-a53"* ]]
    refused --target aarch64:cortex-a54
    [[ $stderr == *"'cortex-a54'"*"cortex-a53"* ]]
}

@test "unknown option and command: the nearest" {
    refused --targte aarch64
    [[ $stderr == *"did you mean '--target'"* ]]
    refused rnu
    [[ $stderr == *"did you mean 'run'"* ]]
    refused list target
    [[ $stderr == *"did you mean 'targets'"* ]]
}

@test "sizes out of range or not whole blocks" {
    refused --size 0
    [[ $stderr == *"'0'"*16777216* ]]
    refused --size 2147483647
    [[ $stderr == *"'2147483647'"*16777216* ]]
    refused --size -5
    [[ $stderr == *"'-5'"* ]]
    refused --size 16x
    refused --size 99999999999999999999999
    refused --size 16,,64
    refused --alg aes-128-cbc --size 17
    [[ $stderr == *"'17'"*"aes-128-cbc"*"32"* ]]
    refused --size 17
}

@test "seconds and jobs out of range" {
    refused --time 0
    refused --time -1
    refused --time nan
    refused --time 1e3
    refused --timeout 0
    refused --jobs 0
    refused --jobs 1.5
}

@test "an option without its value, a flag with one, a stray word" {
    refused --target
    [[ $stderr == *"'--target'"* ]]
    refused --quiet=yes
    [[ $stderr == *"--quiet"* ]]
    refused --target aarch64 surplus
    [[ $stderr == *"'surplus'"* ]]
}

@test "a target file with a duplicate key says where" {
    sed 's/"name": *"aarch64"/"name": "a1", "name": "a2"/' "$CB_ROOT/targets/aarch64.json" >dup.json
    refused --target ./dup.json
    [[ $stderr == *dup.json* && $stderr == *name* ]]
}

@test "a target file with trailing garbage says where" {
    cp "$CB_ROOT/targets/aarch64.json" tail.json
    echo '}' >>tail.json
    refused --target ./tail.json
    [[ $stderr == *tail.json* ]]
}

@test "a target file with an unknown key says which" {
    sed '0,/"triplet"/s/"triplet"/"tripplet"/' "$CB_ROOT/targets/aarch64.json" >unknown.json
    refused --target ./unknown.json
    [[ $stderr == *unknown.json* && $stderr == *tripplet* ]]
}

@test "a target file with a wrong type says where and what" {
    sed 's/"triplet": *"[^"]*"/"triplet": 7/' "$CB_ROOT/targets/aarch64.json" >type.json
    refused --target ./type.json
    [[ $stderr == *type.json* && $stderr == *'$.triplet'* && $stderr == *string* ]]
}

@test "a target file that is missing, a directory, empty, binary or huge" {
    refused --target ./nowhere.json
    [[ $stderr == *nowhere.json* ]]
    mkdir dir.json
    refused --target ./dir.json
    : >empty.json
    refused --target ./empty.json
    head -c 4096 /dev/urandom >binary.json
    refused --target ./binary.json
    printf '[%.0s' {1..5000} >deep.json
    refused --target ./deep.json
}

@test "a user's own target file works like a shipped one" {
    sed 's/"name": *"aarch64"/"name": "myboard"/' "$CB_ROOT/targets/aarch64.json" >myboard.json
    cb_run doctor --target ./myboard.json
    [[ $stdout == *myboard* ]]
    cb_run --target ./myboard.json:cortex-a54
    [ "$status" -eq 2 ]
    [[ $stderr == *cortex-a53* ]]
}

@test "a library path that is neither tree nor prefix says what was looked for" {
    mkdir nothing
    refused --library ./nothing
    [[ $stderr == *nothing* && $stderr == *libcrypto.a* ]]
}

@test "two files with one name are refused" {
    cp "$CB_ROOT/targets/aarch64.json" twin.json
    refused --target aarch64,./twin.json
    [[ $stderr == *aarch64* && $stderr == *twin.json* ]]
}

@test "--baseline must be in the run; --out must be writable" {
    refused --config Os --baseline O3
    [[ $stderr == *"'O3'"* ]]
    refused --out ./no/such/dir/x.json
    [[ $stderr == *no/such/dir* ]]
    refused --out .
}

@test "--help and --version exit 0, for every command" {
    cb_run --help
    [ "$status" -eq 0 ]
    [[ $stdout == *--target* && $stdout == *doctor* ]]
    for c in run build list doctor docs explain; do
        cb_run "$c" --help
        [ "$status" -eq 0 ]
        [[ $stdout == *"crypto-bench $c"* ]]
    done
    cb_run --version
    [ "$status" -eq 0 ]
    [[ $stdout == "crypto-bench "[0-9]* ]]
}

@test "help and usage fit 80 columns" {
    for c in "" run build list doctor docs explain; do
        # shellcheck disable=SC2086
        cb_run $c --help
        [ "$(printf '%s\n' "$stdout" | awk 'length > 80' | wc -l)" -eq 0 ]
    done
}

@test "list names what there is" {
    cb_run list
    [ "$status" -eq 0 ]
    for word in x86_64 aarch64 arm mips mipsel cortex-a53 24Kf O2 Os O3 small-footprint no-asm openwrt \
        openssl-3.5 openssl-3.0 openssl-1.1.1 aes-128-gcm chacha20-poly1305 record/1 stream/1 \
        cortex-a57 24kc '[modelled: cortex-a9]'; do
        [[ $stdout == *"$word"* ]] || { echo "missing $word"; false; }
    done
    cb_run list statuses
    [[ $stdout == *illegal-instruction* ]]
}

@test "standard output that cannot be written is an error" {
    "$CRYPTO_BENCH" list >/dev/full 2>err && false
    [ "$?" -ne 0 ]
    grep -q 'standard output' err
}

@test "the manual page formats without a warning and names every option" {
    "$CRYPTO_BENCH" docs man >cb.1
    warnings=$(man --warnings -E UTF-8 -l -Tutf8 -Z cb.1 2>&1 >/dev/null)
    echo "$warnings"
    [ -z "$warnings" ]
    page=$(man -l cb.1 | col -bx)
    for o in $("$CRYPTO_BENCH" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
        [[ $page == *"$o"* ]] || { echo "no $o"; false; }
    done
}

@test "bash completion offers commands, options and names" {
    "$CRYPTO_BENCH" docs bash >completion
    run bash -c '
        PATH="$(dirname "$CRYPTO_BENCH"):$PATH"
        . ./completion
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _crypto_bench; echo "${COMPREPLY[*]}"; }
        try crypto-bench do
        try crypto-bench --ta
        try crypto-bench --target aar
        try crypto-bench --config Os,small
        try crypto-bench build --al
    '
    echo "$output"
    [ "${lines[0]}" = "doctor docs" ] || [ "${lines[0]}" = "docs doctor" ]
    [ "${lines[1]}" = "--target" ]
    [ "${lines[2]}" = "aarch64" ]
    [ "${lines[3]}" = "Os,small-footprint" ]
}

@test "the shipped data files are what their schemas say, and the schema knows every status" {
    for kind in target config library; do
        dir=${kind}s
        [ $kind != library ] || dir=libraries
        python3 "$CB_ROOT/tests/validate.py" "$CB_ROOT/docs/$kind.schema.json" "$CB_ROOT/$dir"/*.json
    done
    python3 "$CB_ROOT/tests/validate.py" "$CB_ROOT/docs/core.schema.json" "$CB_ROOT"/targets/cores/*.json
    "$CRYPTO_BENCH" list statuses | sed -n 's/^  \([^ ]*\).*/\1/p' | sort >have
    jq -r '."$defs".status.enum[]' "$CB_ROOT/docs/result.schema.json" | sort >schema
    diff have schema
}
