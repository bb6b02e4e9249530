#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# action.yml, ci/ and the examples for GitHub and GitLab: their shell is run as there, on the tiny library.

load helper

setup_file() {
    load helper
    # the sources as they are, with a change of them that makes the library larger and one that breaks it
    cd "$BATS_FILE_TMPDIR" || return 1
    export FAKE_LIBRARY GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
    export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@invalid GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@invalid
    FAKE_LIBRARY=$(cb_mini_version)
    cp -R "$CB_ROOT/tests/libraries/mini" repository
    git init -q -b main repository
    git -C repository add -A
    git -C repository commit -qm base
    git -C repository checkout -qb larger
    echo 'char bench_table[4000] = {1};' >>repository/crypto/info.c
    git -C repository commit -qam larger
    git -C repository checkout -qb broken main
    echo 'int broken = ;' >>repository/crypto/info.c
    git -C repository commit -qam broken
    # gate with the fake driver, which has no use for instructions
    cat >crypto-bench <<END
#!/bin/bash
echo "\$*" >>"\$CI_LOG"
[ "\$1" != gate ] || set -- "\$@" --runner "exec:$CB_FAKE_DRIVER" --time 0.05
exec "$CRYPTO_BENCH" "\$@"
END
    chmod +x crypto-bench
}

setup() {
    cb_setup
    # as actions/checkout leaves it: one commit, and where it came from
    change larger
    export CRYPTO_BENCH=$BATS_FILE_TMPDIR/crypto-bench RUNNER_TEMP=$BATS_TEST_TMPDIR/temp CI_PLAY=$BATS_FILE_TMPDIR/play
    export CI_LOG=$BATS_TEST_TMPDIR/log GITHUB_STEP_SUMMARY=$BATS_TEST_TMPDIR/summary
    mkdir -p "$RUNNER_TEMP" "$CI_PLAY"
}

# change BRANCH: the checkout that is judged, in ./workspace
change() {
    rm -rf workspace
    git clone -q --depth 1 --branch "$1" "file://$BATS_FILE_TMPDIR/repository" workspace
}

base_commit() {
    git -C "$BATS_FILE_TMPDIR/repository" rev-parse main
}

# action INPUT=VALUE...: as in a pull request against main; sets status, stdout (the outputs) and stderr (the log)
action() {
    status=0
    (cd workspace && python3 "$CB_ROOT/tests/ci.py" github "$CB_ROOT/action.yml" target=x86_64 alg=aes-128-gcm size=16 \
        metric=time,size "github.event.pull_request.base.sha=$(base_commit)" "$@") >out 2>err || status=$?
    stdout=$(cat out)
    stderr=$(cat err)
    echo "$status: $stdout $stderr"
}

output() {
    jq -r --arg name "$1" '.[$name]' out
}

