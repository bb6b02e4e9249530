#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# The kernel's aes-generic. Its sources come from the shared cache, or from Debian's package; without either the tests
# that need them are skipped. And libraries with OpenSSL's interface that are not OpenSSL.

load helper

setup_file() {
    # What could be had is kept for all tests: the build says so itself.
    "$CRYPTO_BENCH" build --library linux-aes --target x86_64 --config O2 >"$BATS_FILE_TMPDIR/got" 2>&1 </dev/null || true
}

setup() {
    cb_setup
}

needs_sources() {
    grep -qE '(built|cached) +linux-aes/gcc/O2' "$BATS_FILE_TMPDIR/got" ||
        skip "no Linux source to be had: $(tail -1 "$BATS_FILE_TMPDIR/got")"
}

# The directory with the kernel's two files in the cache.
kernel_files() {
    local cache=${CRYPTO_BENCH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/crypto-bench}
    local wanted file
    wanted=$(jq -r '.linux.files["crypto/aes_generic.c"]' "$CB_ROOT/libraries/linux-aes.json")
    file=$(find "$cache/sources" -path '*/crypto/aes_generic.c' -exec sha256sum {} + | sed -n "s/^$wanted  //p" | head -1)
    dirname "$(dirname "$file")"
}

# A tree with the outside of Linux, as linux-6.1/ here.
kernel_tree() {
    mkdir -p linux-6.1
    cp -r "$(kernel_files)"/. linux-6.1
    printf 'VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 99\n' >linux-6.1/Makefile
}

@test "aes-generic: CBC of three key sizes is right and counted, the rest unsupported" {
    needs_sources
    cb_run --library linux-aes --target x86_64 --config O2,O2-ubsan --alg all --size 64 --op all --runner qemu --metric insns --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    cb_valid result.json
    jq -e '[.cells[] | select(.alg | test("cbc")) | .status == "ok" and .insns.per_op > 0] | length == 12 and all' result.json
    jq -e '[.cells[] | select(.alg | test("cbc") | not) | .status == "unsupported"] | length == 12 and all' result.json
    jq -e '.builds[0] | .library.kind == "linux-aes" and .effective.optimisation == "-O2" and (.effective.flags | test("-fno-strict-overflow"))
        and .asm_modules == [] and .sizes.shared_stripped == null' result.json
    jq -e '.builds[0].stack.frames | map(.function) | contains(["crypto_aes_encrypt"])' result.json
    jq -e '.warnings | map(select(.code == "no-shared-size")) == []' result.json
    # only the kernel's code has the checks
    jq -e '(.builds | map({(.config.name): .sizes.archive.text}) | add) | .["O2-ubsan"] > .O2' result.json
}

@test "aes-generic: a tree, an archive and the library file give the same library" {
    needs_sources
    kernel_tree
    cb_own_cache
    tar -cJf linux-6.1.tar.xz linux-6.1
    cb_run --library ./linux-6.1,./linux-6.1.tar.xz --target x86_64 --config Os --alg aes-128-cbc --size 16 --runner qemu --metric insns --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    jq -e '[.cells[].insns.per_op] | length == 2 and .[0] == .[1]' result.json
    jq -e '[.builds[].library.version] == ["6.1.99", "6.1"] and (.builds[0].library.path | endswith("/linux-6.1"))' result.json
    cb_valid result.json
    mkdir sources
    tar -cJf sources/linux-source-6.1.tar.xz linux-6.1
    CRYPTO_BENCH_SOURCES=$PWD/sources cb_run build --library linux-aes --target x86_64 --config Os
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
}

@test "aes-generic: other files than those pinned are refused with both hashes" {
    needs_sources
    kernel_tree
    export CRYPTO_BENCH_CACHE=$PWD/cache
    echo >>linux-6.1/crypto/aes_generic.c
    mkdir sources
    tar -cJf sources/linux-source-6.1.tar.xz linux-6.1
    CRYPTO_BENCH_SOURCES=$PWD/sources cb_run build --library linux-aes --target x86_64 --config O2
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    [[ $stdout == *"$(sha256sum <linux-6.1/crypto/aes_generic.c | cut -d' ' -f1)"* ]]
    [[ $stdout == *"$(jq -r '.linux.files["crypto/aes_generic.c"]' "$CB_ROOT/libraries/linux-aes.json")"* ]]
    [ -z "$(find cache/sources -name aes_generic.c)" ]
}

@test "aes-generic: nothing to be had: exit 1, and which file to put where" {
    export CRYPTO_BENCH_CACHE=$PWD/cache
    jq '.linux.archive = "linux-nowhere-9.tar.xz" | del(.linux.package)' "$CB_ROOT/libraries/linux-aes.json" >mine.json
    cb_run --library ./mine.json --target x86_64 --config O2 --alg aes-128-cbc --size 16 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    jq -e '.builds[0] | .status == "source-missing" and (.reason | test("linux-nowhere-9.tar.xz.*CRYPTO_BENCH_SOURCES"))' result.json
}

@test "aes-generic: an archive of something else says so" {
    export CRYPTO_BENCH_CACHE=$PWD/cache
    tar -C "$CB_ROOT/tests/libraries" -czf mini.tar.gz mini
    cb_run build --library ./mini.tar.gz --target x86_64 --config O2
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    [[ $stdout == *mini.tar.gz*crypto/aes_generic.c* ]]
}

