#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Stack use of builds, and what objects of a library weigh, with the tiny library.

load helper

setup_file() {
    load helper
    cb_own_cache
}

setup() {
    cb_setup
    mini="$CB_ROOT/tests/libraries/mini"
    config_file plain -Os
    config_file deep -Os -DMINI_STACK=5000 -DMINI_ALLOCA
    config_file table -Os -DMINI_TABLE=70000
}

config_file() { # NAME CFLAG...; the baseline of all but itself is "plain"
    local name=$1
    shift
    jq -n --arg n "$name" '{schema: "crypto-bench-config/1", name: $n, summary: "made by a test", baseline: (if $n == "plain" then null else "plain" end),
        cflags: $ARGS.positional, configure: [], in_default_set: false, order: 50}' --args -- "$@" >"$name.json"
}

# stack OPTION...: a run for stack use alone. A runner that cannot be started would fail every cell.
stack() {
    cb_run --metric stack --target x86_64 --library "$mini" --config ./plain.json,./deep.json --runner exec:/nonexistent \
        --out result.json "$@"
    echo "$stdout $stderr"
}

@test "--metric stack: largest frame of each build in file and table, a warning, nothing run" {
    stack
    [ "$status" -eq 0 ]
    cb_valid result.json
    jq -e '.cells == [] and .lanes == []' result.json
    jq -e '.builds[] | select(.config.name == "deep") | .stack_reason == null and (.stack | .function == "mini_stack"
        and .file == "crypto/digest.c" and .largest >= 4800 and .largest < 5200 and .above_max_stack == 1 and .dynamic == 1
        and .frames[0].bytes == .largest and .frames[0].kind == "static" and (.frames | length) == 20
        and (.frames | map(.bytes) | . == (sort | reverse)) and .functions > 20)' result.json
    jq -e '.builds[] | select(.config.name == "plain") | .stack | .above_max_stack == 0 and .dynamic == 0 and .largest < 200' result.json
    [[ $stdout == *"Stack frames: x86_64, mini"*config*largest*function*"above 2048"*unlimited*change* ]]
    [[ $stdout =~ deep\ +[45][0-9]{3}\ +mini_stack\ +1\ +1\ +\+[0-9.]+%\ vs\ plain ]]
    [[ $stdout =~ plain\ +[0-9]+\ +[A-Za-z_]+\ +0\ +0\ +- ]]
    [[ $stderr == *"warning: stack: mini/gcc/deep/x86_64: mini_stack (crypto/digest.c) takes "*" bytes, more than 2048"* ]]
    [ "$(grep -c 'warning: stack' <<<"$stderr")" -eq 1 ]
    # the same from the file
    cb_run report result.json
    cp .out report
    stack
    diff .out report
    cb_run report --format markdown result.json
    [[ $stdout == *"### Stack frames: "*"| config | largest | function | above 2048 | unlimited | change |"* ]]
}

@test "--max-stack moves the limit, and gives the warning without --metric stack" {
    stack --max-stack 10000
    [ "$status" -eq 0 ]
    [[ $stdout == *"above 10000"* && $stderr != *"warning: stack"* ]]
    stack --max-stack 8
    [[ $stderr =~ mini_stack.*more\ than\ 8,\ and\ [0-9]+\ other\ functions\ do ]]
    jq -e '.settings.max_stack == 8 and ([.warnings[].code] | contains(["stack"]))' result.json
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config ./plain.json,./deep.json
    [ "$status" -eq 0 ]
    [[ $stdout != *"Stack frames"* && $stderr != *"warning: stack"* ]]
    jq -e '[.builds[].stack.largest > 0] | all' result.json
    cb_valid result.json
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config ./plain.json,./deep.json --max-stack 2048
    [[ $stderr == *"warning: stack: mini/gcc/deep/x86_64"* ]]
    for bad in 0 -1 x 2k ''; do
        stack --max-stack "$bad"
        [ "$status" -eq 2 ]
    done
}

@test "with other metrics: both tables" {
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config ./plain.json,./deep.json --metric time,stack
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    [[ $stdout == *"kB/s"*"Stack frames"*mini_stack* ]]
    cb_valid result.json
}

