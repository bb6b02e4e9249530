#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Result files of several machines or shards put together: what is joined, what is refused, what is said of what is missing.

load helper
load compare

setup_file() {
    load helper
    load compare
    cb_compare_run
}

setup() {
    cb_setup
    cp "$BATS_FILE_TMPDIR/run.json" .
}

# Whole rows (all builds of an algorithm and size) go in turn into N shards, each with a start, a seed and a load of its own:
# shards N makes 1.json to N.json.
shards() {
    local i
    for i in $(seq "$1"); do
        jq --argjson i "$i" --argjson n "$1" '
            ([.cells[] | [.alg, .bytes]] | unique) as $rows
            | .cells |= map(. as $c | select(($rows | index([[$c.alg, $c.bytes]])) % $n == $i - 1))
            | .fits = [] | .settings.shard = {index: $i, of: $n} | .settings.seed = 1000 + $i
            | .created = "2026-01-0\($i)T00:00:00Z" | .host.load_1min = $i
            | .warnings = [{code: "load", text: "much"}, {code: "few-samples", text: "shard \($i)"}]' run.json >"$i.json"
        cb_valid "$i.json"
    done
}

# merge FILE... into merged.json
merge() {
    cb_run merge --out merged.json "$@"
    echo "exit status $status: $stdout $stderr"
}

# refused WORD...: the last merge was, with status 1 and these words, and nothing was written
refused() {
    local word
    [ "$status" -eq 1 ]
    [ -z "$stdout" ]
    [ ! -e merged.json ]
    for word in "$@"; do
        [[ $stderr == *"$word"* ]] || {
            echo "does not say: $word"
            return 1
        }
    done
}

figures() {
    "$CRYPTO_BENCH" report --format "${2:-table}" "$1" 2>/dev/null
}

@test "one file: the same bytes; twice the same: too" {
    merge "$BATS_FILE_TMPDIR/result.json"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    cmp "$BATS_FILE_TMPDIR/result.json" merged.json
    cp "$BATS_FILE_TMPDIR/result.json" again.json
    merge again.json "$BATS_FILE_TMPDIR/result.json"
    cmp "$BATS_FILE_TMPDIR/result.json" merged.json
    # standard output is the default
    cb_run merge again.json
    [ "$(jq -S . <<<"$stdout")" = "$(jq -S . again.json)" ]
}

@test "shards: all of them are the whole, in any order, with the figures of the parts" {
    # counts, so that lines are fitted through sizes of several shards
    cb_change run.json counted.json '.cells[] |= insns(1000 + 7 * .bytes)'
    jq '.fits = [.cells | group_by([.build, .alg])[] | .[0] as $c | {build: $c.build, target: $c.target, cpu: $c.cpu,
        runner: $c.runner, workload: $c.workload, alg: $c.alg, op: $c.op, sizes: 2, insns_per_message: 1000, insns_per_byte: 7}]' \
        counted.json >run.json
    shards 3
    merge 1.json 2.json 3.json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    cb_valid merged.json
    cp merged.json first.json
    for order in "3 2 1" "2 1 3"; do
        # shellcheck disable=SC2086
        merge $(printf '%s.json ' $order)
        cmp first.json merged.json
    done
    merge merged.json
    cmp first.json merged.json
    # in two steps only warnings come in another order
    cb_run merge 1.json 3.json --out part.json
    merge part.json 2.json
    cmp <(jq '.warnings |= sort' first.json) <(jq '.warnings |= sort' merged.json)
    # every cell as it was, and which run it is of
    [ "$(jq -S '[.cells[] | del(.run)] | sort_by(.build, .alg, .bytes)' merged.json)" = \
        "$(jq -S '.cells | sort_by(.build, .alg, .bytes)' run.json)" ]
    jq -e '. as $r | .cells | all(. as $c | $r.runs[$c.run].settings.shard.index == $c.run + 1) and ([.[].run] | unique == [0, 1, 2])' merged.json
    [ "$(jq -S '.fits | sort_by(.build, .alg)' merged.json)" = "$(jq -S '.fits | sort_by(.build, .alg)' run.json)" ]
    [ "$(jq -c .builds merged.json)" = "$(jq -c .builds run.json)" ]
    [ "$(jq -c .lanes merged.json)" = "$(jq -c .lanes run.json)" ]
    # of each run its own settings and machine; of all what they share
    jq -e '.created == "2026-01-01T00:00:00Z" and (.runs | map(.settings.seed) == [1001, 1002, 1003] and map(.host.load_1min) == [1, 2, 3])
        and .settings.seed == null and .host.load_1min == null and .host.cpu_model == "Fake 1" and .settings.precision == 0.01' merged.json
    # warnings once each
    [ "$(jq -c '[.warnings[] | [.code, .text]]' first.json)" = \
        '[["load","much"],["few-samples","shard 1"],["few-samples","shard 2"],["few-samples","shard 3"]]' ]
    jq '.warnings = []' merged.json >quiet.json
    diff <(figures run.json) <(figures quiet.json)
    cb_run compare --config O2,Os --format json run.json
    local whole=$stdout
    cb_run compare --config O2,Os --format json quiet.json
    [ "$status" -eq 0 ]
    [ "$(jq -S 'del(.base, .new)' <<<"$whole")" = "$(jq -S 'del(.base, .new)' <<<"$stdout")" ]
    cb_run explain --config O2,Os quiet.json
    [ "$status" -eq 0 ]
}

