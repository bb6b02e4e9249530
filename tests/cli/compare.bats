#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Verdicts on files: what is a regression, what is none, and what cannot be told.

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
    schema=crypto-bench-policy/1
}

teardown() {
    cb_comparisons_valid
}

# ---- time ----

# A real run on a shared virtual machine: two launches of two twins, about 100 samples each, of openssl-3.0. Its samples
# scatter by 3.4% (O3) and 4.4% (Os) of the median (MAD), and its twins, which are identical code, differ by up to 5.3%:
# that is the noise the verdict must come over, and does, since the whole interval of the change (+16.6% to +20.7%) is beyond.
@test "a real regression of 19% in noise of some per cent" {
    cp "$CB_ROOT/tests/results/regression-19.json" .
    cb_valid regression-19.json
    cb_compare regression-19.json --config O3,Os --metric time
    [ "$status" -eq 3 ]
    [[ $stdout == *slower*+19.17%* ]]
    jq -e '.findings | length == 1 and (.[0] | .verdict == "slower" and .noise > 0.03 and .noise < 0.06 and .low > 1.16)' comparison.json
    # the other way about it is an improvement
    cb_compare regression-19.json --config Os,O3 --metric time
    [ "$status" -eq 0 ]
    [ "$(cb_verdicts time)" = "1 faster" ]
    # a limit beyond it
    cb_compare regression-19.json --config O3,Os --metric time --max-slowdown 25%
    [ "$status" -eq 0 ]
    cb_compare regression-19.json --config O3,Os --metric time --max-slowdown 19%
    [ "$status" -eq 4 ]
    [ "$(cb_verdicts time)" = "1 unclear" ]
}

@test "a shift of 0.9% under noise of 2% is none, with a limit of 0.5%; without the noise it is one" {
    cb_change run.json noisy.json '.cells[] |= if is("Os") then noisy(100900; 1.02) else noisy(100000; 1.02) end'
    cb_compare noisy.json --config O2,Os --metric time --max-slowdown 0.5%
    [ "$status" -eq 0 ]
    [ "$(cb_verdicts time)" = "4 same" ]
    jq -e '.findings | all(.noise > 0.0199 and .noise < 0.0205 and .ratio > 1.0089 and .ratio < 1.0091)' comparison.json
    cb_change run.json quiet.json '.cells[] |= if is("Os") then steady(100900) else . end'
    cb_compare quiet.json --config O2,Os --metric time --max-slowdown 0.5%
    [ "$status" -eq 3 ]
    [ "$(cb_verdicts time)" = "4 slower" ]
}

@test "a few samples, far apart: faster" {
    cb_change run.json base.json '.cells[] |= put([[[115000, 114000, 115000, 115000, 115000]]])'
    cb_change run.json new.json '.cells[] |= put([[[range(5) | 78800]]])'
    cb_valid base.json
    cb_compare base.json new.json --metric time
    [ "$status" -eq 0 ]
    [ "$(cb_verdicts time)" = "8 faster" ]
    cb_compare new.json base.json --metric time
    [ "$status" -eq 3 ]
}

@test "one sample each: no verdict; that it was allowed is recorded" {
    cb_change run.json base.json '.cells[] |= put([[[100000]]])'
    cb_change run.json new.json '.cells[] |= put([[[150000]]])'
    cb_compare base.json new.json --metric time
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = few-samples ]
    [ "$(cb_codes allowed)" = "" ]
    [[ $stdout == *few-samples*--time* ]]
    jq -e '.findings | all(.low == null and .high == null)' comparison.json
    cb_compare base.json new.json --metric time --allow few-samples
    [ "$(cb_codes blockers)" = "" ]
    [ "$(cb_codes allowed)" = few-samples ]
    [ "$(jq -c .allow comparison.json)" = '["few-samples"]' ]
    [[ $stdout == *allowed:*few-samples* ]]
    # the figures are taken for what they are: 50% is 50%
    [ "$status" -eq 3 ]
    [ "$(cb_verdicts time)" = "8 slower" ]
    cb_compare base.json base.json --metric time --allow few-samples
    [ "$status" -eq 0 ]
    [ "$(cb_codes allowed)" = few-samples ]
}

