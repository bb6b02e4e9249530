#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Reports: formats, names that mean something to one of them, release notes and advice.

load helper
load compare

setup_file() {
    load helper
    load compare
    cb_compare_run
    # counts besides, a size of its own for each config, and cycles of nobody
    cb_change run.json both.json '.lanes[].metrics = ["time", "insns"]
        | .cells[] |= insns(if is("Os") then 3000 else 1000 end + .bytes)
        | .builds[] |= (.sizes = {archive: {text: (if .config.name == "Os" then 1000 else 1500 end), rodata: 200, data: 30, bss: 4,
            members: 2}, shared_stripped: 4096,
            shared_stripped_gzip9: 2000, shared_stripped_xz9e: 1000, shared_reason: null}
            | .sizes.archive |= (.total = .text + .rodata + .data + .bss))'
    cb_valid both.json
}

setup() {
    cb_setup
    cp "$BATS_FILE_TMPDIR/both.json" "$BATS_FILE_TMPDIR/run.json" .
}

# modelled FROM TO [FILTER]: a file of counts under emulation with modelled cycles: 2000 of Os, 1000 of O2, on the core $core
modelled() {
    cb_change "$1" "$2.model" '.lanes[].emulated = true | .lanes[].metrics = ["insns", "modelled"]
        | .cells[] |= (.time = null | .vs_baseline = null | .modelled_reason = null
            | (if is("Os") then 2000 else 1000 end) as $n | .modelled = {cycles_per_op: $n, cycles_per_byte: ($n / .bytes),
                core: "CORE", table_version: 1, band: (if .bytes < 256 then null else 0.15 end), insns: 100, unknown: 0,
                unknown_share: 0, unknown_names: null, functions: [], rest: 0})'
    jq -c --arg core "${core:-cortex-a53}" '.cells[].modelled.core = $core' "$2.model" >"$2.core"
    cb_change "$2.core" "$2" "${3:-.}"
    cb_valid "$2"
}

# with_baseline FROM TO: cells of Os have those of O2 as baseline
with_baseline() {
    jq -c '(.cells[] | select(.config == "Os")) |= (.vs_baseline = {build: (.build | sub("/Os/"; "/O2/")), time_ratio: null,
        insns_ratio: 2})' "$1" >"$2"
}

# report FORMAT WORD...: into report.FORMAT
report() {
    local format=$1
    shift
    cb_run report --format "$format" "$@"
    cp .out "report.$format"
}

formats="table markdown csv openssl-speed release-notes"

# named FILE NAME: both.json with the config Os called NAME
named() {
    jq -c --arg n "$2" 'def name: if . == "Os" then $n else . end;
        .builds[].library.version = "3,\"0|<i>" | (.builds[].config | .name, (.baseline | select(.))) |= name | .cells[].config |= name
        | (.builds[].id, .cells[].build, (.cells[].vs_baseline | select(.) | .build), .lanes[].drivers[].build)
            |= sub("/Os/"; "/\($n)/")' both.json >"$1"
}

# ---- one table of formats ----

@test "formats stand in one table: help, list, manual page, completion and the error have the same" {
    cb_run report --help
    help=$stdout
    cb_run list formats
    list=$stdout
    cb_run docs man
    man=$stdout
    cb_run docs bash
    bash=$(grep -e '--format|-f)' <<<"$stdout" | grep -o "report) words='[^']*'")
    cb_run report both.json --format none
    [ "$status" -eq 2 ]
    for format in $formats; do
        echo "$format"
        grep -qE "^  $format +[A-Za-z]" <<<"$help"
        grep -qE "^      $format +[A-Za-z]" <<<"$list"
        grep -q "^.B ${format//-/\\\\-}" <<<"$man"
        [[ $bash == *"$format"* ]]
        [[ $stderr == *"$format"* ]]
    done
}

@test "the same input gives the same bytes, in any locale, and --out writes them" {
    for format in $formats; do
        report "$format" both.json --config O2,Os
        [ "$status" -eq 0 ]
        [ -s "report.$format" ]
        LC_ALL=de_DE.UTF-8 "$CRYPTO_BENCH" report --format "$format" both.json --config O2,Os >again 2>/dev/null
        cmp "report.$format" again
        cb_run report --format "$format" both.json --config O2,Os --out written
        [ "$status" -eq 0 ]
        [ -z "$stdout" ]
        cmp "report.$format" written
    done
}

