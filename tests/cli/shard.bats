#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# run --shard I/N: the parts are the whole, each cell once, and what is compared stays together.

load helper

setup_file() {
    load helper
    cb_own_cache
    export FAKE_LIBRARY
    FAKE_LIBRARY=$(cb_mini_version)
    cp -R "$CB_ROOT/tests/libraries/mini" "$BATS_FILE_TMPDIR/two"
}

setup() {
    cb_setup
}

# part OUT [OPTION...]: a run of 2 libraries x 2 configs x 2 sizes, 4 rows of 2 cells
part() {
    local out=$1
    shift
    cb_run run --target x86_64 --library "$CB_ROOT/tests/libraries/mini,$BATS_FILE_TMPDIR/two" --config O2,Os \
        --alg aes-128-gcm --size 16,1456 --runner "exec:$CB_FAKE_DRIVER" --time 0.01 --timeout 2 \
        --out "$out" "$@"
    echo "$out: $status $stdout $stderr"
}

# names FILE...: all cells, by all that tells them apart, sorted
names() {
    jq -r '.cells[] | [.build, .cpu, .runner, .workload, .alg, .op, .bytes] | map(tostring) | join(" ")' "$@" | sort
}

@test "the union of all shards is the matrix, no cell twice; cells stay with their baseline" {
    part all.json
    [ "$status" -eq 0 ]
    [ "$(names all.json | wc -l)" -eq 8 ]
    jq -e '.settings.shard == null' all.json
    for of in 1 3 5; do
        rm -f s-*.json
        for i in $(seq "$of"); do
            part "s-$i.json" --shard "$i/$of"
            [ "$status" -eq 0 ]
            jq -e --argjson i "$i" --argjson of "$of" '.settings.shard == {index: $i, of: $of}' "s-$i.json"
            # each config's cell with its baseline's, whose samples they are paired with
            jq -e '[.cells[] | select(.config == "Os") | .vs_baseline.time_ratio.n] | all(. > 0)' "s-$i.json"
            # as many builds as are needed, and one lane with all their drivers
            jq -e '(.builds | map(.id)) == (.cells | map(.build) | unique)
                and (.lanes | length) == ([.cells[]] | if length > 0 then 1 else 0 end)
                and ([.lanes[].drivers[].build] | sort) == (.builds | map(.id) | sort)' "s-$i.json"
        done
        names all.json >whole
        names s-*.json | diff whole -
        # even: rows differ by one at most
        jq -s -e 'map(.cells | length / 2) | max - min <= 1' s-*.json
    done
}

@test "few builds: three shards need one library each but for one" {
    for i in 1 2 3; do
        part "s-$i.json" --shard "$i/3" --metric stack,time
        cb_valid "s-$i.json"
    done
    [ "$(jq -s -c 'map(.builds | length)' s-?.json)" = "[2,4,2]" ]
}

@test "the same words give the same parts, whatever the seed, and 1/1 is all" {
    part a.json --shard 2/3 --seed 1
    part b.json --shard 2/3 --seed 2
    names a.json >a
    names b.json | diff a -
    part one.json --shard 1/1
    part all.json
    names all.json >all
    names one.json | diff all -
    [ "$(jq '.lanes | length' one.json)" -eq 1 ]
}

@test "CPU models and targets are dealt out too, by words alone, each target's lanes together" {
    for i in 1 2 3; do
        cb_run run --target x86_64,mips --cpu all --config O2 --library "$CB_ROOT/tests/libraries/mini" --cc gcc-99 \
            --alg aes-128-gcm --size 16,64 --out "s-$i.json" --shard "$i/3" --format none
        cb_valid "s-$i.json"
    done
    cb_run run --target x86_64,mips --cpu all --config O2 --library "$CB_ROOT/tests/libraries/mini" --cc gcc-99 \
        --alg aes-128-gcm --size 16,64 --out all.json --format none
    [[ $stderr == *"have no number"* ]]
    names all.json >whole
    names s-?.json | diff whole -
    [ "$(jq -s 'map(.cells | map(.target) | unique | length) | add' s-?.json)" -le 4 ]
}

