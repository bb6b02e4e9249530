#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Side by side with `openssl speed -evp -elapsed`, both of the system's library, at equal measuring time:
# tools/speed-spread.sh [REPEATS [SECONDS]]
#
# Twice the same library is an A and a B whose true ratio is 1. Each repeat gets one ratio B/A of both tools, from
# SECONDS of measuring for A and as much for B; printed are all, and how far they spread. Then the time of one
# 16-byte operation by both: what is more there is the loop's own. The work is aes-128-cbc in stream/1, which is
# what openssl speed does (docs/method.md). Needs openssl and libssl-dev. Exit status 1 when our spread is over a third of
# openssl's, or our loop takes longer.

set -eu
cd "$(dirname "$0")/.."

repeats=${1:-10} seconds=${2:-2}
program=${CRYPTO_BENCH:-build/crypto-bench}
alg=aes-128-cbc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# openssl_rate BYTES: bytes a second
openssl_rate() {
    openssl speed -elapsed -mr -seconds "$seconds" -bytes "$1" -evp $alg 2>/dev/null |
        awk -F: '$1 == "+F" { print $NF }'
}

# gate BYTES: our comparison of the library with itself, into result.json; prints B/A of time per operation
gate() {
    "$program" gate --base /usr --new /usr --target x86_64 --alg $alg --size "$1" --workload stream/1 --metric time \
        --time "$seconds" --precision 0 --quiet --format json --out "$work/result.json" >"$work/verdict.json" 2>"$work/err" ||
        [ $? -ne 1 ]
    jq -r '.findings[0].ratio' "$work/verdict.json"
}

if ! command -v openssl >/dev/null || ! [ -f /usr/include/openssl/evp.h ]; then
    echo "speed-spread: install openssl and libssl-dev first" >&2
    exit 1
fi
bad=0
[ "$seconds" -ge 1 ] # openssl speed takes whole seconds

echo "$(openssl version), $alg, 1456 bytes, $seconds s for A and $seconds s for B, $repeats repeats: B/A"
printf '%8s %14s %14s\n' repeat 'openssl speed' crypto-bench
for ((i = 1; i <= repeats; i++)); do
    a=$(openssl_rate 1456)
    b=$(openssl_rate 1456)
    theirs=$(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.5f", a / b }') # of times, as ours
    ours=$(gate 1456)
    printf '%8d %14.5f %14.5f\n' "$i" "$theirs" "$ours"
    echo "$theirs $ours" >>"$work/ratios"
done
awk 'NR == 1 { l1 = h1 = $1; l2 = h2 = $2 }
    { if ($1 < l1) l1 = $1; if ($1 > h1) h1 = $1; if ($2 < l2) l2 = $2; if ($2 > h2) h2 = $2
      s1 += $1; q1 += $1 * $1; s2 += $2; q2 += $2 * $2 }
    function sd(s, q) { v = q / NR - (s / NR) ^ 2; return v > 0 ? sqrt(v) : 0 }
    END {
        printf "%8s %13.3f%% %13.3f%%\n", "range", 100 * (h1 - l1), 100 * (h2 - l2)
        printf "%8s %13.3f%% %13.3f%%\n", "sd", 100 * sd(s1, q1), 100 * sd(s2, q2)
        printf "spread (sd) of crypto-bench over that of openssl speed: %.2f\n", sd(s2, q2) / sd(s1, q1)
        exit !(sd(s2, q2) <= sd(s1, q1) / 3)
    }' "$work/ratios" || bad=1

# In turn, and the least of each: what disturbs only ever adds.
for ((i = 1; i <= 5; i++)); do
    openssl_rate 16 >>"$work/theirs16"
    gate 16 >/dev/null
    jq -r '.cells[] | .time.samples[] | .[1] / .[0]' "$work/result.json" | sort -g | awk '{ v[NR] = $1 } END { print v[int(NR / 10) + 1] }' \
        >>"$work/ours16"
done
theirs=$(sort -gr "$work/theirs16" | head -n 1 | awk '{ printf "%.2f", 16e9 / $1 }')
ours=$(sort -g "$work/ours16" | head -n 1)
printf 'one 16-byte operation: openssl speed %.2f ns, crypto-bench %.2f ns\n' "$theirs" "$ours"
awk -v a="$ours" -v b="$theirs" 'BEGIN { exit !(a <= b * 1.01) }' || bad=1
exit $bad
