#!/bin/bash
# test_one_row.sh - the committed rows: a configuration has one row, for claims as for tables and figures
#
# Every row that a claim used is among those that `show` gives its experiment.  Means over seeds have no row of their own there, and
# claims with session = one may use an older row, which was taken beside the others.
set -u
. tests/checks.sh
tmp=$(scratch one_row) || exit 1
command -v python3 >/dev/null 2>&1 || {
    skip "no python3"
    finish
}
n=0
for folder in results/*/; do
    ls "$folder"/*.samples.csv.gz >/dev/null 2>&1 || continue
    "$DEPTHBENCH" claims --explain '*' "$folder" >"$tmp/explained" 2>"$tmp/err"
    check "claims of $folder are explained" test $? = 0
    for paper in rdp stx som; do
        for ini in experiments/$paper/*.ini; do
            grep -q '^over' "$ini" && continue
            name=$(basename "$ini" .ini)
            grep -qE "ours\($paper/$name," "$tmp/explained" || [ "$name" = cut ] || continue
            "$DEPTHBENCH" show "$paper/$name" --results "$folder" -f csv -q >"$tmp/$paper-$name.csv" 2>/dev/null
        done
    done
    python3 - "$tmp" experiments/claims/*.ini <<'END' >"$tmp/out"
import collections, csv, glob, os, re, sys

tmp, *claim_files = sys.argv[1:]
one_session = set()
for path in claim_files:
    section = None
    for line in open(path, encoding="utf-8"):
        section = line.strip()[1:-1] if line.startswith("[") else section
        if re.match(r"session\s*=\s*one", line):
            one_session.add(section)
shown = {}
for path in glob.glob(tmp + "/*.csv"):
    with open(path, newline="") as rows:
        shown[os.path.basename(path)[:-4]] = {(r["session"], r["row_id"]) for r in csv.DictReader(rows)}
text = open(tmp + "/explained", encoding="utf-8").read()
used, name = collections.Counter(), ""
for claim in re.split(r"\n\n(?=\S)", text):  # what it says, then what its machine says
    first = claim.split("\n", 1)[0]
    name = re.match(r"[^\[:]*", first)[0] if ":" in first else name
    if name in one_session:
        continue
    flat = re.sub(r"\s+", " ", claim)
    for cell in re.finditer(r"ours\(([a-z]+/[\w-]+), (?:[^()]|\([^()]*\))*\) = [^\[]*\[rows ([^\]]*)\]", flat):
        experiment, rows = cell.groups()
        if re.search(r"\d of \d+ SMs", rows):
            experiment = experiment.split("/")[0] + "/cut"
        key = experiment.replace("/", "-")
        for row in re.findall(r"(\d{8}T\d{6}Z-\S+) (r\d+)", rows):
            if key in shown:
                used[row in shown[key]] += 1
                if row not in shown[key]:
                    print("differs", name, experiment, *row)
print("rows", used[True])
END
    check "they are compared" test $? = 0
    check "claims of $folder use the rows that are shown" test "$(grep -c '^differs' "$tmp/out")" = 0
    n=$((n + $(sed -n "s/^rows //p" "$tmp/out")))
    mv "$tmp/out" "$tmp/out.$(basename "$folder")"
    rm -f "$tmp"/*.csv
done
check "some hundred of them" test "$n" -ge 300
finish
