#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# How often the gate cries wolf, and how often it sleeps: tools/gate-trials.sh [NULL-TRIALS [LOADED-TRIALS [REAL-TRIALS]]]
#
# Null trials compare a build with itself (three algorithms, 1456 bytes, about 10 s each, limit 1.5%): none may
# end as a regression. Loaded ones do so while another process keeps one processor busy. Real ones compare
# openssl-3.0's Os with small-footprint (aes-256-gcm, at most 15 s, limit 1%): all must. Native x86_64 only.
# One line a trial, then the counts. Exit status 1 when a trial went wrong.

set -u
cd "$(dirname "$0")/.." || exit 1

null=${1:-25} loaded=${2:-25} real=${3:-10}
program=${CRYPTO_BENCH:-build/crypto-bench}
work=$(mktemp -d) || exit 1
load=
trap '[ -z "$load" ] || kill "$load" 2>/dev/null; rm -rf "$work"' EXIT
bad=0

# trial NAME FORBIDDEN WANTED OPTION...: FORBIDDEN is an exit status that makes it bad, "-": none; WANTED one without
# which it is bad, "-": any of 0, 3, 4.
trial() {
    local name=$1 forbidden=$2 wanted=$3 rc=0 began=$SECONDS verdict=good
    shift 3
    "$program" gate --target x86_64 --size 1456 --metric time --quiet --out "$work/result.json" "$@" \
        >"$work/out" 2>"$work/err" || rc=$?
    case $rc in 0 | 3 | 4) ;; *) verdict=bad ;; esac
    [ "$rc" != "$forbidden" ] || verdict=bad
    [ "$wanted" = - ] || [ "$rc" = "$wanted" ] || verdict=bad
    [ $verdict = good ] || bad=$((bad + 1))
    printf '%-8s exit %d, %2d s, %s: %s\n' "$name" "$rc" $((SECONDS - began)) $verdict "$(head -n 1 "$work/out" "$work/err" |
        grep -m 1 -E '^(pass|regression|no verdict|crypto-bench)')"
    if [ $verdict = bad ]; then
        grep -E '^x86_64' "$work/out"
        cat "$work/err"
    fi
    count[rc]=$((${count[rc]:-0} + 1))
}

sum() {
    echo "$1: ${count[0]:-0} pass, ${count[3]:-0} regression, ${count[4]:-0} no verdict"
    count=()
}

self=(--base openssl-3.0 --new openssl-3.0 --config Os --alg 'aes-128-gcm,aes-256-gcm,chacha20-poly1305'
    --time 1.1 --max-slowdown 1.5%)
count=()
for ((i = 1; i <= null; i++)); do
    trial "null $i" 3 - "${self[@]}"
done
[ "$null" -eq 0 ] || sum "null"

if [ "$loaded" -gt 0 ]; then
    (while :; do :; done) &
    load=$!
    for ((i = 1; i <= loaded; i++)); do
        trial "loaded $i" 3 - "${self[@]}"
    done
    kill "$load"
    load=
    sum "loaded"
fi

for ((i = 1; i <= real; i++)); do
    trial "real $i" - 3 --library openssl-3.0 --config Os,small-footprint --alg aes-256-gcm --time 4 --max-slowdown 1%
done
[ "$real" -eq 0 ] || sum "real"

[ $bad -eq 0 ]
