#!/usr/bin/env python3
"""report_check.py PAGE [CLAIMS.csv] - the structure of a report, which is XML, too, without a browser

Prints a line for each fault and exits with 1 when there is one: tags that do not balance, anything loaded from elsewhere,
scripts but the page's own, pictures without words, links to nowhere, claims that nothing leads to or among those of another
class, tables without heads, ids given twice, more than 6 MB or 3 MB packed.  With the CSV of `depthbench claims --csv` of the same machines: the verdicts in the
page's own section, and its totals by class, must be those of the CSV.
"""
import collections
import csv
import gzip
import os
import re
import sys
import xml.etree.ElementTree as xml

FORBIDDEN = {"iframe", "object", "embed", "link", "base", "form"}
LOADS = {"src", "srcset", "poster", "data", "background", "action", "formaction", "href"}
HERE = ("data:", "#", "https://doi.org/")


def faults_of(page):
    box_of = {child: parent for parent in page.iter() for child in parent}
    ids = collections.Counter(e.get("id") for e in page.iter() if e.get("id"))
    yield from ("id %s given %d times" % (name, n) for name, n in ids.items() if n > 1)
    for e in page.iter():
        where = "<%s %s>" % (e.tag, e.get("id") or e.get("class") or "")
        yield from ("%s loads something or has a script: %s=%.60s" % (where, key, value) for key, value in e.items()
                    if key.startswith("on") or "url(" in value.replace("url(%23", "") or key in LOADS and not value.startswith(HERE))
        targets = (e.get("aria-labelledby") or "").split() + re.findall("^#(.*)", e.get("href") or "")
        yield from ("%s: no #%s is there" % (where, target) for target in targets if target not in ids)
        if e.tag in FORBIDDEN or e.tag == "script" and box_of[e].tag != "body" or e.tag == "style" and re.search(r"url\(|@import|expression\(", e.text):
            yield "%s has no place here" % where
        if e.tag == "img" and len((e.get("alt") or "").split()) < 3:
            yield "a picture without words: alt=%r" % e.get("alt")
        if e.tag == "th" and e.get("scope") not in ("col", "row"):
            yield "%s without a scope" % where
        if e.tag in ("table", "img") and box_of[e].get("class") != "hero":
            box = box_of[e]
            if "scroll" not in box.get("class", "").split() or box.get("tabindex") != "0" or not box.get("aria-label"):
                yield "%s outside of a scroll box with a name that keys reach" % where


def claims_without_links(page):
    """A claim that is of a figure links to it, and the figure to the claim."""
    leads = {(box.get("aria-labelledby"), a.get("href")) for box in page.iter("article") for a in box.iter("a")}
    for row in page.findall(".//section[@class='all-verdicts']//tr[@id]"):
        for a in row.iter("a"):
            if a.get("class") == "to" and (a.get("href")[1:], "#" + row.get("id")) not in leads:
                yield "%s does not lead to %s" % (a.get("href"), row.get("id"))


def mixed_groups(page):
    """A group of claims has one class of verdicts: what was measured never stands among arithmetic or settings."""
    for group in page.findall(".//details[@class='group']"):
        for row in group.findall(".//tr[@id]"):
            if group.get("data-class") not in [e.get("data-class") for e in row]:
                yield "%s has no verdict of class %s, as its group has" % (row.get("id"), group.get("data-class"))


def size(path):
    with open(path, "rb") as file:
        packed = len(gzip.compress(file.read()))
    if os.path.getsize(path) > 6e6 or packed > 3e6:
        yield "%d bytes, %d packed" % (os.path.getsize(path), packed)


def differences(page, path):
    with open(path, newline="", encoding="utf-8") as file:
        expected = collections.Counter((row["machine"] == "paper", row["class"], row["verdict"]) for row in csv.DictReader(file))
    sums = collections.Counter(verdict for *_, verdict in expected.elements())
    listed = collections.Counter((e.get("data-by") == "paper", e.get("data-class"), e.get("data-verdict"))
                                 for e in page.findall(".//section[@class='all-verdicts']//*[@data-verdict]"))
    totals = collections.Counter()
    for e in page.findall(".//*[@data-total]"):
        totals[e.get("data-total")] += int(e.text or 0)
    if not expected or listed != expected or +totals != sums:
        yield "verdicts %s, totals %s, claims --csv has %s" % (dict(listed), dict(totals), dict(expected))


try:
    root = xml.parse(sys.argv[1]).getroot()
    faults = [*faults_of(root), *claims_without_links(root), *mixed_groups(root), *size(sys.argv[1])] + (list(differences(root, sys.argv[2])) if len(sys.argv) > 2 else [])
except xml.ParseError as error:
    faults = [error]
print(*faults[:20], sep="\n")
sys.exit(1 if faults else 0)
