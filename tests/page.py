#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
"""What a page of `crypto-bench report --format html` holds, as JSON for jq: tests/page.py PAGE

    tags      how often which element
    text      all text that is shown without scripts
    data      what its script reads
    figures   the data- attributes of each figure
    loads     values of attributes that could load or run something
    allowed   true when the policy allows the page's own style and script by their hashes, and nothing else
"""

import base64
import hashlib
import html.parser
import json
import sys

LOADING = ("src", "href", "xlink:href", "action", "formaction", "data", "poster", "style", "srcset", "background")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.figures, self.loads, self.policy = {}, [], [], [], None
        self.raw = {"style": [], "script": [], "data": []}
        self.inside = None

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        named = dict(attrs)
        if tag == "meta" and named.get("http-equiv") == "Content-Security-Policy":
            self.policy = named["content"]
        if tag == "figure":
            self.figures.append({k[5:]: v for k, v in attrs if k.startswith("data-")})
        self.loads += [v for k, v in attrs if k in LOADING or k.startswith("on")]
        if tag in ("style", "script"):
            self.inside = "data" if named.get("type") == "application/json" else tag
            self.raw[self.inside].append("")

    def handle_endtag(self, tag):
        if tag in ("style", "script"):
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.raw[self.inside][-1] += data
        else:
            self.text.append(data)


def source(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


page = Page()
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    page.feed(file.read())
page.close()
policy = ("default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + " ".join(map(source, page.raw["style"])) +
          "; script-src " + " ".join(map(source, page.raw["script"])))
print(json.dumps({
    "tags": page.tags, "text": "".join(page.text), "data": json.loads(page.raw["data"][0]), "figures": page.figures,
    "loads": page.loads, "allowed": page.policy == policy,
}))
