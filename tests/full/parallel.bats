#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# examples/parallel.sh: a matrix in shards by GNU parallel, merged, is the matrix.

load ../cli/helper
load spreading

setup() {
    cb_setup
    command -v parallel >/dev/null || skip "no GNU parallel (package parallel)"
}

@test "shards that run side by side, merged: the same counts as one run" {
    "$CB_ROOT/examples/parallel.sh" 5 merged.json "${spread_options[@]}"
    cb_run run "${spread_options[@]}" --out whole.json --format none
    [ "$status" -eq 0 ]
    spread_same whole.json merged.json
    [ -z "$(find . -name 'shards-*')" ]
}

@test "shards that need one build at once share it by the cache's locks" {
    export XDG_CACHE_HOME=$PWD/cache FAKE_LIBRARY
    mkdir cache
    FAKE_LIBRARY=$(cb_mini_version)
    JOBS=6 "$CB_ROOT/examples/parallel.sh" 6 merged.json --target x86_64 --library "$CB_ROOT/tests/libraries/mini" \
        --config O2,Os --alg aes-128-gcm,aes-256-gcm --size 16,64,256 --runner "exec:$CB_FAKE_DRIVER" --time 0.01
    cb_valid merged.json
    jq -e '(.cells | length) == 12 and (.builds | length) == 2 and all(.cells[]; .status == "ok")' merged.json
    [ "$(find cache -name libcrypto.a | wc -l)" -eq 2 ]
}

@test "a shard in which a cell has no number is merged all the same; the status says so" {
    export XDG_CACHE_HOME=$PWD/cache FAKE_LIBRARY
    mkdir cache
    FAKE_LIBRARY=$(cb_mini_version)
    code=0
    JOBS=1 "$CB_ROOT/examples/parallel.sh" 2 merged.json --target x86_64 --library "$CB_ROOT/tests/libraries/mini" \
        --config O2,Os --alg aes-128-gcm,aes-256-gcm --size 16 --time 0.01 \
        --runner "exec:$CB_FAKE_DRIVER --mode crash --only aes-256-gcm" || code=$?
    [ "$code" -eq 1 ]
    cb_valid merged.json
    [ "$(jq -c '[.cells[] | .status] | sort' merged.json)" = '["driver-died","driver-died","ok","ok"]' ]
}
