#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# examples/slurm.sh on Debian's Slurm: a cluster of one node, with its own munge, ports and directories, that the tests
# start and end.

load ../cli/helper
load spreading

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# daemon NAME COMMAND...: in the foreground of a background process, whose number is kept
daemon() {
    local name=$1
    shift
    "$@" >"$dir/$name.out" 2>&1 3>&- &
    echo $! >"$dir/$name.pid"
}

setup_file() {
    export dir=$BATS_FILE_TMPDIR/slurm node
    for program in munged slurmctld slurmd sbatch; do
        PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || return 0
    done
    [ "$(id -u)" -eq 0 ] || return 0
    PATH=$PATH:/usr/sbin
    node=$(uname -n)
    node=${node%%.*}
    export SLURM_CONF=$dir/slurm.conf
    mkdir -p "$dir"/{state,spool,munge}
    # munge wants its socket within reach of all users, and its key out of it
    chmod 755 "$dir/munge"
    head -c 128 /dev/urandom >"$dir/munge/key"
    chmod 400 "$dir/munge/key"
    touch "$dir/plugstack.conf"
    cat >"$SLURM_CONF" <<END
ClusterName=crypto-bench
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge/socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/state/slurmctld.pid
SlurmdPidFile=$dir/state/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
PlugStackConfig=$dir/plugstack.conf
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
    # --force: for directories above that it finds too open
    daemon munged munged --foreground --force --num-threads=2 --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
        --pid-file="$dir/munge/pid" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
    until_true 30 test -S "$dir/munge/socket"
    daemon slurmctld slurmctld -D
    daemon slurmd slurmd -D
    until_true 60 node_is_idle || {
        tail -n 5 "$dir"/*.out "$dir"/*.log >&3
        return 1
    }
}

# until_true SECONDS COMMAND...
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.2
    done
}

node_is_idle() {
    [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]
}

queue_is_empty() {
    local jobs
    jobs=$(squeue -h) && [ -z "$jobs" ]
}

teardown_file() {
    [ -e "$dir/slurmctld.pid" ] || return 0
    squeue -h -o %A | sort -u | xargs -r scancel || true
    until_true 20 queue_is_empty || true
    for name in slurmd slurmctld munged; do
        kill "$(cat "$dir/$name.pid")" || true
    done
    for name in slurmd slurmctld munged; do
        until_true 20 gone "$(cat "$dir/$name.pid")" || kill -9 "$(cat "$dir/$name.pid")"
    done
}

gone() {
    ! kill -0 "$1" 2>/dev/null
}

setup() {
    cb_setup
    [ "$(id -u)" -eq 0 ] || skip "slurmd has to be started by root"
    [ -e "$dir/slurmd.pid" ] || skip "no Slurm (packages slurm-wlm and munge)"
}

# All jobs have ended, and none is left that waits for ever.
jobs_end() {
    until_true "$1" queue_is_empty || {
        squeue
        return 1
    }
    tail -n 20 ./*.log
}

@test "an array of shards, merged by a job after it: the same counts as one run" {
    "$CB_ROOT/examples/slurm.sh" 4 merged.json "${spread_options[@]}"
    jobs_end 900
    ls crypto-bench-*_4.log
    [ "$(find shards-* -name '*.json' | wc -l)" -eq 4 ]
    cb_run run "${spread_options[@]}" --out whole.json --format none
    [ "$status" -eq 0 ]
    spread_same whole.json merged.json
    # one shard again, alone in its array
    rm shards-*/3.json
    dir3=$(echo "$PWD"/shards-*)
    SHARDS=4 SHARD_DIR=$dir3 sbatch --array=3 "$CB_ROOT/examples/slurm.sbatch" "${spread_options[@]}"
    jobs_end 300
    cb_run merge "$dir3"/*.json --out again.json
    [ "$status" -eq 0 ]
    spread_same whole.json again.json
}

@test "a shard in which a cell has no number ends with 1 and is merged all the same; an idle shard, too" {
    export XDG_CACHE_HOME=$PWD/cache FAKE_LIBRARY
    mkdir cache
    FAKE_LIBRARY=$(cb_mini_version)
    # and a node for each, as times need
    export SBATCH_EXCLUSIVE=exclusive
    "$CB_ROOT/examples/slurm.sh" 3 merged.json --target x86_64 --library "$CB_ROOT/tests/libraries/mini" --config O2,Os \
        --alg aes-128-gcm,aes-256-gcm --size 16 --time 0.01 --runner "exec:$CB_FAKE_DRIVER --mode crash --only aes-256-gcm"
    [ "$(squeue -h -n crypto-bench -o %h | sort -u)" = NO ]
    jobs_end 300
    [ "$(jq -s -c 'map(.cells | length) | sort' shards-*/*.json)" = "[0,2,2]" ]
    cb_valid merged.json
    [ "$(jq -c '[.cells[] | .status] | sort' merged.json)" = '["driver-died","driver-died","ok","ok"]' ]
}
