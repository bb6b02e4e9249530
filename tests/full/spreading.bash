# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Copyright the crypto-bench authors
#
# For the tests that spread a matrix: one small enough for a few minutes, and what must come of it.

# 2 targets x 2 configs x 2 algorithms x 2 sizes, counted: 16 cells in 8 rows
spread_options=(--target "x86_64,aarch64" --config "O2,Os" --alg "aes-256-gcm,chacha20-poly1305" --size "16,1456" --metric insns)

# spread_same WHOLE MERGED: all cells once, with the same numbers, the change against the baseline included, and the same builds
spread_same() {
    local cells='[.cells[] | {build, cpu, runner, workload, alg, op, bytes, status, per_op: .insns.per_op, vs_baseline}]
        | sort_by(.build, .alg, .bytes)'
    local builds='[.builds[] | {id, key, sizes, driver}] | sort_by(.id)'
    cb_valid "$2"
    [ "$(jq '.cells | length' "$2")" -eq 16 ]
    jq -S "$cells" "$1" >whole-cells
    jq -S "$cells" "$2" | diff whole-cells -
    jq -S "$builds" "$1" >whole-builds
    jq -S "$builds" "$2" | diff whole-builds -
    cb_run compare "$1" "$2" --metric insns,size --max-insns 0% --max-size 0%
    # shellcheck disable=SC2154 # cb_run sets them
    {
        echo "$stdout $stderr"
        [ "$status" -eq 0 ]
    }
}
