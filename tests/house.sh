# house.sh - makes a small repository whose programs make their times up, and goes there; tests of what builds commits source it
#
# What is built is a script that tells $CALLS the order in which it was called, and writes rows with the time that its commit
# has in a file.  The judge is the real program.
# shellcheck shell=bash disable=SC2154 # tmp is the script's
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@localhost \
    GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@localhost CALLS=${tmp:?house.sh is sourced, behind checks.sh}/calls
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE MAKEFLAGS

house=$tmp/house
mkdir -p "$house/scripts" && cp scripts/{start,regress,commit_program,bisect,instructions} "$house/scripts/"
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
# two configurations: height=40 takes @SPEED@ ms, height=80 always 5
subcommand=$1
[ "$subcommand" = env ] && { echo "build_hash=@HASH@"; exit 0; }
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
[ -d "$folder" ] || mkdir -p "$folder"
shopt -s nullglob
n=("$folder"/*.csv)
n=${#n[@]}
echo "machine=m" >"$folder/s$n.env.txt"
awk -v heights="$heights" -v n="$n" -v noise="${NOISE:-0.001}" 'BEGIN {
    print "session,row_id,commit,build_hash,machine,problem,impl,params,output_hash,verdict,scope,series,median_ms,status,height,plan"
    for (n_h = split(heights, each, " "); k++ < n_h;) {
        h = each[k]
        ms = (h == 40 ? @SPEED@ : 5) * (1 + noise * (n * 7 % 5))
        printf "s%d,r%d,@NAME@,@HASH@,m,rdp,rdp/serial,height=%d,@OUTPUT@,exact,kernel,hot,%.6f,ok,%d,samples=5..15;precision=0.005\n", n, h, h, ms, h
    } }' >"$folder/s$n.csv"
END
printf '%s\n' /build/ /results/ >.gitignore
commit() { # NAME SPEED HASH OUTPUT: its program's
    echo "$1" >name && echo "$2" >speed && echo "$3" >"hash" && echo "$4" >output
    git add -A && git commit -q -m "$1" && git tag "$1"
}
git init -q .

# call WHAT EXIT TEXT COMMAND...: with nothing left behind
call() {
    : >"$CALLS"
    DEPTHBENCH_HOME='' expect "$@"
    check "$1: nothing of it is left" test "$(git worktree list | wc -l)" = 1 -a \
        -z "$(find build/regress -maxdepth 1 \( -name 'run-*' -o -name 'tree-*' \) 2>/dev/null)"
}
order() { sed -n 's/ run .*//p' "$CALLS" | tr '\n' ' '; }
calls() { check "$1 processes" test "$(wc -l <"$CALLS")" = "$1"; }
