#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Plots and pages of result files: one run with the fake driver, of which jq makes the files that a test needs.

load helper
load compare

setup_file() {
    load helper
    load compare
    cb_compare_run
    cb_change "$BATS_FILE_TMPDIR/run.json" "$BATS_FILE_TMPDIR/native.json" '(.lanes[], .cells[]).runner = "native"'
}

setup() {
    cb_setup
    run=$BATS_FILE_TMPDIR/native.json
}

# draw OPTION... FILE...: an SVG in plot.svg, which must be well formed; its texts in texts, one a line.
draw() {
    cb_run report --format svg "$@"
    echo "exit status $status: $stderr"
    [ "$status" -eq 0 ] || return 1
    printf '%s\n' "$stdout" >plot.svg
    python3 - plot.svg >texts <<'EOT'
import sys
import xml.etree.ElementTree as tree

for e in tree.parse(sys.argv[1]).getroot().iter():
    if e.tag.endswith("}text"):
        print("".join(e.itertext()))
EOT
    cat texts
}

# lacks PATTERN FILE
lacks() {
    if grep -iE -- "$1" "$2"; then
        return 1
    fi
}

# page OPTION... FILE...: a page in page.html, and what it holds in page.json.
page() {
    cb_run report --format html --out page.html "$@"
    echo "exit status $status: $stderr"
    [ "$status" -eq 0 ] || return 1
    python3 "$CB_ROOT/tests/page.py" page.html >page.json
}

