#!/bin/bash
# test_regress.sh - scripts/regress and scripts/track on a small repository whose programs make their times up
#
# The judge is the real program; what is built and run is a script that tells the order in which it was called, and writes
# rows with the time that its commit has in a file.
set -u
. tests/checks.sh
tmp=$(scratch regress) || exit 1
on_failure "$tmp/out" "$tmp/err"
command -v git >/dev/null || {
    skip "git is not there"
    finish
}
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@localhost \
    GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@localhost CALLS=$tmp/calls
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE MAKEFLAGS

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
"$DEPTHBENCH" run "$tmp/stage.ini" --results "$tmp/stage" -q >"$tmp/out" 2>"$tmp/err"
check "a run of 12 cells" test $? = 0
session=$(find "$tmp/stage" -name '*.csv' ! -name '*values*')
mkdir -p "$tmp/stage0" "$tmp/stage1"
python3 - "$session" "$tmp" <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
for side in 0, 1:
    for run in range(3):
        with open(f"{sys.argv[2]}/stage{side}/s{run}.csv", "w") as out:
            table = csv.DictWriter(out, rows[0].keys(), quoting=csv.QUOTE_ALL)
            table.writeheader()
            for row in rows:
                table.writerow({**row, "profile": "paper", "build_hash": f"b{side}", "median_ms": 10 + 10 * side + run})
END
"$DEPTHBENCH" compare "$tmp/stage0" "$tmp/stage1" --suspects "$tmp/suspects" >"$tmp/out" 2>"$tmp/err"
check "all of them are suspects" grep -qx '12 cells, 12 go on, 8 runs a side' "$tmp/out"
"$DEPTHBENCH" run "$tmp/suspects/stixels.ini" --dry-run >"$tmp/out" 2>"$tmp/err"
# threads = 1 of a serial variant is no key of its; values are not asked for again
plain() { sed -E 's/ values=0//' | sort; }
check "their descriptor has the same cells" cmp -s <(plain <"$tmp/out") <("$DEPTHBENCH" run "$tmp/stage.ini" --dry-run | plain)

# ---- the figure of a history ----
mkdir -p "$tmp/machine"
for i in 1 2 3 4 5 6 7 8; do
    {
        echo "session,row_id,commit,utc,machine,impl,params,median_ms,ci_lo_ms,ci_hi_ms,status,height"
        echo "s$i,r1,${i}abcdef0,2026-01-0${i}T00:00:00Z,m,rdp/x,height=40,$((i > 5 ? 20 : 10)),9,21,ok,40"
        [ "$i" -gt 3 ] || echo "s$i,r2,${i}abcdef0,2026-01-0${i}T00:00:00Z,m,rdp/x,height=80,30,29,31,ok,80"
    } >"$tmp/machine/s$i.csv"
done
"$DEPTHBENCH" history "$tmp/machine" --cell rdp/x,height=40 --csv "$tmp/one.csv" >"$tmp/out" 2>"$tmp/err"
check "a step at the sixth commit" grep -qE '^2026-01-06.* 6abcdef .* \+100.0 % slower$' "$tmp/out"
"$DEPTHBENCH" history "$tmp/machine" --cell rdp/x --csv "$tmp/two.csv" >"$tmp/out" 2>"$tmp/err"
check "two cells, two tables" test "$(grep -c '^commit of' "$tmp/out")" = 2
if command -v gnuplot >/dev/null; then
    for name in one two; do
        mkdir -p "$tmp/$name" && mv "$tmp/$name.csv" "$tmp/$name/history.csv"
        B=$tmp/$name scripts/plot fps-history >"$tmp/out" 2>&1
        check "a figure of $name" test $? = 0
        check "without a remark" test "$(cat "$tmp/out")" = "$tmp/$name/fps-history.svg"
    done
    check "one cell: commits along the axis" grep -q '6abcdef' "$tmp/one/fps-history.svg"
    check "two cells: a name each" grep -q 'height=80' "$tmp/two/fps-history.svg"
else
    skip "gnuplot is not there"
fi

# ---- a small repository ----
house=$tmp/house
mkdir -p "$house/scripts" && cp scripts/regress scripts/commit_program scripts/track "$house/scripts/"
cd "$house" || exit 1
cat >Makefile <<'END'
all:
	@[ ! -e broken ] || { echo 'main.c:1: error: broken on purpose'; exit 1; }
	@[ ! -e stopped ] || kill -TERM $$(ps -o ppid= -p $$PPID)
	@mkdir -p build/release
	@sed "s/@SPEED@/$$(cat speed)/; s/@HASH@/$$(cat hash)/; s/@OUTPUT@/$$(cat output)/; s/@NAME@/$$(cat name)/" program >build/release/depthbench
	@chmod +x build/release/depthbench