@test "an interval across the limit: unclear, no verdict; --allow unclear lets it pass, on record" {
    cb_change run.json new.json '.cells[] |= if is("Os") then put([range(6) | [[range(4) | 100000], [range(4) | 100000]]
        | if length == 2 then . else empty end] | to_entries | map(.value as $v | if .key % 2 == 0 then $v
        else $v | map(map(. * 1.05 | round)) end)) else . end'
    cb_compare new.json --config O2,Os --metric time
    [ "$status" -eq 4 ]
    [ "$(cb_verdicts time)" = "4 unclear" ]
    cb_compare new.json --config O2,Os --metric time --allow unclear
    [ "$status" -eq 0 ]
    [ "$(cb_codes allowed)" = unclear ]
}

@test "in two files what one run's processes differ by is noise" {
    # 1% between the processes of a run: 2% more cannot be told from it with a limit of 0.5%, 10% can
    cb_change run.json base.json '.cells[] |= put([range(6) as $l | [[range(4) | 100000 + 200 * $l], [range(4) | 100000 + 200 * $l]]])'
    for factor in 1.006 1.1; do
        cb_change base.json new.json ".cells[] |= scale($factor)"
        cb_compare base.json new.json --metric time --max-slowdown 0.5%
        case $factor in
        1.1) [ "$status" -eq 3 ] ;;
        *) [ "$status" -eq 0 ] || [ "$status" -eq 4 ] ;;
        esac
        jq -e '.findings | all(.noise > 0.0099)' comparison.json
    done
}

# ---- what there is on both sides ----

@test "no cell in common: no verdict, both sides listed, whatever is allowed" {
    cb_change run.json base.json '.cells |= map(select(.alg == "aes-128-gcm"))'
    cb_change run.json new.json '.cells |= map(select(.alg == "aes-128-cbc"))'
    cb_compare base.json new.json
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = "missing extra" ]
    [ "$(jq '.missing | length' comparison.json)" -eq 4 ]
    [ "$(jq '.extra | length' comparison.json)" -eq 4 ]
    jq -e '(.missing | all(test("/aes-128-gcm/"))) and (.extra | all(test("/aes-128-cbc/")))' comparison.json
    [[ $stdout == *"only in base: "*aes-128-gcm*"only in new: "*aes-128-cbc* ]]
    for metric in "" "--metric time"; do
        # shellcheck disable=SC2086
        cb_compare base.json new.json $metric --allow missing,extra
        [ "$status" -eq 4 ]
        [[ $(cb_codes allowed) == "missing extra" ]]
        [ "$(cb_codes blockers)" = nothing-compared ]
    done
    cb_compare base.json new.json --allow missing,extra,machine,capabilities,emulated,few-samples,unclear
    [ "$status" -eq 4 ]
    # filters that leave nothing
    cb_compare run.json run.json --size 64
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = nothing-compared ]
}

@test "a cell of one side only: no verdict, or on record" {
    cb_change run.json less.json 'del(.cells[] | select(is("Os"; "aes-128-cbc"; 16)))'
    cb_compare run.json less.json
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = missing ]
    [ "$(jq -r '.missing[0]' comparison.json)" = "x86_64/gcc/Os/aes-128-cbc/encrypt/16 (time)" ]
    cb_compare run.json less.json --allow extra
    [ "$status" -eq 4 ]
    cb_compare run.json less.json --allow missing
    [ "$status" -eq 0 ]
    [ "$(cb_codes allowed)" = missing ]
    cb_compare less.json run.json
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = extra ]
    # filters choose what is looked at
    cb_compare run.json less.json --alg aes-128-gcm
    [ "$status" -eq 0 ]
}

@test "a regression counts even where cells are missing" {
    cb_change run.json less.json 'del(.cells[] | select(is("Os"; "aes-128-cbc"; 16)))
        | (.cells[] | select(is("O2"; "aes-128-gcm"; 16))) |= scale(1.2)'
    cb_compare run.json less.json
    [ "$status" -eq 3 ]
    [ "$(cb_codes blockers)" = missing ]
}

