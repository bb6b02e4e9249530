#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""validate.py SCHEMA FILE...: checks JSON files against a JSON Schema; refuses NaN, Infinity and duplicate keys too."""
import json
import sys

import jsonschema


def constant(name):
    raise ValueError("not JSON: " + name)


def pairs(items):
    keys = [k for k, _ in items]
    if len(keys) != len(set(keys)):
        raise ValueError("duplicate key among %s" % keys)
    return dict(items)


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f, parse_constant=constant, object_pairs_hook=pairs)


schema = load(sys.argv[1])
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
bad = 0
for path in sys.argv[2:]:
    for error in list(validator.iter_errors(load(path)))[:10]:
        bad = 1
        print("%s: $%s: %s" % (path, "".join("[%r]" % p for p in error.absolute_path), error.message[:300]))
sys.exit(bad)
