#!/usr/bin/env python3
"""report_check.py PAGE [CLAIMS.csv MACHINE] - the structure of a report, without a browser

Prints a line for each fault and exits with 1 when there is one: tags that do not balance, anything loaded from elsewhere,
scripts, pictures without words, headings that skip a level, links to nowhere, tables without heads, ids given twice.  With the
CSV of `depthbench claims --csv`: the verdicts in the page's own section, and its totals, must be those of the CSV.
"""
import collections
import csv
import html.parser
import re
import sys

VOID = {"meta", "img", "br", "hr", "link", "input", "source", "col", "wbr", "area", "base", "embed", "track"}
LOADS = ("src", "srcset", "poster", "data", "background", "action", "formaction", "xlink:href")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.faults, self.open, self.ids, self.targets = [], [], collections.Counter(), []
        self.headings, self.landmarks, self.lang = [], collections.Counter(), None
        self.verdicts, self.totals, self.total_of = collections.Counter(), {}, None
        self.n_images = self.n_tables = 0

    def fault(self, text):
        self.faults.append("line %d: %s" % (self.getpos()[0], text))

    def inside(self, tag, word=""):
        return any(t == tag and word in c for t, c in self.open)

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if len(a) != len(attrs):
            self.fault("an attribute twice in <%s>" % tag)
        if tag not in VOID:
            self.open.append((tag, a.get("class") or ""))
        if "id" in a:
            self.ids[a["id"]] += 1
        for key in ("aria-labelledby", "aria-describedby"):
            self.targets += (a.get(key) or "").split()
        if tag == "a" and (a.get("href") or "").startswith("#"):
            self.targets.append(a["href"][1:])
        for key, value in attrs:
            if key.startswith("on"):
                self.fault("a script in the attribute %s" % key)
            if key in LOADS and not (value or "").startswith("data:"):
                self.fault("<%s %s> loads %s" % (tag, key, (value or "")[:60]))
            if key == "style" and "url(" in (value or ""):
                self.fault("a style loads something")
        if tag in ("script", "iframe", "object", "embed", "link", "base", "form"):
            self.fault("<%s> has no place here" % tag)
        if tag == "img":
            self.n_images += 1
            if len((a.get("alt") or "").split()) < 3:
                self.fault("a picture without words: alt=%r" % a.get("alt"))
            if not (a.get("width") and a.get("height")):
                self.fault("a picture without its size")
            if not self.inside("figure"):
                self.fault("a picture outside of a figure")
        if re.fullmatch("h[1-6]", tag):
            level = int(tag[1])
            if level > (self.headings[-1] if self.headings else 0) + 1:
                self.fault("<%s> after h%s" % (tag, self.headings[-1] if self.headings else " nothing"))
            self.headings.append(level)
        if tag in ("main", "nav", "header", "footer"):
            self.landmarks[tag] += 1
        if tag == "html":
            self.lang = a.get("lang")
        if tag == "th" and a.get("scope") not in ("col", "row"):
            self.fault("<th> without a scope")
        if tag == "table":
            self.n_tables += 1
            if not self.inside("div", "scroll"):
                self.fault("a table outside of a scroll box")
        if "scroll" in (a.get("class") or "").split() and not (a.get("tabindex") == "0" and a.get("aria-label")):
            self.fault("a scroll box that no key reaches, or without a name")
        if "data-verdict" in a and self.inside("section", "all-verdicts"):
            self.verdicts[a["data-by"], a["data-verdict"]] += 1
        self.total_of = a.get("data-total")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1][0] != tag:
            self.fault("</%s> closes <%s>" % (tag, self.open[-1][0] if self.open else "nothing"))
            while self.open and self.open[-1][0] != tag:
                self.open.pop()
        if self.open:
            self.open.pop()

    def handle_data(self, data):
        if self.total_of:
            self.totals[self.total_of] = int(data)
            self.total_of = None
        if self.open and self.open[-1][0] == "style" and re.search(r"url\(|@import|expression\(", data):
            self.fault("the style sheet loads something")

    def finish(self):
        for tag, _ in self.open:
            self.fault("<%s> is never closed" % tag)
        for name, n in self.ids.items():
            if n > 1:
                self.fault("id %s given %d times" % (name, n))
        for target in self.targets:
            if target not in self.ids:
                self.fault("a link to #%s, which is not there" % target)
        if self.headings.count(1) != 1:
            self.fault("%d headings of the first level" % self.headings.count(1))
        if not self.lang:
            self.fault("no language")
        for tag in ("main", "nav", "header", "footer"):
            if self.landmarks[tag] < 1:
                self.fault("no <%s>" % tag)
        if self.n_tables == 0:
            self.fault("no tables")


def compare(page, path, machine):
    expected = collections.Counter()
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            by = "paper" if row["machine"] == "paper" else "rows" if row["machine"] == machine else None
            if by:
                expected[by, row["verdict"]] += 1
    if page.verdicts != expected:
        page.fault("verdicts %s, claims --csv has %s" % (dict(page.verdicts), dict(expected)))
    sums = collections.Counter()
    for (_, verdict), n in expected.items():
        sums[verdict] += n
    if {v: n for v, n in page.totals.items() if n} != dict(sums) or not sums:
        page.fault("totals %s, claims --csv has %s" % (page.totals, dict(sums)))


def main():
    with open(sys.argv[1], encoding="utf-8", errors="strict") as file:
        text = file.read()
    page = Page()
    if not text.startswith("<!DOCTYPE html>"):
        page.fault("no doctype")
    page.feed(text)
    page.close()
    page.finish()
    if len(sys.argv) > 3:
        compare(page, sys.argv[2], sys.argv[3])
    for fault in page.faults[:20]:
        print(fault)
    return 1 if page.faults else 0


sys.exit(main())
