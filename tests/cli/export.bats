#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Exports for programs that keep figures over time, read as these would read them.

load helper
load compare

formats="github-action-benchmark bmf lnt openmetrics"

setup_file() {
    load helper
    load compare
    cb_compare_run
}

setup() {
    cb_setup
    cp "$BATS_FILE_TMPDIR/run.json" .
}

# check FORMAT FILE: prints its figures; fails when its reader would refuse it
check() {
    local suite=()
    [ "$1" != lnt ] || suite=("$CB_ROOT/docs/lnt-suite.yaml")
    python3 "$CB_ROOT/tests/checkexport.py" "$1" "$2" "${suite[@]}"
}

fails() {
    if "$@"; then
        echo "did not fail: $*"
        return 1
    fi
}

# export_all OPTION...: into out.FORMAT and, of the figures, out.FORMAT.figures
export_all() {
    local format
    for format in $formats; do
        cb_run report --format "$format" "$@"
        echo "$format: exit status $status: $stderr"
        [ "$status" -eq 0 ] || return 1
        cp .out "out.$format"
        cp .err "out.$format.notes"
        check "$format" "out.$format" >"out.$format.figures" || return 1
    done
}

# ---- the checks themselves: by the formats' own examples ----

@test "the checks take what the formats publish as examples, and refuse what is none" {
    # bencher.dev/docs/reference/bencher-metric-format
    echo '{"benchmark_name": {"latency": {"value": 88.0, "lower_value": 87.42, "upper_value": 88.88}, "throughput": {"value": 5.55,
        "lower_value": 3.14, "upper_value": 6.30}}, "my_binary": {"file-size": {"value": 42.0}}}' >bmf
    check bmf bmf
    # test/data/extract/customSmallerIsBetter_output2.json of github-action-benchmark
    echo '[{"name": "No instrumentation", "unit": "ns", "value": 90.9439, "range": 0.519165}, {"name": "Binary file", "unit": "ns",
        "value": 3886.75, "range": 87.1657}]' >github
    check github-action-benchmark github
    # docs/report-example.json of llvm-lnt, with our suite's metrics for those of nts
    echo '{"format_version": "2", "machine": {"name": "LNT-AArch64", "os": "HAL 9000"}, "run": {"end_time": "2017-07-18T11:28:23.991076",
        "start_time": "2017-07-18T11:28:33.00000", "llvm_project_revision": "265649"}, "tests": [{"name": "benchmark1",
        "ns_per_op": [0.1056, 0.1055]}, {"name": "benchmark2", "library_size": 13.12}]}' >lnt
    check lnt lnt
    # a family with its unit, of the specification
    printf '# TYPE foo_seconds gauge\n# UNIT foo_seconds seconds\n# HELP foo_seconds Some text.\nfoo_seconds{a="b"} 17.5\n# EOF\n' >openmetrics
    check openmetrics openmetrics
    sed 's/"value": 42.0/"value": "42"/' bmf >bad && fails check bmf bad
    sed 's/"ns", *$/1,/; s/90.9439/null/' github >bad && fails check github-action-benchmark bad
    sed 's/library_size/speed/' lnt >bad && fails check lnt bad
    sed 's/llvm_project_revision/commit/' lnt >bad && fails check lnt bad
    sed '$d' openmetrics >bad && fails check openmetrics bad
    sed 's/ UNIT foo_seconds seconds/ UNIT foo_seconds bytes/' openmetrics >bad && fails check openmetrics bad
}

# ---- numbers ----