@test "files of another schema and damaged ones are refused with the place, and nothing is written" {
    cb_change both.json other.json '.schema = "crypto-bench/0"'
    cb_change both.json bad.json '.cells[3].time.samples[2] = [1]'
    head -c 5000 both.json >cut.json
    for words in "report --format csv --out x" "report --format markdown --out x" "report --format openssl-speed --out x" \
        "report --format release-notes --config O2,Os --out x" advise; do
        for case in 'other.json:$.schema' 'bad.json:$.cells[3].time' 'cut.json::1:'; do
            # shellcheck disable=SC2086
            cb_run $words "${case%%:*}"
            echo "$words $case: $status $stderr"
            [ "$status" -eq 1 ]
            [ -z "$stdout" ]
            [[ $stderr == *"${case%%:*}"*"${case#*:}"* ]]
            [ ! -e x ]
        done
    done
}

# ---- CSV ----

@test "csv: read back it has every cell, and its numbers are those of the file" {
    cb_change both.json some.json '(.cells[] | select(is("Os"; "aes-128-cbc"; 16)))
        |= (.status = "timeout" | .reason = "silent, for \"1\" s" | .time = null | .insns = null | .vs_baseline = null)'
    # the file's own figures are what its samples give: they are looked up below
    cb_change some.json some.json2 '.'
    report csv some.json2
    [ "$status" -eq 0 ]
    python3 - <<'EOT'
import csv
import json

with open("report.csv", encoding="utf-8", newline="") as file:
    text = file.read()
assert text.count("\r\n") == text.count("\n"), "RFC 4180: lines end with CR LF"
with open("report.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file, strict=True))
with open("some.json2", encoding="utf-8") as file:
    run = json.load(file)
builds = {b["id"]: b for b in run["builds"]}
assert len(rows) == len(run["cells"]) == 8
for row, cell in zip(rows, run["cells"]):
    assert None not in row and None not in row.values()
    build = builds[cell["build"]]
    for key in ("build", "config", "target", "runner", "workload", "alg", "op", "status"):
        assert row[key] == cell[key], (key, row[key])
    assert row["bytes"] == str(cell["bytes"])
    assert row["reason"] == (cell["reason"] or "")
    assert row["library_version"] == build["library"]["version"]
    sizes = build["sizes"]
    for key in ("text", "rodata", "data", "bss"):
        assert row[key] == str(sizes["archive"][key])
    for key in ("shared_stripped", "shared_stripped_gzip9", "shared_stripped_xz9e"):
        assert row[key] == str(sizes[key])
    if cell["status"] != "ok":
        for key in ("ns_per_op", "kB_per_s", "insns_per_op", "emulated", "time_ratio", "noise"):
            assert row[key] == "", key
        continue
    assert row["insns_per_op"] == str(cell["insns"]["per_op"])
    samples = [ns / ops for ops, ns in cell["time"]["samples"]]
    assert float(row["ns_per_op"]) == 100 and set(samples) == {100}
    assert float(row["ns_per_op_low"]) == float(row["ns_per_op_high"]) == 100
    assert row["samples"] == str(len(samples))
    assert abs(float(row["kB_per_s"]) - cell["bytes"] * 1e4) < 1e-6 * cell["bytes"] * 1e4
    assert row["emulated"] == "false"
    if cell["vs_baseline"]:
        assert row["baseline"] == cell["vs_baseline"]["build"]
        assert float(row["time_ratio"]) == 1
        other = {c["build"]: c for c in run["cells"] if (c["alg"], c["bytes"]) == (cell["alg"], cell["bytes"])}
        assert float(row["insns_ratio"]) == cell["insns"]["per_op"] / other[row["baseline"]]["insns"]["per_op"]
EOT
}

@test "csv and markdown of a run have the figures that the run wrote" {
    cb_fake "--mode drift --drift 0.3" --alg aes-128-gcm --size 16,1456 --config O2,Os
    report csv result.json
    report markdown result.json
    python3 - <<'EOT'
import csv
import json

with open("result.json", encoding="utf-8") as file:
    run = json.load(file)
with open("report.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
with open("report.markdown", encoding="utf-8") as file:
    markdown = file.read()
assert len(rows) == 4
for row, cell in zip(rows, run["cells"]):
    time = cell["time"]
    assert float(row["ns_per_op"]) == time["ns_per_op"]["median"]
    assert float(row["ns_per_op_mad"]) == time["ns_per_op"]["mad"]
    assert float(row["kB_per_s"]) == time["kB_per_s"]
    assert f" {time['kB_per_s']:.0f} |" in markdown
    for key, name in (("low", "ns_per_op_low"), ("high", "ns_per_op_high")):
        assert row[name] == ("" if time["ns_per_op"][key] is None else row[name])
        assert row[name] == "" or float(row[name]) == time["ns_per_op"][key]
    if cell["vs_baseline"]:
        assert float(row["time_ratio"]) == cell["vs_baseline"]["time_ratio"]["median"]
EOT
}

# ---- names ----

@test "names with quotes, commas, pipes, angle brackets, newlines and control characters are escaped in every format" {
    # a comma is in the version: in a config's name it could not be asked for
    name=$'=1+2"q\'|<b>&`*\n# x\e[31m@you'
    named nasty.json "$name"
    named plain.json Plain
    for format in $formats; do
        report "$format" nasty.json --config "O2,$name"
        [ "$status" -eq 0 ]
        [ "$(grep -c $'\e' "report.$format")" -eq 0 ]
        cp "report.$format" "nasty.$format"
        report "$format" plain.json --config O2,Plain
        [ "$status" -eq 0 ]
        # a newline in a name makes no line of its own, but inside the quotes of CSV
        [ "$format" = csv ] || [ "$(wc -l <"nasty.$format")" -eq "$(wc -l <"report.$format")" ]
    done
    NAME=$name python3 - <<'EOT'
import csv
import os
import re

name = os.environ["NAME"].replace("\x1b", "\\u001b")
with open("nasty.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file, strict=True))
# a spreadsheet is kept from taking it for a formula
assert {row["config"] for row in rows} == {"O2", "'" + name}, {row["config"] for row in rows}
assert len(rows) == 8 and {row["library_version"] for row in rows} == {'3,"0|<i>'}
for path in ("nasty.markdown", "nasty.release-notes"):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    seen = 0
    for line in lines:
        if "1+2" not in line:
            continue
        seen += 1
        # what is left outside of code spans is ours
        bare = re.sub(r"`[^`]*`", "", re.sub(r"<code>.*?</code>", "", line))
        assert "<code>" in line and not re.search(r"[<>`*]|@you|# x", bare), line
        if line.startswith("|"):
            # bars of the name are escaped: as many columns as the heading has
            rule = [x for x in lines[:lines.index(line) + 2] if x.startswith("|---")][-1]
            assert len(re.split(r"(?<!\\)\|", line)) == len(rule.split("|")), (rule, line)
    assert seen, path
EOT
    cb_run advise nasty.json --format markdown
    [ "$status" -eq 0 ]
    [ "$(printf '%s\n' "$stdout" | wc -l)" -eq "$("$CRYPTO_BENCH" advise plain.json --format markdown 2>/dev/null | wc -l)" ]
    [[ $stdout != *"<b>"* ]]
}

# ---- openssl speed ----

@test "openssl-speed: its layout to the column, the file's rates, and no suite needed" {
    report openssl-speed both.json
    [ "$status" -eq 0 ]
    python3 - <<'EOT'
import re

with open("report.openssl-speed", encoding="utf-8") as file:
    tables = file.read().split("\n\n")
assert len(tables) == 2, len(tables)
for table in tables:
    lines = table.rstrip("\n").split("\n")
    assert [line.split(": ")[0] for line in lines[:3]] == ["version", "options", "compiler"]
    assert lines[3] == "The 'numbers' are in 1000s of bytes per second processed."
    # as apps/speed.c of OpenSSL prints it
    assert lines[4] == "type        " + "%7d bytes" % 16 + "%7d bytes" % 1456
    assert sorted(lines[5:]) == ["%-13s" % a + " %11.2fk" % (16e9 / 100 / 1e3) + " %11.2fk" % (1456e9 / 100 / 1e3)
                                 for a in ("aes-128-cbc", "aes-128-gcm")]
EOT
    cb_change both.json emulated.json '.lanes[].emulated = true | .cells[].time.emulated = true'
    report openssl-speed emulated.json
    [[ $stdout == *"EMULATED TIME"* ]]
    cb_change both.json counts.json '.cells[].time = null | .cells[].vs_baseline = null'
    report openssl-speed counts.json
    [ "$status" -eq 1 ]
    [[ $stderr == *counts.json*time* ]]
}

# ---- what is shown ----

@test "--metric chooses what tables show, and is refused where there is no choice" {
    report table both.json --metric insns
    [ "$status" -eq 0 ]
    [[ $stdout == *instructions/byte* && $stdout != *kB/s* ]]
    report table both.json --metric time
    [[ $stdout != *instructions/byte* && $stdout == *kB/s* ]]
    report table both.json
    [[ $stdout == *instructions/byte* && $stdout == *kB/s* ]]
    for format in csv openssl-speed; do
        report "$format" both.json --metric time
        [ "$status" -eq 2 ]
        [[ $stderr == *--metric*"$format"* ]]
    done
    report table both.json --metric size
    [ "$status" -eq 2 ]
    report release-notes both.json --config O2,Os --metric size
    [ "$status" -eq 0 ]
    [[ $stdout == *Size:* && $stdout != *" by "*cells* ]]
}

@test "on a terminal tables fit the width and changes have colours, unless NO_COLOR; elsewhere neither" {
    cat >terminal.py <<'EOT'
import os
import pty
import re
import sys

width, colour, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
env = dict(os.environ, COLUMNS=str(width), TERM="xterm")
env.pop("NO_COLOR", None)
if colour == "no":
    env["NO_COLOR"] = "1"
pid, fd = pty.fork()
if not pid:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.execve(os.environ["CRYPTO_BENCH"], [os.environ["CRYPTO_BENCH"]] + words, env)
text = b""
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:
        break
    if not part:
        break
    text += part
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
text = text.decode().replace("\r\n", "\n")
assert ("\x1b[" in text) == (colour == "yes"), text
plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
table = plain.split("\n\n")[0].split("\n")[1:]
assert table and max(map(len, table)) <= width, table
# nothing is cut: every figure of the whole table is there
whole = os.popen(" ".join([os.environ["CRYPTO_BENCH"]] + words + ["2>/dev/null"])).read()
assert "\x1b[" not in whole
for word in whole.split():
    assert word in plain.split(), word
EOT
    cp "$CB_ROOT/tests/results/regression-19.json" real.json
    for width in 200 30; do
        for colour in yes no; do
            python3 terminal.py "$width" "$colour" report real.json
            python3 terminal.py "$width" "$colour" report both.json --metric insns
        done
    done
}

# ---- release notes ----

@test "release notes tell what compare finds, and nothing within noise" {
    cb_change both.json noisy.json '.cells[] |= if is("Os") then noisy(101500; 1.02) else noisy(100000; 1.02) end'
    report release-notes noisy.json --config O2,Os --metric time
    [ "$status" -eq 0 ]
    [[ $stdout == *"No change by time beyond noise and limit: 4 of 4 cells"* ]]
    [[ $stdout != *Slower* && $stdout != *Faster* && $stdout != *1.5*%* ]]
    cb_change both.json new.json '.cells[] |= if is("Os"; "aes-128-gcm"; 16) then steady(130000)
        elif is("Os"; "aes-128-cbc"; 1456) then steady(150000) elif is("Os"; "aes-128-gcm"; 1456) then steady(80000) else . end'
    report release-notes new.json --config O2,Os
    [ "$status" -eq 0 ]
    notes=$stdout
    [[ $notes == *"Slower by time: 2 of 4 cells, by +30.00% to +50.00%."*"aes-128-cbc | encrypt | 1456 B | 100.0 ns | 150.0 ns | +50.00%"* ]]
    # biggest first
    [[ $notes == *"+50.00% |"*"+30.00% |"* ]]
    [[ $notes == *"Faster by time: 1 of 4 cells, by -20.00%."* ]]
    [[ $notes == *"No change by time beyond noise and limit: 1 of 4 cell"* ]]
    [[ $notes == *"Slower by instructions: 4 of 4 cells"* ]]
    [[ $notes == *"Size: 1 of 1 build changed, by -28.84%."*"| 1734 B | 1234 B | -28.84% |"* ]]
    # as compare has it
    cb_compare new.json --config O2,Os
    [ "$(cb_verdicts time)" = "1 faster, 1 same, 2 slower" ]
    # one line with units and conditions closes it
    tail -1 "report.release-notes" | grep -q '^Change: + is slower.*ns per operation.*exact.*record/1'
    # limits are those of compare
    report release-notes new.json --config O2,Os --metric time --max-slowdown 40%
    [[ $stdout == *"Slower by time: 1 of 4 cells, by +50.00%."* ]]
}

@test "release notes of two files, of a file without two sides, and of machines that differ" {
    cb_change run.json new.json '.cells[] |= scale(1.5)'
    report release-notes run.json new.json
    [ "$status" -eq 0 ]
    [[ $stdout == *"of new.json, compared with run.json"*"Slower by time: 8 of 8 cells, by +50.00%."*"two separate runs"* ]]
    report release-notes run.json
    [ "$status" -eq 2 ]
    [[ $stderr == *"BASE NEW"* ]]
    report release-notes run.json new.json run.json
    [ "$status" -eq 2 ]
    cb_change new.json far.json '.host.cpu_model = "Fake 2"'
    report release-notes run.json far.json
    [ "$status" -eq 0 ]
    [[ $stdout != *Slower* && $stdout == *"Not compared:"*"CPU model differs"* ]]
    cb_change new.json emulated.json '.lanes[].emulated = true | .cells[].time.emulated = true'
    report release-notes run.json emulated.json
    [[ $stdout != *Slower* && $stdout == *"Not compared:"*emulat* ]]
}

# ---- advice ----

@test "advise: sizes against time, the price from which a config is best, and the winner for a weight" {
    # Os: 500 bytes less, and 25% slower in each cell: 20 bytes for each 1% of what Os takes
    cb_change both.json slow.json '.cells[] |= if is("Os") then steady(125000) else . end'
    cb_run advise slow.json
    [ "$status" -eq 0 ]
    [[ $stdout == *"O2 "*1730*+500*-20.00%*4/0/0* ]]
    [[ $stdout == *"Os up to 25; O2 from 25 up."* ]]
    [[ $stdout != *"dominated by O"* && $stdout != *instructions* ]]
    cb_run advise slow.json --weight 24
    [[ $stdout == *"For 24 bytes per 1%, Os is best"*"O2 by 20"* ]]
    cb_run advise slow.json --weight 30
    [[ $stdout == *"For 30 bytes per 1%, O2 is best: +500 bytes and -20.00% time against Os."*"Os by 100"* ]]
    cb_run advise slow.json --weight 0
    [ "$status" -eq 2 ]
    # the smaller one is faster, too
    cb_change both.json fast.json '.cells[] |= if is("Os") then steady(80000) else . end'
    cb_run advise fast.json
    [[ $stdout == *"O2 is dominated by Os: 500 bytes less, and time -20.00%."*"Os whatever it is worth"* ]]
}

@test "advise: what noise leaves open is a tie, and an emulator's time is not looked at" {
    cb_change both.json noisy.json '.cells[] |= if is("Os") then noisy(101000; 1.03) else noisy(100000; 1.03) end'
    cb_run advise noisy.json
    [ "$status" -eq 0 ]
    [[ $stdout == *0/0/4* && $stdout == *"O2 is dominated by Os: 500 bytes less, and time +1.0"*"within noise"* ]]
    # by the emulator's time Os would win
    cb_change both.json emulated.json '.lanes[].emulated = true | .cells[].time.emulated = true
        | .cells[] |= if is("Os") then steady(50000) else . end | .cells[].time.emulated = true'
    cb_run advise emulated.json
    [ "$status" -eq 0 ]
    [[ $stdout == *instructions* && $stdout != *" time "[+-]* && $stdout == *"O2 "*+500*-[0-9]*%*4/0/0* ]]
    [[ $stdout != *dominated\ by\ O* ]]
    cb_change emulated.json alone.json '.cells[].insns = null'
    cb_run advise alone.json
    [ "$status" -eq 4 ]
    [[ $stdout == *"8 have nothing but an emulator's time"* ]]
}

@test "advise: AES-GCM or ChaCha20, by time a preference, by instructions a weak one" {
    cb_change both.json three.json '.cells |= map(if .alg == "aes-128-cbc" then .alg = "chacha20-poly1305" else . end)
        | .cells[] |= (if .alg == "chacha20-poly1305" then steady(300000) | insns(5 * .bytes) else insns(10 * .bytes) end)'
    cb_run advise three.json
    [ "$status" -eq 0 ]
    [[ $stdout == *"Os, encrypt, 2 block sizes: aes-128-gcm takes less time at 2 (16, 1456 B), chacha20-poly1305 over aes-128-gcm is 3.00 times (16 B) to 3.00 times (16 B): prefer aes-128-gcm."* ]]
    # an emulator has it the other way about, and so do instructions
    cb_change three.json emulated.json '.lanes[].emulated = true | .cells[].time.emulated = true'
    cb_run advise emulated.json
    [[ $stdout == *"0.50 times"*"weakly for chacha20-poly1305, by instructions alone."*"far less so between two"* ]]
    [[ $stdout != *prefer\ * ]]
    # every sentence has figures
    printf '%s\n' "$stdout" | sed -n '/^Best/,/^$/p' | grep -v '^$' >sentences
    [ "$(grep -c '[0-9]' sentences)" -eq "$(wc -l <sentences)" ]
}

# ---- modelled cycles ----

@test "csv: modelled cycles have core, version, band and ratio; without a band only the ratio counts; reasons are told" {
    modelled both.json m.json '(.cells[] | select(is("Os"; "aes-128-cbc"; 1456))) |= (.modelled = null
        | .modelled_reason = "no table, \"x\"")'
    report csv m.json
    [ "$status" -eq 0 ]
    python3 - <<'EOT'
import csv

with open("report.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file, strict=True))
assert len(rows) == 8
for row in rows:
    if (row["config"], row["alg"], row["bytes"]) == ("Os", "aes-128-cbc", "1456"):
        assert row["modelled_reason"] == 'no table, "x"' and not row["modelled_cycles"] and not row["modelled_core"]
        continue
    assert row["modelled_cycles"] == ("2000" if row["config"] == "Os" else "1000"), row
    assert (row["modelled_core"], row["modelled_table_version"]) == ("cortex-a53", "1")
    assert row["modelled_band_percent"] == ("15" if row["bytes"] == "1456" else ""), row
EOT
    with_baseline m.json ratio.json
    report csv ratio.json --size 16 --alg aes-128-gcm
    [ "$(python3 -c 'import csv; print([r["modelled_ratio"] for r in csv.DictReader(open("report.csv", newline=""))])')" = "['', '2']" ]
    # between two versions of a table there is none
    cb_change ratio.json versions.json '(.cells[] | select(is("O2")) | .modelled).table_version = 2'
    report csv versions.json --size 16 --alg aes-128-gcm
    [ "$(python3 -c 'import csv; print([r["modelled_ratio"] for r in csv.DictReader(open("report.csv", newline=""))])')" = "['', '']" ]
}

@test "release notes: modelled cycles in tables of their own, labelled; below 5% no change; counts not told twice" {
    modelled both.json m.json '(.cells[] | select(is("Os"; "aes-128-cbc"; 1456)) | .modelled).cycles_per_op = 1049'
    report release-notes m.json --config O2,Os
    [ "$status" -eq 0 ]
    [[ $stdout == *"By modelled cycles, Cortex-A53 table v1; caches and predictors perfect; not measured:"* ]]
    [[ $stdout == *"Slower by modelled cycles: 3 of 4 cells, by +100.00%."* ]]
    [[ $stdout == *"| aes-128-gcm | encrypt | 1456 B | 1000 | 2000 | +100.00% | +81.43% |"* ]]
    [[ $stdout == *"| aes-128-gcm | encrypt | 16 B | - | - | +100.00% | +196.85% |"* ]]
    [[ $stdout == *"No change by modelled cycles beyond 5% and limit: 1 of 4 cells."* && $stdout != *+4.90%* ]]
    # the one cell that the model cannot tell apart has its count
    [[ $stdout == *"Slower by instructions: 4 of 4 cells"*"; those that have no row above."* ]]
    [ "$(grep -c '^| aes-128-[a-z]* | encrypt' report.release-notes)" -eq 4 ]
    tail -1 report.release-notes | grep -q '5% for modelled cycles.*not measured.*too close to call.*+-15%; - is where only the ratio holds'
    report release-notes m.json --config O2,Os --metric modelled --max-modelled 1%
    [ "$status" -eq 0 ]
    [[ $stdout == *"beyond 5% and limit: 1 of 4"* && $stdout != *"by instructions"* ]]
    report release-notes m.json --config O2,Os --metric insns
    [[ $stdout == *"Slower by instructions: 4 of 4 cells"* ]]
    cb_change m.json core.json '(.cells[] | select(is("Os")) | .modelled).core = "cortex-a7"'
    report release-notes core.json --config O2,Os --metric modelled
    [[ $stdout != *Slower* && $stdout == *"Not compared:"*"another core"* ]]
}

@test "advise: modelled cycles before instructions, ties below 5%, and AES or ChaCha20 only where there is a band" {
    modelled both.json m.json
    cb_run advise m.json
    [ "$status" -eq 0 ]
    [[ $stdout == *"Cost: modelled cycles, Cortex-A53 table v1; caches and predictors perfect; not measured; differences below 5%"* ]]
    [[ $stdout == *"O2 "*+500*"-50.00% (-52.38% to -47.50%)"*4/0/0* && $stdout != *" instructions "[-+]* ]]
    modelled both.json near.json '(.cells[] | select(is("Os")) | .modelled).cycles_per_op = 1049'
    cb_run advise near.json
    [[ $stdout == *0/0/4* && $stdout == *"O2 is dominated by Os"*", too close to call."* ]]
    # one cell without: instructions for all; and so for two versions
    cb_change m.json lacks.json '(.cells[] | select(is("Os"; "aes-128-gcm"; 16)) | .modelled) = null'
    cb_run advise lacks.json
    [[ $stdout == *"Cost: instructions; modelled cycles are not taken, since 7 of 8 counted cells have them."* ]]
    cb_change m.json versions.json '(.cells[] | select(is("Os"; "aes-128-gcm"; 16)) | .modelled).table_version = 2'
    cb_run advise versions.json
    [[ $stdout == *"8 of 8 counted cells have them, but not of one core"* ]]
    # a clock wins
    jq -c --slurpfile m m.json '[$m[0].cells[].modelled] as $all | .cells |= [to_entries[] | .value + {modelled: $all[.key]}]' both.json >clock.json
    cb_run advise clock.json
    [[ $stdout == *" time "* && $stdout != *odelled* ]]
    modelled both.json two.json '(.cells[] | select(.alg == "aes-128-cbc")) |= (.alg = "chacha20-poly1305" | .modelled.cycles_per_op *= 3)'
    cb_run advise two.json
    [[ $stdout == *"Os, encrypt, 1 block sizes: aes-128-gcm takes less modelled cycles at 1 (1456 B)"*"3.00 times"*"prefer aes-128-gcm, by modelled cycles, not measured, which may be off by +-15% for aes-128-gcm and +-15% for chacha20-poly1305."* ]]
    [[ $stdout == *"not told apart at 1 block sizes"* && $stdout != *"by instructions alone"* ]]
    cb_change two.json weak.json '(.cells[] | select(.alg == "chacha20-poly1305") | .modelled).cycles_per_op |= . * 0.4'
    cb_run advise weak.json
    [[ $stdout == *"1.20 times"*"weakly for aes-128-gcm, by modelled cycles"*"at 1 of the sizes the two bands hold the difference"* ]]
}

@test "layouts: speed by modelled cycles before instructions; which, is said by row, with label and band" {
    modelled both.json plain.json '.settings.layout = ["openwrt", "recommendation"]
        | (.cells[] | select(is("Os"; "aes-128-cbc"; 1456)) | .modelled).cycles_per_op = 1049'
    with_baseline plain.json m.json
    report table m.json
    [ "$status" -eq 0 ]
    table=$(sed -n '/^1456 bytes/,/^$/p' report.table)
    [[ $table == *"aes-128-gcm"*"1000 modelled"*"2000 modelled"*"-50%"*" modelled"$'\n'* ]]
    [[ $table == *"1049 modelled"*" close "* && $table == *"modelled: modelled cycles, Cortex-A53 table v1; caches and predictors perfect; not measured; band +-15%."* ]]
    # no absolute value without a band
    small=$(sed -n '/^16 bytes/,/^$/p' report.table)
    [[ $small == *"aes-128-gcm"*"3016 insns"*"-50%"*" modelled"* && $small == *"fit for ratios only."* && $small != *"2000 modelled"* ]]
    [[ $stdout == *"What each option"*"-50.0%"* ]]
    # a row of which one has none is told by instructions
    cb_change m.json lacks.json '(.cells[] | select(is("Os"; "aes-128-gcm"; 1456)) | .modelled) = null'
    report table lacks.json
    sed -n '/^1456 bytes/,/^$/p' report.table | grep -q '^aes-128-gcm .*2456 insns .*4456 insns .* insns$'
}

@test "a core's name and a reason of any characters are escaped wherever modelled cycles are told of" {
    core='=a|<b>@you`*' modelled both.json m.json '.settings.layout = ["openwrt", "recommendation"]
        | (.cells[] | select(is("Os"; "aes-128-cbc"; 16))) |= (.modelled = null | .modelled_reason = "\u001b[31m<i>|`\n=x")
        | (.cells[].modelled | select(.)).core += "\u001b[1m\n# h"'
    for words in "report --format markdown" "report --format release-notes --config O2,Os" "advise --format markdown" \
        "report --format table" "report --format csv" advise; do
        # shellcheck disable=SC2086
        cb_run $words m.json
        echo "$words: $status"
        [ "$status" -eq 0 ]
        [ "$(printf '%s' "$stdout" | grep -c $'\e')" -eq 0 ]
        case $words in
        *csv) [[ $stdout == *"'=a|<b>@you"* ]] ;;
        *markdown | *notes*)
            python3 - "$BATS_TEST_TMPDIR/.out" <<'EOT'
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
bare = re.sub(r"(`+).*?\1", "", re.sub(r"<code>.*?</code>", "", text))
assert not re.search(r"^# h|<b>|<i>|@you", bare, re.M), bare
EOT
            ;;
        esac
    done
}

@test "html has modelled cycles with label and band, no export has them, and none plots them" {
    modelled both.json plain.json '(.cells[] | select(is("Os"; "aes-128-cbc"; 1456)) | .modelled).cycles_per_op = 1049'
    with_baseline plain.json m.json
    report html m.json
    [ "$status" -eq 0 ]
    python3 "$CB_ROOT/tests/page.py" report.html >page.json
    [ "$(jq -r '.data.models[]' page.json)" = "modelled cycles, Cortex-A53 table v1; caches and predictors perfect; not measured" ]
    jq -e '.allowed and (.data | .columns as $names | [.cells[] | [$names, .] | transpose | map({(.[0]): .[1]}) | add]
        | all(.model == 0 and (.modelled_per_byte == null) == (.bytes < 256) and (.modelled_band_percent == null) == (.bytes < 256))
            and ([.[] | select(.modelled_ratio)] | length == 4 and ([.[] | select(.modelled_close == 1) | .modelled_ratio] == [1.049])
                and ([.[] | select(.modelled_close == 0) | .modelled_ratio] == [2, 2, 2])))' page.json
    for format in github-action-benchmark bmf lnt openmetrics; do
        report "$format" m.json
        [ "$status" -eq 0 ]
        [ -n "$stdout" ]
        [ "$(grep -ciE 'modelled|cycles_per_op' "report.$format")" -eq 0 ]
    done
    report svg m.json --metric modelled
    [ "$status" -eq 2 ]
    [[ $stderr == *metric*modelled* ]]
}

