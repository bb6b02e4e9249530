#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# The full default matrix and the promised figures. Builds 16 libraries, and 8 more of openssl-3.0: about
# half an hour on 2 cores with an empty cache.

load ../cli/helper

setup() {
    cb_setup
}

@test "the default matrix: 480 cells, every one ok, valid" {
    cb_run --target x86_64,aarch64,arm,mips --time 0.05 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    [ "$(jq '.cells | length' result.json)" -eq 480 ]
    [ "$(jq '[.cells[] | select(.status == "ok")] | length' result.json)" -eq 480 ]
    cb_valid result.json
}

@test "all CPU models of all targets" {
    cb_run --target all --cpu all --runner qemu --config Os --alg all --size 16,1456 --time 0.02 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    cb_valid result.json
}

@test "1.1.1, 3.0 and 3.5 build and answer right for all four targets" {
    cb_run --library all --config Os --alg all --op all --size 16,1456 --time 0.02 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
}

# ratio A B TARGET: archive total of config A over that of config B
ratio() {
    jq -r --arg a "$1" --arg b "$2" --arg t "$3" '[.builds[] | select(.target.name == $t)]
        | (map({key: .config.name, value: .sizes.archive.total}) | from_entries) | .[$a] / .[$b]' result.json
}

@test "openssl-3.0: sizes of SMALL_FOOTPRINT and -O3 against -Os as published" {
    cb_run --library openssl-3.0 --config Os,O3,small-footprint --alg aes-128-gcm --size 16 --time 0.02 --out result.json
    [ "$status" -eq 0 ]
    while read -r target low high; do
        r=$(ratio small-footprint Os "$target")
        echo "$target small-footprint/Os $r, O3/Os $(ratio O3 Os "$target")"
        awk -v r="$r" -v l="$low" -v h="$high" 'BEGIN { exit !(r >= l && r <= h) }'
        awk -v r="$(ratio O3 Os "$target")" 'BEGIN { exit !(r >= 1.15 && r <= 1.25) }'
    done <<END
aarch64 0.984 0.988
mips 0.970 0.974
arm 0.973 0.977
x86_64 0.986 0.990
END
}

@test "openssl-3.0 on aarch64: SMALL_FOOTPRINT takes seven times the instructions in stream/1, five in record/1" {
    for w in "stream/1 6.5 7.2" "record/1 4.9 5.4"; do
        # shellcheck disable=SC2086
        set -- $w
        cb_run --library openssl-3.0 --target aarch64 --config Os,small-footprint --alg aes-256-gcm,chacha20-poly1305 \
            --size 1456 --workload "$1" --metric insns --out result.json
        [ "$status" -eq 0 ]
        jq -e --argjson l "$2" --argjson h "$3" '.cells[] | select(.config == "small-footprint" and .alg == "aes-256-gcm")
            | .vs_baseline.insns_ratio | . > $l and . < $h' result.json
        jq -e '.cells[] | select(.config == "small-footprint" and .alg == "chacha20-poly1305")
            | .vs_baseline.insns_ratio | . > 0.99 and . < 1.02' result.json
    done
}

@test "openssl-3.0 on a Cortex-A53, modelled: what SMALL_FOOTPRINT costs, and GCM ahead of ChaCha20" {
    cb_run --library openssl-3.0 --target aarch64 --config Os,small-footprint --alg aes-256-gcm,chacha20-poly1305 \
        --size 1456,16384 --workload stream/1 --metric modelled --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    # published: 8.13 and 1.03
    jq -e '.cells[] | select(.config == "small-footprint" and .alg == "aes-256-gcm" and .bytes == 1456)
        | .vs_baseline.modelled_ratio | . >= 7.0 and . <= 8.2' result.json
    jq -e '.cells[] | select(.config == "small-footprint" and .alg == "chacha20-poly1305" and .bytes == 1456)
        | .vs_baseline.modelled_ratio | . >= 0.98 and . <= 1.02' result.json
    jq -e '(.cells | map(select(.config == "Os" and .bytes == 16384) | {key: .alg, value: .modelled.cycles_per_op}) | from_entries)
        | .["chacha20-poly1305"] / .["aes-256-gcm"] | . > 2 and . < 2.8' result.json
}

@test "the default matrix of one core is modelled within 20 seconds" {
    cb_run build --target aarch64
    start=$(date +%s)
    cb_run --target aarch64 --metric modelled --out result.json
    [ $(($(date +%s) - start)) -le 20 ]
    [ "$(jq '[.cells[] | select(.modelled.cycles_per_op > 0)] | length' result.json)" -eq 120 ]
}

@test "openssl-3.0 natively: small-footprint is slower than Os, seen in every run" {
    for _ in 1 2 3; do
        cb_run --library openssl-3.0 --target x86_64 --config Os,small-footprint --alg aes-256-gcm --size 1456 --time 5 --out result.json
        echo "$stdout"
        jq -e '.cells[] | select(.config == "small-footprint") | .vs_baseline.time_ratio | .low > 1.005' result.json
    done
}
