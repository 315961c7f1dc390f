#!/bin/bash
# test_one_row.sh - the committed rows: a configuration has one row, for claims as for tables and figures
#
# Every row that a claim used is among those that `show` gives its experiment.  Means over seeds have no row of their own there, and
# claims with session = one may use an older row, which was taken beside the others.
set -u
. tests/checks.sh
tmp=$(scratch one_row) || exit 1
check "printed numbers say what they are and where they stand" test "$("$DEPTHBENCH" sql -f csv "SELECT count(*) > 500 AND
    sum((value IS NULL AND figure NOT IN ('fig4', 'fig5')) OR printed IS NULL OR place IS NULL OR read IS NULL
        OR paper NOT IN ('rdp', 'stx', 'som')) = 0 AS is_whole FROM printed" | tail -n 1)" = '"1"'
command -v python3 >/dev/null 2>&1 || {
    skip "no python3"
    finish
}
n=0
for folder in results/*/; do
    ls "$folder"/*.samples.csv.gz >/dev/null 2>&1 || continue
    "$DEPTHBENCH" claims --explain '*' "$folder" >"$tmp/explained" 2>"$tmp/err"
    check "claims of $folder are explained" test $? = 0
    for ini in $(grep -L '^over' experiments/{rdp,stx,som}/*.ini); do
        name=${ini#experiments/} name=${name%.ini}
        grep -qE "ours\($name," "$tmp/explained" || [ "${name#*/}" = cut ] || continue
        "$DEPTHBENCH" show "$name" --results "$folder" -f csv -q -o "$tmp/${name/\//-}.csv" 2>/dev/null
    done
    python3 - "$tmp" experiments/claims/*.ini <<'END' >"$tmp/out"
import csv, glob, re, sys

tmp, *claim_files = sys.argv[1:]
sections = [part for path in claim_files for part in re.split(r"(?m)^\[", open(path, encoding="utf-8").read())]
one_session = {part.split("]")[0] for part in sections if re.search(r"(?m)^session\s*=\s*one", part)}
shown = {path[len(tmp) + 1:-4]: {(r["session"], r["row_id"]) for r in csv.DictReader(open(path, newline=""))}
         for path in glob.glob(tmp + "/*.csv")}
n, name = 0, ""
for claim in re.split(r"\n\n(?=\S)", open(tmp + "/explained", encoding="utf-8").read()):  # what it says, then what its machine says
    first = claim.split("\n", 1)[0]
    name = re.match(r"[^\[:]*", first)[0] if ":" in first else name
    cells = re.findall(r"ours\(([a-z]+)/([\w-]+), (?:[^()]|\([^()]*\))*\) = [^\[]*\[rows ([^\]]*)\]", re.sub(r"\s+", " ", claim))
    for paper, experiment, rows in cells if name not in one_session else []:
        key = paper + "-" + ("cut" if re.search(r"\d of \d+ SMs", rows) else experiment)
        for row in re.findall(r"(\d{8}T\d{6}Z-\S+) (r\d+)", rows) if key in shown else []:
            n += row in shown[key]
            if row not in shown[key]:
                print("differs", name, key, *row)
print("rows", n)
END
    check "they are compared" test $? = 0
    check "claims of $folder use the rows that are shown" test "$(grep -c '^differs' "$tmp/out")" = 0
    n=$((n + $(sed -n "s/^rows //p" "$tmp/out")))
    rm -f "$tmp"/*.csv
done
check "some hundred of them" test "$n" -ge 300
finish
