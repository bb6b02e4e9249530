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
    export CRYPTO_BENCH=$BATS_FILE_TMPDIR/crypto-bench RUNNER_TEMP=$BATS_TEST_TMPDIR/temp CI_PLAY=$BATS_TEST_TMPDIR/play
    export CI_LOG=$BATS_TEST_TMPDIR/log GITHUB_STEP_SUMMARY=$BATS_TEST_TMPDIR/summary
    mkdir -p "$RUNNER_TEMP" "$CI_PLAY"
}

# change BRANCH: the checkout that is judged, in ./workspace
change() {
    rm -rf workspace
    git clone -q --depth 1 --branch "$1" "file://$BATS_FILE_TMPDIR/repository" workspace
}

# Where a runner of its own is not what matters: builds are kept from test to test.
kept_builds() {
    mkdir -p "$BATS_FILE_TMPDIR/kept" temp/crypto-bench
    ln -s "$BATS_FILE_TMPDIR/kept" temp/crypto-bench/cache
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

@test "action: a pull request that makes the library larger is a regression; then limits, a policy, a branch, from the cache" {
    action
    [ "$status" -eq 3 ]
    [ "$(output verdict)" = regression ]
    [ "$(output exit-status)" = 3 ]
    cb_valid "$(output result)"
    grep -q '^|' "$(output report)"
    [[ $stderr == *"::error title=size"* ]]
    # by gate itself, and by nothing else
    [ "$(grep -c 'regression: ' summary)" -eq 1 ]
    [ -s "$CI_PLAY/crypto-bench/junit.xml" ]
    [[ $stderr == *"-- Save the cache"$'\n'* ]]
    [ -z "$(git -C workspace status --porcelain)" ]
    # another runner
    rm -rf temp/*
    action max-size=300%
    [ "$status" -eq 0 ]
    [ "$(output verdict)" = pass ]
    [[ $stderr == *"cached    base/gcc/O2/x86_64"*"Save the cache: not run"* ]]
    jq '.max_size = "300%"' "$CB_ROOT/examples/policy.json" >workspace/policy.json
    action policy=policy.json cache=false artifact= base-ref=main
    [ "$status" -eq 0 ]
    [[ $stderr == *"Restore the cache: not run"*"Save the cache: not run"*"Keep the result: not run"* ]]
}

@test "action: two configs of one library" {
    kept_builds
    action "library=$CB_ROOT/tests/libraries/mini" config=Os,O2
    [ "$status" -eq 3 ]
    grep -q 'Os' "$(output report)"
    action "library=$CB_ROOT/tests/libraries/mini" config=O2,Os
    [ "$status" -eq 0 ]
}

@test "action: no verdict fails, or warns when fail-on-no-verdict is false" {
    kept_builds
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
    kept_builds
    mkdir -p temp/crypto-bench/out
    echo old >temp/crypto-bench/out/report.md
    action alg=aes-257-gcm
    [ "$status" -eq 2 ]
    [ "$(output verdict)" = failed ]
    [[ $stderr == *"aes-257-gcm"* ]]
    [ ! -e "$(output report)" ]
    action base-ref=no-such-branch
    [ "$status" -eq 2 ]
    [[ $stderr == *"there is no commit 'no-such-branch'"* ]]
    for ref in "" --upload-pack=evil; do
        cd workspace
        status=0
        GATE_BASE_REF=$ref "$CB_ROOT/ci/gate.sh" base 2>../err || status=$?
        cd ..
        [ "$status" -eq 2 ]
        grep -q 'nothing to compare with\|no commit or branch' err
    done
}

@test "what is asked for is data, never shell: each value is one word of one option" {
    evil='x$(touch pwned)`touch pwned`"; touch pwned; '\''touch pwned * --selftest'
    printf '#!/bin/bash\nprintf "%%s\\n" "$@" >>"$CI_LOG"\n' >echo
    chmod +x echo
    export CRYPTO_BENCH=$PWD/echo GATE_WORK=$PWD/work
    for name in NEW BASE TARGET METRIC CONFIG ALG OP SIZE MAX_INSNS MAX_SIZE MAX_SLOWDOWN POLICY ALLOW FORMAT; do
        export "GATE_$name=$evil"
    done
    "$CB_ROOT/ci/prepare.sh"
    cd workspace
    for step in base build judge; do
        "$CB_ROOT/ci/gate.sh" "$step"
    done
    GATE_LIBRARY=$evil "$CB_ROOT/ci/gate.sh" judge
    cd ..
    [ -z "$(find . -name '*pwned*')" ]
    for name in base new library target metric config alg op size max-insns max-size max-slowdown policy allow format; do
        grep -qxF -- "--$name=$evil" log
    done
    [ "$(grep -cx -- --selftest log)" -eq 0 ]
    # in action.yml inputs go into the environment only: tests/ci.py refuses scripts with expressions
    sed 's/exit "$STATUS"/exit "${{ steps.judge.outputs.exit-status }}"/' "$CB_ROOT/action.yml" >action.yml
    status=0
    python3 "$CB_ROOT/tests/ci.py" check action.yml 2>err || status=$?
    [ "$status" -ne 0 ]
    grep -q 'Verdict: .*an expression in the script' err
    python3 "$CB_ROOT/tests/ci.py" check "$CB_ROOT/action.yml"
}

@test "prepare: with all there it installs nothing, and says which program it is" {
    GATE_TARGET=x86_64,aarch64:cortex-a72 "$CB_ROOT/ci/prepare.sh" >out 2>err
    cat out err
    grep -qx 'crypto-bench [0-9.]*' out
    ! grep -q apt-get err
}

# gitlab JOB NAME=VALUE...
gitlab() {
    local project=$PWD/workspace
    status=0
    (cd workspace && python3 "$CB_ROOT/tests/ci.py" gitlab "$CB_ROOT/ci/gitlab/crypto-bench.gitlab-ci.yml" "$@" \
        "CRYPTO_BENCH_HOME=$CB_ROOT" "CI_PROJECT_DIR=$project" "CRYPTO_BENCH_CACHE=$BATS_FILE_TMPDIR/kept") >out 2>err || status=$?
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
