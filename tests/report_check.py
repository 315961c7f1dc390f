#!/usr/bin/env python3
"""report_check.py PAGE [CLAIMS.csv] - the structure of a report, which is XML, too, without a browser

Prints a line for each fault and exits with 1 when there is one: tags that do not balance, anything loaded from elsewhere, scripts,
pictures without words, links to nowhere, tables without heads, ids given twice.  With the CSV of `depthbench claims --csv` of the same
machines: the page's verdicts, and its totals by class, must be those of the CSV.
"""
import collections, csv, re, sys
import xml.etree.ElementTree as xml

FORBIDDEN = {"iframe", "object", "embed", "link", "base", "form", "script"}
LOADS = {"src", "srcset", "poster", "data", "background", "action", "formaction", "href"}


def faults_of(page):
    box_of = {child: parent for parent in page.iter() for child in parent}
    ids = collections.Counter(e.get("id") for e in page.iter() if e.get("id"))
    yield from ("id %s given %d times" % (name, n) for name, n in ids.items() if n > 1)
    for e in page.iter():
        where = "<%s %s>" % (e.tag, e.get("id") or e.get("class") or "")
        yield from ("%s loads something or has a script: %s=%.60s" % (where, key, value) for key, value in e.items()
                    if key.startswith("on") or "url(" in value or key in LOADS and not value.startswith(("data:", "#", "https://doi.org/")))
        targets = (e.get("aria-labelledby") or "").split() + re.findall("^#(.*)", e.get("href") or "")
        yield from ("%s: no #%s is there" % (where, target) for target in targets if target not in ids)
        if e.tag in FORBIDDEN or e.tag == "style" and re.search(r"url\(|@import|expression\(", e.text):
            yield "%s has no place here" % where
        if e.tag in ("img", "svg") and len((e.get("alt") or e.get("aria-label") or "").split()) < 3:
            yield "a picture without words: alt=%r" % e.get("alt")
        if e.tag == "th" and e.get("scope") not in ("col", "row"):
            yield "%s without a scope" % where
        if e.tag in ("table", "img", "svg") and box_of[e].tag != "a" and not (box_of[e].get("class") == "scroll" and box_of[e].get("tabindex") == "0" and box_of[e].get("aria-label")):
            yield "%s outside of a scroll box with a name that keys reach" % where


def differences(page, path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expected = collections.Counter((row["machine"] == "paper", row["class"], row["verdict"]) for row in rows)
    sums = collections.Counter(row["verdict"] for row in rows if not row["same_as"])
    listed = collections.Counter((e.get("data-by") == "paper", e.get("data-class"), e.get("data-verdict")) for e in page.findall(".//*[@data-verdict]"))
    totals = collections.Counter()
    for e in page.findall(".//*[@data-total]"):
        totals[e.get("data-total")] += int(e.text or 0)
    if not expected or listed != expected or +totals != sums:
        yield "verdicts %s, totals %s, claims --csv has %s" % (dict(listed), dict(totals), dict(expected))


try:
    root = xml.parse(sys.argv[1]).getroot()
    faults = [fault for found in [faults_of(root)] + [differences(root, path) for path in sys.argv[2:]] for fault in found]
except xml.ParseError as error:
    faults = [error]
print(*faults[:20], sep="\n")
sys.exit(1 if faults else 0)