@test "a build of one side only, or that failed, is no pass for sizes" {
    cb_change run.json less.json '.builds |= map(select(.config.name == "O2")) | .cells |= map(select(is("O2")))
        | .lanes[].drivers |= .[:1] | .cells[].vs_baseline = null'
    cb_valid less.json
    cb_compare run.json less.json --metric size
    [ "$status" -eq 4 ]
    [ "$(jq -c .missing comparison.json)" = '["x86_64/gcc/Os (size)"]' ]
    cb_compare less.json run.json --metric size
    [ "$status" -eq 4 ]
    [ "$(jq -c .extra comparison.json)" = '["x86_64/gcc/Os (size)"]' ]
    cb_change run.json failed.json '.builds[1] |= (.status = "build-failed" | .reason = "x.c:1: error: no" | .driver = null | .sizes = null
        | .stack = null | .stack_reason = null | .objects = null)
        | (.cells[] | select(is("Os"))) |= (.status = "build-failed" | .reason = "x.c:1: error: no" | .time = null | .vs_baseline = null)'
    cb_valid failed.json
    for metric in "" "--metric size" "--metric time"; do
        # shellcheck disable=SC2086
        cb_compare run.json failed.json $metric
        [ "$status" -eq 4 ]
        [ "$(cb_codes blockers)" = failed ]
        [[ $stdout == *"x.c:1: error: no"* ]]
        # shellcheck disable=SC2086
        cb_compare run.json failed.json $metric --allow missing
        [ "$status" -eq 0 ]
        [ "$(cb_codes allowed)" = failed ]
    done
    # what failed before and works now keeps nobody from a verdict
    cb_compare failed.json run.json
    [ "$status" -eq 0 ]
}

@test "a skipped cell is excluded from the mean, and counted" {
    cb_change run.json new.json '.cells[] |= (if is("Os"; "aes-128-gcm"; 16) then
        .status = "skipped" | .reason = "interrupted" | .time = null | .vs_baseline = null else scale(1.01) end)'
    cb_valid new.json
    cb_compare run.json new.json --metric time
    [ "$(cb_verdicts time)" = "1 excluded, 7 same" ]
    jq -e '.means.time | .n == 7 and .excluded == 1 and .ratio > 1.0099 and .ratio < 1.0101' comparison.json
    [[ $stdout == *"1 excluded"*"over 7"*"skipped: interrupted"* ]]
}

@test "another workload id: never compared" {
    cb_change run.json new.json '.settings.workload = ["stream/1"] | .cells[].workload = "stream/1"'
    cb_compare run.json new.json --metric time
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = workload ]
    [ "$(cb_verdicts time)" = "8 excluded" ]
    [[ $stdout == *record/1* && $stdout == *stream/1* ]]
    cb_compare run.json new.json --allow missing,extra,machine,capabilities,emulated,few-samples,unclear
    [ "$status" -eq 4 ]
}

# ---- the machine ----

@test "another machine: no verdict, not even when slower; --allow machine judges, on record" {
    for fact in '.cpu_model = "Fake 2"' '.governor = "powersave"' '.frequency_max_khz = 2000000' '.turbo = true' '.governor = null'; do
        for factor in 1 1.3; do
            cb_change run.json new.json ".host |= ($fact) | .cells[] |= scale($factor)"
            cb_valid new.json
            cb_compare run.json new.json
            [ "$status" -eq 4 ]
            [ "$(cb_codes blockers)" = machine ]
            [ "$(cb_verdicts time)" = "8 excluded" ]
            cb_compare run.json new.json --allow machine
            [ "$status" -eq "$([ $factor = 1 ] && echo 0 || echo 3)" ]
            [ "$(cb_codes allowed)" = machine ]
            [ "$(jq -c .allow comparison.json)" = '["machine"]' ]
        done
    done
    # two configs of one file ran on one machine
    cb_compare new.json --config O2,Os --metric time
    [ "$status" -eq 0 ]
}

@test "a throttled processor: no verdict" {
    cb_change run.json hot.json '.host.throttle_events = 3 | (.cells[] | select(is("Os"))) |= scale(1.3)'
    cb_compare run.json hot.json
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = machine ]
    [[ $stdout == *"throttled 3 times"* ]]
    cb_compare hot.json --config O2,Os --metric time
    [ "$status" -eq 4 ]
    cb_compare hot.json --config O2,Os --metric time --allow machine
    [ "$status" -eq 3 ]
    cb_change run.json unknown.json '.host.throttle_events = null'
    cb_compare run.json unknown.json
    [ "$status" -eq 0 ]
}