@test "numbers keep their digits" {
    # as text: jq would round them
    sed 's/"seconds_per_cell": *[0-9.]*/"seconds_per_cell": 0.10000000000000000555/' "$BATS_FILE_TMPDIR/result.json" |
        sed '0,/"seed": *[0-9]*/s//"seed": 18446744073709551615/' >long.json
    grep -q 18446744073709551615 long.json
    shards 2
    merge long.json
    [ "$status" -eq 0 ]
    cmp long.json merged.json
    sed 's/"seed": *[0-9]*/"seed": 18446744073709551615/' 1.json >big.json
    merge big.json 2.json
    [ "$status" -eq 0 ]
    grep -q 18446744073709551615 merged.json
}

@test "missing shards are named, in the file too, and no longer once they are there" {
    shards 4
    merge 1.json 3.json
    [ "$status" -eq 0 ]
    [[ $stderr == "warning: missing-shard: shards 2, 4 of 4 "* ]]
    cb_valid merged.json
    [ "$(jq -r '[.warnings[] | select(.code == "missing-shard")] | length' merged.json)" -eq 1 ]
    cb_run report merged.json
    [[ $stderr == *"missing-shard: shards 2, 4 of 4"* ]]
    cp merged.json part.json
    merge part.json 2.json
    [[ $stderr == "warning: missing-shard: shard 4 of 4 is "* ]]
    jq -e '[.warnings[] | select(.code == "missing-shard")] | length == 1 and (.[0].text | test("^shard 4 of 4 is "))' merged.json
    cp merged.json part.json
    merge part.json 4.json
    [ -z "$stderr" ]
    jq -e '[.warnings[] | select(.code == "missing-shard")] | length == 0' merged.json
    # one alone
    merge 2.json
    [[ $stderr == *"shards 1, 3, 4 of 4 are not"* ]]
    # a matrix that was not cut needs nothing
    merge run.json
    [ -z "$stderr" ]
    # two matrices in two shards each: one of the second is not there
    shards 2
    for i in 1 2; do
        jq '.created = "2026-02-01T00:00:00Z" | .cells = []' "$i.json" >"other$i.json"
    done
    merge 1.json 2.json other1.json
    [[ $stderr == *"shard 2 of 2 is not"* ]]
    merge 1.json 2.json other1.json other2.json
    [ -z "$stderr" ]
}

@test "a shard beyond its count is refused with the place" {
    shards 2
    jq '.settings.shard.index = 3' 1.json >bad.json
    merge bad.json 2.json
    refused 'bad.json: $.settings.shard' 'from 1 to the number of shards'
}

# ---- contradictions ----

