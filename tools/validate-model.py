#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
"""Models every row and pair of a validation file and compares with what was published.

    tools/validate-model.py [--only BUILD,...] [--write]

Builds what is needed (through crypto-bench's cache), links the driver of tests/model/ against each
library, models its operations by build/model/model-measure, and prints the error table. --write
puts docs/model.md, docs/model.svg and docs/model-rows.tsv there. What could not be run is listed,
with the reason. `make validate-model` does all of this.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import modelreport  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPERATION_MIN = 64  # bytes that the driver makes one operation of, in updates of less
SLOPE = (4096, 8192)  # bytes; the cost of a byte in a long message is taken between them
# What QEMU runs a core's code on; where it has no such model, on one with all instructions.
QEMU_CPU = {
    ("aarch64", "cortex-a53"): "cortex-a53",
    ("aarch64", "cortex-a57"): "cortex-a57",
    ("aarch64", "cortex-a72"): "cortex-a72",
    ("arm", "cortex-a7"): "cortex-a7",
    ("arm", "cortex-a9"): "cortex-a9",
    ("mips", "24kc"): "24Kf",
    ("mipsel", "24kc"): "24Kf",
}


class Failure(Exception):
    """Why a build, or what runs on it, cannot be had."""


def run(argv, **more):
    return subprocess.run(argv, capture_output=True, text=True, check=False, **more)


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it says nothing"


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Builds:
    """Libraries of the validation file, and the drivers linked against them."""

    def __init__(self, args, wanted):
        self.args, self.wanted, self.known = args, wanted, {}
        self.work = ROOT / args.build / "model"
        self.work.mkdir(parents=True, exist_ok=True)

    def patched(self, name, spec):
        """A source tree with some files of another library's."""
        tree = self.work / (name.replace("/", "-") + "-src")
        if not (tree / "Configure").exists():
            for library, members in [(spec["library"], None), *((v, k) for k, v in spec["replace"].items())]:
                pinned = load(ROOT / "libraries" / (library + ".json"))["archive"]
                archive = self.cache() / "sources" / pinned["sha256"] / pinned["file"]
                if not archive.exists():
                    raise Failure(f"{archive.name} is not in the cache")
                tree.mkdir(exist_ok=True)
                words = ["tar", "-xzf", archive, "-C", tree, "--strip-components=1"]
                done = run(words + (["--wildcards", "*/" + members] if members else []))
                if done.returncode:
                    raise Failure(last_line(done.stderr))
        return str(tree)

    @staticmethod
    def cache():
        own = os.environ.get("CRYPTO_BENCH_CACHE")
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        return pathlib.Path(own) if own else pathlib.Path(base) / "crypto-bench"

    def make(self, name):
        spec = self.wanted[name]
        if "unavailable" in spec:
            raise Failure(spec["unavailable"])
        if self.args.only and name not in self.args.only:
            raise Failure("left out by --only")
        library = self.patched(name, spec) if "replace" in spec else spec["library"]
        out = self.work / (name.replace("/", "-") + ".json")
        print(f"build {name}", file=sys.stderr, flush=True)
        words = [self.args.program, "run", "--metric", "stack", "--library", library, "--target", spec["target"],
                 "--config", spec["config"], "--out", out, "--format", "none", "--quiet"]
        done = run([str(w) for w in words], cwd=ROOT)
        if not out.exists():
            raise Failure(last_line(done.stderr))
        built = load(out)["builds"][0]
        if built["status"] != "ok":
            raise Failure(f"{built['status']}: {built['reason']}")
        return {"driver": self.link(name, built), "target": built["target"]["name"],
                "version": built["library"]["version"] or "", "compiler": f"{built['compiler']['family']} {built['compiler']['version']}"}

    def link(self, name, built):
        library = self.cache() / "builds" / built["key"]
        driver = self.work / f"{name.replace('/', '-')}-{built['key'][:12]}"
        sources = [ROOT / "tests/model/driver.c"]
        sources += sorted(p for p in (ROOT / "bench").glob("*.c") if p.name != "main.c")
        newest = max(p.stat().st_mtime for p in [*sources, *(ROOT / "bench").glob("*.h")])
        if driver.exists() and driver.stat().st_mtime > newest:
            return driver
        words = [built["compiler"]["path"], "-std=c99", "-D_POSIX_C_SOURCE=200809L", "-O2", "-static",
                 *built["target"]["cflags"], f"-I{library}/include", f"-I{ROOT}/bench", "-o", driver, *sources,
                 library / "libcrypto.a", "-ldl", "-lpthread"]
        if built["target"]["elf"]["bits"] == 32:
            words.append("-latomic")
        done = run([str(w) for w in words])
        if done.returncode:
            raise Failure("its driver cannot be linked: " + last_line(done.stderr))
        return driver

    def get(self, name):
        if name not in self.known:
            try:
                self.known[name] = self.make(name)
            except Failure as failure:
                self.known[name] = failure
                print(f"not run: {name}: {failure}", file=sys.stderr, flush=True)
        if isinstance(self.known[name], Failure):
            raise self.known[name]
        return self.known[name]