# ---- scale ----

@test "four times the cells take less than eight times as long, in every format" {
    python3 - <<'EOT'
import json
import os
import subprocess

with open("both.json", encoding="utf-8") as file:
    run = json.load(file)
pair = [c for c in run["cells"] if c["alg"] == "aes-128-gcm" and c["bytes"] == 16]
run["settings"]["layout"] = ["openssl-speed", "compilers", "openwrt", "recommendation"]


def write(path, n):
    cells = [dict(c, bytes=size) for size in range(1, n // 2 + 1) for c in pair]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict(run, cells=cells), file, separators=(",", ":"))


def seconds(words):
    """Processor time, the least of three: others are at work too."""
    times = []
    for _ in range(3):
        before = os.times()
        done = subprocess.run([os.environ["CRYPTO_BENCH"]] + words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False)
        after = os.times()
        assert done.returncode == 0, (words, done.returncode)
        times.append(after.children_user - before.children_user + after.children_system - before.children_system)
    return min(times)


write("1000.json", 1000)
write("4000.json", 4000)
for words in (["report", "--format", "markdown"], ["report", "--format", "csv"], ["advise"],
              ["report", "--format", "release-notes", "--config", "O2,Os"]):
    small, large = (seconds(words + [path]) for path in ("1000.json", "4000.json"))
    print(words, small, large)
    assert large < 8 * max(small, 0.02), (words, small, large)
EOT
}

@test "a report is not written over the result file it is of" {
    cp both.json mine.json
    ln mine.json same.json
    for format in csv html table; do
        cb_run report mine.json --format "$format" --out same.json
        [ "$status" -eq 2 ]
        [[ $stderr == *"same.json"*"mine.json"* ]]
        cmp mine.json both.json
    done
}