@test "the same cell with other numbers is refused, with both files, the cell and what differs" {
    cb_change run.json other.json '.created = "2020-01-01T00:00:00Z" | .cells[3] |= steady(100001)'
    jq '.cells |= (.[3:4] | map(.vs_baseline = null))' other.json >one.json
    merge run.json one.json
    refused run.json one.json 'cells[3]' 'cells[0]' 'time.samples' "$(jq -r '.cells[3].alg' run.json)" "$(jq -r '.cells[3].build' run.json)"
    cb_change run.json other.json '.cells[0] |= insns(5000)'
    cb_change run.json again.json '.cells[0] |= insns(5001)'
    merge other.json again.json
    refused 'insns.per_op' 5000 5001
    # a cell that failed here and went well there
    jq '.cells[0] |= (.status = "timeout" | .reason = "no answer" | .time = null | .vs_baseline = null)' run.json >again.json
    merge run.json again.json
    refused 'status' '"ok"' '"timeout"'
}

@test "the same cell with the same numbers is one, though it is written otherwise" {
    jq . run.json >pretty.json
    merge run.json pretty.json
    [ "$status" -eq 0 ]
    [ "$(jq '.cells | length' merged.json)" -eq "$(jq '.cells | length' run.json)" ]
    jq -e 'has("runs") | not' merged.json
    # counts of two runs agree; nothing else in them is of a run
    cb_change run.json counted.json '.cells[] |= (insns(1000) | .time = null | .vs_baseline = null)'
    jq '.created = "2026-05-05T05:05:05Z"' counted.json >later.json
    merge counted.json later.json
    [ "$status" -eq 0 ]
    cb_valid merged.json
    [ "$(jq '.cells | length' merged.json)" -eq 8 ]
    [ "$(jq '.runs | length' merged.json)" -eq 2 ]
}

@test "a build of one name and other contents is refused; when and where it was built is no matter" {
    shards 2
    jq '.builds[0] |= (.build_seconds = 99 | .log = "/elsewhere" | .compiler.path = "/opt/gcc" | .library.path = "/tree")' 2.json >moved.json
    merge 1.json moved.json
    [ "$status" -eq 0 ]
    local id
    id=$(jq -r '.builds[0].id' run.json)
    for change in '.key = ("0" * 64)|key' '.sizes.archive.text += 1|sizes.archive.text' '.compiler.version = "1.2"|compiler.version' \
        '.driver.sha256 = ("1" * 64)|driver.sha256' '.library.source_sha256 = ("2" * 64)|library.source_sha256' \
        '.effective.flags = "-Ofast"|effective.flags'; do
        rm -f merged.json
        jq ".builds[0] |= (${change%|*})" 2.json >other.json
        merge 1.json other.json
        refused 1.json other.json "build '$id'" "its ${change#*|} is "
    done
}

@test "a lane of one name and another emulator, counter or mask is refused; what one file does not know it has from the other" {
    shards 2
    for change in '.runner_version = "qemu 9"|runner_version' '.counter = "qemu-log"|counter' '.emulated = true|emulated' \
        '.metrics = ["insns"]|metrics'; do
        jq '.lanes[0] |= (.runner_version = "qemu 8" | .counter = "qemu-plugin")' 1.json >a.json
        jq '.lanes[0] |= (.runner_version = "qemu 8" | .counter = "qemu-plugin")'" | .lanes[0] |= (${change%|*})" 2.json >b.json
        merge a.json b.json
        refused a.json b.json 'lane x86_64 exec:' "its ${change#*|} is "
    done
    jq '.lanes[0].drivers[0].capabilities = "other=1"' 2.json >b.json
    merge 1.json b.json
    refused 1.json b.json capabilities
    jq '.lanes[0] |= (.clock = null | .pinned_processor = 1 | .drivers |= .[1:])' 1.json >a.json
    jq '.lanes[0].pinned_processor = 0' 2.json >b.json
    merge a.json b.json
    [ "$status" -eq 0 ]
    cb_valid merged.json
    [ "$(jq -c '.lanes[0].clock' merged.json)" = "$(jq -c '.lanes[0].clock' run.json)" ]
    jq -e '.lanes | length == 1 and .[0].pinned_processor == null and (.[0].drivers | length == 2)' merged.json
}

