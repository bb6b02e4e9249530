#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Installs what is missing of a group of programs and libraries, with apt.
#
#   tools/deps.sh [--check] GROUP...
#
# A group is tool (building crypto-bench), library (building OpenSSL and fetching it), test, full (more tests), lint,
# validate (comparing with published figures), or target:NAME[,NAME...] (cross compilers and emulators, as
# `crypto-bench doctor` names them; $CRYPTO_BENCH is that program). --check only says what is missing.
#
# What is there counts, wherever it came from: a program of your own in /usr/local is as good as a
# package. When nothing is missing, neither apt nor the network is touched.
# Exit status: 0 all there; 1 something is missing still; 2 usage.

set -u

CC=${CC:-cc}
CRYPTO_BENCH=${CRYPTO_BENCH:-build/crypto-bench}
lists=/var/lib/apt/lists

# group, Debian package, how to tell that it is there, what it is for
needs() {
    cat <<EOT
tool    gcc                cmd:${CC%% *}           compiling crypto-bench
tool    libc6-dev          header:stdio.h          headers of the C library
tool    binutils           cmd:ar                  archives
tool    make               cmd:make                building
tool    pkg-config         cmd:pkg-config          finding the libraries below
tool    libcjson-dev       pc:libcjson             reading and writing JSON
tool    libelf-dev         pc:libelf               reading ELF files and archives
tool    libcapstone-dev    pc:capstone             decoding instructions
tool    libsmartcols-dev   pc:smartcols            printing tables
tool    libssl-dev         pc:libcrypto            SHA-256 of sources and builds
library perl               perl:FindBin,IPC::Cmd,File::Compare,Pod::Usage   OpenSSL's Configure
library make               cmd:make                building OpenSSL
library curl               cmd:curl                fetching sources
library ca-certificates    file:/etc/ssl/certs/ca-certificates.crt,/etc/pki/tls/certs/ca-bundle.crt,/etc/ssl/cert.pem fetching sources over https
library tar                cmd:tar                 unpacking sources
library gzip               cmd:gzip                unpacking sources; compressed sizes
library xz-utils           cmd:xz                  compressed sizes
test    libcmocka-dev      pc:cmocka               unit tests
test    bats               cmd:bats                tests of the command line
test    jq                 cmd:jq                  looking into results in tests
test    python3            cmd:python3             checking results in tests
test    python3-jsonschema py:jsonschema           checking results against the schema
test    gnuplot-nox        cmd:gnuplot             plots of reports
test    python3-prometheus-client py:prometheus_client  checking exports as OpenMetrics
test    python3-yaml       py:yaml                 steps of action.yml, LNT's suite
test    locales            file:/usr/share/i18n/locales/de_DE  tests under a German locale
full    chromium           cmd:chromium            opening the page of reports
full    parallel           cmd:parallel            the example of GNU parallel
full    slurm-wlm          cmd:sbatch              the example of Slurm, on a cluster of one node
full    slurm-wlm          cmd:/usr/sbin/slurmctld the example of Slurm, on a cluster of one node
full    munge              cmd:/usr/sbin/munged    authentication of Slurm
validate python3           cmd:python3             comparing with published figures
validate gnuplot-nox       cmd:gnuplot             the plot in docs/model.md
lint    clang              cmd:clang               second compiler
lint    clang-format       cmd:clang-format        format of the sources
lint    clang-tidy         cmd:clang-tidy          static analysis
lint    shellcheck         cmd:shellcheck          shell scripts
lint    python3            cmd:python3             syntax of JSON files
EOT
}

say() {
    printf 'deps: %s\n' "$*" >&2
}

have() {
    command -v "$1" >/dev/null 2>&1
}

