#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# The page of a report in a browser: tests/browser.py says what is looked at.

load ../cli/helper
load ../cli/compare

setup_file() {
    load ../cli/helper
    load ../cli/compare
    cb_compare_run
}

setup() {
    cb_setup
    run=$BATS_FILE_TMPDIR/run.json
}

# browse OPTION... FILE...
browse() {
    cb_run report --format html --out page.html "$@"
    echo "exit status $status: $stderr"
    [ "$status" -eq 0 ] || return 1
    python3 "$CB_ROOT/tests/browser.py" page.html
}

@test "a page of a real and an emulated target, with names that are markup" {
    jq -c '(.lanes[0] | .target = "arm" | .emulated = true | .metrics = ["time", "insns"]) as $lane
        | [.builds[] | .id |= sub("x86_64$"; "arm") | .target.name = "arm"] as $builds
        | [.cells[] | .target = "arm" | .build |= sub("x86_64$"; "arm") | .time.emulated = true | .vs_baseline = null
            | .insns = {per_op: (.bytes * 7 + 100), per_byte: 7, overhead: 0, source: "qemu-plugin", functions: [], rest: (.bytes * 7 + 100)}] as $cells
        | .lanes += [$lane] | .builds += $builds | .cells += $cells
        | (.. | strings) |= (if . == "Os" then "<script>window.injected=1</script><img src=x onerror=window.injected=1>" else . end)' "$run" >two.json
    browse two.json
}

@test "a page of several files" {
    jq -c '.created = "2026-01-01T00:00:00Z"' "$run" >before.json
    browse before.json "$run"
}

@test "a page without plots, and one without cells" {
    cb_run report --format html --out page.html "$run"
    jq -c '.cells = [] | .lanes = [] | .fits = []' "$run" >none.json
    cb_run report --format html --out none.html none.json
    [ "$status" -eq 0 ]
    grep -q 'id="facts-host"' none.html
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/none.html" >dom 2>/dev/null
    grep -q 'No cells were measured' dom
}