@test "settings that a result has once are refused when they differ; other ones are kept with their run" {
    shards 2
    jq '.settings.baseline = "Os"' 2.json >b.json
    merge 1.json b.json
    refused 1.json b.json settings.baseline
    jq '.settings.max_stack = 99' 2.json >b.json
    merge 1.json b.json
    refused settings.max_stack
    jq '.settings |= (.seconds_per_cell = 7 | .metric = ["insns"] | .workload = ["stream/1"] | .counter = "log")' 2.json >b.json
    merge b.json 1.json
    [ "$status" -eq 0 ]
    cb_valid merged.json
    jq -e '.settings | .seconds_per_cell == 0.05 and .metric == ["insns"] and .workload == ["record/1", "stream/1"] and .counter == null' merged.json
    jq -e '.runs[1].settings | .seconds_per_cell == 7 and .counter == "log"' merged.json
    # another version of the program may measure otherwise
    jq '.tool.version = "0.0.9"' 2.json >b.json
    merge 1.json b.json
    [ "$status" -eq 0 ]
    [[ $stderr == *tool-versions*0.0.9* ]]
}

# ---- machines ----

@test "times of two machines in one lane are refused, or allowed and said; instructions need no machine" {
    shards 2
    jq '.host.cpu_model = "Fake 2"' 2.json >b.json
    merge 1.json b.json
    refused 1.json b.json 'lane x86_64 exec:' 'CPU model' 'Fake 1' 'Fake 2' '--allow machine'
    merge 1.json b.json --allow machine
    [ "$status" -eq 0 ]
    cb_valid merged.json
    [[ $stderr == *several-machines*"Fake 1"*"Fake 2"* ]]
    jq -e '[.warnings[].code] | index("several-machines")' merged.json
    # speeds of two machines are no change; those of one run are
    cb_run compare --config O2,Os merged.json
    [ "$status" -eq 0 ]
    merge 1.json b.json --allow missing
    [ "$status" -eq 2 ]
    # an emulator's counts are the same everywhere
    rm merged.json
    jq '(.lanes[].emulated, .cells[].time.emulated) = true' 1.json >a.json
    jq '(.lanes[].emulated, .cells[].time.emulated) = true | .host.cpu_model = "Fake 2"' 2.json >b.json
    merge a.json b.json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    jq -e '.host.cpu_model == null and (.runs | map(.host.cpu_model) == ["Fake 1", "Fake 2"])' merged.json
}

@test "machines of two lanes are compared lane by lane" {
    # aarch64 on another machine than x86_64, in both results; in the second it has changed
    cb_change run.json arm.json '.created = "2026-03-03T00:00:00Z" | .host.cpu_model = "Arm 1" | (.cells[], .lanes[]).target = "arm64"
        | .builds[] |= (.id |= sub("x86_64"; "arm64") | .target.name = "arm64") | .cells[] |= (.build |= sub("x86_64"; "arm64")
        | if .vs_baseline then .vs_baseline.build |= sub("x86_64"; "arm64") else . end) | .lanes[].drivers[].build |= sub("x86_64"; "arm64")'
    merge run.json arm.json
    [ "$status" -eq 0 ]
    cb_valid merged.json
    cp merged.json base.json
    jq '.host.cpu_model = "Arm 2"' arm.json >arm2.json
    merge run.json arm2.json
    cb_compare base.json merged.json --metric time
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = machine ]
    [[ $stdout == *'"Arm 1"'*'"Arm 2"'* ]]
    [[ $stdout != *'"Fake 1"'* ]]
    jq -e '.findings | (map(select(.name | startswith("x86_64"))) | all(.verdict == "same") and length == 8)
        and (map(select(.name | startswith("arm64"))) | all(.verdict == "excluded") and length == 8)' comparison.json
    cb_compare base.json base.json --metric time
    [ "$status" -eq 0 ]
}