@test "another capability mask: other code, no verdict; a longer one of later releases is the same" {
    cb_change run.json new.json '.lanes[].drivers[].capabilities = "FAKE_cap=0x2" | .cells[] |= scale(1.3)'
    cb_compare run.json new.json --metric time
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = capabilities ]
    [[ $stdout == *"FAKE_cap=0x1"*"FAKE_cap=0x2"* ]]
    cb_compare run.json new.json --metric time --allow capabilities
    [ "$status" -eq 3 ]
    [ "$(cb_codes allowed)" = capabilities ]
    cb_change run.json longer.json '.lanes[].drivers[].capabilities = "FAKE_cap=0x1:0x7"'
    cb_compare run.json longer.json --metric time
    [ "$status" -eq 0 ]
    [ "$(cb_codes allowed)" = "" ]
}

@test "emulated time is no verdict; beside instructions those decide" {
    cb_change run.json base.json '.lanes[].emulated = true | .cells[].time.emulated = true'
    cb_change base.json new.json '.cells[] |= scale(1.3)'
    cb_valid new.json
    cb_compare base.json new.json --metric time
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = emulated ]
    cb_compare base.json new.json
    [ "$status" -eq 4 ]
    cb_compare base.json new.json --metric time --allow emulated
    [ "$status" -eq 3 ]
    [ "$(cb_codes allowed)" = emulated ]

    cb_change base.json base-i.json '.lanes[].metrics = ["time", "insns"] | .cells[] |= insns(1000)'
    cb_change new.json new-i.json '.lanes[].metrics = ["time", "insns"] | .cells[] |= insns(1000)'
    cb_valid new-i.json
    cb_compare base-i.json new-i.json
    [ "$status" -eq 0 ]
    [ "$(cb_verdicts time)" = "" ]
    [ "$(cb_verdicts insns)" = "8 same" ]
    cb_compare base-i.json new-i.json --metric time
    [ "$status" -eq 4 ]
    [ "$(cb_codes blockers)" = emulated ]
}

# ---- exact metrics and limits ----

@test "instructions: +0.4% passes, +0.6% does not, unless told so" {
    cb_change run.json base.json '.lanes[].metrics = ["time", "insns"] | .cells[] |= insns(10000)'
    for n in 10040 10050 10060; do
        cb_change base.json new.json ".cells[] |= insns($n)"
        cb_compare base.json new.json
        [ "$status" -eq "$([ $n = 10060 ] && echo 3 || echo 0)" ]
    done
    [ "$(cb_verdicts insns)" = "8 slower" ]
    [ "$(cb_verdicts time)" = "8 same" ]
    cb_compare base.json new.json --max-insns 1%
    [ "$status" -eq 0 ]
    # cells by pattern: the last that matches counts
    cb_compare base.json new.json --max-insns '*/aes-128-gcm/*=1%'
    [ "$status" -eq 3 ]
    [ "$(cb_verdicts insns)" = "4 same, 4 slower" ]
    jq -e '.findings | all(.metric != "insns" or .limit == (if .name | test("gcm") then 0.01 else 0.005 end))' comparison.json
    cb_compare base.json new.json --max-insns '*/aes-128-gcm/*=1%,*/aes-128-cbc/*/16=0.7%,*/1456=0.65%'
    [ "$status" -eq 0 ]
    cb_compare base.json new.json --max-insns '*/aes-128-gcm/*=1%,*=0.1%'
    [ "$(cb_verdicts insns)" = "8 slower" ]
    # of another machine and mask they are as good
    cb_change base.json new.json '.host.cpu_model = "Fake 2" | .host.governor = null'
    cb_compare base.json new.json --metric insns
    [ "$status" -eq 0 ]
}

@test "a worse count decides even where times cannot be compared" {
    cb_change run.json base.json '.lanes[].metrics = ["time", "insns"] | .cells[] |= insns(10000)'
    cb_change base.json new.json '.host.cpu_model = "Fake 2" | .cells[] |= insns(12000)'
    cb_compare base.json new.json
    [ "$status" -eq 3 ]
    [ "$(cb_codes blockers)" = machine ]
}

@test "size: +2% does not pass" {
    cb_change run.json new.json '.builds[].sizes.archive |= (((.text + .rodata + .data + .bss) * 0.02 | ceil) as $more | .text += $more)'
    cb_compare run.json new.json
    [ "$status" -eq 3 ]
    [ "$(cb_verdicts size)" = "2 larger" ]
    cb_compare run.json new.json --max-size 3%
    [ "$status" -eq 0 ]
    cb_compare run.json new.json --max-size '*/Os=3%'
    [ "$status" -eq 3 ]
    [ "$(cb_verdicts size)" = "1 larger, 1 same" ]
    cb_compare run.json new.json --metric time
    [ "$status" -eq 0 ]
    cb_compare new.json run.json
    [ "$status" -eq 0 ]
    [ "$(cb_verdicts size)" = "2 smaller" ]
}

