#!/usr/bin/env python3
"""report_check.py PAGE [CLAIMS.csv] - the structure of a report, which is XML, too, without a browser

Prints a line for each fault and exits with 1 when there is one: tags that do not balance, anything loaded from elsewhere,
scripts, pictures without words, links to nowhere, tables without heads, ids given twice.  With the CSV of `depthbench claims
--csv` of one machine: the verdicts in the page's own section, and its totals, must be those of the CSV.
"""
import collections
import csv
import re
import sys
import xml.etree.ElementTree as xml

FORBIDDEN = {"script", "iframe", "object", "embed", "link", "base", "form"}
LOADS = {"src", "srcset", "poster", "data", "background", "action", "formaction", "href"}
HERE = ("data:", "#", "https://doi.org/")


def faults_of(page):
    box_of = {child: parent for parent in page.iter() for child in parent}
    ids = collections.Counter(e.get("id") for e in page.iter() if e.get("id"))
    yield from ("id %s given %d times" % (name, n) for name, n in ids.items() if n > 1)
    for e in page.iter():
        where = "<%s %s>" % (e.tag, e.get("id") or e.get("class") or "")
        yield from ("%s loads something or has a script: %s=%.60s" % (where, key, value) for key, value in e.items()
                    if key.startswith("on") or "url(" in value or key in LOADS and not value.startswith(HERE))
        targets = (e.get("aria-labelledby") or "").split() + re.findall("^#(.*)", e.get("href") or "")
        yield from ("%s: no #%s is there" % (where, target) for target in targets if target not in ids)
        if e.tag in FORBIDDEN or e.tag == "style" and re.search(r"url\(|@import|expression\(", e.text):
            yield "%s has no place here" % where
        if e.tag == "img" and len((e.get("alt") or "").split()) < 3:
            yield "a picture without words: alt=%r" % e.get("alt")
        if e.tag == "th" and e.get("scope") not in ("col", "row"):
            yield "%s without a scope" % where
        if e.tag in ("table", "img"):
            box = box_of[e]
            if "scroll" not in box.get("class", "").split() or box.get("tabindex") != "0" or not box.get("aria-label"):
                yield "%s outside of a scroll box with a name that keys reach" % where


def differences(page, path):
    with open(path, newline="", encoding="utf-8") as file:
        expected = collections.Counter((row["machine"] == "paper", row["verdict"]) for row in csv.DictReader(file))
    sums = collections.Counter(verdict for _, verdict in expected.elements())
    listed = collections.Counter((e.get("data-by") == "paper", e.get("data-verdict"))
                                 for e in page.findall(".//section[@class='all-verdicts']//*[@data-verdict]"))
    totals = collections.Counter({e.get("data-total"): int(e.text) for e in page.findall(".//*[@data-total]")})
    if not expected or listed != expected or +totals != sums:
        yield "verdicts %s, totals %s, claims --csv has %s" % (dict(listed), dict(totals), dict(expected))


try:
    root = xml.parse(sys.argv[1]).getroot()
    faults = list(faults_of(root)) + (list(differences(root, sys.argv[2])) if len(sys.argv) > 2 else [])
except xml.ParseError as error:
    faults = [error]
print(*faults[:20], sep="\n")
sys.exit(1 if faults else 0)