@test "every format has the median and interval of each cell, and the sizes of each build" {
    export_all run.json
    # 1000 operations in 100000 ns; no two samples differ
    [ "$(jq length out.bmf)" -eq 10 ]
    jq -e 'to_entries | map(select(.value.latency)) | length == 8
        and all(.value.latency == {value: 100, lower_value: 100, upper_value: 100})' out.bmf
    jq -e '."x86_64/exec:'"$CB_FAKE_DRIVER"' --mode good/mini/gcc/Os/record/1/aes-128-gcm/encrypt/1456".latency.value == 100' out.bmf
    jq -e '[.[] | select(.unit == "ns/op")] | length == 8 and all(.value == 100 and .range == "± 0"
        and (.extra | startswith("95% interval: 100 to 100 ns/op")) and (.name | endswith(" time")))' out.github-action-benchmark
    jq -e '[.tests[] | select(.ns_per_op)] | length == 8 and all(.ns_per_op == 100)' out.lnt
    grep -c '^crypto_bench_operation_time_seconds{' out.openmetrics | grep -x 8
    grep '^crypto_bench_operation_time_seconds{' out.openmetrics | grep -v ' 1e-07$' && return 1
    grep -x 'crypto_bench_operation_time_seconds{target="x86_64",runner="exec:[^"]*",library="mini",compiler="gcc",config="Os",workload="record/1",alg="aes-128-gcm",op="encrypt",bytes="16"} 1e-07' out.openmetrics
    # sizes: sections, and the stripped shared object
    local total stripped
    total=$(jq '.builds[] | select(.config.name == "Os") | .sizes.archive.total' run.json)
    stripped=$(jq '.builds[] | select(.config.name == "Os") | .sizes.shared_stripped' run.json)
    [ "$(jq '."x86_64/mini/gcc/Os"."library-size".value' out.bmf)" = "$total" ]
    [ "$(jq '."x86_64/mini/gcc/Os"."stripped-size".value' out.bmf)" = "$stripped" ]
    [ "$(jq '.tests[] | select(.name == "x86_64/mini/gcc/Os") | .library_size' out.lnt)" = "$total" ]
    [ "$(jq '.[] | select(.name == "x86_64/mini/gcc/Os library size") | .value' out.github-action-benchmark)" = "$total" ]
    grep -qx "crypto_bench_library_size_bytes{target=\"x86_64\",library=\"mini\",compiler=\"gcc\",config=\"Os\"} $total" out.openmetrics
    grep -qx "crypto_bench_library_stripped_bytes{target=\"x86_64\",library=\"mini\",compiler=\"gcc\",config=\"Os\"} $stripped" out.openmetrics
}

@test "an interval that is no point; a median of its own samples and not the file's" {
    cb_change run.json wide.json '.cells[] |= (put([range(6) as $l | [range(2) | [range(4) | 100000 + 1000 * $l]]]) | .time.ns_per_op.median = 7)'
    export_all wide.json
    jq -e 'to_entries | map(select(.value.latency)) | all(.value.latency == {value: 102.5, lower_value: 101, upper_value: 104})' out.bmf
    jq -e '[.[] | select(.unit == "ns/op")] | all(.value == 102.5 and .range == "± 1.5" and (.extra | test("101 to 104 ns/op\nsamples: 48$")))' out.github-action-benchmark
    grep -c '^crypto_bench_operation_time_high_seconds{.*} 1.04e-07$' out.openmetrics | grep -x 8
    grep -c '^crypto_bench_operation_time_low_seconds{.*} 1.01e-07$' out.openmetrics | grep -x 8
    # too few samples for one: there are no bounds
    cb_change run.json one.json '.cells[] |= put([[[100000]]])'
    export_all one.json
    jq -e '[.[] | select(.latency)] | length == 8 and all(.latency | keys == ["value"])' out.bmf
    jq -e '[.[] | select(.unit == "ns/op")] | all(has("range") | not)' out.github-action-benchmark
    fails grep -q _low_ out.openmetrics
}

