# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by all bats files. CRYPTO_BENCH is the program, CB_ROOT the checkout, CB_FAKE_DRIVER the fake driver;
# tests/run.sh sets them.

# An empty directory of its own for each test, with its own cache.
cb_setup() {
    : "${CRYPTO_BENCH:?}" "${CB_ROOT:?}" "${CB_FAKE_DRIVER:?}"
    export LC_ALL=C.UTF-8
    cd "$BATS_TEST_TMPDIR" || return 1
}

# For tests that build the tiny library: a cache that the tests of one file share.
cb_own_cache() {
    export XDG_CACHE_HOME="$BATS_FILE_TMPDIR/cache"
    unset CRYPTO_BENCH_CACHE
    mkdir -p "$XDG_CACHE_HOME"
}

# Runs the program; sets status, stdout and stderr.
cb_run() {
    status=0
    "$CRYPTO_BENCH" "$@" >"$BATS_TEST_TMPDIR/.out" 2>"$BATS_TEST_TMPDIR/.err" </dev/null || status=$?
    stdout=$(cat "$BATS_TEST_TMPDIR/.out")
    stderr=$(cat "$BATS_TEST_TMPDIR/.err")
}

# A run with the tiny library of tests/libraries/mini and the fake driver: cb_fake 'FAKE OPTIONS' [OPTION...]
cb_fake() {
    local fake=$1
    shift
    FAKE_LIBRARY=${FAKE_LIBRARY:-$(cb_mini_version)} \
        cb_run --target x86_64 --library "$CB_ROOT/tests/libraries/mini" --runner "exec:$CB_FAKE_DRIVER $fake" \
        --out result.json --time 0.05 --timeout 1 "$@"
}

cb_mini_version() {
    sed -n 's/.*OPENSSL_VERSION_TEXT *"\(.*\)".*/\1/p' "$CB_ROOT/tests/libraries/mini/include/openssl/opensslv.h"
}

# The file is one that the schema allows.
cb_valid() {
    python3 "$CB_ROOT/tests/validate.py" "$CB_ROOT/docs/result.schema.json" "$1"
}
