#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# A matrix in shards, run by GNU parallel, here or on several machines, and merged:
#
#   examples/parallel.sh SHARDS FILE [OPTION...]
#
# OPTION... are those of crypto-bench run. On this machine as many shards run at once as it has processors (JOBS=1:
# one after the other): that disturbs times, so count instructions (--metric insns), or let one run at a time.
# On others: SSHLOGIN=1/hostA,1/hostB runs one shard at a time on each; all need crypto-bench, and JSON files or
# trees named in OPTION... at the same place.

set -eu
shards=${1:?give the number of shards, the merged file, then options of run}
file=${2:?give the number of shards, the merged file, then options of run}
shift 2
bench=${CRYPTO_BENCH:-crypto-bench}
work=$(mktemp -d ./shards-XXXXXX)
where=()
[ -z "${SSHLOGIN-}" ] || where=(--sshlogin "$SSHLOGIN" --return '{}.json' --cleanup)
[ -z "${JOBS-}" ] || where+=(--jobs "$JOBS")

files=()
for i in $(seq "$shards"); do
    files+=("$work/$i.json")
done
# {/} is the shard's number. A shard in which some cell has no number ends with 1: it is merged all the same.
status=0
parallel --quote "${where[@]}" "$bench" run --shard "{/}/$shards" --jobs 1 --out "{}.json" --format none "$@" \
    ::: "${files[@]%.json}" || status=1
"$bench" merge "${files[@]}" --out "$file"
rm -r "$work"
exit "$status"