@test "action: a pull request that makes the library larger is a regression; the second run takes the base from the cache" {
    action
    [ "$status" -eq 3 ]
    [ "$(output verdict)" = regression ]
    [ "$(output exit-status)" = 3 ]
    cb_valid "$(output result)"
    grep -q '^|' "$(output report)"
    [[ $stderr == *"::error title=size"* ]]
    grep -q '^|' summary
    # once, by gate itself
    [ "$(grep -c '^## \|^# \|^\*\*' summary)" -le 3 ]
    [ -s "$CI_PLAY/crypto-bench/junit.xml" ]
    [[ $stderr == *"built     base/gcc/O2/x86_64"* ]]
    [ -z "$(git -C workspace status --porcelain)" ]
    rm -rf temp/*
    change larger
    action
    [ "$status" -eq 3 ]
    [[ $stderr == *"cached    base/gcc/O2/x86_64"* ]]
    [[ $stderr == *"Save the cache: not run"* ]]
}

@test "action: limits, a policy file and two configs of one library" {
    action max-size=300%
    [ "$status" -eq 0 ]
    [ "$(output verdict)" = pass ]
    jq '.max_size = "300%"' "$CB_ROOT/examples/policy.json" >workspace/policy.json
    python3 "$CB_ROOT/tests/validate.py" "$CB_ROOT/docs/policy.schema.json" "$CB_ROOT/examples/policy.json"
    action policy=policy.json cache=false artifact=
    [ "$status" -eq 0 ]
    [[ $stderr == *"Restore the cache: not run"*"Save the cache: not run"*"Keep the result: not run"* ]]
    action "library=$CB_ROOT/tests/libraries/mini" config=Os,O2
    [ "$status" -eq 3 ]
    grep -q 'Os' "$(output report)"
    action "library=$CB_ROOT/tests/libraries/mini" config=O2,Os
    [ "$status" -eq 0 ]
}

@test "action: no verdict fails, or warns when fail-on-no-verdict is false" {
    change broken
    action
    [ "$status" -eq 4 ]
    [ "$(output verdict)" = no-verdict ]
    action fail-on-no-verdict=false
    [ "$status" -eq 0 ]
    [ "$(output verdict)" = no-verdict ]
    [[ $stderr == *"::warning title=crypto-bench::no verdict"* ]]
}

@test "action: wrong inputs fail with the reason, and an old comparison is not shown for them" {
    action
    action alg=aes-257-gcm
    [ "$status" -eq 2 ]
    [ "$(output verdict)" = failed ]
    [[ $stderr == *"aes-257-gcm"* ]]
    [ ! -e "$(output report)" ]
    action base-ref=no-such-branch
    [ "$status" -eq 2 ]
    [[ $stderr == *"there is no commit 'no-such-branch'"* ]]
    action base-ref=--upload-pack=evil
    [ "$status" -eq 2 ]
    action github.event.pull_request.base.sha=
    [ "$status" -eq 2 ]
    [[ $stderr == *"nothing to compare with"* ]]
}

@test "action: a branch name as base; a base that is another tree, or not from git" {
    action base-ref=main
    [ "$status" -eq 3 ]
    action "base=$CB_ROOT/tests/libraries/mini"
    [ "$status" -eq 3 ]
    action "base=$BATS_TEST_TMPDIR/workspace"
    [ "$status" -eq 0 ]
}

@test "action: inputs are data, never shell" {
    evil='x$(touch pwned)`touch pwned`"; touch pwned; '\''touch pwned'
    inputs=$(python3 -c 'import sys, yaml; print(*yaml.safe_load(open(sys.argv[1]))["inputs"])' "$CB_ROOT/action.yml")
    for input in $inputs; do
        [ "$input" != artifact ] || continue # no script sees it
        action "$input=$evil"
        [ -z "$(find . -name '*pwned*')" ]
    done
    # each is one word of one option
    action "alg=$evil --selftest"
    grep -qF -- "--alg=$evil --selftest" log
    ! grep -A3 'run: *|' "$CB_ROOT/action.yml" | grep -F '${{'
}

@test "prepare: with all there it installs nothing, and says which program it is" {
    GATE_TARGET=x86_64,aarch64:cortex-a72 "$CB_ROOT/ci/prepare.sh" >out 2>err
    cat out err
    grep -qx 'crypto-bench [0-9.]*' out
    ! grep -q apt-get err
}

# gitlab JOB NAME=VALUE...
gitlab() {
    status=0
    (cd workspace && python3 "$CB_ROOT/tests/ci.py" gitlab "$CB_ROOT/ci/gitlab/crypto-bench.gitlab-ci.yml" "$@" \
        "CRYPTO_BENCH_HOME=$CB_ROOT" "CI_PROJECT_DIR=$PWD/workspace" "CRYPTO_BENCH_CACHE=$BATS_FILE_TMPDIR/gitlab-cache") >out 2>err || status=$?
    cat out err
}

@test "GitLab: a merge request is judged, with a JUnit report; a broken one is no verdict" {
    for expected in "larger 3" "main 0" "broken 4"; do
        change "${expected% *}"
        gitlab .crypto-bench-gate "CI_MERGE_REQUEST_DIFF_BASE_SHA=$(base_commit)" GATE_TARGET=x86_64 GATE_ALG=aes-128-gcm \
            GATE_SIZE=16 GATE_METRIC=time,size
        [ "$status" -eq "${expected#* }" ]
        python3 -c 'import sys, xml.dom.minidom as m; assert m.parse(sys.argv[1]).getElementsByTagName("testcase")' \
            workspace/.crypto-bench/out/junit.xml
        cb_valid workspace/.crypto-bench/out/result.json
        [ -z "$(git -C workspace status --porcelain)" ]
        ! grep -q 'artifact .*: none' err
    done
    python3 - "$CB_ROOT/ci/gitlab/crypto-bench.gitlab-ci.yml" <<'END'
import sys, yaml
gate = yaml.safe_load(open(sys.argv[1]))[".crypto-bench-gate"]
assert gate["allow_failure"] == {"exit_codes": 4}
assert gate["artifacts"]["reports"]["junit"] == ".crypto-bench/out/junit.xml" and gate["artifacts"]["when"] == "always"
END
}

@test "GitLab: the jobs of parallel are the shards" {
    for i in 1 2 3; do
        gitlab .crypto-bench-shard "CI_NODE_INDEX=$i" CI_NODE_TOTAL=3 "CRYPTO_BENCH_OPTIONS=--target x86_64 --config O2 \
            --library $CB_ROOT/tests/libraries/mini --alg aes-128-gcm --size 16,64,256 --time 0.01 --runner exec:$CB_FAKE_DRIVER"
        [ "$status" -eq 0 ]
        ! grep -q 'artifact .*: none' err
    done
    [ "$(jq -s -c '[.[].cells[].bytes] | sort' workspace/shard-?.json)" = "[16,64,256]" ]
}

@test "the shell in all CI files is clean" {
    command -v shellcheck >/dev/null || skip "no shellcheck"
    mkdir pieces
    for f in action.yml ci/gitlab/crypto-bench.gitlab-ci.yml examples/github-gate.yml examples/github-matrix.yml \
        examples/gitlab-gate.yml examples/gitlab-matrix.yml; do
        python3 "$CB_ROOT/tests/ci.py" scripts "$CB_ROOT/$f" pieces
    done
    [ "$(find pieces -type f | wc -l)" -ge 12 ]
    # words are split on purpose in one place, which says so
    shellcheck --exclude SC2154 --exclude SC2086 pieces/*.sh
    [ "$(cat pieces/*.sh | grep -c '[^"]\$CRYPTO_BENCH_OPTIONS')" -eq 1 ]
}
