#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
# Installs what crypto-bench needs (tools/deps.sh: apt, with sudo when not root) and builds it. For CI.
#
#   GATE_TARGET    targets, as --target; empty: x86_64,aarch64
#   CRYPTO_BENCH   a program that is there already: nothing is built

set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=${CRYPTO_BENCH:-$root/build/crypto-bench}

if [ -z "${CRYPTO_BENCH-}" ]; then
    "$root/tools/deps.sh" tool library
    make -C "$root" -j"$(nproc)" all
else
    "$root/tools/deps.sh" library
fi
CRYPTO_BENCH=$program "$root/tools/deps.sh" "target:${GATE_TARGET:-x86_64,aarch64}"
"$program" --version
