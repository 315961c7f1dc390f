#!/bin/bash
# test_pipelines.sh - formats for other programs, read by parsers; templates of docs/pipelines/, by running them
. tests/checks.sh pipelines git python3
source=$PWD

# ---- texts that mean something in a format ----
python3 - "$tmp" <<'END'
import csv, os, sys
evil = "\"><&'|\\%::,]]>\n# EOF\x1b[31m\x01é"
columns = "session row_id utc commit_hash build_hash protocol machine problem impl device params input frame_pick batch input_hash verdict output_hash scope series median_ms status reason height".split()
for side in range(2):
    os.makedirs(f"{sys.argv[1]}/{side}")
    for run in range(8):
        with open(f"{sys.argv[1]}/{side}/s{run}.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(columns)
            for height in (40, 80, 120, 160, 200):
                bad = side == 1 and height == 120
                table.writerow([f"s{run}", f"r{height}", "2026-01-01T00:00:00Z", "1234567890", f"b{side}{evil}", "paper", "m", "rdp", "rdp/serial", "serial",
                                "eps=4" + evil, "scene", evil, 1, "1", "exact", "1" if height > 40 else f"{side}{evil}", "kernel", "hot",
                                10 + 0.001 * run + 5 * side * (height == 80) + run * (height == 160), "failed" if bad else "ok", evil if bad else "", height])
END
GITHUB_STEP_SUMMARY=$tmp/summary.md expect "all formats at once" 1 '2 with another output, 1 slower' "$DEPTHBENCH" compare "$tmp"/{0,1} \
    --format "text,github=$tmp/github.txt,md=$tmp/table.md,junit=$tmp/junit.xml,bmf=$tmp/bmf.json,openmetrics=$tmp/metrics.txt,json=$tmp/rows.json,csv=$tmp/rows.csv"
check "the text is on standard output" grep -q '^5 configurations: 2 changed-output, 1 slower, 0 faster, 1 unclear, 1 same' "$tmp/out"
check "an annotation is a line" test "$(sed -n 's/^::\([a-z]*\) title=rdp\/serial [^:,]*::.*/\1/p' "$tmp/github.txt" | paste -sd ' ')" = 'error error error warning' -a "$(wc -l <"$tmp/github.txt")" = 4
check "the summary is the table in Markdown" cmp -s "$tmp/summary.md" "$tmp/table.md"
check "whose rows have eight columns" test "$(grep '^| ' "$tmp/table.md" | sed 's/\\\\//g; s/\\|//g' | tr -dc '|\n' | sort -u)" = '|||||||||'
check "no format has a character that commands a terminal" test -z "$(cat "$tmp"/{github.txt,table.md,junit.xml,bmf.json,metrics.txt,rows.json} | tr -d '\n\t' | LC_ALL=C grep '[[:cntrl:]]')"
cat >"$tmp/read.py" <<'END'
import json, re, sys
from xml.etree import ElementTree
place = sys.argv[1]
suite = ElementTree.parse(place + "/junit.xml").getroot().find("testsuite")
cases = suite.findall("testcase")
assert (suite.get("tests"), suite.get("failures"), suite.get("skipped"), len(cases)) == ("5", "3", "1", 5), suite.attrib
assert len({case.get("name") for case in cases}) == 5
failures = [case.find("failure") for case in cases if case.find("failure") is not None]
assert [case.find("skipped") for case in cases if case.find("skipped") is not None][0].text.startswith("unclear: 13.5 ms, was 13.5 ms, +0.0 % (95 % interval -")
assert sorted(f.get("type") for f in failures) == ["changed-output", "changed-output", "slower"]
assert any("was exact, is failed: \"><&'|\\%::,]]>" in f.get("message") for f in failures)
bmf = json.load(open(place + "/bmf.json"))
assert len(bmf) == 4 and all(name.startswith("rdp/serial ") and "\\%::" in name for name in bmf), bmf
assert all(m["median_ms"]["lower_value"] <= m["median_ms"]["value"] <= m["median_ms"]["upper_value"] for m in bmf.values())
rows = json.load(open(place + "/rows.json"))
assert [row["verdict"] for row in rows] == ["changed-output", "changed-output", "slower", "unclear", "same"]
assert type(rows[2]["change"]) is float and type(rows[2]["n_base"]) is int and rows[2]["runs_needed"] is None and "\n# EOF" in rows[2]["frame_pick"]
metrics = open(place + "/metrics.txt", newline="").read().split("\n")
wrong = [line for line in metrics[:-2] if not re.fullmatch(r'# (HELP|TYPE|UNIT) .*|\w+\{(\w+="(\\["\\n]|[^"\\])*",?)*\} [-+.\w]+', line)]
assert not wrong and metrics[-2:] == ["# EOF", ""], wrong
assert sum("\\\"><&'|\\\\%::,]]>\\n# EOF" in line for line in metrics if line.startswith("depthbench_verdict{")) == 5
END
check "XML, JSON and OpenMetrics are read, with all texts in them" python3 "$tmp/read.py" "$tmp"
expect "no such format" 2 '^depthbench: --format xml: expected text, csv, json, md, github, junit, bmf or openmetrics$' "$DEPTHBENCH" compare a b -f text,xml
expect "no file" 2 '^depthbench: --format junit=: expected the name of a file$' "$DEPTHBENCH" compare a b -f junit=
expect "a bad format, before anything is built" 2 '^depthbench: --format xml' "$DEPTHBENCH" regress nowhere -f xml
expect "a file that cannot be written" 5 "$tmp/none/x.json" "$DEPTHBENCH" compare "$tmp"/{0,1} -f "json=$tmp/none/x.json"
GITHUB_STEP_SUMMARY=$tmp/none/x expect "a summary that cannot be written" 5 "$tmp/none/x: cannot be written" "$DEPTHBENCH" compare "$tmp"/{0,1} -f github

# ---- templates ----
# run_pipeline FILE EVENT BEFORE OPTIONS: the commands of the file's job in a shell of their own, as a runner starts them where a push or a
# schedule is the EVENT and BEFORE was the newest commit before it
run_pipeline() {
    python3 - "$1" >"$tmp/commands.sh" <<'END'
import sys, yaml
document = yaml.safe_load(open(sys.argv[1]))
job = document.get("jobs", document)["regress"]
print("set -e")
print("\n".join([step["run"] for step in job["steps"] if "run" in step] if "steps" in job else job["script"]))
END
    GITHUB_EVENT_NAME=$2 BEFORE=$3 CI_PIPELINE_SOURCE=$2 CI_COMMIT_BEFORE_SHA=$3 OPTIONS=$4 GITHUB_STEP_SUMMARY=$tmp/summary.md \
        bash "$tmp/commands.sh"
}
only "Python has no yaml (apt-get install python3-yaml)" python3 -c 'import yaml'
check "GitHub runs it on a push and a schedule alone, on a board, with no right to write" python3 -c '
import yaml
flow = yaml.safe_load(open("docs/pipelines/github.yml"))
assert set(flow[True]) == {"push", "schedule"} and flow["permissions"] == {"contents": "read"} and "jetson" in flow["jobs"]["regress"]["runs-on"]'
. tests/house.sh
sed -i '4a case $subcommand in regress | compare) DEPTHBENCH_HOME=$PWD exec "$DEPTHBENCH" "$@" ;; esac' program
commit base 10 aaaa 1111
git commit -q --amend --no-edit --date '2020-01-01T00:00:00' && git tag -f base >/dev/null
commit alike 10 bbbb 1111
commit slow 13 cccc 1111
pipeline() { # WHAT EXIT TEXT TEMPLATE EVENT BEFORE
    call "$1" "$2" "$3" run_pipeline "$source/docs/pipelines/$4.yml" "$5" "$6" "--runs 8"
}
none=0000000000000000000000000000000000000000
for template in github gitlab; do
    pipeline "$template: a push of two commits" 1 '^slower ' $template push "$(git rev-parse base)"
    check "$template: compares with what was there before" test "$(order | cut -d ' ' -f 1,2)" = 'base slow'
    check "$template: JUnit's file" grep -q '<failure type="slower" ' build/pipeline/junit.xml
    check "$template: rows are kept" test "$(find build/pipeline/rows/first/1 -name '*.csv' | wc -l)" = 8
    pipeline "$template: a new branch" 1 '^slower ' $template push $none
    check "$template: compares with the commit before" test "$(order | cut -d ' ' -f 1,2)" = 'alike slow'
done
check "GitHub gets annotations" test "$(run_pipeline "$source/docs/pipelines/github.yml" push $none '--runs 8' 2>/dev/null | grep -c '^::error ')" = 1
check "and a summary" grep -q '^| slower | rdp/serial height=40 | 10' "$tmp/summary.md"
check "Bencher's metrics" python3 -c 'import json; assert len(json.load(open("build/pipeline/bmf.json"))) == 2'
git checkout -q alike
pipeline "a commit that is as fast" 0 ' 0 slower' gitlab push "$(git rev-parse base)"
check "has no failure" grep -q ' failures="0" ' build/pipeline/junit.xml
check "metrics are there" grep -q '^depthbench_median_ms{side="head",impl="rdp/serial"' build/pipeline/metrics.txt
GIT_COMMITTER_DATE=2020-01-01T00:00:00 git commit -q --amend --no-edit --date '2020-01-01T00:00:00'
git tag -f old >/dev/null && commit newer 10 dddd 1111
pipeline "a schedule" 0 '' github schedule ''
check "compares with the commit of a week before" test "$(order | cut -d ' ' -f 1,2)" = 'alike newer'
finish