@test "policy file: limits, patterns, allow; options win" {
    cb_change run.json new.json '.cells[] |= scale(1.04) | .host.turbo = true'
    echo '{"schema":"'$schema'","max_slowdown":"5%","allow":["machine"]}' >policy.json
    python3 "$CB_ROOT/tests/validate.py" "$CB_ROOT/docs/policy.schema.json" policy.json
    cb_compare run.json new.json
    [ "$status" -eq 4 ]
    cb_compare run.json new.json --policy policy.json
    [ "$status" -eq 0 ]
    [ "$(cb_codes allowed)" = machine ]
    cb_compare run.json new.json --policy policy.json --max-slowdown 3%
    [ "$status" -eq 3 ]
    echo '{"schema":"'$schema'","max_slowdown":"5%","cells":[{"pattern":"*/1456","max_slowdown":"1%"},
        {"pattern":"*/aes-128-cbc/*/1456","max_slowdown":"10%"}],"allow":["machine"]}' >policy.json
    cb_compare run.json new.json --policy policy.json
    [ "$status" -eq 3 ]
    [ "$(jq -c '[.findings[] | select(.verdict == "slower").name] | sort' comparison.json)" = \
        '["x86_64/gcc/O2/aes-128-gcm/encrypt/1456","x86_64/gcc/Os/aes-128-gcm/encrypt/1456"]' ]
    cb_compare run.json new.json --policy policy.json --max-slowdown '*/aes-128-gcm/*=5%'
    [ "$status" -eq 0 ]
}

# bad_policy PLACE TEXT: refused before anything is compared, with file and place
bad_policy() {
    printf '%s' "$2" >bad.json
    cb_run compare run.json run.json --policy bad.json
    echo "$stderr"
    [ "$status" -eq 2 ]
    [ -z "$stdout" ]
    [[ $stderr == *"bad.json"*"$1"* ]]
}

@test "bad policies are refused with file and place" {
    bad_policy '$.max_slow: unknown key' '{"schema":"'$schema'","max_slow":"5%"}'
    bad_policy '$.cells[0].max_sizes: unknown key' '{"schema":"'$schema'","cells":[{"pattern":"*","max_sizes":"1%"}]}'
    bad_policy 'duplicate key' '{"schema":"'$schema'","max_slowdown":"5%","max_slowdown":"6%"}'
    bad_policy '$.max_slowdown: expected a string' '{"schema":"'$schema'","max_slowdown":5}'
    bad_policy '$.cells' '{"schema":"'$schema'","cells":{}}'
    bad_policy '$.cells[0]: gives no limit' '{"schema":"'$schema'","cells":[{"pattern":"*"}]}'
    bad_policy '$.cells[1].pattern' '{"schema":"'$schema'","cells":[{"pattern":"*","max_size":"1%"},{"pattern":"","max_size":"1%"}]}'
    for percent in 5 -5% 5%% '' 1e400% nan% 1001% '5 %'; do
        bad_policy '$.max_insns' '{"schema":"'$schema'","max_insns":"'"$percent"'"}'
    done
    bad_policy "\$.allow[1]: unknown word 'everything'" '{"schema":"'$schema'","allow":["missing","everything"]}'
    bad_policy '$.allow[0]: expected a string' '{"schema":"'$schema'","allow":[3]}'
    bad_policy '$.schema' '{"schema":"crypto-bench/1"}'
    bad_policy '$.schema' '{}'
    bad_policy 'expected an object' '[]'
    bad_policy ':1:11: ' '{"schema":'
    bad_policy ':1:1: ' ''
    cb_run compare run.json run.json --policy none.json
    [ "$status" -eq 2 ]
    [[ $stderr == *"none.json"*"No such file"* ]]
}

