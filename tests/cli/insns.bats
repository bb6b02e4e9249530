#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Instruction counts: exact, repeatable, the same by plugin and by log, and what changed where. Uses the
# libraries that real.bats builds.

load helper

setup() {
    cb_setup
}

# count OUT OPTION...: instruction counts of two builds into OUT
count() {
    local out=$1
    shift
    cb_run --metric insns --config Os,small-footprint --out "$out" "$@"
    echo "$stderr"
    [ "$status" -eq 0 ]
}

counts() {
    jq -c '[.cells[] | [.build, .cpu, .alg, .op, .bytes, .insns.per_op]]' "$1"
}

@test "ten counts on a loaded machine give one and the same number in every cell" {
    # with an empty cache the first run builds, which takes longer than any load here should last
    cb_run build --config Os,small-footprint --target x86_64,aarch64
    [ "$status" -eq 0 ]
    for _ in 1 2 3; do
        timeout 600 sh -c 'while :; do :; done' &
    done
    for i in 1 2 3 4 5 6 7 8 9 10; do
        # another size of environment, and another cache of translated blocks, each time
        X=$(printf "%${i}00s") count run.json --target x86_64,aarch64 --alg aes-256-gcm,chacha20-poly1305 --op all --size 16,1456
        counts run.json >>all
    done
    kill $(jobs -p)
    wait
    [ "$(sort -u all | wc -l)" -eq 1 ]
    cb_valid run.json
}

@test "plugin and log agree to the instruction, total and by function" {
    count plugin.json --counter plugin --target x86_64,aarch64 --size 16,1456
    count log.json --counter log --target x86_64,aarch64 --size 16,1456
    [ "$(counts plugin.json)" = "$(counts log.json)" ]
    [ "$(jq -c '[.cells[].insns.functions]' plugin.json)" = "$(jq -c '[.cells[].insns.functions]' log.json)" ]
    [ "$(jq -r '[.lanes[].counter] | unique | .[]' plugin.json)" = qemu-plugin ]
    [ "$(jq -r '[.lanes[].counter] | unique | .[]' log.json)" = qemu-log ]
    cb_valid log.json
}

@test "functions add up to the total" {
    count run.json --target aarch64
    jq -e '[.cells[] | (.insns.functions | map(.insns) | add) + .insns.rest == .insns.per_op] | all' run.json
    jq -e '.fits | length == 10' run.json
    jq -e '.fits[] | .insns_per_byte > 0.5 and .insns_per_byte < 60 and .insns_per_message > 100' run.json
}

@test "SMALL_FOOTPRINT on aarch64: the GHASH and GCM assembly vanish, ChaCha20 stays" {
    # 3.5 still uses its assembly for long blocks; 3.0 does not (tests/full)
    count run.json --target aarch64 --workload stream/1 --size 256
    jq -e '(.cells | map(select(.alg == "aes-256-gcm") | {key: .config, value: .insns.per_op}) | from_entries) as $g
        | $g["small-footprint"] / $g.Os > 2' run.json
    jq -e '(.cells | map(select(.alg == "chacha20-poly1305") | {key: .config, value: .insns.per_op}) | from_entries) as $g
        | $g["small-footprint"] / $g.Os | . > 0.95 and . < 1.05' run.json
    cb_run explain run.json --config Os,small-footprint --alg aes-256-gcm
    echo "$stdout"
    [ "$status" -eq 0 ]
    [[ $stdout =~ gcm_ghash_v8\ +[1-9][0-9]*\ +0\ +- || $stdout =~ aes_gcm_enc_256_kernel\ +[1-9][0-9]*\ +0\ +- ]]
    [[ $stdout =~ CRYPTO_gcm128_encrypt\ +[0-9]+\ +[0-9]{4,} ]]
    cb_run explain run.json --config Os,small-footprint --alg aes-256-gcm --format markdown
    [[ $stdout == *"| function | Os | small-footprint | change |"* ]]
}

@test "time and instructions together: native time, counts under QEMU" {
    cb_run --target x86_64 --config Os --alg aes-128-gcm --size 16 --metric all --time 0.05 --out run.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    cb_valid run.json
    jq -e '.cells | length == 2 and (map(select(.time != null and .insns == null and .runner == "native")) | length == 1)
        and (map(select(.time == null and .insns != null and .runner == "qemu")) | length == 1)' run.json
}

