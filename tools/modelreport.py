# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
"""The error table of modelled cycles, and docs/model.md, from what tools/validate-model.py measured."""
import json
import math
import pathlib
import statistics
import subprocess

CLOSE = 0.05  # a ratio nearer to 1 than this is too close to call
TEXT = pathlib.Path(__file__).resolve().parent / "model.md.in"


def error(modelled, published):
    """Relative error that is the same for twice and half."""
    return abs(math.log(modelled / published))


def percent(value):
    return f"{100 * value:.0f}%"


def quantile(values, q):
    """The smallest that at least the share q is not above."""
    values = sorted(values)
    return values[max(0, math.ceil(q * len(values)) - 1)]


def differs(ratio):
    return abs(math.log(ratio)) > math.log(1 + CLOSE)


def same_side(a, b):
    return (a > 1) == (b > 1)


def table(head, rows):
    """Aligned Markdown."""
    rows = [head, *[[str(x) for x in row] for row in rows]]
    width = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = ["| " + " | ".join(x.ljust(w) for x, w in zip(row, width)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in width) + "|")
    return "\n".join(lines)


class Report:
    def __init__(self, validation, root):
        self.file, self.root = validation, root
        self.rows = [row for row in validation["rows"] if "cycles" in row]
        self.pairs = [pair for pair in validation["pairs"] if "modelled" in pair]
        self.scale()

    def ran(self):
        return bool(self.rows)

    def scale(self):
        """Instructions times a constant of the core, which is fitted to the very rows it is tried on."""
        for core in {row["core"] for row in self.rows}:
            mine = [row for row in self.rows if row["core"] == core]
            constant = math.exp(statistics.mean(math.log(r["cycles_per_byte"] / r["insns"]) for r in mine))
            for row in mine:
                row["baseline"] = constant * row["insns"]

    @staticmethod
    def is_long(row):
        return row["bytes"] is None or row["bytes"] >= 1024

    def errors_row(self, name, rows):
        if not rows:
            return [name, 0, *["-"] * 5]
        model = [error(r["cycles"], r["cycles_per_byte"]) for r in rows]
        insns = [error(r["baseline"], r["cycles_per_byte"]) for r in rows]
        bias = statistics.mean(math.log(r["cycles"] / r["cycles_per_byte"]) for r in rows)
        return [name, len(rows), percent(statistics.median(model)), percent(quantile(model, 0.9)), f"{100 * bias:+.0f}%",
                percent(statistics.median(insns)), percent(quantile(insns, 0.9))]

    def error_table(self):
        test = [r for r in self.rows if r["set"] == "test"]
        long = [r for r in test if self.is_long(r)]
        calibration = [r for r in self.rows if r["set"] == "calibration"]
        head = ["rows", "n", "median", "90th percentile", "on average", "instructions: median", "90th percentile"]
        lines = [self.errors_row("**test, 1 KiB and more**", long)]
        for core in sorted({r["core"] for r in self.file["rows"]}):
            lines.append(self.errors_row(core, [r for r in long if r["core"] == core]))
        for name, least, most in (("test, 256 bytes", 256, 256), ("test, 16 and 64 bytes", 1, 64)):
            lines.append(self.errors_row(name, [r for r in test if r["bytes"] and least <= r["bytes"] <= most]))
        lines.append(self.errors_row("calibration", calibration))
        return table(head, lines)

    def direction(self):
        """Of pairs that differ: (right, all, right where the model is sure, sure, right by instructions)."""
        real = [p for p in self.pairs if differs(p["ratio"])]
        sure = [p for p in real if differs(p["modelled"])]
        return (sum(same_side(p["modelled"], p["ratio"]) for p in real), len(real),
                sum(same_side(p["modelled"], p["ratio"]) for p in sure), len(sure),
                sum(same_side(p["insns"], p["ratio"]) for p in real))

    def direction_text(self):
        right, real, sure_right, sure, insns = self.direction()
        return (f"Pairs: {len(self.pairs)} run, of which {real} are published as differing by more than 5%: direction right in {right} "
                f"(by instructions: {insns}). Where the modelled difference is 5% or more: right in {sure_right} of {sure}.")

    def pair_table(self):
        head = ["pair", "core", "published", "modelled", "instructions", ""]
        lines = []
        for p in sorted(self.pairs, key=lambda p: (p["core"], p["id"])):
            word = "-" if not differs(p["ratio"]) else "too close to call" if not differs(p["modelled"]) else \
                "right" if same_side(p["modelled"], p["ratio"]) else "**wrong**"
            lines.append([p["id"], p["core"], f"{p['ratio']:.3f}", f"{p['modelled']:.3f}", f"{p['insns']:.3f}", word])
        return table(head, lines)

    def not_run(self):
        causes = {}
        for kind in ("rows", "pairs"):
            for item in self.file[kind]:
                if "failure" in item:
                    causes.setdefault((self.builds_of(item), item["failure"]), {}).setdefault(kind, []).append(item)
        lines = []
        for (builds, failure), items in sorted(causes.items()):
            count = ", ".join(f"{len(v)} {k if len(v) > 1 else k[:-1]}" for k, v in sorted(items.items()))
            lines.append(f"- {builds}: {count}: {failure}")
        return "\n".join(lines) or "- none: all were run"

    @staticmethod
    def builds_of(item):
        if "build" in item:
            return item["build"]
        return " against ".join(dict.fromkeys(item[s]["build"] for s in "ab"))

    def counts(self):
        return (f"{len(self.rows)} of {len(self.file['rows'])} rows and {len(self.pairs)} of {len(self.file['pairs'])} pairs "
                "of the validation file were run.")

    def summary(self):
        return "\n\n".join([self.counts(), self.error_table(), self.direction_text(), "Not run:\n\n" + self.not_run()])

    def sources(self):
        return "\n".join(f"- `{k}`: {v}" for k, v in self.file["sources"].items())

    def cores(self):
        lines = []
        for path in sorted((self.root / "targets/cores").glob("*.json")):
            with open(path, encoding="utf-8") as file:
                core = json.load(file)
            band = ", ".join(f"{b['bytes']} bytes and more +-{b['percent']}%" for b in core["band"])
            lines.append([f"`{core['name']}`", f"v{core['version']}", core["kind"], band])
        return table(["core", "table", "kind", "band"], lines)

    def write(self, docs):
        with open(TEXT, encoding="utf-8") as file:
            text = file.read()
        parts = {"COUNTS": self.counts, "ERRORS": self.error_table, "DIRECTION": self.direction_text, "PAIRS": self.pair_table,
                 "NOT_RUN": self.not_run, "SOURCES": self.sources, "CORES": self.cores}
        for name, make in parts.items():
            text = text.replace(f"@{name}@", make())
        (docs / "model.md").write_text(text, encoding="utf-8")
        self.write_rows(docs / "model-rows.tsv")
        self.plot(docs / "model-rows.tsv", docs / "model.svg")

    def write_rows(self, path):
        head = "set core build armcap alg op bytes source published modelled instructions".split()
        lines = ["\t".join(head)]
        for row in self.file["rows"]:
            figures = [f"{row[k]:.4f}" if k in row else "-" for k in ("cycles", "insns")]
            lines.append("\t".join([row["set"], row["core"], row["build"], row["armcap"] or "-", row["alg"], row["op"],
                                    str(row["bytes"] or "slope"), row["source"], str(row["cycles_per_byte"]), *figures]))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def plot(self, rows, svg):
        cores = sorted({r["core"] for r in self.rows})
        style = [f"'< awk -F\"\\t\" \"\\$2 == \\\"{core}\\\" && \\$10 != \\\"-\\\"\" {rows}' using 9:10 with points pt {i + 4} ps 0.6 "
                 f"title '{core}'" for i, core in enumerate(cores)]
        script = f"""set terminal svg size 720,600 noenhanced font 'sans,12'
set output '{svg}'
set datafile separator '\\t'
set logscale xy
set xrange [0.5:200]
set yrange [0.5:200]
set xlabel 'published, cycles/byte'
set ylabel 'modelled, cycles/byte'
set key top left
set grid
plot x with lines lc rgb '#888888' title 'equal', x*1.15 with lines lc rgb '#888888' dt 2 title '+-15%', \\
 x/1.15 with lines lc rgb '#888888' dt 2 notitle, {", ".join(style)}
"""
        subprocess.run(["gnuplot"], input=script, text=True, check=True)