@test "instructions and cycles, exact to the digit" {
    cb_change run.json counted.json '.cells[] |= (insns(10000 + .bytes) | .cycles = {source: "tsc", hz: 1e9, per_op: .time.ns_per_op,
        per_byte: 1, samples: [.time.samples[] | 250000]})'
    # beyond what a double holds
    sed -i '0,/"per_op":10016,/s//"per_op":9007199254740993,/' counted.json
    export_all counted.json
    jq -e '[.[] | select(.latency)] | length == 8 and all(."processor-cycles".value == 250)' out.bmf
    for format in $formats; do
        grep -q '[ :]9007199254740993$\|[ :]9007199254740993,\?$' "out.$format"
    done
    jq -e '[.tests[] | .insns_per_op // empty] | map(select(. == 11456)) | length == 4' out.lnt
    jq -e '[.[] | select(.unit == "instructions/op" and .value == 11456)] | length == 4 and all(has("range") | not)' out.github-action-benchmark
    grep -c '^crypto_bench_operation_cycles{.*} 250$' out.openmetrics | grep -x 8
}

@test "an emulator's time is in no export, its counts are" {
    cb_change run.json emulated.json '.lanes[].emulated = true | .cells[] |= (.time.emulated = true | insns(5000)
        | .cycles = {source: "tsc", hz: 1e9, per_op: .time.ns_per_op, per_byte: 1, samples: [.time.samples[] | 250000]})'
    export_all emulated.json
    for format in $formats; do
        fails grep -qE 'latency|"ns_per_op|"ns/op|seconds|cycles' "out.$format"
        grep -q 5000 "out.$format"
        grep -q "8 cells have an emulator's time" "out.$format.notes"
    done
}

@test "cells without a number are left out and counted; builds that failed too" {
    cb_change run.json failed.json '(.cells[0], .cells[1]) |= (.status = "timeout" | .reason = "no answer" | .time = null | .vs_baseline = null)
        | .cells[2] |= (.status = "wrong-answer" | .reason = "bad" | .time = null | .vs_baseline = null)
        | .cells[] |= if .time then . else .vs_baseline = null end
        | .cells[3].vs_baseline = null
        | .builds[1] |= (.sizes = null | .stack = null)'
    export_all failed.json
    for format in $formats; do
        grep -q "3 cells have no number and are left out: 2 timeout, 1 wrong-answer; first x86_64/" "out.$format.notes"
    done
    jq -e '[.[] | select(.latency)] | length == 5' out.bmf
    jq -e '[keys[] | select(startswith("x86_64/mini"))] == ["x86_64/mini/gcc/O2"]' out.bmf
    # none at all is an empty export, and no error
    cb_change run.json none.json '.cells[] |= (.status = "timeout" | .reason = "no answer" | .time = null | .vs_baseline = null) | .builds[] |= (.sizes = null | .stack = null)'
    export_all none.json
    [ "$(jq -c . out.bmf)" = '{}' ]
    [ "$(jq -c . out.github-action-benchmark)" = '[]' ]
    [ "$(cat out.openmetrics)" = '# EOF' ]
    [ "$(jq -c .tests out.lnt)" = '[]' ]
}

@test "largest stack frames, of a file without cells too" {
    cb_change run.json stack.json '.cells = [] | .lanes = [] | .fits = [] | .builds[] |= (.stack_reason = null | .stack = {largest: 512,
        function: "f", file: "f.c", functions: 9, above_max_stack: 0, dynamic: 0, frames: [{function: "f", file: "f.c", bytes: 512, kind: "static"}]})'
    cb_valid stack.json
    export_all stack.json
    jq -e 'length == 2 and all(."stack-frame".value == 512)' out.bmf
    jq -e '.tests | length == 2 and all(.stack_frame == 512)' out.lnt
    grep -c '^crypto_bench_library_stack_frame_bytes{.*} 512$' out.openmetrics | grep -x 2
}

@test "chosen cells only, and the builds of these" {
    export_all run.json --config Os --size 16 --alg aes-128-gcm
    jq -e 'keys | length == 2 and (.[] | select(startswith("x86_64/mini"))) == "x86_64/mini/gcc/Os"' out.bmf
    for format in $formats; do
        [ "$(grep -c 1456 "out.$format")" -eq 0 ]
        fails grep -q O2 "out.$format"
    done
}

# ---- names, files, stability ----

