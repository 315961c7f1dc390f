#!/bin/bash
# test_one_row.sh - the committed rows: a configuration has one row, for claims as for tables and figures
#
# Every row that a claim used is among those that `show` gives its experiment.  Means over seeds have no row of their own there, and
# claims with session = one may use an older row, which was taken beside the others.
. tests/checks.sh one_row
check "printed numbers say what they are and where they stand" test "$("$DEPTHBENCH" sql -f csv "SELECT count(*) > 500 AND
    sum((value IS NULL AND figure NOT IN ('fig4', 'fig5') AND NOT (paper = 'stixels' AND figure = 'table1')) OR printed IS NULL OR place IS NULL OR read IS NULL
        OR paper NOT IN ($(cd experiments && printf "'%s' " */figures.ini | sed "s|/figures.ini||g; s/ '/, '/g"))) = 0 AS is_whole FROM printed" | tail -n 1)" = '"1"'
needs python3
python3 - <<'END' >"$tmp/out"
import csv, functools, glob, os, re, subprocess

def said(*words):
    return subprocess.run([os.environ["DEPTHBENCH"], *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=True).stdout

@functools.lru_cache(None)
def shown(experiment, folder):  # None: there is no such experiment, or its rows are means
    path = f"experiments/{experiment}.ini"
    if os.path.exists(path) and not re.search("(?m)^mean_over", open(path).read()):
        return {(row["session"], row["row_id"]) for row in csv.DictReader(said("show", experiment, "--results", folder, "-f", "csv", "-q").splitlines())}

for folder in {os.path.dirname(path) for path in glob.glob("results/*/*.samples.csv.gz")}:
    name = ""
    for claim in re.split(r"\n\n(?=\S)", said("claims", "--explain", "*", folder)):  # what it says, then what its machine says
        if ":" in claim.split("\n", 1)[0]:
            name, one_session = claim.split(":")[0], "rows of one session" in re.sub(r"\s+", " ", claim)
        for experiment, rows in re.findall(r"ours\(([a-z]+/[\w-]+), (?:[^()]|\([^()]*\))*\) = [^\[]*\[rows ([^\]]*)\]", re.sub(r"\s+", " ", claim)):
            there = shown(re.sub("/.*", "/cut", experiment) if re.search(r"\d of \d+ SMs", rows) else experiment, folder)
            for row in re.findall(r"(\d{8}T\d{6}Z-\S+) (r\d+)", rows) if there is not None and not one_session else []:
                print("shown" if row in there else "differs", folder, name, experiment, *row)
END
check "rows are compared" test $? = 0
check "some hundred of them" test "$(grep -c ^shown "$tmp/out")" -ge 300
check "claims use the rows that are shown" test "$(grep -c ^differs "$tmp/out")" = 0
finish