@test "usage errors" {
    cb_change run.json other.json .
    for words in "" "run.json" "run.json other.json run.json" "run.json other.json --config O2,Os" "run.json --config O2" \
        "run.json --config O2,O3" "run.json --config O2,O9" "run.json other.json --max-slowdown x" "run.json other.json --max-size -1%" \
        "run.json other.json --max-insns =1%" "run.json other.json --allow all" "run.json other.json --format yaml" \
        "run.json other.json --metric stack" "--selftest" "--selftest run.json other.json" "run.json other.json --frobnicate"; do
        # shellcheck disable=SC2086
        cb_run compare $words
        echo "$words: $status $stderr"
        [ "$status" -eq 2 ]
        [ -z "$stdout" ]
        [[ $stderr == "crypto-bench: "* ]]
    done
}

# ---- what is printed ----

# Slower, unclear, faster, same, and with excluded ones.
mixed() {
    cb_change run.json mixed.json '.cells[] |= (if is("Os"; "aes-128-gcm"; 1456) then scale(1.3)
        elif is("Os"; "aes-128-gcm"; 16) then scale(0.7)
        elif is("Os"; "aes-128-cbc"; 16) then put([range(6) as $l | [[range(4) | 100000 + 5000 * ($l % 2)], [range(4) | 100000 + 5000 * ($l % 2)]]])
        else . end) | .cells += [.cells[] | select(is("O2"; "aes-128-gcm"; 16) or is("Os"; "aes-128-gcm"; 16)) | .bytes = 64 | .vs_baseline = null
        | if is("Os") then .status = "timeout" | .reason = "silent <for> \"1\" s & more" | .time = null else . end]'
    cb_valid mixed.json
}

@test "deciding cells come first, in the table and in JSON" {
    mixed
    cb_compare mixed.json --config O2,Os --metric time
    [ "$status" -eq 3 ]
    [ "$(jq -c '[.findings[].verdict]' comparison.json)" = '["slower","unclear","faster","same","excluded"]' ]
    [[ $stdout == *encrypt/1456*slower*encrypt/16*unclear*encrypt/16*faster* ]]
    [ "$(printf '%s\n' "$stdout" | head -n 1)" = "regression: 1 of 4 cells is slower; 1 blocker" ]
    [[ $stdout == *"silent <for>"* ]]
}

@test "JUnit XML is well-formed and counts right" {
    mixed
    cb_run compare mixed.json --config O2,Os --metric time --format junit
    [ "$status" -eq 3 ]
    printf '%s\n' "$stdout" >junit.xml
    python3 - junit.xml <<'EOT'
import sys
import xml.etree.ElementTree as tree

suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
cases = suite.findall("testcase")
assert len(cases) == int(suite.get("tests")) == 6, len(cases)
for kind, attribute, n in (("failure", "failures", 1), ("error", "errors", 2), ("skipped", "skipped", 1)):
    assert len(suite.findall("testcase/" + kind)) == int(suite.get(attribute)) == n, kind
assert cases[0].find("failure") is not None
assert 'silent <for> "1" s & more' in tree.tostring(suite, "unicode", "xml").replace("&lt;", "<").replace("&gt;", ">").replace(
    "&amp;", "&").replace("&quot;", '"')
EOT
}

@test "GitHub: annotations, and a summary that is appended" {
    mixed
    echo "others were here" >summary.md
    GITHUB_STEP_SUMMARY=$PWD/summary.md cb_run compare mixed.json --config O2,Os --metric time --format github
    [ "$status" -eq 3 ]
    [ "$(printf '%s\n' "$stdout" | grep -vcE '^::(error|warning|notice) title=[^:]*(%3A[^:]*)*::')" -eq 0 ]
    [[ $stdout == "::error title=time%3A slower::x86_64/gcc/Os/aes-128-gcm/encrypt/1456"* ]]
    [ "$(head -n 1 summary.md)" = "others were here" ]
    grep -q regression summary.md
    grep -q '|---' summary.md
    # nowhere to write it
    GITHUB_STEP_SUMMARY=$PWD/no/such.md cb_run compare mixed.json --config O2,Os --metric time --format github
    [ "$status" -eq 1 ]
    [[ $stderr == *GITHUB_STEP_SUMMARY*no/such.md* ]]
    env -u GITHUB_STEP_SUMMARY "$CRYPTO_BENCH" compare run.json --config O2,Os --metric time --format github >out
    grep -q '^::notice title=crypto-bench::pass' out
}

@test "Markdown: the same as a table" {
    mixed
    cb_run compare mixed.json --config O2,Os --metric time --format markdown
    [ "$status" -eq 3 ]
    [[ $stdout == *regression*"|---"*slower*unclear* ]]
}

