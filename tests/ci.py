#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
"""Runs the shell in CI files as their machines would, on this one.

  ci.py github ACTION.yml NAME=VALUE...   the steps of a composite action. Other actions (cache, upload) are played
                                          with directories below $CI_PLAY. Prints the action's outputs as JSON.
  ci.py gitlab FILE.yml JOB NAME=VALUE... the script of a job, `extends` resolved; its before_script is not run
  ci.py check ACTION.yml                  its scripts are bash, and hold no expressions, which would be read as shell
  ci.py scripts FILE.yml DIRECTORY        writes each piece of shell in a file of its own, for shellcheck

The exit status is that of the step or script that failed.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import yaml


def evaluate(text, names):
    """A GitHub expression: literals, names, calls of status functions, !, ==, !=, &&, ||."""
    tokens = re.findall(r"'(?:[^']|'')*'|[\w.*-]+|==|!=|&&|\|\||[!()]", text)

    def primary():
        token = tokens.pop(0)
        if token == "(":
            value = either()
            tokens.pop(0)
            return value
        if token == "!":
            return not primary()
        if token[0] == "'":
            return token[1:-1].replace("''", "'")
        if tokens[:2] == ["(", ")"]:
            del tokens[:2]
            return names[token + "()"]
        return names.get(token, "")

    def equality():
        value = primary()
        while tokens and tokens[0] in ("==", "!="):
            equal = tokens.pop(0) == "=="
            value = (value == primary()) == equal
        return value

    def both():
        value = equality()
        while tokens and tokens[0] == "&&":
            tokens.pop(0)
            other = equality()
            value = other if value else value
        return value

    def either():
        value = both()
        while tokens and tokens[0] == "||":
            tokens.pop(0)
            other = both()
            value = value or other
        return value

    value = either()
    if tokens:
        raise ValueError(f"expression {text!r}: {tokens} left over")
    return value


def substitute(text, names):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda m: str(evaluate(m[1], names)), str(text))


def outputs_read(path):
    lines = path.read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def play(uses, options):
    """What another action would do; returns its outputs."""
    place = pathlib.Path(os.environ["CI_PLAY"])
    name = uses.split("@")[0]
    path = pathlib.Path(options["path"])
    if name == "actions/cache/restore":
        kept = place / options["key"]
        if kept.exists():
            shutil.copytree(kept, path, symlinks=True, dirs_exist_ok=True)
        return {"cache-hit": "true" if kept.exists() else ""}
    if name == "actions/cache/save":
        shutil.copytree(path, place / options["key"], symlinks=True)
        return {}
    if name == "actions/upload-artifact":
        if path.exists():
            shutil.copytree(path, place / options["name"], dirs_exist_ok=True)
        return {}
    raise ValueError(f"uses {uses}: not known here")


def action_read(path):
    action = yaml.safe_load(path.read_text())
    for step in action["runs"]["steps"]:
        if "run" in step and (step["shell"] != "bash" or "${{" in step["run"]):
            sys.exit(f"{path}: {step['name']}: not bash, or an expression in the script")
    return action


def github(path, given):
    action = action_read(path)
    temp = os.environ["RUNNER_TEMP"]
    names = {"runner.os": "Linux", "runner.arch": "X64", "runner.temp": temp}
    unknown = [name for name in given if name not in action["inputs"] and not name.startswith("github.")]
    if unknown:
        raise ValueError(f"no such inputs: {unknown}")
    for name, row in action["inputs"].items():
        names["inputs." + name] = given.get(name, row.get("default", ""))
    names.update({name: value for name, value in given.items() if name.startswith("github.")})
    failed = 0
    for number, step in enumerate(action["runs"]["steps"]):
        names.update({"success()": not failed, "failure()": bool(failed), "always()": True, "cancelled()": False})
        condition = str(step.get("if", "success()"))
        condition = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", condition)
        if not re.search(r"\b(success|failure|always|cancelled)\(\)", condition):
            condition = f"success() && ({condition})"
        if not evaluate(condition, names):
            print(f"-- {step['name']}: not run", file=sys.stderr)
            continue
        print(f"-- {step['name']}", file=sys.stderr)
        outputs = pathlib.Path(temp, f"outputs-{number}")
        outputs.write_text("")
        if "uses" in step:
            found = play(step["uses"], {k: substitute(v, names) for k, v in step["with"].items()})
        else:
            env = {k: substitute(v, names) for k, v in step.get("env", {}).items()}
            env |= {"GITHUB_ACTION_PATH": str(path.parent.resolve()), "GITHUB_OUTPUT": str(outputs)}
            script = pathlib.Path(temp, f"step-{number}.sh")
            script.write_text(step["run"])
            shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script]
            status = subprocess.run(shell, env=os.environ | env, stdout=sys.stderr, check=False).returncode
            failed = failed or status
            found = outputs_read(outputs)
        if "id" in step:
            names.update({f"steps.{step['id']}.outputs.{k}": v for k, v in found.items()})
    print(json.dumps({k: substitute(v["value"], names) for k, v in action["outputs"].items()}))
    return failed


def gitlab_job(document, name):
    """The job with what it extends below it."""
    job = document[name]
    if "extends" not in job:
        return job
    under = gitlab_job(document, job["extends"])
    return under | job | {"variables": under.get("variables", {}) | job.get("variables", {})}


def gitlab(path, name, given):
    job = gitlab_job(yaml.safe_load(path.read_text()), name)
    env = os.environ | given
    for key, value in job["variables"].items():
        if key not in given:
            env[key] = re.sub(r"\$(\w+)", lambda m: env.get(m[1], ""), value)
    script = "set -eo pipefail\n" + "\n".join(job["script"])
    status = subprocess.run(["bash", "-c", script], env=env, check=False).returncode
    for kept in job["artifacts"]["paths"]:
        if not list(pathlib.Path().glob(kept)):
            print(f"artifact {kept}: none", file=sys.stderr)
    return status


def pieces(value, place=""):
    """Every script in a CI file, of either kind: (place, text)."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "run" and isinstance(inner, str):
                yield place + key, inner
            elif key in ("script", "before_script"):
                yield place + key, "\n".join(inner)
            else:
                yield from pieces(inner, f"{place}{key}-")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from pieces(inner, f"{place}{number}-")


def scripts(path, directory):
    for place, text in pieces(yaml.safe_load(path.read_text())):
        name = re.sub(r"[^\w-]", "_", f"{path.name}-{place}") + ".sh"
        pathlib.Path(directory, name).write_text("#!/bin/bash\nset -e\n" + text + "\n")
    return 0


def main(words):
    kind, path, rest = words[0], pathlib.Path(words[1]), words[2:]
    given = dict(word.split("=", 1) for word in rest if "=" in word)
    if kind == "github":
        return github(path, given)
    if kind == "check":
        return action_read(path) is None
    if kind == "gitlab":
        return gitlab(path, rest[0], given)
    return scripts(path, rest[0])


sys.exit(main(sys.argv[1:]))
