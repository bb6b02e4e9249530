#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# A matrix as a Slurm array, and a job that merges its shards when all have ended:
#
#   examples/slurm.sh SHARDS FILE [OPTION...]
#
# OPTION... are those of crypto-bench run. Prints the number of the merging job. Times are worth something only
# where a task has its node for itself: set SBATCH_EXCLUSIVE=exclusive, or count instructions (--metric insns), which
# need no quiet. The cache ($XDG_CACHE_HOME, ~/.cache) may be shared by all nodes or be one for each.

set -eu
shards=${1:?give the number of shards, the merged file, then options of run}
file=${2:?give the number of shards, the merged file, then options of run}
shift 2
here=$(cd "$(dirname "$0")" && pwd)
bench=${CRYPTO_BENCH:-crypto-bench}
SHARD_DIR=$(mktemp -d "$PWD/shards-XXXXXX")
export SHARD_DIR

array=$(sbatch --parsable --array="1-$shards" "$here/slurm.sbatch" "$@")
# afterany: a shard in which some cell has no number ends with 1, and its file is worth merging all the same.
sbatch --parsable --dependency="afterany:${array%%;*}" --job-name=crypto-bench-merge --output=%x-%A.log \
    "$here/slurm-merge.sbatch" "$bench" "$shards" "$file"