END
cat >program <<'END'
#!/bin/bash
# two cells: height=40 takes @SPEED@ ms, height=80 always 5
verb=$1
[ "$verb" = env ] && { echo "build_hash=@HASH@"; exit 0; }
echo "@NAME@ $*" >>"$CALLS"
case ${FAKE:-} in
breaks) echo "depthbench: out of order" >&2; exit 139 ;;
usage) echo "depthbench: x.ini:3: unknown key" >&2; exit 2 ;;
nothing) exit 77 ;;
int) kill -INT $PPID ;;
term) kill -TERM $PPID ;;
esac
heights="40 80"
while [ $# -gt 0 ]; do
    case $1 in
    --results) folder=$2 ;;
    */suspects/*.ini) heights=$(sed -n 's/^height=//p' "$1") ;;
    esac
    shift
done
mkdir -p "$folder"
n=$(find "$folder" -name '*.csv' | wc -l)
echo "machine=m" >"$folder/s$n.env.txt"
{
    echo "session,row_id,commit,build_hash,machine,problem,impl,params,output_hash,verdict,scope,series,median_ms,status,height,plan"
    for h in $heights; do
        awk -v h="$h" -v n="$n" -v noise="${NOISE:-0.001}" 'BEGIN { ms = (h == 40 ? @SPEED@ : 5) * (1 + noise * (n * 7 % 5));
            printf "s%d,r%d,@NAME@,@HASH@,m,rdp,rdp/serial,height=%d,@OUTPUT@,exact,kernel,hot,%.6f,ok,%d,samples=5..15;precision=0.005\n", n, h, h, ms, h }'
    done
} >"$folder/s$n.csv"
END
cat >.gitignore <<'END'
/build/
/results/
END
# commit NAME SPEED HASH OUTPUT: its program's
commit() {
    printf '%s\n' "$1" >"name" && printf '%s\n' "$2" >"speed" && printf '%s\n' "$3" >"hash" && printf '%s\n' "$4" >"output"
    git add -A && git commit -q -m "$1" && git tag "$1"
}
git init -q . && commit base 10 aaaa 1111
commit twin 10 aaaa 1111
commit alike 10 bbbb 1111
commit slow 13 cccc 1111
commit other 10 dddd 2222
commit fast 8 eeee 1111
touch broken && commit broken 10 ffff 1111 && rm broken
touch stopped && commit stopped 10 ffff 1111 && rm stopped
commit last 10 bbbb 1111

# regress WHAT EXIT ARGUMENT...
regress() {
    local what=$1 expected=$2 status
    shift 2
    : >"$CALLS"
    DEPTHBENCH_HOME='' scripts/regress "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
    check "$what: exit $expected (was $status)" test $status = "$expected"
    check "$what: no worktree is left" test "$(git worktree list | wc -l)" = 1
    check "$what: nothing of it is left" test -z "$(find build/regress -maxdepth 1 \( -name 'run-*' -o -name 'tree-*' \) 2>/dev/null)"
}
order() { sed -n 's/ run .*//p' "$CALLS" | tr '\n' ' '; }
sentence() { grep '^regress: ' "$tmp/err" | wc -l; }

regress "the same program" 0 base twin
check "it is not run" test ! -s "$CALLS"
check "it says so" grep -q '^same: .* are the same program' "$tmp/out"

regress "as fast" 0 base alike
check "processes in turn" test "$(order)" = "base alike alike base base alike "
check "no second stage" grep -q 'first: 2 cells, 0 go on' "$tmp/err"