@test "aes-generic: Configure arguments, and flags a compiler does not know, fail their builds alone" {
    needs_sources
    cb_run build --library linux-aes --target x86_64 --config O2,no-asm
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    [[ $stdout == *"linux-aes/gcc/no-asm/x86_64: config no-asm"*Configure* ]]
    [[ $stdout == *" linux-aes/gcc/O2/x86_64"* ]]
    command -v clang >/dev/null || skip "no clang"
    cb_run build --library linux-aes --target x86_64 --config O2-no-tree-pre --cc clang
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    [[ $stdout == *build-failed*-fno-tree-pre* ]]
}

@test "aes-192-cbc is measured only when named, or with all" {
    cb_run list algorithms
    [[ $stdout == *"aes-192-cbc"*"(not by default)"* ]]
    cb_fake "--mode good" --config O2 --size 16
    [ "$status" -eq 0 ]
    [ "$(jq '[.cells[].alg] | unique | length' result.json)" -eq 5 ]
    cb_fake "--mode good" --config O2 --size 16 --alg all --out all.json
    [ "$(jq '[.cells[].alg] | unique | length' all.json)" -eq 6 ]
}

# The tiny library as LibreSSL 3.5 would look: other version macros, no AEAD name of the controls, no such cipher.
@test "a library as LibreSSL is: no ChaCha20-Poly1305 is unsupported, the rest goes on" {
    cb_own_cache
    cp -r "$CB_ROOT/tests/libraries/mini" libre
    cat >libre/include/openssl/opensslv.h <<'EOT'
#define LIBRESSL_VERSION_NUMBER 0x3050000fL
#define LIBRESSL_VERSION_TEXT "LibreSSL 3.5.0"
#define OPENSSL_VERSION_NUMBER 0x20000000L
#define OPENSSL_VERSION_TEXT LIBRESSL_VERSION_TEXT
EOT
    sed -i 's/EVP_CTRL_AEAD_/EVP_CTRL_GCM_/; /EVP_chacha20_poly1305/d' libre/include/openssl/evp.h libre/crypto/cipher.c
    sed -i '/OPENSSL_INIT_NO_LOAD_CONFIG/d' libre/include/openssl/crypto.h
    cb_run --library ./libre --target x86_64 --config O2 --size 16 --alg aes-128-gcm,chacha20-poly1305 --time 0.05 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    jq -e '.cells[] | select(.alg == "chacha20-poly1305").status == "unsupported"' result.json
    # it builds, and answers (the tiny library encrypts nothing)
    jq -e '.cells[] | select(.alg == "aes-128-gcm").status == "wrong-answer"' result.json
    cb_valid result.json
}

# deb PACKAGE: its files in ./PACKAGE, without installing it.
deb() {
    apt-get -q download "$1" >/dev/null 2>&1 && dpkg-deb -x "$1"_*.deb "$1" || skip "$1 cannot be had from Debian"
}

@test "wolfSSL, a library of its own, as a prefix" {
    command -v apt-get >/dev/null || skip "no apt-get"
    cb_own_cache
    deb libwolfssl-dev
    mkdir -p wolf/include/openssl wolf/lib
    cp -r libwolfssl-dev/usr/include/wolfssl wolf/include
    cp libwolfssl-dev/usr/lib/x86_64-linux-gnu/libwolfssl.a wolf/lib/libcrypto.a
    mkdir wolf/lib/pkgconfig
    printf 'Name: libcrypto\nLibs.private: -lm\n' >wolf/lib/pkgconfig/libcrypto.pc
    for header in crypto err evp sha opensslv; do
        printf '#include <wolfssl/%s.h>\n' options openssl/ssl "openssl/$header" >wolf/include/openssl/$header.h
    done
    cb_run --library ./wolf --target x86_64 --size 16,1456 --alg aes-128-gcm,aes-256-gcm --time 0.05 --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    jq -e '[.cells[].status] | length == 4 and all(. == "ok")' result.json
    cb_valid result.json
}

@test "BoringSSL: the driver builds and answers; a prefix without libcrypto.a is refused" {
    command -v apt-get >/dev/null || skip "no apt-get"
    deb android-libboringssl
    deb android-libboringssl-dev
    mkdir -p boring/lib
    cp -r android-libboringssl-dev/usr/include/android boring/include
    cp android-libboringssl/usr/lib/*/android/libcrypto.so.0 boring/lib
    ln -s libcrypto.so.0 boring/lib/libcrypto.so
    cb_run build --library ./boring --target x86_64
    [ "$status" -eq 2 ]
    [[ $stderr == *"libcrypto.so alone will not do"* ]]
    gcc -std=c99 -D_POSIX_C_SOURCE=200809L -Iboring/include -o driver "$CB_ROOT"/bench/*.c boring/lib/libcrypto.so -Wl,-rpath,"$PWD/boring/lib"
    printf '%s\n' info 'check aes-256-gcm' 'check aes-128-cbc' 'check chacha20-poly1305' quit | ./driver >answers
    cat answers
    jq -se '.[0].library == .[0].headers and (.[0].algorithms | contains(["aes-128-gcm", "aes-192-cbc"]))' answers
    jq -se '.[1].ok and .[2].ok and .[3].error == "unsupported"' answers
}