@test "samples of two runs are not taken in pairs" {
    # O2 in one run, Os in the other, each with a drift of its own: paired by index they would show a change of 10% without noise
    cb_change run.json o2.json '.cells |= map(select(is("O2")) | put([range(6) as $l | [range(2) | [range(4) | 100000 + 3000 * $l]]]))'
    cb_change run.json os.json '.created = "2027-01-01T00:00:00Z" | .cells |= map(select(is("Os")) | .vs_baseline = null
        | put([range(6) as $l | [range(2) | [range(4) | 110000 + 3300 * $l]]]))'
    merge o2.json os.json
    [ "$status" -eq 0 ]
    cb_valid merged.json
    cb_compare merged.json --config O2,Os --metric time
    # what the processes of a run differ by is noise here
    jq -e '.findings | length == 4 and all(.noise > 0.14 and .high > .low + 0.1)' comparison.json
    [ "$status" -eq 4 ]
    [ "$(cb_verdicts time)" = "4 unclear" ]
    [[ $stdout == *"different runs"* ]]
    # and one run's are
    cb_change run.json both.json '.cells[] |= (put([range(6) as $l | [range(2) | [range(4) | 100000 + 3000 * $l]]])
        | if is("Os") then scale(1.1) else . end)'
    cb_compare both.json --config O2,Os --metric time
    [ "$status" -eq 3 ]
    # a machine that was too hot
    jq '.host.throttle_events = 3' os.json >hot.json
    merge o2.json hot.json
    cb_compare merged.json --config O2,Os --metric time
    [ "$status" -eq 4 ]
    [[ $stdout == *"throttled 3 times"* ]]
}

# ---- files ----

@test "no files, damaged ones, other schemas, and a result that cannot be written" {
    merge
    [ "$status" -eq 2 ]
    merge run.json missing.json
    refused missing.json
    head -c 3000 run.json >cut.json
    merge run.json cut.json
    refused 'cut.json:1:'
    jq '.schema = "crypto-bench/2"' run.json >new.json
    merge run.json new.json
    refused 'new.json: $.schema' crypto-bench/2
    jq '.cells[2].run = 7' run.json >run7.json
    merge run7.json
    refused 'run7.json: $.cells[2].run'
    sed 's/"cells":/"\\u0063ells":/' run.json >escaped.json
    merge escaped.json
    refused escaped.json cells
    cb_run merge run.json --out nowhere/merged.json
    [ "$status" -eq 1 ]
    [[ $stderr == *nowhere* ]]
    # into one of the files
    shards 2
    cb_run merge 1.json 2.json --out 1.json
    [ "$status" -eq 0 ]
    cb_valid 1.json
    [ "$(jq '.cells | length' 1.json)" -eq 8 ]
}

@test "the merged file's damaged runs are refused with the place" {
    shards 2
    merge 1.json 2.json
    for change in 'del(.cells[1].run)|$.cells[1].run' '.cells[1].run = 2|$.cells[1].run' '.runs[1].host = 1|$.runs[1].host' \
        'del(.runs[0].created)|$.runs[0].created' '.runs[0].settings.shard.of = "x"|$.runs[0].settings.shard.of'; do
        jq "${change%|*}" merged.json >bad.json
        cb_run report bad.json
        echo "$change: $status $stderr"
        [ "$status" -eq 1 ]
        [[ $stderr == *"bad.json: ${change#*|}"* ]]
    done
}

@test "names of any kind come through" {
    jq '(.cells[] | .config, .build) |= sub("Os"; "O\"s,|<\n\\é") | .builds[] |= (.id |= sub("Os"; "O\"s,|<\n\\é") | .config.name |= sub("Os"; "O\"s,|<\n\\é"))
        | .lanes[].drivers[].build |= sub("Os"; "O\"s,|<\n\\é")' run.json >odd.json
    cp odd.json run.json
    shards 2
    merge 1.json 2.json
    [ "$status" -eq 0 ]
    cb_valid merged.json
    [ "$(jq -S '[.cells[] | del(.run)] | sort_by(.build, .alg, .bytes)' merged.json)" = \
        "$(jq -S '.cells | sort_by(.build, .alg, .bytes)' odd.json)" ]
}