class Measured:
    """Cycles and instructions of works: a work is (build, armcap, core, alg, op, bytes)."""

    def __init__(self, args, builds):
        self.args, self.builds, self.known = args, builds, {}

    def measure(self, works):
        groups = {}
        for work in works:
            groups.setdefault(work[:3], []).append(work)
        for (name, armcap, core), group in groups.items():
            try:
                self.group(self.builds.get(name), armcap, core, group)
            except Failure as failure:
                for work in group:
                    self.known[work] = failure

    def group(self, build, armcap, core, works):
        isa = {"armv6": "arm"}.get(build["target"], build["target"])
        target = load(ROOT / "targets" / (isa + ".json"))
        environment = {**os.environ, **({"OPENSSL_armcap": armcap} if armcap else {})}
        # code for instructions that the model of this name lacks runs on one that has all
        cpu = QEMU_CPU.get((isa, core), "max")
        words = [self.args.measure, build["driver"], self.args.plugins, self.args.counter, target["qemu"], "-cpu", cpu]
        lines = "".join(f"{w[2]} {w[3]} {w[4]} {w[5]}\n" for w in works)
        done = run([str(w) for w in words], input=lines, cwd=ROOT, env=environment)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) != len(works):
            raise Failure(last_line(done.stderr))
        for work, answer in zip(works, answers):
            self.known[work] = Failure(answer["error"]) if answer["error"] else answer

    def figure(self, work):
        """(cycles, instructions) of a byte; a Failure is raised."""
        sizes = SLOPE if work[5] is None else (work[5],)
        found = [self.known[work[:5] + (n,)] for n in sizes]
        for answer in found:
            if isinstance(answer, Failure):
                raise answer
        if work[5] is None:
            n = SLOPE[1] - SLOPE[0]
            return tuple((found[1][k] - found[0][k]) / n for k in ("cycles", "insns"))
        return tuple(found[0][k] / max(work[5], OPERATION_MIN) for k in ("cycles", "insns"))


def work_of(side, core):
    return (side["build"], side["armcap"], core, side["alg"], side["op"], side["bytes"])


def works_all(validation):
    works = [work_of(row, row["core"]) for row in validation["rows"]]
    for pair in validation["pairs"]:
        # one side alone says nothing: it is not worth a build
        if not pair_unavailable(validation, pair):
            works += [work_of(pair[side], pair["core"]) for side in "ab"]
    single = []
    for work in works:
        single += [work[:5] + (n,) for n in (SLOPE if work[5] is None else (work[5],))]
    # builds that most depends on come first
    need = {}
    for work in works:
        need[work[0]] = need.get(work[0], 0) + 1
    return sorted(dict.fromkeys(single), key=lambda w: (-need[w[0]], w[0], w[1] or "", w[2]))


def pair_unavailable(validation, pair):
    """Why a pair cannot be run; None when its builds can be had."""
    return next((spec["unavailable"] for spec in (validation["builds"][pair[s]["build"]] for s in "ab") if "unavailable" in spec), None)


def results(validation, measured):
    for row in validation["rows"]:
        try:
            row["cycles"], row["insns"] = measured.figure(work_of(row, row["core"]))
        except Failure as failure:
            row["failure"] = str(failure)
    for pair in validation["pairs"]:
        if pair_unavailable(validation, pair):
            pair["failure"] = pair_unavailable(validation, pair)
            continue
        try:
            a, b = (measured.figure(work_of(pair[side], pair["core"])) for side in "ab")
            pair["modelled"], pair["insns"] = b[0] / a[0], b[1] / a[1]
        except Failure as failure:
            pair["failure"] = str(failure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--file", default=ROOT / "tests/model/validation.json", help="validation file")
    parser.add_argument("--build", default="build", help="build directory")
    parser.add_argument("--only", type=lambda s: s.split(","), help="builds of the file; others are not run")
    parser.add_argument("--counter", default="auto", choices=("auto", "plugin", "log"))
    parser.add_argument("--write", action="store_true", help="write docs/model.md, .svg and -rows.tsv")
    args = parser.parse_args()
    args.program = ROOT / args.build / "crypto-bench"
    args.measure = ROOT / args.build / "model/model-measure"
    args.plugins = ROOT / args.build / "qemu"
    validation = load(args.file)
    builds = Builds(args, validation["builds"])
    measured = Measured(args, builds)
    measured.measure(works_all(validation))
    results(validation, measured)
    report = modelreport.Report(validation, ROOT)
    print(report.summary())
    if args.write:
        report.write(ROOT / "docs")
    return 0 if report.ran() else 1


if __name__ == "__main__":
    sys.exit(main())
