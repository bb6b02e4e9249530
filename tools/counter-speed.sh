#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# How long counting instructions takes by the plugin and by QEMU's log, both from one run; the libraries
# are built first, so that only counting is timed, and the two must agree in every cell.
#   tools/counter-speed.sh [OPTION...]    options for crypto-bench; default: the whole default matrix
set -eu
cd "$(dirname "$0")/.."
bench=${CRYPTO_BENCH:-build/crypto-bench}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bench" --metric insns --quiet --format none --counter plugin --alg aes-128-gcm --size 16 "$@" --out "$work/warm.json"
for how in plugin log; do
    start=$(date +%s.%N)
    "$bench" --metric insns --quiet --format none --counter $how "$@" --out "$work/$how.json"
    end=$(date +%s.%N)
    cells=$(jq '[.cells[] | select(.insns != null)] | length' "$work/$how.json")
    awk -v a="$start" -v b="$end" -v n="$cells" -v h=$how 'BEGIN { printf "%-7s %4d cells in %.1f s\n", h, n, b - a }'
    jq -c '[.cells[] | [.build, .cpu, .alg, .op, .bytes, .insns.per_op, .insns.functions]]' "$work/$how.json" >"$work/$how.counts"
done
cmp "$work/plugin.counts" "$work/log.counts"
echo "the same instructions in every cell, by function too"
