#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# A change judged in CI, whatever CI that is; action.yml and gitlab/ call it. All that is asked for comes in the
# environment, so that nothing of it is ever read as shell.
#
#   ci/gate.sh base     find what to compare with; prints base=LIBRARY and key=HASH, of what shapes its build
#   ci/gate.sh build    build that, so that a cache can keep it
#   ci/gate.sh judge    gate; writes result.json, report.md and junit.xml, and ends with gate's exit status
#
#   GATE_NEW        the changed library, as --new; default: the current directory
#   GATE_BASE       the library to compare with, as --base
#   GATE_BASE_REF   without GATE_BASE: a commit or branch of the changed tree's repository
#   GATE_LIBRARY    in place of them: one library, of which GATE_CONFIG names two configs
#   GATE_TARGET     default x86_64,aarch64
#   GATE_METRIC     default insns
#   GATE_CONFIG GATE_ALG GATE_OP GATE_SIZE GATE_MAX_INSNS GATE_MAX_SIZE GATE_MAX_SLOWDOWN GATE_MAX_MODELLED GATE_POLICY
#   GATE_ALLOW
#                   options of gate, left out when empty
#   GATE_FORMAT     of what is printed; default table
#   GATE_WORK       where files go; default ./crypto-bench. Not part of the changed tree, when that is a git checkout
#   CRYPTO_BENCH    the program; default: what ci/prepare.sh built

set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=${CRYPTO_BENCH:-$root/build/crypto-bench}
work=${GATE_WORK:-crypto-bench}
new=${GATE_NEW:-.}
target=${GATE_TARGET:-x86_64,aarch64}

fail() {
    printf 'gate.sh: %s\n' "$*" >&2
    exit 2
}

# The words of --library for directories that look like no path.
case $new in . | ..) new=$(cd "$new" && pwd) ;; esac

# base_tree: the tree at GATE_BASE_REF, in a place of its own. Sets library and identity.
base_tree() {
    local commit subdirectory
    case ${GATE_BASE_REF-} in
    '') fail "nothing to compare with: give a base library (GATE_BASE), or a commit (GATE_BASE_REF) where this is no pull request" ;;
    -*) fail "GATE_BASE_REF '$GATE_BASE_REF' is no commit or branch" ;;
    esac
    subdirectory=$(git -C "$new" rev-parse --show-prefix) || fail "'$new' is no git checkout, so GATE_BASE_REF says nothing"
    if ! commit=$(git -C "$new" rev-parse --quiet --verify --end-of-options "$GATE_BASE_REF^{commit}"); then
        # checkouts of CI have one commit only
        git -C "$new" fetch --quiet --no-tags --depth=1 origin "$GATE_BASE_REF" >&2 ||
            fail "there is no commit '$GATE_BASE_REF' in '$new' or its origin"
        commit=$(git -C "$new" rev-parse --verify 'FETCH_HEAD^{commit}')
    fi
    # a directory that outlives a job may have that of another
    if [ -e "$work/base" ] && [ "$(git -C "$work/base" rev-parse HEAD)" != "$commit" ]; then
        git -C "$new" worktree remove --force "$work/base"
    fi
    if [ ! -e "$work/base" ]; then
        git -C "$new" worktree add --quiet --force --detach "$work/base" "$commit" >&2
    fi
    library=$work/base${subdirectory:+/${subdirectory%/}}
    identity="$commit $subdirectory"
}

# base_key IDENTITY: what the base's build depends on: its commit or name, the flags, the compilers, and this program.
base_key() {
    {
        printf '%s\n' "$1" "$target" "${GATE_CONFIG-}"
        gcc --version 2>/dev/null || true
        cat "$root"/bench/*.[ch] "$root"/src/*.[ch] "$root"/libraries/*.json "$root"/targets/*.json "$root"/configs/*.json
    } | sha256sum | cut -c 1-32
}

base() {
    local library=${GATE_LIBRARY:-${GATE_BASE-}} identity
    identity="$library $(git -C "$library" rev-parse HEAD 2>/dev/null || true)"
    [ -n "$library" ] || base_tree
    case $library in *$'\n'*) fail "a library's name has no line breaks" ;; esac
    printf '%s' "$library" >"$work/base-library"
    printf 'base=%s\nkey=%s\n' "$library" "$(base_key "$identity")"
}

# option NAME VALUE: into args, when there is a value.
option() {
    [ -z "$2" ] || args+=("--$1=$2")
}

# base_ready: what `base` left there is what the others need.
base_ready() {
    [ -s "$work/base-library" ] || fail "there is no '$work/base-library': run '$0 base' first, with the same GATE_WORK"
}

build() {
    base_ready
    args=(build)
    option library "$(cat "$work/base-library")"
    option target "$target"
    option config "${GATE_CONFIG:-O2}"
    "$program" "${args[@]}"
}

# What is judged how; the same for gate and for compare, which prints the other formats.
judgement() {
    option max-insns "${GATE_MAX_INSNS-}"
    option max-size "${GATE_MAX_SIZE-}"
    option max-slowdown "${GATE_MAX_SLOWDOWN-}"
    option max-modelled "${GATE_MAX_MODELLED-}"
    option policy "${GATE_POLICY-}"
    option allow "${GATE_ALLOW-}"
}

judge() {
    local status=0 out=$work/out metrics=${GATE_METRIC:-insns}
    mkdir -p "$out"
    rm -f "$out/result.json" "$out/report.md" "$out/junit.xml"
    args=(gate)
    if [ -n "${GATE_LIBRARY-}" ]; then
        option library "$GATE_LIBRARY"
    else
        base_ready
        option base "$(cat "$work/base-library")"
        option new "$new"
    fi
    option target "$target"
    option config "${GATE_CONFIG-}"
    option alg "${GATE_ALG-}"
    option op "${GATE_OP-}"
    option size "${GATE_SIZE-}"
    option metric "$metrics"
    option format "${GATE_FORMAT-}"
    judgement
    "$program" "${args[@]}" --out "$out/result.json" || status=$?
    # 2 and 1: there may be no file, and its like has no verdict
    case $status in 0 | 3 | 4) ;; *) return "$status" ;; esac

    args=(compare)
    [ -z "${GATE_LIBRARY-}" ] || option config "${GATE_CONFIG-}"
    [ "$metrics" = all ] || option metric "$metrics"
    judgement
    # the verdict is known
    GITHUB_STEP_SUMMARY='' "$program" "${args[@]}" --format markdown "$out/result.json" >"$out/report.md" || true
    "$program" "${args[@]}" --format junit "$out/result.json" >"$out/junit.xml" || true
    return "$status"
}

mkdir -p "$work"
work=$(cd "$work" && pwd)
# the tree under test must not hold what is written here
[ -e "$work/.gitignore" ] || echo '*' >"$work/.gitignore"
case ${1-} in
base | build | judge) "$1" ;;
*) fail "give base, build or judge" ;;
esac