@test "--baseline decides what is compared" {
    stack --baseline deep
    [[ $stdout =~ plain\ .*-9[0-9.]+%\ vs\ deep ]]
}

@test "builds from before: null with the reason, and --rebuild makes it" {
    stack
    find "$XDG_CACHE_HOME/crypto-bench/builds" -name stack.json -delete
    stack
    [ "$status" -eq 0 ]
    cb_valid result.json
    [[ $stderr != *building* ]]
    jq -e '[.builds[] | .stack == null and (.stack_reason | test("before stack use was recorded; --rebuild"))] | all' result.json
    [[ $stdout == *"no stack use: mini/gcc/deep/x86_64: built before"* ]]
    jq -e '[.builds[].objects | length == 4] | all' result.json
    stack --rebuild
    jq -e '[.builds[].stack.largest > 0] | all' result.json
}

@test "a record that is damaged or of another build is no figure" {
    stack
    for f in "$XDG_CACHE_HOME"/crypto-bench/builds/*/stack.json; do
        sed 's/"key": "..../"key": "0000/' "$f" >changed
        cp changed "$f"
    done
    stack
    [ "$status" -eq 0 ]
    jq -e '[.builds[] | .stack == null and (.stack_reason | test("damaged.*--rebuild"))] | all' result.json
    stack --rebuild
}

@test "a compiler without -fstack-usage, and one that tells nothing: builds all the same" {
    mkdir bin
    printf '#!/bin/sh\nfor a; do [ "$a" != -fstack-usage ] || { echo "error: unrecognized option" >&2; exit 1; }; done\nexec gcc "$@"\n' >bin/old-gcc
    chmod +x bin/old-gcc
    config_file lto -Os -flto -ffat-lto-objects
    PATH=$PWD/bin:$PATH cb_run --metric stack --target x86_64 --library "$mini" --config ./plain.json --cc old-gcc --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 0 ]
    jq -e '.builds[0] | .stack == null and (.stack_reason | test("^gcc [0-9.]+ does not take -fstack-usage"))' result.json
    cb_valid result.json
    printf '#!/bin/sh\ngcc "$@" && find . -name "*.su" -delete\n' >bin/old-gcc
    PATH=$PWD/bin:$PATH cb_run --metric stack --target x86_64 --library "$mini" --config ./plain.json --cc old-gcc --out result.json
    [ "$status" -eq 0 ]
    jq -e '.builds[0] | .stack == null and (.stack_reason | test("left no stack usage"))' result.json
}

@test "a prebuilt prefix has objects but no stack use" {
    cb_run --library /usr --target x86_64 --metric stack --out result.json
    [ "$status" -eq 0 ]
    jq -e '.builds[0] | .stack == null and (.stack_reason | test("prebuilt")) and (.objects | length > 500)' result.json
    cb_valid result.json
}

@test "the library is the same to the byte with and without stack usage" {
    cb_run build --target x86_64 --library "$mini" --config ./plain.json --rebuild
    [ "$status" -eq 0 ]
    with=$(sha256sum "$XDG_CACHE_HOME"/crypto-bench/builds/*/libcrypto.a | sort)
    sed 's/LIB_CPPFLAGS/LIB_OTHER/g' "$mini/Configure" >Configure
    cp -r "$mini" other
    cp Configure other/Configure
    rm -rf bare-cache
    XDG_CACHE_HOME=$PWD/bare-cache cb_run build --target x86_64 --library ./other --config ./plain.json
    [ "$status" -eq 0 ]
    jq -e '.reason | test("no LIB_CPPFLAGS")' bare-cache/crypto-bench/builds/*/stack.json
    grep -q "$(sha256sum <bare-cache/crypto-bench/builds/*/libcrypto.a | cut -c 1-64)" <<<"$with"
    # the flags it reports are the config's, not ours
    ! grep -q 'fstack-usage' "$XDG_CACHE_HOME"/crypto-bench/builds/*/build.json
}

@test "a build that fails: exit 1, no figures, the others have theirs" {
    config_file broken -Os -DMINI_BREAK
    cb_run --metric stack --target x86_64 --library "$mini" --config ./plain.json,./broken.json --out result.json
    echo "$stdout $stderr"
    [ "$status" -eq 1 ]
    cb_valid result.json
    [[ $stdout == *"no stack use: mini/gcc/broken/x86_64: build-failed: "*error* ]]
    [[ $stderr == *"1 of 2 builds failed"* ]]
    [[ $stdout =~ plain\ +[0-9]+ ]]
}

@test "explain --size: objects and sections, biggest change first, in every spelling" {
    cb_run --metric stack --target x86_64 --library "$mini" --config ./plain.json,./table.json --out result.json
    for line in "--size result.json --config plain,table" "result.json --size --config plain,table" \
        "--size --config plain,table result.json" "-s result.json --config plain,table"; do
        # shellcheck disable=SC2086
        cb_run explain $line
        echo "$line: $stdout $stderr"
        [ "$status" -eq 0 ]
        [[ ${stdout%%$'\n'*} == "Size of libcrypto.a: mini/gcc/table/x86_64 against mini/gcc/plain/x86_64; bytes, 1 change" ]]
        [[ $stdout =~ object\ +section\ +plain\ +table\ +change ]]
        [[ $stdout =~ digest\.o\ +rodata\ +[0-9]+\ +7[0-9]{4}\ +\+70[0-9]{3} ]]
        [[ $stdout =~ total\ +[0-9]+\ +[0-9]+\ +\+70[0-9]{3} ]]
        [[ $stdout == *"1 build compared, 0 without a counterpart."* ]]
    done
    cb_run explain --size result.json --config plain,table --format markdown
    [[ $stdout == *"### Size of libcrypto.a"*"| object | section | plain | table | change |"*"| digest.o | rodata |"* ]]
    # two files; a block size is still one
    cb_run explain --size result.json result.json
    [ "$status" -eq 0 ]
    [[ $stdout == *"2 builds compared"* ]]
    cb_run explain --size 16 result.json --config plain,table
    [ "$status" -eq 1 ]
    [[ $stderr == *"no cells with instruction counts"* ]]
    cb_run explain --size=16,64 result.json --config plain,table
    [ "$status" -eq 1 ]
    cb_run explain --size --alg aes-128-gcm result.json --config plain,table
    [ "$status" -eq 2 ]
    [[ $stderr == *"--alg has no meaning"* ]]
    cb_run explain --size --target arm result.json --config plain,table
    [ "$status" -eq 1 ]
}

@test "explain --size shows objects of one side" {
    cb_run --metric stack --target x86_64 --library "$mini" --config ./plain.json,no-asm --out result.json
    [ "$status" -eq 0 ]
    cb_run explain --size result.json --config plain,no-asm
    echo "$stdout $stderr"
    [[ $stdout =~ minicpuid\.o\ +data\ +4\ +-\ +-4 ]]
    cb_run explain --size result.json --config no-asm,plain
    [[ $stdout =~ minicpuid\.o\ +data\ +-\ +4\ +\+4 ]]
}

@test "files from before can still be read; explain --size says what they lack" {
    cb_fake "--mode good" --alg aes-128-gcm --size 16 --config ./plain.json,./table.json
    jq 'del(.settings.max_stack, .builds[].stack, .builds[].stack_reason, .builds[].objects)' result.json >old.json
    cb_run report old.json
    [ "$status" -eq 0 ]
    cb_run explain --size old.json --config plain,table
    echo "$stderr"
    [ "$status" -eq 1 ]
    [[ $stderr == *"old.json"*"mini/gcc/table/x86_64 has no sizes of objects"*"--metric stack"* ]]
    # and a damaged one names the place
    jq '.builds[1].objects[2] = ["x.o", 1]' result.json >bad.json
    cb_run report bad.json
    [ "$status" -eq 1 ]
    [[ $stderr == *'bad.json: $.builds[1].objects[2]: expected [name, text, rodata, data, bss]'* ]]
    jq '.builds[1].stack.frames[3].kind = "odd"' result.json >bad.json
    cb_run report bad.json
    [[ $stderr == *'$.builds[1].stack.frames[3].kind'* ]]
}