@test "block-size: a panel for each algorithm, a line for each config, units, no version and no date" {
    draw "$run"
    grep -qx 'aes-128-gcm encrypt, record/1: x86_64, native' texts
    grep -qx 'aes-128-cbc encrypt, record/1: x86_64, native' texts
    grep -qx 'throughput, kB/s (1 kB = 1000 bytes), log scale' texts
    grep -qx 'block size, bytes (log scale)' texts
    grep -qx 'bars: 95% intervals of the medians' texts
    [ "$(grep -cx O2 texts)" -eq 2 ]
    [ "$(grep -cx Os texts)" -eq 2 ]
    [ "$(grep -cx 1456 texts)" -eq 2 ]
    lacks 'gnuplot [0-9]|patchlevel|produced by' plot.svg
    lacks "$(date +%Y)" plot.svg
    # distinct without colours: dashes and shapes
    grep -q 'stroke-dasharray' plot.svg
    [ "$(grep -o "use xlink:href='#gpPt[0-9]*' transform='translate" plot.svg | sort -u | wc -l)" -eq 2 ]
}

@test "the same bytes for the same input, in any locale" {
    draw "$run"
    mv plot.svg first.svg
    page "$run"
    mv page.html first.html
    LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 draw "$run"
    LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 page "$run"
    cmp first.svg plot.svg
    cmp first.html page.html
}

@test "png goes into a file" {
    cb_run report --format png --out plot.png "$run"
    [ "$status" -eq 0 ]
    [ -z "$stdout" ]
    [ "$(head -c 8 plot.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
}

@test "too many panels: the options that choose are named, with their words" {
    cb_change "$run" many.json '.cells |= [.[] as $c | range(20) | . as $i | $c | .alg += "-\($i)" | .vs_baseline = null] | .fits = []'
    cb_run report --format svg many.json
    echo "$stderr"
    [ "$status" -eq 2 ]
    [[ $stderr == *"40 panels"*"--alg ("*"aes-128-gcm-7"*"--size (16, 1456)"* ]]
    draw --alg aes-128-gcm-7,aes-128-cbc-7 many.json
    page many.json
    jq -e '([.figures[] | select(.alg)] | length) == 24 and (.text | contains("24 of 40 plots"))' page.json
}

@test "size-speed: who is beaten and by whom, the front, what the mean is over" {
    cb_change "$run" sizes.json '(.builds[] | select(.config.name == "Os") | .sizes.archive.text) += 100000
        | (.cells[] | select(is("Os"))) |= scale(1.5)'
    draw --plot size-speed sizes.json
    grep -qx 'geometric mean of 4 cells: 2 algorithms, encrypt, 2 block sizes, record/1' texts
    grep -qx 'Pareto front' texts
    grep -qx 'O2' texts
    grep -qx 'Os (beaten by O2)' texts
    cb_change sizes.json both.json '(.cells[] | select(is("Os"))) |= scale(0.5)'
    draw --plot size-speed --alg aes-128-gcm --size 16 both.json
    grep -qx 'aes-128-gcm encrypt, 16 B, record/1' texts
    grep -qx 'Os' texts
    lacks 'beaten' texts
    # a build without all numbers is not compared, and said
    cb_change "$run" hole.json '(.cells[] | select(is("Os"; "aes-128-cbc"; 16)))
        |= (.status = "timeout" | .reason = "none" | .time = null | .vs_baseline = null)'
    draw --plot size-speed hole.json
    grep -q 'left out, for want of a number: Os' texts
}

@test "history: files by when they were made; lines are broken where the machine changes" {
    for i in 1 2 3; do
        cb_change "$run" "file$i.json" ".created = \"2026-01-0${i}T10:00:00Z\" | .cells[] |= scale(1 + $i / 10)"
    done
    draw --plot history --alg aes-128-gcm --size 16 file3.json file1.json file2.json
    [ "$(grep -E '^2026' texts | tr '\n' ' ')" = "2026-01-01 10:00 2026-01-02 10:00 2026-01-03 10:00 " ]
    lacks 'machine changes' texts
    cb_change file2.json file2b.json '.host.cpu_model = "Fake 2"'
    draw --plot history --alg aes-128-gcm --size 16 file1.json file2b.json file3.json
    grep -q 'broken where the machine changes' texts
    cb_change file2.json file2c.json '.builds[].library.version = "9"'
    draw --plot history --alg aes-128-gcm --size 16 file1.json file2c.json file3.json
    grep -qx '2026-01-02 10:00, 9' texts
}

@test "emulated: counts where there are some, else time that is called so, and no ranking of it" {
    cb_change "$run" time.json '.lanes[].emulated = true | .cells[].time.emulated = true'
    draw time.json
    grep -q '^EMULATED TIME: ' texts
    grep -q '^EMULATED throughput' texts
    cb_run report --format svg --plot size-speed time.json
    [ "$status" -eq 1 ]
    [[ $stderr == *"emulated time is never ranked"* ]]
    cb_change time.json insns.json '.lanes[].metrics = ["time", "insns"] | .cells[] |= insns(.bytes * 7 + 100)'
    draw insns.json
    grep -q '^counted under EMULATION' texts
    grep -q '^instructions/byte' texts
    lacks 'throughput' texts
    draw --metric time insns.json
    grep -q '^EMULATED throughput' texts
    lacks 'instructions' texts
    page insns.json
    jq -e '(.data.columns | index("change_percent")) as $i | [.data.cells[][$i]] | all(. == null)' page.json
    jq -e '.data.lanes[0].emulated and (.text | contains("never ranked"))' page.json
}

@test "without gnuplot: plots say how to get it, a page is made without them" {
    PATH=/nonexistent cb_run_bare report --format svg "$run"
    echo "$stderr"
    [ "$status" -eq 1 ]
    [[ $stderr == *gnuplot-nox* ]]
    PATH=/nonexistent cb_run_bare report --format html "$run"
    [ "$status" -eq 0 ]
    [[ $stdout == *"Plots are left out"*gnuplot-nox* ]]
    [[ $stdout != *"<svg"* ]]
}

# cb_run where PATH has no cat
cb_run_bare() {
    status=0
    "$CRYPTO_BENCH" "$@" >"$BATS_TEST_TMPDIR/.out" 2>"$BATS_TEST_TMPDIR/.err" </dev/null || status=$?
    stdout=$(<"$BATS_TEST_TMPDIR/.out")
    stderr=$(<"$BATS_TEST_TMPDIR/.err")
}

@test "html: its figures are the samples', its facts the file's; nothing is loaded, nothing else may run" {
    page "$run"
    jq -e '.allowed and (.loads | all(startswith("#"))) and .tags.script == 2 and .tags.style == 1 and .tags.noscript == 1' page.json
    # 1000 operations of 16 bytes in 100000 ns
    jq -e '(.data.columns | with_entries({key: .value, value: .key})) as $at
        | [.data.cells[] | select(.[$at.bytes] == 16) | .[$at.kB_per_s]] | length == 4 and all(. == 160000)' page.json
    jq -e --slurpfile r "$run" '. as $p | [$r[0].host, $r[0].settings, $r[0].lanes, ($r[0].builds[] | del(.objects)) | .. | strings]
        | unique | map(select(. as $s | $p.text | contains($s) | not)) == []' page.json
    # two of the block sizes, one of size and speed
    jq -e '[.figures[] | .lane] == ["0", "0", "0"] and .tags.svg == 3' page.json
    [ "$(grep -o " id=['\"][^'\"]*" page.html | sort | uniq -d | wc -l)" -eq 0 ]
}

@test "names of users are text everywhere: no markup, no script, no command" {
    evil=$'a"\'|,<script>window.injected=1</script></script><!--&lt;&foo;`touch pwned`$(touch pwned)@x\\\n{/b}^2'
    jq -c --arg evil "$evil" '(.. | strings) |= (if . == "Os" then $evil elif . == "x86_64" then "<img src=x onerror=alert(1)>" else . end)' \
        "$run" >evil.json
    draw evil.json
    grep -q '^a"' texts
    grep -qF '<img src=x onerror=alert(1)>, native' texts
    draw --plot size-speed evil.json
    cb_run report --format png --out plot.png evil.json
    [ "$status" -eq 0 ]
    page evil.json
    [ ! -e pwned ]
    jq -e '.allowed and .tags.script == 2 and .tags.img == null and (.loads | all(startswith("#")))' page.json
    jq -e --arg evil "$evil" '(.data.builds | map(.config) | index($evil)) and (.data.lanes[0].target | startswith("<img"))' page.json
    # what JSON in a page must not hold as it is
    sed -n 's/.*<script id="data" type="application\/json">\(.*\)<\/script>/\1/p' page.html >data.json
    jq -e .cells data.json >/dev/null
    lacks '[<>&]' data.json
}

@test "damaged files, and those of another schema, are refused with the place in every format" {
    cb_change "$run" damaged.json '.cells[1].bytes = "x"'
    cb_change "$run" other.json '.schema = "crypto-bench/0"'
    head -c 2000 "$run" >cut.json
    for format in svg png html; do
        cb_run report --format "$format" --out out damaged.json
        [ "$status" -eq 1 ]
        [[ $stderr == *'damaged.json: $.cells[1].bytes'* ]]
        cb_run report --format "$format" --out out other.json
        [ "$status" -eq 1 ]
        [[ $stderr == *'other.json: $.schema'* ]]
        cb_run report --format "$format" --out out cut.json
        [ "$status" -eq 1 ]
        [[ $stderr == *'cut.json:1:'* ]]
        [ ! -e out ]
    done
}

@test "--plot: unknown kinds, and formats that draw nothing" {
    cb_run report --format svg --plot histroy "$run"
    [ "$status" -eq 2 ]
    [[ $stderr == *"did you mean 'history'"* ]]
    cb_run report --plot history "$run"
    [ "$status" -eq 2 ]
    [[ $stderr == *"--format svg or png"* ]]
    cb_run report --help
    [[ $stdout == *"Plots (--plot):"*block-size*size-speed*history* ]]
}
