# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# cb_run sets status, stdout and stderr.
# shellcheck disable=SC2154
# For tests of comparisons: one run with the fake driver, of which jq makes the files that a test needs.

# run.json in the directory shared by a file's tests: aes-128-gcm and aes-128-cbc, 16 and 1456 bytes, configs O2 and Os, on a
# machine of which everything is known; every sample is 1000 operations of 100 ns, six launches of two twins.
cb_compare_run() {
    cb_own_cache
    local BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR
    cd "$BATS_FILE_TMPDIR" || return 1
    cb_fake "--mode good" --alg aes-128-gcm,aes-128-cbc --size 16,1456 --config O2,Os
    echo "$stderr"
    [ "$status" -eq 0 ] || return 1
    cb_change result.json run.json '
        .host |= (.cpu_model = "Fake 1" | .governor = "performance" | .frequency_max_khz = 3000000 | .turbo = false
            | .throttle_events = 0)
        | .warnings = [] | .cells[] |= steady(100000)'
    cb_valid run.json
}

# cb_change FROM TO FILTER: by jq, which knows besides:
#   put(LAUNCHES)   a cell with these samples: launches of processes of the ns that 1000 operations took
#   steady(NS)      the same in all of six launches of two twins
#   scale(FACTOR)   what each sample took, times that
#   noisy(NS; F)    the twins of a launch differ by that factor, this way and that way in turn
#   insns(N)        instructions of one operation
#   is(CONFIG), is(CONFIG; ALG; BYTES)
cb_change() {
    jq -c 'def put($l): .time.launches = [$l[] | map(length)] | .time.samples = [$l[][][] | [1000, .]];
        def steady($ns): put([range(6) | [[range(4) | $ns], [range(4) | $ns]]]);
        def scale($f): .time.samples |= map([.[0], (.[1] * $f | round)]);
        def noisy($ns; $f): put([range(6) | [[range(4) | $ns],
            (if . % 2 == 0 then $ns * $f else $ns / $f end | round) as $twin | [range(4) | $twin]]]);
        def insns($n): .insns = {per_op: $n, per_byte: ($n / .bytes), overhead: 0, source: "qemu-plugin", functions: [], rest: $n};
        def is($c): .config == $c;
        def is($c; $a; $b): is($c) and .alg == $a and .bytes == $b;
        '"$3" "$1" >"$2"
}

# cb_compare OPTION...: compares, and once more into comparison.json, which must be of one mind with the exit status.
cb_compare() {
    cb_run compare --format json "$@"
    local first=$status
    printf '%s\n' "$stdout" >comparison.json
    if [ "$first" -ne 1 ] && [ "$first" -ne 2 ]; then
        cp comparison.json "$(mktemp comparison-XXXXXX.json)"
        [ "$(jq .exit_status comparison.json)" -eq "$first" ] || return 1
    fi
    cb_run compare "$@"
    echo "exit status $status: $stdout $stderr"
    [ "$status" -eq "$first" ]
}

# After a test: all that cb_compare saw is valid.
cb_comparisons_valid() {
    local all=("$BATS_TEST_TMPDIR"/comparison-*.json)
    [ ! -e "${all[0]}" ] || python3 "$CB_ROOT/tests/validate.py" "$CB_ROOT/docs/comparison.schema.json" "${all[@]}"
}

# cb_verdicts METRIC: how often which, as "2 same, 1 slower"
cb_verdicts() {
    jq -r --arg m "$1" '[.findings[] | select(.metric == $m) | .verdict] | group_by(.) | map("\(length) \(.[0])") | join(", ")' \
        comparison.json
}

# cb_codes blockers|allowed: which, one after the other
cb_codes() {
    jq -r --arg k "$1" '[.[$k][].code] | join(" ")' comparison.json
}