@test "output that cannot be written is an error" {
    [ -w /dev/full ] || skip "no /dev/full"
    for format in table markdown json junit github; do
        code=0
        "$CRYPTO_BENCH" compare run.json --config O2,Os --metric time --format $format >/dev/full 2>err || code=$?
        cat err
        [ $code -eq 1 ]
        [ -s err ]
    done
}

# ---- does it fire? ----

@test "--selftest: says from which change on it fires" {
    cb_change run.json good.json '.lanes[].metrics = ["time", "insns"] | .cells[] |= insns(10000)'
    cb_run compare --selftest good.json
    echo "$stdout"
    [ "$status" -eq 0 ]
    [[ $stdout == *"time: unchanged copy: pass (8 judged)"* ]]
    [[ $stdout == *"time: fires from an injected +3% on"* ]]
    [[ $stdout == *"insns: fires from an injected +1% on"* ]]
    [[ $stdout == *"size: fires from an injected +"*"% on"* ]]
    [[ $stdout == *"selftest passed"* ]]
    cb_run compare --selftest good.json --max-slowdown 12% --metric time
    [ "$status" -eq 0 ]
    [[ $stdout == *"time: fires from an injected +15% on"* && $stdout != *insns* ]]
    # noise makes it blunter: not from 3% on
    cb_change run.json noisy.json '.cells[] |= noisy(100000; 1.08)'
    cb_run compare --selftest noisy.json --metric time
    echo "$stdout"
    [ "$status" -eq 0 ]
    [[ $stdout != *"from an injected +3% on"* ]]
}

@test "--selftest does not pass where it cannot fire" {
    cb_change run.json one.json '.cells[] |= put([[[100000]]])'
    for metric in "" "--metric time"; do
        # shellcheck disable=SC2086
        cb_run compare --selftest one.json $metric
        echo "$stdout"
        [ "$status" -eq 1 ] || [ "$status" -eq 4 ]
        [[ $stdout != *passed* ]]
    done
    cb_change run.json emulated.json '.lanes[].emulated = true | .cells[].time.emulated = true'
    cb_run compare --selftest emulated.json --metric time
    [ "$status" -eq 4 ]
    [[ $stdout != *passed* ]]
}

# ---- damaged files ----

# damaged PLACE FILTER: compare and report refuse run.json changed so, with file and place
damaged() {
    cb_change run.json bad.json "$2"
    refused "$1"
}

refused() {
    for words in "compare run.json bad.json" "compare bad.json run.json" "compare bad.json --config O2,Os" "compare --selftest bad.json" \
        "report bad.json"; do
        # shellcheck disable=SC2086
        cb_run $words
        echo "$words: $status $stderr"
        [ "$status" -eq 1 ]
        [ -z "$stdout" ]
        [[ $stderr == "crypto-bench: bad.json"*"$1"* ]]
    done
}

@test "damaged files are refused with file and place" {
    damaged '$.schema' '.schema = "crypto-bench/2"'
    damaged '$.schema' 'del(.schema)'
    damaged '$.cells[3].time.samples' '.cells[3].time.launches[0][0] += 1'
    damaged '$.cells[3].time.samples' '.cells[3].time.launches[0][1] -= 1'
    damaged '$.cells[3].time.launches' '.cells[3].time.launches = []'
    damaged '$.cells[3].time.samples' '.cells[3].time.samples = []'
    damaged '$.cells[3].time.samples' '.cells[3].time.launches[0] = [0, 8]'
    damaged '$.cells[3].time.launches' '.cells[3].time.launches[5] = [8]'
    damaged '$.cells[3].time.launches' '.cells[3].time.launches[0] = "4"'
    damaged '$.cells[3].time.samples' '.cells[3].time.samples[2][1] = 0'
    damaged '$.cells[3].time.samples' '.cells[3].time.samples[2][0] = 0'
    damaged '$.cells[3].time' '.cells[3].time.samples[2][1] = -5'
    damaged '$.cells[3].time' '.cells[3].time.samples[2][1] = 1.5'
    damaged '$.cells[3].time' '.cells[3].time.samples[2] = [1]'
    damaged '$.cells[3].build' '.cells[3].build = "mini/gcc/O9/x86_64"'
    damaged '$.cells[3].build' 'del(.cells[3].build)'
    damaged '$.cells[3]' '.cells[3].target = "arm"'
    damaged '$.cells[3]' '.cells[3].bytes = 0'
    damaged '$.cells[3]' '.cells[3].alg = 7'
    damaged '$.cells[8]' '.cells += [.cells[3]]'
    damaged '$.cells[3]: vs_baseline.build' '.cells[3].vs_baseline.build = "mini/gcc/O9/x86_64"'
    damaged '$.builds' '.builds += [.builds[0]]'
    damaged '$.cells' 'del(.cells)'
    damaged '$' '[.]'
}

