#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Modelled cycles: the same by plugin and by log and on every run, labelled as what they are, compared and
# explained. Uses the libraries that real.bats builds.

load helper

setup() {
    cb_setup
}

# model OUT OPTION...: modelled cycles of two builds for aarch64 into OUT
model() {
    local out=$1
    shift
    cb_run --metric modelled --config Os,small-footprint --target aarch64 --out "$out" "$@"
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    cb_valid "$out"
}

label='modelled cycles, Cortex-A53 table v[0-9]+; caches and predictors perfect; not measured'

@test "plugin and log agree to the cycle, total, by function and by what was waited for" {
    model plugin.json --counter plugin --alg aes-256-gcm,aes-128-cbc,chacha20-poly1305 --size 16,4096
    model log.json --counter log --alg aes-256-gcm,aes-128-cbc,chacha20-poly1305 --size 16,4096
    model again.json --alg aes-256-gcm,aes-128-cbc,chacha20-poly1305 --size 16,4096
    for f in plugin log again; do
        jq -c '[.cells[] | [.build, .alg, .bytes, .modelled]]' $f.json >$f.cycles
    done
    jq -e '.cells | length > 0 and all(.modelled.cycles_per_op > 0)' plugin.json
    cmp plugin.cycles log.cycles
    cmp plugin.cycles again.cycles
    [ "$(jq -r '.lanes[0].counter' log.json)" = qemu-log ]
}

@test "cycles are those of functions, and functions those of what they wait for" {
    model run.json --alg aes-256-gcm --size 1456
    jq -e '.cells[].modelled | (.functions | map(.cycles) | add) + .rest - .cycles_per_op | fabs < 0.01' run.json
    jq -e '.cells[].modelled.functions[] | (.waits | add) - .cycles | fabs < 0.01' run.json
    jq -e '.cells[].modelled | .core == "cortex-a53" and .unknown_share <= 0.005 and .insns >= .unknown' run.json
    jq -e '.cells[] | .insns.per_op > 0 and .modelled.cycles_per_op >= .insns.per_op / 2' run.json
}

@test "every table says what it is; below 256 bytes there are only ratios" {
    model run.json --alg chacha20-poly1305 --size 16,256,1456
    [[ $stdout =~ $label ]]
    [[ $stdout == *"too close to call"* && $stdout == *"Unknown instructions: none."* ]]
    [[ $stdout =~ band\ +-\ +\+-35%\ +\+-15% ]]
    # the table after the label: no cycles in the first column
    [[ $stdout =~ Os\ +-\ +[0-9]+\.[0-9]+\ +[0-9]+\.[0-9]+ ]]
    # instructions stand beside
    [[ $stdout == *"instructions/byte, exact"* && $stdout == *"insns/byte, 1456 B"* ]]
    [[ $stdout != *"estimate at"* ]]
    jq -e '[.cells[] | select(.config == "Os") | .modelled.band] == [null, 0.35, 0.15]' run.json
    cb_run report run.json --format markdown
    [[ $stdout =~ "### "[^$'\n']*$label ]]
    cb_run report run.json --cpu-mhz 1350
    [[ $stdout =~ "kB/s, estimate at 1350 MHz from "$label ]]
    model mhz.json --alg chacha20-poly1305 --size 16,1456 --cpu-mhz 1350
    [[ $stdout =~ "kB/s, estimate at 1350 MHz from "$label ]]
    cb_run report mhz.json
    [[ $stdout == *"estimate at 1350 MHz"* ]]
}