deb_installed() {
    dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

# present CHECK PACKAGE. A check whose own tool is missing falls back on dpkg.
present() {
    arg=${1#*:}
    case $1 in
    cmd:*) have "$arg" ;;
    pc:*)
        if have pkg-config; then pkg-config --exists "$arg"; else deb_installed "$2"; fi
        ;;
    header:*)
        if have "${CC%% *}"; then
            # shellcheck disable=SC2086 # CC may hold options
            printf '#include <%s>\n' "$arg" | $CC -E -x c - >/dev/null 2>&1
        else
            deb_installed "$2"
        fi
        ;;
    perl:*)
        # Debian's perl-base has the program without the modules.
        for module in $(printf '%s' "$arg" | tr ',' ' '); do
            perl "-M$module" -e 1 2>/dev/null || return 1
        done
        ;;
    py:*)
        # A python3 in front of the system's may lack what the package brings.
        python3 -c "import $arg" 2>/dev/null || /usr/bin/python3 -c "import $arg" 2>/dev/null
        ;;
    file:*)
        for f in $(printf '%s' "$arg" | tr ',' ' '); do
            [ -e "$f" ] && return 0
        done
        return 1
        ;;
    esac
}

# missing GROUP...: "package<TAB>why" a line. Fails when it cannot tell.
missing() {
    for group in "$@"; do
        case $group in
        target:*)
            names=$("$CRYPTO_BENCH" doctor --target "${group#target:}" --missing-packages) || {
                say "'$CRYPTO_BENCH doctor --target ${group#target:}' failed"
                return 1
            }
            for p in $names; do
                printf '%s\tcompiling and running for %s\n' "$p" "${group#target:}"
            done
            ;;
        *)
            needs | while read -r g package check why; do
                [ "$g" = "$group" ] || continue
                present "$check" "$package" || printf '%s\t%s\n' "$package" "$why"
            done
            ;;
        esac
    done
}

# The packages of missing's lines, in one line.
names_of() {
    printf '%s\n' "$1" | cut -f1 | sort -u | tr '\n' ' ' | sed 's/ $//'
}

show() {
    printf '%s\n' "$1" | sort -u | while IFS='	' read -r package why; do
        printf '  %-28s %s\n' "$package" "$why" >&2
    done
}

apt() {
    # shellcheck disable=SC2086 # SUDO is empty or one word
    $SUDO env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o Acquire::Retries=3 \
        -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$log" 2>&1
}

updated=
update() {
    [ -z "$updated" ] || return 1
    say "apt-get update"
    updated=1
    apt update
}

# install PACKAGE...
install() {
    log=$(mktemp) || return 1
    # The lists may be absent (fresh images) or too old to know a package.
    if ! ls "$lists"/*_Packages* >/dev/null 2>&1 ||
        ! apt-get -s -q --no-install-recommends install "$@" >/dev/null 2>&1; then
        update
    fi
    say "apt-get install (it may take a minute or two)"
    if apt install --no-install-recommends "$@" ||
        { update && apt install --no-install-recommends "$@"; }; then
        rm -f "$log"
        return 0
    fi
    say "apt-get failed; the end of what it said:"
    tail -n 20 "$log" | sed 's/^/  /' >&2
    rm -f "$log"
    return 1
}

check_only=
if [ "${1-}" = --check ]; then
    check_only=1
    shift
fi
for group in "$@"; do
    case $group in
    tool | library | test | full | lint | target:?*) ;;
    *)
        say "unknown group '$group'; known: tool library test full lint target:NAME[,NAME...]"
        exit 2
        ;;
    esac
done
if [ $# -eq 0 ]; then
    say "give groups: tool library test full lint target:NAME[,NAME...]"
    exit 2
fi

lack=$(missing "$@") || exit 1
[ -n "$lack" ] || exit 0
packages=$(names_of "$lack")

say "this machine lacks:"
show "$lack"
if [ -n "$check_only" ]; then
    say "run 'make bench' or 'make check', or install: $packages"
    exit 1
fi
if ! have apt-get || ! have dpkg-query; then
    say "no apt-get here; install these (named as Debian names them) and try again"
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    SUDO=
elif have sudo; then
    SUDO=sudo
else
    say "not root and no sudo; as root, run: apt-get install --no-install-recommends $packages"
    exit 1
fi
# shellcheck disable=SC2086 # a list of package names
install $packages || {
    say "by hand, as root: apt-get update && apt-get install --no-install-recommends $packages"
    exit 1
}
lack=$(missing "$@") || exit 1
if [ -n "$lack" ]; then
    say "installed, yet still not found:"
    show "$lack"
    exit 1
fi
