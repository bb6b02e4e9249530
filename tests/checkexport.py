#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""checkexport.py FORMAT FILE [SUITE]: checks an export of `crypto-bench report` as its reader would take it.

bmf: what Bencher's JSON Schema (bencher.dev/docs/reference/bencher-metric-format) asks for, and nothing else besides.
github-action-benchmark: what src/extract.ts of that action does with customSmallerIsBetter (BenchmarkResult), types and all.
lnt: the report file format, version 2, of llvm.org/docs/lnt/importing_data.html; SUITE is the suite's YAML, whose metrics and
    fields are the only ones.
openmetrics: the parser of python3-prometheus-client, which knows the rules of the specification.
Prints what it found as one line of JSON for each figure: [name, measure, value, low, high].
"""
import json
import math
import re
import sys

import jsonschema

BMF = {
    "type": "object",
    "additionalProperties": {
        "type": "object", "minProperties": 1,
        "additionalProperties": {
            "type": "object", "required": ["value"], "additionalProperties": False,
            "properties": {key: {"type": "number"} for key in ("value", "lower_value", "upper_value")},
        },
    },
}
GITHUB = {
    "type": "array",
    "items": {
        "type": "object", "required": ["name", "unit", "value"], "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "minLength": 1}, "unit": {"type": "string"}, "value": {"type": "number"},
            "range": {"type": ["string", "number"]}, "extra": {"type": "string"},
        },
    },
}
LNT = {
    "type": "object", "required": ["format_version", "machine", "run", "tests"], "additionalProperties": False,
    "properties": {
        "format_version": {"const": "2"},
        "machine": {"type": "object", "required": ["name"], "additionalProperties": {"type": "string"}},
        "run": {
            "type": "object", "required": ["start_time", "end_time"], "additionalProperties": {"type": "string"},
            "patternProperties": {"^(start|end)_time$": {"pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$"}},
        },
        "tests": {
            "type": "array",
            "items": {
                "type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}},
                "additionalProperties": {"type": ["number", "string", "array"]},
            },
        },
    },
}


def pairs(items):
    keys = [k for k, _ in items]
    if len(keys) != len(set(keys)):
        raise ValueError("duplicate key among %s" % keys[:5])
    return dict(items)


def constant(name):
    raise ValueError("not JSON: " + name)


def load(path, schema):
    with open(path, encoding="utf-8") as f:
        data = json.load(f, object_pairs_hook=pairs, parse_constant=constant)
    jsonschema.validate(data, schema)
    return data


def bmf(path):
    for name, measures in load(path, BMF).items():
        if len(name) > 1024:
            raise ValueError("a name of more than 1024 characters")
        for slug, v in measures.items():
            if not re.fullmatch(r"[0-9a-z]+(-[0-9a-z]+)*", slug) or len(slug) > 64:
                raise ValueError("no slug: " + slug)
            if not v.get("lower_value", v["value"]) <= v["value"] <= v.get("upper_value", v["value"]):
                raise ValueError("outside its bounds: " + name)
            yield name, slug, v["value"], v.get("lower_value"), v.get("upper_value")


def github(path):
    seen = set()
    for bench in load(path, GITHUB):
        if bench["name"] in seen:
            raise ValueError("twice: " + bench["name"])
        seen.add(bench["name"])
        yield bench["name"], bench["unit"], bench["value"], None, None


def lnt(path, suite):
    import yaml

    with open(suite, encoding="utf-8") as f:
        suite = yaml.safe_load(f)
    data = load(path, LNT)
    names = {key: {field["name"] for field in suite[key]} for key in ("metrics", "run_fields", "machine_fields")}
    order = [field["name"] for field in suite["run_fields"] if field.get("order")]
    if len(order) != 1 or not data["run"].get(order[0]):
        raise ValueError("the run has no value for the field that orders runs")
    unknown = set(data["run"]) - names["run_fields"] - {"start_time", "end_time"}
    unknown |= set(data["machine"]) - names["machine_fields"] - {"name"}
    seen = set()
    for test in data["tests"]:
        unknown |= set(test) - names["metrics"] - {"name"}
        if test["name"] in seen:
            raise ValueError("twice: " + test["name"])
        seen.add(test["name"])
        for metric, value in test.items():
            if metric != "name":
                yield test["name"], metric, value, None, None
    if unknown:
        raise ValueError("not of the suite: %s" % sorted(unknown))


def openmetrics(path):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    with open(path, encoding="utf-8", newline="") as f:
        text = f.read()
    for family in text_string_to_metric_families(text):
        if family.type != "gauge" or not family.documentation or not family.name.endswith("_" + family.unit):
            raise ValueError("family without type, unit or help: " + family.name)
        for sample in family.samples:
            if not math.isfinite(sample.value):
                raise ValueError("not finite: %s" % (sample,))
            yield sample.labels, family.name, sample.value, None, None


READERS = {"bmf": bmf, "github-action-benchmark": github, "lnt": lnt, "openmetrics": openmetrics}
try:
    for figure in list(READERS[sys.argv[1]](*sys.argv[2:])):
        print(json.dumps(figure, ensure_ascii=False))
except (ValueError, jsonschema.ValidationError) as error:
    sys.exit("%s: %s" % (sys.argv[2], str(error)[:500]))