@test "a shard with nothing to do: a valid file without cells, a word about it, exit 0" {
    part s.json --shard 3/5
    [ "$status" -eq 0 ]
    [[ $stderr == *"shard 3/5 has nothing to do"* ]]
    [ -z "$stdout" ]
    cb_valid s.json
    jq -e '.builds == [] and .lanes == [] and .cells == []' s.json
    cb_run report s.json
    [ "$status" -eq 0 ]
}

@test "a suite can be sharded; what is not installed is skipped by the shard it falls to" {
    jq -n --arg mini "$CB_ROOT/tests/libraries/mini" '{schema: "crypto-bench-suite/1", name: "mine", summary: "a test",
        library: [$mini], target: ["x86_64"], config: ["Os", "O3"], cc: ["gcc", "gcc-99"],
        alg: ["aes-256-gcm"], size: [64, 1456]}' >suite.json
    for i in 1 2; do
        cb_run run --suite ./suite.json --runner "exec:$CB_FAKE_DRIVER" --time 0.01 --out "s-$i.json" --shard "$i/2"
        echo "$status $stderr"
        [ "$status" -eq 0 ]
        cb_valid "s-$i.json"
    done
    [ "$(jq '.cells | length' s-1.json)" -eq 4 ]
    [ "$(jq '.cells | length' s-2.json)" -eq 0 ]
    [[ $stderr == *"skipped: gcc-99 for x86_64"* ]]
    cb_run run --suite ./suite.json --cc gcc-99 --runner "exec:$CB_FAKE_DRIVER" --time 0.01 --out s.json
    [ "$status" -eq 1 ]
}

@test "--metric stack alone: configs that are compared stay together; build deals out single builds" {
    for i in 1 2; do
        part "s-$i.json" --shard "$i/2" --metric stack
        [ "$status" -eq 0 ]
        [ "$(jq -c '.builds | map(.config.name)' "s-$i.json")" = '["O2","Os"]' ]
    done
    [ "$(jq -s -c '[.[].builds[].id] | unique | length' s-?.json)" -eq 4 ]
    for i in 1 2 3; do
        cb_run build --target x86_64 --library "$CB_ROOT/tests/libraries/mini" --config O2,Os --shard "$i/3"
        [ "$status" -eq 0 ]
        printf '%s\n' "$stdout"
    done | grep -c '^cached ' >count
    [ "$(cat count)" -eq 2 ]
}

@test "shards that begin in one second write files of different names" {
    for i in 2 3; do
        cb_run run --target x86_64 --library "$CB_ROOT/tests/libraries/mini" --runner "exec:$CB_FAKE_DRIVER" --time 0.01 \
            --alg aes-128-gcm --size 16,64,256 --config O2 --shard "$i/3"
        [ "$status" -eq 0 ]
    done
    ls results
    [[ $(cd results && echo *-shard-2-of-3.json) =~ ^[0-9]{8}T[0-9]{6}Z-x86_64-shard-2-of-3.json$ ]]
    [ -e results/*-x86_64-shard-3-of-3.json ]
}

@test "usage errors: exit 2, the value, and what would be right" {
    for word in 0/8 9/8 2 a/b "" / 2/ /8 1/0 -1/8 1/2/3 1/10001 1/99999999999999999999; do
        part none.json --shard "$word"
        [ "$status" -eq 2 ]
        [ ! -e none.json ]
        [[ $stderr == "crypto-bench: --shard '$word': "* ]]
        [[ $stderr == *"2/8"* || $stderr == *"from 1 to"* ]]
    done
    part none.json --shard 1/2 --cc all
    [ "$status" -eq 2 ]
    [[ $stderr == *"--cc 'all'"*"name the compilers"* ]]
    cb_run gate --library "$CB_ROOT/tests/libraries/mini" --config O2,Os --shard 1/2
    [ "$status" -eq 2 ]
    [[ $stderr == *"--shard"* ]]
    cb_run --help
    [[ $stdout == *"--shard I/N"* ]]
}
