#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# End to end with the real library, natively and under QEMU. Uses the user's cache: the first time builds
# libcrypto four times.

load helper

setup() {
    cb_setup
}

@test "x86_64 natively: every algorithm, both directions, both workloads" {
    for w in record/1 stream/1; do
        cb_run --target x86_64 --config Os,small-footprint --op all --size 16,1456,8192 --alg aes-128-gcm,aes-256-gcm,chacha20-poly1305 \
            --workload $w --time 0.05 --out result.json
        echo "$stdout $stderr"
        [ "$status" -eq 0 ]
        cb_valid result.json
        [ "$(jq '[.cells[] | select(.status == "ok")] | length' result.json)" -eq 36 ]
        [ "$(jq '[.cells[].time.emulated] | unique | .[0]' result.json)" = false ]
    done
    cb_run --target x86_64 --config Os,small-footprint --op all --alg aes-128-cbc,aes-256-cbc --time 0.05 --out result.json
    [ "$status" -eq 0 ]
    [[ $stdout != *EMULATED* ]]
}

@test "aarch64 under QEMU: labelled in table, file and warnings" {
    cb_run --target aarch64 --config Os,small-footprint --size 16,1456 --time 0.05 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    cb_valid result.json
    [[ $stdout == *EMULATED* ]]
    jq -e '[.cells[].time.emulated] | all' result.json
    jq -e '.warnings[] | select(.code == "emulated-time")' result.json
    jq -e '.builds[] | .driver.elf.machine == "EM_AARCH64"' result.json
    jq -e '[.builds[].asm_modules[]] | any(test("ghash|aes"))' result.json
}

@test "SMALL_FOOTPRINT is smaller than Os, by a little" {
    cb_run --target x86_64,aarch64 --config Os,small-footprint --alg aes-128-gcm --size 16 --time 0.02 --out result.json
    for t in x86_64 aarch64; do
        jq -e --arg t $t '[.builds[] | select(.target.name == $t)] | (map({key: .config.name, value: .sizes}) | from_entries) as $s
            | ($s["small-footprint"].archive.total / $s.Os.archive.total) as $r
            | ($s["small-footprint"].shared_stripped / $s.Os.shared_stripped) as $q
            | $r < 1 and $r > 0.95 and $q <= 1 and $q > 0.95' result.json
    done
}

@test "a CPU that lacks the driver's instructions: illegal-instruction, and the rest completes" {
    jq '.name = "toonew" | .cflags += ["-march=haswell"] | .cpus = [{name: "old", summary: "without AVX2 and BMI", qemu_cpu: "Nehalem-v1", default: true}]' \
        "$CB_ROOT/targets/x86_64.json" >toonew.json
    cb_run --target x86_64,./toonew.json --runner qemu --library /usr --alg aes-128-gcm --size 16 --time 0.05 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    jq -e '.cells[] | select(.target == "toonew") | .status == "illegal-instruction"' result.json
    jq -e '.cells[] | select(.target == "x86_64") | .status == "ok"' result.json
    cb_valid result.json
}

@test "no network, nothing cached, no openssl: exit 1 and which file to put where" {
    command -v unshare >/dev/null && unshare -n true 2>/dev/null || skip "unshare -n is not allowed here"
    XDG_CACHE_HOME=$PWD/cache run unshare -n env -u CRYPTO_BENCH_SOURCES "$CRYPTO_BENCH" --target x86_64 --config O2 \
        --alg aes-256-gcm --out result.json
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *openssl-3.5.*.tar.gz* && $output == *CRYPTO_BENCH_SOURCES* ]]
}

@test "cached: no build, and the first sample at once" {
    cb_run build --target x86_64 --config Os --quiet
    cb_run --target x86_64 --config Os --alg aes-256-gcm --size 1456 --time 0.05 --out result.json
    [ "$status" -eq 0 ]
    [[ $stderr != *building* ]]
    [[ $stderr == *"first sample"* ]]
}

@test "installed elsewhere, the tool works from any directory" {
    make -C "$CB_ROOT" install DESTDIR="$PWD/image" PREFIX=/opt/cb SAN="${SAN:-}" >log 2>&1 || { cat log; false; }
    mkdir away
    cd away
    CRYPTO_BENCH="$BATS_TEST_TMPDIR/image/opt/cb/bin/crypto-bench"
    cb_run list targets
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    cb_run --library /usr --target x86_64 --alg aes-256-gcm --size 16 --time 0.05
    [ "$status" -eq 0 ]
    [ -f "$BATS_TEST_TMPDIR/image/opt/cb/share/man/man1/crypto-bench.1" ] || \
        [ -f "$BATS_TEST_TMPDIR/image/opt/cb/share/man/man1/crypto-bench.1.gz" ]
}