@test "truncated files are refused with file and place" {
    size=$(wc -c <run.json)
    for n in 0 1 100 $((size / 2)) $((size - 2)); do
        head -c "$n" run.json >bad.json
        refused ':1:'
    done
    rm bad.json
    cb_run compare run.json bad.json
    [ "$status" -eq 1 ]
    [[ $stderr == *bad.json*"No such file"* ]]
}

# ---- report ----

@test "report prints what run printed, and computes it from the samples" {
    cb_fake "--mode drift --drift 0.5" --alg aes-128-gcm,aes-128-cbc --size 16,1456 --config O2,Os
    [ "$status" -eq 0 ]
    printf '%s\n' "$stdout" >run.txt
    cb_run report result.json
    [ "$status" -eq 0 ]
    printf '%s\n' "$stdout" >report.txt
    cmp run.txt report.txt
    cb_fake "--mode drift --drift 0.5" --alg aes-128-gcm,aes-128-cbc --size 16,1456 --config O2,Os --format markdown
    printf '%s\n' "$stdout" >run.md
    cb_run report result.json --format markdown
    printf '%s\n' "$stdout" >report.md
    cmp run.md report.md
    # derived numbers are not believed
    cb_change result.json lies.json '.cells[].time |= (.ns_per_op |= (.median = 1 | .low = 1 | .high = 1) | .kB_per_s = 1
        | .noise.floor = 9 | .noise.null_ratio |= (.median = 9 | .low = 9 | .high = 9))
        | (.cells[].vs_baseline | select(.)).time_ratio |= (.median = 5 | .low = 5 | .high = 5)'
    cb_valid lies.json
    cb_run report lies.json --format markdown
    printf '%s\n' "$stdout" >lies.md
    cmp report.md lies.md
    cb_run compare result.json --config O2,Os --format json
    truth=$(printf '%s\n' "$stdout" | jq -c .findings)
    cb_run compare lies.json --config O2,Os --format json
    [ "$(printf '%s\n' "$stdout" | jq -c .findings)" = "$truth" ]
}

# ---- scale ----

@test "four times the cells take less than eight times as long" {
    python3 - <<'EOT'
import json
import os
import subprocess

with open("run.json", encoding="utf-8") as file:
    run = json.load(file)
pair = [c for c in run["cells"] if c["alg"] == "aes-128-gcm" and c["bytes"] == 16]


def write(path, n):
    cells = []
    for size in range(1, n // 2 + 1):
        for c in pair:
            cells.append(dict(c, bytes=size))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict(run, cells=cells), file, separators=(",", ":"))


def seconds(words):
    """Processor time, the least of three: others are at work too."""
    times = []
    for _ in range(3):
        before = os.times()
        done = subprocess.run([os.environ["CRYPTO_BENCH"], "compare"] + words, stdout=subprocess.DEVNULL, check=False)
        after = os.times()
        assert done.returncode == 0, done.returncode
        times.append(after.children_user - before.children_user + after.children_system - before.children_system)
    return min(times)


write("2000.json", 2000)
write("8000.json", 8000)
for words in (["--config", "O2,Os"], None):
    small, large = (seconds([path] + (words or [path])) for path in ("2000.json", "8000.json"))
    print(words, small, large)
    assert large < 8 * max(small, 0.02), (small, large)
EOT
}

@test "a result from a pipe is read; a pipe that nobody writes to is left by an interrupt" {
    cb_run report <(cat "$BATS_FILE_TMPDIR/run.json")
    [ "$status" -eq 0 ]
    [[ "$stdout" == *"aes-128-gcm encrypt"* ]]
    mkfifo nobody
    local rc=0
    timeout --signal TERM --kill-after 20 1 "$CRYPTO_BENCH" report nobody >/dev/null 2>&1 3>&- || rc=$?
    # timeout's own 124: the signal ended it; 137 would be the kill
    [ "$rc" -eq 124 ]
}
