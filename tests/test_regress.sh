#!/bin/bash
# test_regress.sh - scripts/regress on a small repository whose programs make their times up
#
# The judge is the real program; what is built and run is a script that tells the order in which it was called, and writes
# rows with the time that its commit has in a file.
. tests/checks.sh regress git

# ---- a descriptor of a second stage is what the program measured before ----
cat >"$tmp/stage.ini" <<'END'
[global]
problem = stixels
input = scene, city-normal
frames = 1
columns = 4
height = 64
samples = 3..3
min_time = 0
timeout = 5
precision = 1.5%
[cells]
impl = stixels/serial, stixels/openmp
model = b12
block = 8, 4x1
threads = 1, 2
END
expect "a run of 12 configurations" 0 '' "$DEPTHBENCH" run "$tmp/stage.ini" --results "$tmp/stage" -q
python3 - "$tmp" "$(find "$tmp/stage" -name '*.csv' ! -name '*values*')" <<'END'
import csv, os, sys
rows = list(csv.DictReader(open(sys.argv[2])))
for side, run in ((side, run) for side in (0, 1) for run in range(3)):
    os.makedirs(f"{sys.argv[1]}/stage{side}", exist_ok=True)
    with open(f"{sys.argv[1]}/stage{side}/s{run}.csv", "w") as out:
        table = csv.DictWriter(out, rows[0].keys())
        table.writeheader()
        table.writerows({**row, "protocol": "paper", "build_hash": f"b{side}", "median_ms": 10 + 10 * side + run} for row in rows)
END
expect "all of them are suspects" 0 '^12 configurations, 12 go on, 8 runs a side$' \
    "$DEPTHBENCH" compare "$tmp"/stage{0,1} --suspects "$tmp/suspects"
# threads = 1 of a serial variant is no key of its; values are not asked for again
plain() { "$DEPTHBENCH" run "$1" --dry-run 2>&1 | sed -E 's/ values=0//' | sort; }
check "their descriptor has the same configurations" cmp -s <(plain "$tmp/suspects/stixels.ini") <(plain "$tmp/stage.ini")

# ---- the figure of a history ----
mkdir -p "$tmp/machine"
for i in 1 2 3 4 5 6 7 8; do
    {
        echo "session,row_id,commit,utc,machine,impl,params,median_ms,ci_lo_ms,ci_hi_ms,status,height"
        echo "s$i,r1,${i}abcdef0,2026-01-0${i}T00:00:00Z,m,rdp/x,height=40,$((i > 5 ? 20 : 10)),9,21,ok,40"
        [ "$i" -gt 3 ] || echo "s$i,r2,${i}abcdef0,2026-01-0${i}T00:00:00Z,m,rdp/x,height=80,30,29,31,ok,80"
    } >"$tmp/machine/s$i.csv"
done
figure() { # CELL TEXT: the figure of what fits has a text
    mkdir -p "$tmp/$1"
    expect "the history of $1" 0 '^2026-01-06.* 6abcdef .* +100.0 % slower$' \
        "$DEPTHBENCH" history "$tmp/machine" --of "$1" --csv "$tmp/$1/history.csv"
    B=$tmp/$1 scripts/plot fps-history >"$tmp/out" 2>&1
    check "a figure of $1, without a remark" test "$(cat "$tmp/out")" = "$tmp/$1/fps-history.svg"
    check "$1 in it" grep -q "$2" "$tmp/$1/fps-history.svg"
}
if command -v gnuplot >/dev/null; then
    figure rdp/x,height=40 6abcdef # commits along the axis
    figure rdp/x height=80         # a name for each cell
else
    skip "gnuplot is not there (apt-get install gnuplot-nox)"
fi

# ---- a small repository ----
. tests/house.sh
commit base 10 aaaa 1111
commit twin 10 aaaa 1111
commit alike 10 bbbb 1111
commit slow 13 cccc 1111
commit other 10 dddd 2222
commit fast 8 eeee 1111
touch broken && commit broken 10 ffff 1111 && rm broken
touch stopped && commit stopped 10 ffff 1111 && rm stopped
commit last 10 bbbb 1111