@test "names with quotes, commas, bars, angle brackets, line feeds and other letters come out as they are" {
    cb_change run.json odd.json '(.cells[] | .config, .build) |= sub("Os"; "O\"s,|<b>\n\\é\t{}") | .builds[] |= (.id |= sub("Os"; "O\"s,|<b>\n\\é\t{}")
        | .config.name |= sub("Os"; "O\"s,|<b>\n\\é\t{}")) | .lanes[].drivers[].build |= sub("Os"; "O\"s,|<b>\n\\é\t{}")'
    cb_valid odd.json
    export_all odd.json
    local want
    want=$(jq -n '"O\"s,|<b>\n\\é\t{}"')
    jq -e --argjson w "$want" '[keys[] | select(contains("/" + $w + "/record"))] | length == 4' out.bmf
    jq -e --argjson w "$want" '[.[] | select(.unit == "ns/op" and (.name | contains("/" + $w + "/record")))] | length == 4' out.github-action-benchmark
    jq -e --argjson w "$want" '[.tests[] | select(.name | contains("/" + $w + "/record"))] | length == 4' out.lnt
    # the parser gives the label back
    jq -es --argjson w "$want" '[.[] | select(.[1] == "crypto_bench_operation_time_seconds" and .[0].config == $w)] | length == 4' out.openmetrics.figures
}

@test "the same bytes again, in another locale, from a merged file, and into a file" {
    cb_change run.json a.json '.cells |= map(select(.bytes == 16))'
    cb_change run.json b.json '.cells |= map(select(.bytes == 1456)) | .created = "2027-01-01T00:00:00Z"'
    cb_run merge a.json b.json --out merged.json
    [ "$status" -eq 0 ]
    export_all run.json
    for format in $formats; do
        mv "out.$format" "first.$format"
    done
    export_all run.json
    for format in $formats; do
        cmp "first.$format" "out.$format"
        cb_run report --format "$format" --out new run.json
        [ "$status" -eq 0 ]
        [ -z "$stdout" ]
        cmp "first.$format" new
    done
    if locale -a | grep -qiE '^de_DE\.utf-?8$' || [ -n "${LOCPATH-}" ]; then
        LC_ALL=de_DE.UTF-8 export_all run.json
        for format in $formats; do
            cmp "first.$format" "out.$format"
        done
    fi
    export_all merged.json
    for format in github-action-benchmark bmf openmetrics; do
        cmp <(sort "out.$format.figures") <(check "$format" "first.$format" | sort)
    done
    jq -e '.run.start_time == "'"$(jq -r '.created | rtrimstr("Z")' run.json)"'" and .machine.cpu_model == "Fake 1"' out.lnt
}

@test "two files: one export when their names differ, else refused with both; LNT takes one" {
    cb_change run.json a.json '.cells |= map(select(.config == "O2"))'
    cb_change run.json b.json '.cells |= map(select(.config == "Os") | .vs_baseline = null)'
    for format in github-action-benchmark bmf openmetrics; do
        cb_run report --format "$format" a.json b.json
        [ "$status" -eq 0 ]
        cp .out two
        cmp <(check "$format" two | sort) <("$CRYPTO_BENCH" report --format "$format" run.json >one && check "$format" one | sort)
        cb_run report --format "$format" run.json b.json --out no
        [ "$status" -eq 1 ]
        [[ $stderr == *run.json*b.json*/gcc/Os* ]]
        [ ! -e no ]
    done
    cb_run report --format lnt a.json b.json
    [ "$status" -eq 2 ]
    [[ $stderr == *"crypto-bench merge"* ]]
}

@test "damaged files and other schemas: the place, status 1, and no export" {
    head -c 2000 run.json >cut.json
    jq '.schema = "crypto-bench/0"' run.json >old.json
    jq '.cells[1].time.samples = [[1]]' run.json >bad.json
    for format in $formats; do
        for file in cut.json:1: old.json:\ $.schema bad.json:\ '$.cells[1].time.samples'; do
            cb_run report --format "$format" "${file%%:*}" --out no
            [ "$status" -eq 1 ]
            [[ $stderr == *"$file"* ]]
            [ ! -e no ]
        done
    done
}
