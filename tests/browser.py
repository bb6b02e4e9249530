#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
"""Opens the page of `crypto-bench report --format html` in headless Chromium and uses it as a person would.

    tests/browser.py PAGE [SCREENSHOT-DIRECTORY]

Checks: nothing on the console and nothing loaded but the page itself; picker, filter and sorting, the last by keys alone;
light and dark, wide and narrow (no sideways scrolling of the page). One line a failure; exit status 1 when there is one.
Speaks the DevTools protocol over pipes: needs Python's own library and the package chromium.
"""

import base64
import fcntl
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

DEADLINE = 60  # seconds for one answer


class Browser:
    """One page of one Chromium, and what it said on its console."""

    def __init__(self, url):
        self.problems = []
        self.requests = []
        self.number = 0
        self.session = None
        self.profile = tempfile.mkdtemp()
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            sys.exit("no chromium on PATH (package chromium)")
        theirs_in, self.to = os.pipe()
        self.back, theirs_out = os.pipe()
        # The protocol's descriptors are 3 and 4, which may be in use here: first out of their way.
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64) for fd in (theirs_in, theirs_out)]
        null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
        wired = [(os.POSIX_SPAWN_DUP2, fd, i) for i, fd in enumerate(high, 3)]
        self.process = os.posix_spawn(
            program,
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            os.environ, file_actions=null + wired, setpgroup=0)
        for fd in (theirs_in, theirs_out, *high):
            os.close(fd)
        self.buffer = b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise RuntimeError("chromium ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def event(self, name, params):
        if name == "Runtime.exceptionThrown":
            self.problems.append(f"exception: {params['exceptionDetails'].get('text')}")
        elif name == "Runtime.consoleAPICalled":
            self.problems.append(f"console: {params['type']}")
        elif name == "Log.entryAdded":
            self.problems.append(f"log: {params['entry']['text']}")
        elif name == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method, **params):
        self.number += 1
        number = self.number
        text = {"id": number, "method": method, "params": params}
        if self.session:
            text["sessionId"] = self.session
        os.write(self.to, json.dumps(text).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.event(answer["method"], answer["params"])

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression):
        end = time.monotonic() + DEADLINE
        while not self.value(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"never true: {expression}")
            time.sleep(0.05)

    def key(self, name, code, text=""):
        params = {"key": name, "code": name, "windowsVirtualKeyCode": code, "text": text}
        self.call("Input.dispatchKeyEvent", type="keyDown", **params)
        self.call("Input.dispatchKeyEvent", type="keyUp", **params)

    def look(self, width, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(image))

    def close(self):
        os.killpg(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        shutil.rmtree(self.profile, ignore_errors=True)


def luminance(colour):
    parts = [float(p) / 255 for p in colour[colour.index("(") + 1:-1].split(",")[:3]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    x, y = sorted((luminance(a), luminance(b)))
    return (y + 0.05) / (x + 0.05)


ROWS = "[...document.querySelectorAll('#cells tbody tr')]"
FOCUS = "document.activeElement"


def column(head):
    return (f"(i => {ROWS}.map(r => Number(r.cells[i].textContent.replace(/\\s/g, ''))))"
            f"([...document.querySelectorAll('#cells thead th')].findIndex(t => t.textContent.startsWith('{head}')))")


def by_keys(b, check):
    """Tab to the heading of the block size and press Enter, twice."""
    b.value("document.getElementById('text').focus()")
    for _ in range(60):
        b.key("Tab", 9)
        if b.value(f"{FOCUS}.tagName === 'BUTTON' && {FOCUS}.textContent.startsWith('block')"):
            break
    check(b.value(f"{FOCUS}.textContent") == "block, bytes", "Tab does not reach the heading 'block, bytes'")
    for order, reverse in (("ascending", False), ("descending", True)):
        b.key("Enter", 13, "\r")
        values = b.value(column("block"))
        check(values == sorted(values, reverse=reverse), f"not sorted {order}: {values[:10]}")
        check(b.value(f"{FOCUS}.closest('th') && {FOCUS}.closest('th').getAttribute('aria-sort')") == order,
              f"aria-sort is not {order}, or the focus was lost")


def picker(b, check):
    targets = b.value("[...document.getElementById('lane').options].map(o => o.text)")
    for i, target in enumerate(targets):
        b.value(f"document.getElementById('lane').selectedIndex = {i};"
                "document.getElementById('lane').dispatchEvent(new Event('change'))")
        check(b.value(f"{ROWS}.length") > 0, f"no rows for {target}")
        emulated = "(emulated)" in target
        heads = b.value("[...document.querySelectorAll('#cells thead th')].map(t => "
                        "[t.textContent, !!t.querySelector('button')])")
        for text, button in heads:
            if text.startswith("kB/s"):
                check(button != emulated and ("EMULATED" in text) == emulated, f"{target}: heading '{text}'")
        figures = b.value("[...document.querySelectorAll('figure:not([hidden])')].map(f => f.dataset.target)")
        check(all(t + " " in target or t + "," in target for t in figures), f"{target}: plots of {figures}")
    b.value("document.getElementById('lane').selectedIndex = 0;"
            "document.getElementById('lane').dispatchEvent(new Event('change'))")
    before = b.value(f"{ROWS}.length")
    b.value("document.getElementById('text').value = 'no such row';"
            "document.getElementById('text').dispatchEvent(new Event('input'))")
    check(b.value(f"{ROWS}.length") == 0, "the filter leaves rows that do not have the word")
    b.value("document.getElementById('text').value = '';"
            "document.getElementById('text').dispatchEvent(new Event('input'))")
    check(b.value(f"{ROWS}.length") == before, "an empty filter does not bring the rows back")


def looks(b, check, directory):
    for scheme in ("light", "dark"):
        for width in (360, 1280):
            b.look(width, scheme)
            wide = b.value("document.documentElement.scrollWidth")
            check(wide <= width, f"{scheme}, {width} pixels: the page is {wide} wide and scrolls sideways")
            style = b.value("(s => [s.color, s.backgroundColor])(getComputedStyle(document.body))")
            check(contrast(*style) >= 7, f"{scheme}: contrast of text is {contrast(*style):.1f}")
            check((luminance(style[1]) < 0.2) == (scheme == "dark"), f"{scheme}: the paper is {style[1]}")
            ink = b.value("(t => t && getComputedStyle(t).fill)(document.querySelector('figure svg text'))")
            check(ink is None or contrast(ink, style[1]) >= 7, f"{scheme}: text in plots is {ink}")
            if directory:
                b.value("window.scrollTo(0, 0)")
                b.screenshot(f"{directory}/{scheme}-{width}.png")
                b.value("(document.querySelector('figure:not([hidden])') || document.body).scrollIntoView()")
                b.screenshot(f"{directory}/{scheme}-{width}-plot.png")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    url = pathlib.Path(sys.argv[1]).resolve().as_uri()
    failures = []

    def check(ok, what):
        if not ok:
            failures.append(what)

    b = Browser(url)
    try:
        b.wait("!document.getElementById('picker').hidden")
        loaded = b.value("performance.getEntriesByType('navigation')[0].domComplete")
        picked = b.value("(t => { document.getElementById('lane').dispatchEvent(new Event('change'));"
                         "document.body.offsetHeight; return performance.now() - t; })(performance.now())")
        print(f"{b.value(ROWS + '.length')} rows; loaded and drawn in {loaded:.0f} ms, picked in {picked:.0f} ms")
        b.look(1280, "light")
        by_keys(b, check)
        picker(b, check)
        looks(b, check, sys.argv[2] if len(sys.argv) > 2 else None)
        failures += b.problems
        others = [r for r in b.requests if r not in (url, "about:blank")]
        check(not others, f"the page asked for {others}")
        check(b.value("window.injected === undefined"), "a script from a name ran")
    finally:
        b.close()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
