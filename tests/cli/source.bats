#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Where pinned sources come from.

load helper

setup() {
    cb_setup
    export XDG_CACHE_HOME=$PWD/cache
    unset CRYPTO_BENCH_SOURCES CRYPTO_BENCH_CACHE
}

# A library file whose archive is the tiny library, under names that exist nowhere else.
library_file() { # SHA256
    jq --arg sha "$1" '.name = "pinned" | .version = "9.9.9" | .archive = {file: "pinned-9.9.9.tar.gz",
        sha256: $sha, urls: ["file:///nonexistent/pinned-9.9.9.tar.gz"]} | del(.debian)' \
        "$CB_ROOT/libraries/openssl-3.5.json" >pinned.json
}

archive() { # DIR
    tar -C "$CB_ROOT/tests/libraries" -czf "$1/pinned-9.9.9.tar.gz" mini
    sha256sum "$1/pinned-9.9.9.tar.gz" | cut -d' ' -f1
}

@test "nothing reachable and nothing cached: exit 1, and which file to put where" {
    library_file "$(printf '%064d' 0)"
    cb_run --library ./pinned.json --target x86_64 --config O2 --alg aes-128-gcm --size 16 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    [[ $stderr$stdout == *pinned-9.9.9.tar.gz* && $stderr$stdout == *CRYPTO_BENCH_SOURCES* ]]
}

@test "a local file is used, and verified" {
    mkdir local
    library_file "$(archive local)"
    export CRYPTO_BENCH_SOURCES=$PWD/local
    cb_run build --library ./pinned.json --target x86_64 --config O2
    echo "$stdout $stderr"
    [[ $stdout == *"pinned/gcc/O2/x86_64"* ]]
    [ "$status" -eq 0 ]
}

@test "a mismatch shows both hashes and keeps nothing" {
    mkdir local
    real=$(archive local)
    wrong=$(printf '%064d' 7)
    library_file "$wrong"
    jq --arg url "file://$PWD/local/pinned-9.9.9.tar.gz" '.archive.urls = [$url]' pinned.json >p2.json
    cb_run build --library ./p2.json --target x86_64 --config O2
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    [[ $stdout$stderr == *"$wrong"* && $stdout$stderr == *"$real"* ]]
    [ -z "$(find cache -name '*.tar.gz')" ]
    CRYPTO_BENCH_SOURCES=$PWD/local cb_run build --library ./p2.json --target x86_64 --config O2
    [ "$status" -eq 1 ]
    [[ $stdout$stderr == *"$wrong"* && $stdout$stderr == *"$real"* ]]
    [ -f local/pinned-9.9.9.tar.gz ]
}

@test "a fetched archive is cached: the second time nothing is fetched" {
    mkdir local
    sha=$(archive local)
    library_file "$sha"
    jq --arg url "file://$PWD/local/pinned-9.9.9.tar.gz" '.archive.urls = [$url]' pinned.json >p2.json
    cb_run build --library ./p2.json --target x86_64 --config O2
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    rm local/pinned-9.9.9.tar.gz
    cb_run build --library ./p2.json --target x86_64 --config Os
    [ "$status" -eq 0 ]
}
