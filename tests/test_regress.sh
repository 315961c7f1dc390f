#!/bin/bash
# test_regress.sh - scripts/regress on a small repository whose programs make their times up
#
# The judge is the real program; what is built and run is a script that tells the order in which it was called, and writes
# rows with the time that its commit has in a file.
. tests/checks.sh regress git

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
mkdir -p experiments/{rdp,toy} && touch experiments/rdp/fig9.ini experiments/{rdp,toy}/regress.ini
regress "each paper's own by default" 0 '' base alike
check "is run" grep -q '^base run rdp/regress toy/regress --results ' "$CALLS"
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