regress() { call "$1" "$2" "$3" scripts/regress "${@:4}"; }
regress "the same program" 0 '^same: .* are the same program' base twin
calls 0
regress "as fast" 0 'first: 2 configurations, 0 go on' base alike
check "processes in turn" test "$(order)" = "base alike alike base base alike "
regress "slower" 1 '^slower ' base slow --csv "$tmp/slow.csv" --keep "$tmp/kept"
calls 22 # 3 + 3 and 8 + 8
check "in turn, too" test "$(order | cut -d ' ' -f 7-12)" = "base slow slow base base slow"
check "the second stage has the suspect alone" test "$(sed -n '7,$p' "$CALLS" | grep -c 'suspects/rdp.ini')" = 16
check "the verdict" grep -q '^"slower","rdp/serial","kernel","hot",,,"height=40","8","8",' "$tmp/slow.csv"
check "the other configuration was stopped" grep -q '^"same","rdp/serial","kernel","hot",,,"height=80","3","3",' "$tmp/slow.csv"
check "its files are kept" test "$(find "$tmp/kept/second/1" -name '*.csv' | wc -l)" = 8
regress "faster" 0 '^faster ' base fast
regress "another output" 1 'its output is another one: 2222, was 1111' base other
echo 99 >speed
mkdir "$tmp/elsewhere"
elsewhere() (cd "$tmp/elsewhere" && "$house/scripts/regress" "$@")
call "formats" 1 '^::error title=rdp/serial height=40::slower: 13' elsewhere base slow -f github,junit=j.xml,json="$tmp/j.json"
check "files of theirs are of the folder it was called in" grep -q '<failure type="slower"' "$tmp/elsewhere/j.xml"
check "or where they are said to be" grep -q '^{"verdict": "slower"' "$tmp/j.json"
call "formats of the same program" 0 '' elsewhere base twin --format junit=j.xml,bmf="$tmp/j.json"
check "have no case" grep -q ' tests="0" ' "$tmp/elsewhere/j.xml"
check "and no metric" test "$(cat "$tmp/j.json")" = '{}'
regress "HEAD by default" 0 '^note: what is not committed' base
check "is the commit that is checked out" test "$(order | cut -d ' ' -f 2)" = last
git checkout -q -- speed
regress "runs in one stage" 1 '^slower ' base slow --runs 8
calls 16
NOISE=0.4 regress "noise" 0 '^unclear ' base alike --runs 4
NOISE=0.4 regress "noise, strictly" 3 '^unclear ' base alike --runs 4 --strict
regress "--help" 0 '^ *--keep DIR ' --help
check "it fits 80 columns" test -z "$(awk 'length > 80' "$tmp/out")"
mkdir -p experiments/rdp && touch experiments/rdp/fig9.ini
regress "options are passed on" 0 '' base alike -e rdp/fig9 -i 'rdp/*' -S eps=4 --quick
check "to the program" grep -q '^base run rdp/fig9 -i rdp/\* -S eps=4 --quick --results ' "$CALLS"

# ---- what goes wrong ----
regress "a commit that does not build" 5 'does not build: main.c:1: error: broken on purpose' base broken
regress "a build that is stopped" 143 '' base stopped
for bad in "nowhere" "base nowhere" "" "base alike slow" "base --frobnicate" "base --runs 3" "base --runs x" "base --csv" "base --keep $tmp" \
    "base alike -e rdp/fig99"; do
    # shellcheck disable=SC2086
    regress "'$bad'" 2 '^regress: ' $bad
    check "'$bad': one sentence" test "$(grep -c '^regress: ' "$tmp/err")" = 1
done
FAKE=breaks regress "a program that breaks off" 5 'the program of .* broke off: depthbench: out of order' base alike
FAKE=usage regress "a descriptor that one of them cannot read" 2 'broke off: depthbench: x.ini:3: unknown key' base alike
FAKE=nothing regress "nothing to run" 77 '' base alike
FAKE=term regress "stopped" 143 '' base alike
FAKE=int regress "interrupted" 130 '' base alike
calls 1
git worktree add -q --detach build/regress/tree-999999999 base
mkdir build/regress/run-999999999
regress "what a killed one left" 0 '' base twin
DEPTHBENCH=$tmp/nothing regress "no judge" 5 '' base alike
finish