@test "one instruction more in a C routine on the path shows as exactly that" {
    lib=openssl-3.5
    count run.json --target x86_64 --alg aes-256-gcm --size 16
    key=$(jq -r '.builds[] | select(.config.name == "Os") | .key' run.json)
    built="${CRYPTO_BENCH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/crypto-bench}/builds/$key"
    sha=$(jq -r .archive.sha256 "$CB_ROOT/libraries/$lib.json")
    mkdir src
    tar -xzf "${built%/builds/*}/sources/$sha/"*.tar.gz -C src --strip-components=1 --wildcards '*/include/*' '*/crypto/modes/*'
    for v in before after; do
        mkdir -p $v/lib
        cp -r "$built/include" $v/
        cp "$built/libcrypto.a" $v/lib/
        if [ $v = after ]; then
            sed -i '/^void CRYPTO_gcm128_setiv(/,/^{/s/^{/{ __asm__ volatile("nop");/' src/crypto/modes/gcm128.c
            grep -q 'volatile("nop")' src/crypto/modes/gcm128.c
        fi
        # shellcheck disable=SC2086
        gcc -fPIC -Os -I$v/include -Isrc/include -DOPENSSL_BUILDING_OPENSSL -DGHASH_ASM -c src/crypto/modes/gcm128.c \
            -o libcrypto-lib-gcm128.o
        ar r $v/lib/libcrypto.a libcrypto-lib-gcm128.o
        cb_run --target x86_64 --library ./$v --metric insns --alg aes-256-gcm,chacha20-poly1305 --size 16,1456 --out $v.json
        echo "$stdout $stderr"
        [ "$status" -eq 0 ]
    done
    more() {
        jq -n --arg a "$1" --argjson s "$2" --slurpfile b before.json --slurpfile n after.json \
            'def c($f): $f[0].cells[] | select(.alg == $a and .bytes == $s) | .insns.per_op; c($n) - c($b)'
    }
    [ "$(more aes-256-gcm 16)" -eq 1 ]
    [ "$(more aes-256-gcm 1456)" -eq 1 ]
    [ "$(more chacha20-poly1305 1456)" -eq 0 ]
    cb_run explain before.json after.json
    echo "$stdout"
    [[ $stdout =~ CRYPTO_gcm128_setiv\ +[0-9]+\ +[0-9]+\ +\+1 ]]
    [[ $stdout == *"2 cells changed, 2 the same to the instruction"* ]]
}

@test "QEMU missing, without the CPU model, killed, without plugins: a status, and the rest goes on" {
    # a PATH with everything but qemu-aarch64
    mkdir bin
    for d in ${PATH//:/ }; do
        for f in "$d"/*; do
            [ "${f##*/}" = qemu-aarch64 ] || ln -sf "$f" bin/ 2>/dev/null || true
        done
    done
    PATH=$PWD/bin count run.json --target x86_64,aarch64 --alg aes-128-gcm --size 16 || true
    [ "$(jq -c '[.cells[] | select(.target == "aarch64") | .status] | unique' run.json)" = '["runner-missing"]' ]
    [ "$(jq -c '[.cells[] | select(.target == "x86_64") | .status] | unique' run.json)" = '["ok"]' ]
    jq -e '.cells[] | select(.target == "aarch64") | .reason | test("qemu-user")' run.json

    jq '.name = "odd" | .cpus = [{name: "none", summary: "of no QEMU", qemu_cpu: "cortex-a999", default: true}]' \
        "$CB_ROOT/targets/aarch64.json" >odd.json
    cb_run --metric insns --target ./odd.json --config Os --alg aes-128-gcm --size 16 --out run.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    jq -e '.cells[0] | .status == "runner-missing" and (.reason | test("cortex-a999"))' run.json

    rm bin/qemu-aarch64 2>/dev/null || true
    printf '#!/bin/sh\ncase "$*" in *-plugin*|*" -d "*) sleep 0.2; kill -9 $$ ;; esac\nexec %s "$@"\n' "$(command -v qemu-aarch64)" >bin/qemu-aarch64
    chmod +x bin/qemu-aarch64
    PATH=$PWD/bin cb_run --metric insns --target x86_64,aarch64 --config Os --alg aes-128-gcm --size 16 --timeout 5 --out run.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    [ "$(jq -r '.cells[] | select(.target == "x86_64") | .status' run.json)" = ok ]
    [ "$(jq -r '.cells[] | select(.target == "aarch64") | .status' run.json)" != ok ]
    cb_valid run.json

    printf '#!/bin/sh\ncase "$*" in *-plugin*) echo "qemu: unknown option plugin" >&2; exit 1 ;; esac\nexec %s "$@"\n' "$(command -v qemu-aarch64)" >bin/qemu-aarch64
    PATH=$PWD/bin cb_run --metric insns --target aarch64 --config Os --alg aes-128-gcm --size 16 --out run.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    jq -e '.lanes[0] | .counter == "qemu-log" and (.counter_reason | test("plugin"))' run.json
}

@test "explain refuses what it cannot read" {
    echo '{"schema": "crypto-bench/9"}' >other.json
    cb_run explain other.json other.json
    [ "$status" -eq 1 ]
    [[ $stderr == *other.json*crypto-bench/9* ]]
    head -c 100 "$CB_ROOT/docs/result.schema.json" >broken.json
    cb_run explain broken.json --config Os,O2
    [ "$status" -eq 1 ]
    [[ $stderr == *broken.json* ]]
    cb_run explain
    [ "$status" -eq 2 ]
}