regress "slower" 1 base slow --csv "$tmp/slow.csv" --keep "$tmp/kept"
check "3 + 3 and 8 + 8 processes" test "$(wc -l <"$CALLS")" = 22
check "in turn, too" test "$(order | cut -d ' ' -f 7-12)" = "base slow slow base base slow"
check "the second stage has the suspect alone" test "$(sed -n '7,$p' "$CALLS" | grep -c 'suspects/rdp.ini')" = 16
check "the verdict" grep -q '^"slower","rdp/serial","kernel","hot",,,"height=40","8","8",' "$tmp/slow.csv"
check "the other cell was stopped" grep -q '^"same","rdp/serial","kernel","hot",,,"height=80","3","3",' "$tmp/slow.csv"
check "its files are kept" test "$(find "$tmp/kept/second/1" -name '*.csv' | wc -l)" = 8
regress "faster" 0 base fast
check "is said" grep -q '^faster ' "$tmp/out"
regress "another output" 1 base other
check "stands first" grep -q '^changed-output ' "$tmp/out"
check "and why" grep -q 'its output is another one: 2222, was 1111' "$tmp/out"
regress "HEAD by default" 0 base
check "is the commit that is checked out" test "$(order | cut -d ' ' -f 2)" = last
echo 99 >speed
regress "a tree that was edited" 0 base
check "is told that it is left out" grep -q '^note: what is not committed' "$tmp/err"
git checkout -q -- speed

regress "runs in one stage" 1 base slow --runs 8
check "8 + 8 processes" test "$(wc -l <"$CALLS")" = 16
NOISE=0.4 regress "noise" 0 base alike --runs 4
check "is unclear" grep -q '^unclear ' "$tmp/out"
NOISE=0.4 regress "noise, strictly" 3 base alike --runs 4 --strict
mkdir -p experiments/rdp && touch experiments/rdp/fig9.ini
regress "--help" 0 --help
check "names its options" grep -q '^ *--keep DIR ' "$tmp/out"
check "and fits 80 columns" test -z "$(awk 'length > 80' "$tmp/out")"
regress "options are passed on" 0 base alike -e rdp/fig9 -i 'rdp/*' -S eps=4 --quick
check "to the program" grep -q '^base run rdp/fig9 -i rdp/\* -S eps=4 --quick --results ' "$CALLS"

# ---- what goes wrong ----
regress "a commit that does not build" 5 base broken
check "one sentence" test "$(sentence)" = 1
check "with the compiler's words" grep -q 'does not build: main.c:1: error: broken on purpose' "$tmp/err"
regress "a build that is stopped" 143 base stopped
for bad in "nowhere" "base nowhere" "" "base alike slow" "base --frobnicate" "base --runs 3" "base --runs x" "base --csv" "base --keep $tmp" \
    "base alike -e rdp/fig99"; do
    # shellcheck disable=SC2086
    regress "'$bad'" 2 $bad
    check "'$bad': one sentence" test "$(sentence)" = 1
done
FAKE=breaks regress "a program that breaks off" 5 base alike
check "its last words" grep -q 'the program of .* broke off: depthbench: out of order' "$tmp/err"
FAKE=usage regress "a descriptor that one of them cannot read" 2 base alike
check "its sentence" grep -q 'broke off: depthbench: x.ini:3: unknown key' "$tmp/err"
FAKE=nothing regress "nothing to run" 77 base alike
FAKE=term regress "stopped" 143 base alike
FAKE=int regress "interrupted" 130 base alike
check "after one process" test "$(wc -l <"$CALLS")" = 1
git worktree add -q --detach build/regress/tree-999999999 base
mkdir build/regress/run-999999999
regress "what a killed one left" 0 base twin
DEPTHBENCH=$tmp/nothing regress "no judge" 5 base alike

# ---- track ----
track() { # WHAT EXIT ARGUMENT...
    local what=$1 expected=$2 status
    shift 2
    : >"$CALLS"
    RESULTS=$tmp/tracked DEPTHBENCH_HOME='' scripts/track "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
    check "$what: exit $expected (was $status)" test $status = "$expected"
    check "$what: no worktree is left" test "$(git worktree list | wc -l)" = 1
}
track "a range" 1 base..broken -e rdp/x --quick
check "oldest first, resumable" test "$(order)" = "twin alike slow other fast "
check "with its options" test "$(grep -c 'run rdp/x --resume --results .* --quick$' "$CALLS")" = 5
check "one sentence for what does not build" test "$(grep -c 'does not build' "$tmp/err")" = 1
check "how many" grep -qx '5 commits measured, 1 not' "$tmp/out"
check "a session each" test "$(find "$tmp/tracked" -name '*.csv' | wc -l)" = 5
track "a clean range" 0 base..fast
FAKE=int track "interrupted" 130 base..fast
check "after one" test "$(wc -l <"$CALLS")" = 1
track "its help" 0 --help
check "which says what a range is" grep -q "^track BASE..HEAD" "$tmp/out"
track "no range" 2
track "an empty range" 2 last..last
track "a bad range" 2 nowhere..last
finish