@test "with instructions of a CPU model that has a core, and of no other" {
    cb_run --metric insns --config Os --target aarch64,x86_64 --alg aes-128-gcm --size 1456 --out run.json
    [ "$status" -eq 0 ]
    cb_valid run.json
    jq -e '.cells[] | select(.target == "aarch64") | .modelled.cycles_per_op > 0 and .modelled_reason == null' run.json
    jq -e '.cells[] | select(.target == "x86_64") | .modelled == null and .modelled_reason == null' run.json
    [[ $stdout != *"no modelled cycles"* ]]
    cb_run --metric modelled --config Os --target x86_64 --alg aes-128-gcm --size 1456 --out x86.json
    [ "$status" -eq 0 ]
    cb_valid x86.json
    jq -e '.cells[] | .insns.per_op > 0 and .modelled == null and (.modelled_reason | test("no pipeline table.*x86_64"))' x86.json
    [[ $stdout == *"no modelled cycles: x86_64"*"no pipeline table"* && $stdout != *"table v"* ]]
    cb_run list targets
    [[ $stdout =~ aarch64:cortex-a53\ .*\[modelled:\ cortex-a53\] && ! $stdout =~ x86_64:[a-z-]+\ .*\[modelled ]]
    cb_run list cores
    [[ $stdout =~ cortex-a53\ .*table\ v[0-9] && $stdout =~ 24kc ]]
}

@test "compare judges by a 5% rule, explain says where the cycles go and what they wait for" {
    model run.json --workload stream/1 --alg aes-256-gcm,chacha20-poly1305 --size 16,256
    cb_run compare run.json --config Os,small-footprint --metric modelled
    echo "$stdout"
    [ "$status" -eq 3 ]
    [[ $stdout == *"slower by modelled cycles"* ]]
    [[ $stdout =~ note:\ $label ]]
    # GCM of 256 bytes has figures, of 16 only its change
    [[ $stdout =~ aes-256-gcm/encrypt/256\ +modelled\ +slower\ +[0-9]+\ +[0-9]+\ +\+ ]]
    [[ $stdout =~ aes-256-gcm/encrypt/16\ +modelled\ +slower\ +-\ +-\ +\+ ]]
    cb_run compare run.json --config Os,small-footprint --metric modelled --alg chacha20-poly1305
    [ "$status" -eq 0 ]
    cb_run compare run.json --config Os,small-footprint --metric modelled --format json
    python3 "$CB_ROOT/tests/validate.py" "$CB_ROOT/docs/comparison.schema.json" "$BATS_TEST_TMPDIR/.out"
    jq -e '.findings[] | select(.name | test("chacha")) | .verdict == "same" and .noise == 0.05 and .low == null' "$BATS_TEST_TMPDIR/.out"
    cb_run compare --selftest run.json --metric modelled
    [[ $stdout == *"modelled: fires from an injected +7% on"* ]]

    cb_run explain run.json --config Os,small-footprint --metric modelled
    echo "$stdout"
    [ "$status" -eq 0 ]
    [[ $stdout =~ $label ]]
    [[ $stdout == *"small-footprint waits for"* && $stdout =~ CRYPTO_gcm128_encrypt\ .*issue\ width\ [0-9]+% ]]
    [[ $stdout == *"too close to call, 0 without a counterpart"* ]]
    cb_run explain run.json --metric modelled --config Os --size 256 --alg chacha20-poly1305
    echo "$stdout"
    [[ $stdout =~ ChaCha20[A-Za-z0-9_]*\ +[0-9]+\ +[0-9.]+% && $stdout =~ total\ +[0-9]+\ +100.0% ]]
    cb_run explain run.json --metric time --config Os,small-footprint
    [ "$status" -eq 2 ]
}

@test "gate judges modelled cycles beside instructions" {
    cb_run gate --config Os,small-footprint --target aarch64 --workload stream/1 --alg aes-256-gcm --size 256 --out gate.json
    echo "$stdout $stderr"
    [ "$status" -eq 3 ]
    [[ $stdout == *"1 of 1 cell is slower by instructions; 1 of 1 cell is slower by modelled cycles"* ]]
    cb_run gate --config Os,small-footprint --target aarch64 --workload stream/1 --alg aes-256-gcm --size 256 --out gate.json \
        --max-insns 1000% --max-modelled 1000% --metric insns,modelled
    [ "$status" -eq 0 ]
}

@test "a figure needs QEMU's trace, known options and a table that can be read" {
    cb_run --metric modelled --runner native --config Os --target x86_64 --alg aes-128-gcm --size 16 --out run.json
    jq -e '.cells[0] | .modelled == null and (.modelled_reason | test("--runner qemu"))' run.json
    for bad in 0 -5 x 1e3 1000000; do
        cb_run --cpu-mhz "$bad" --target aarch64
        [ "$status" -eq 2 ]
        [[ $stderr == *"--cpu-mhz '$bad'"*1350* ]]
    done
    jq '.cpus |= map(.core = "./none.json")' "$CB_ROOT/targets/aarch64.json" >odd.json
    cb_run --metric modelled --target ./odd.json --config Os --alg aes-128-gcm --size 16 --out run.json
    [ "$status" -eq 2 ]
    [[ $stderr == *none.json* ]]
    # a table that differs from a shipped one needs a name of its own
    jq '.taken_branch = 200' "$CB_ROOT/targets/cores/cortex-a53.json" >mine.json
    jq '.cpus |= map(.core = "./mine.json")' "$CB_ROOT/targets/aarch64.json" >odd.json
    cb_run --metric modelled --target ./odd.json --config Os --alg aes-128-gcm --size 16 --out run.json
    [ "$status" -eq 2 ]
    [[ $stderr == *mine.json*name*"another name"* ]]
}
