# checks.sh [NAME [PROGRAM...]] - what the test scripts share: they source it, call check, and end with finish
#
# With a NAME it makes an empty folder, $tmp, and the script is skipped where a PROGRAM is missing.
# shellcheck shell=bash
set -u
n_passed=0 n_failed=0 n_skipped=0
failure_files=()

# scratch NAME: make an empty folder below the one for tests and print its absolute path
scratch() {
    local folder=${TEST_TMP:-build/test-tmp}/$1
    rm -rf "$folder" && mkdir -p "$folder" && realpath "$folder"
}
# on_failure FILE...: a failed check prints these
on_failure() { failure_files=("$@"); }
pass() { n_passed=$((n_passed + 1)); }
fail() { # WHAT
    n_failed=$((n_failed + 1))
    echo "FAILED: $*"
    [ ${#failure_files[@]} = 0 ] || sed 's/^/    /' "${failure_files[@]}" 2>/dev/null
    return 1
}
skip() { # WHY
    n_skipped=$((n_skipped + 1))
    echo "skipped: $*"
}
check() { # WHAT COMMAND...: passes, and succeeds, when the command does
    local what=$1
    shift
    if "$@"; then pass; else fail "$what"; fi
}
expect() { # WHAT EXIT TEXT COMMAND...: the command's status, and a pattern in $tmp/out or $tmp/err, which have what it says
    local what=$1 expected=$2 text=$3 status
    shift 3
    # shellcheck disable=SC2154 # tmp is the script's
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
    check "$what: exit $expected (was $status)" test $status = "$expected"
    [ -z "$text" ] || check "$what: '$text' is said" grep -qe "$text" "$tmp/out" "$tmp/err"
}
refuses() { # WHAT EXIT TEXT COMMAND...: as expect, and it says one sentence, beside notes, on stderr
    expect "$@"
    check "$1: one sentence" test "$(grep -vc '^note:' "$tmp/err")" = 1
}
needs() { # PROGRAM...: where one of them is missing the script ends, and counts as skipped
    local program
    for program; do
        command -v "$program" >/dev/null || { skip "$program is not there (apt-get install ${program/#c++/g++})" && finish; }
    done
}
only() { "${@:2}" >"$tmp/out" 2>&1 || { skip "$1" && finish; }; } # WHY COMMAND...: where it fails the script ends, and counts as skipped
program() { { echo '#!/bin/bash'; cat; } | install -D -m 755 /dev/stdin "$1"; } # PATH: a script from standard input
# terminal WHAT: whether one can be pretended; else WHAT counts as skipped
terminal() {
    script -qec true /dev/null </dev/null >/dev/null 2>&1 && return
    skip "$1: no script(1) (apt-get install bsdutils), or no /dev/pts (mount -t devpts devpts /dev/pts)"
    return 1
}
# cells COLUMN,... FILE...: of each row of these CSV files these, a line each, '-' where one is empty
cells() {
    python3 -c 'import csv, sys
for name in sys.argv[2:]:
    for row in csv.DictReader(open(name)):
        print(*(row[column] or "-" for column in sys.argv[1].split(",")))' "$@"
}
# begin_ranks NAME EPS: a folder, the program, its machine, and an experiment of 8 configurations for each eps; tests of ranks share it, and
# what is below, where table FOLDER is the script's: what does not depend on who measures
begin_ranks() {
    tmp=$(scratch "$1") || exit 1
    on_failure "$tmp/out" "$tmp/err"
    needs python3 timeout
    bench=$(realpath "$DEPTHBENCH")
    export TMPDIR=$tmp/temporary DEPTHBENCH_CACHE=
    mkdir "$TMPDIR"
    # shellcheck disable=SC2034 # the script's
    machine=$("$bench" env --machine)
    printf '%s\n' '[global]' 'problem = rdp' 'impl = rdp/serial, rdp/omp-columns' 'input = scene' 'frames = 1' 'width = 40' \
        'height = 24, 32, 40, 48' "eps = $2" 'samples = 3..3' 'min_time = 0' 'series = hot' '[cells]' 'median = 0' >"$tmp/exp.ini"
}
rank() { # RANK SIZE FOLDER [OPTION...]
    "$bench" run "$tmp/exp.ini" -q --rank "$1/$2" --results "$tmp/$3" "${@:4}"
}
ranks() { # SIZE FOLDER [OPTION...]: one after the other
    local i
    for ((i = 0; i < $1; i++)); do rank $i "$1" "$2" "${@:3}" || return; done
}
same() { # FOLDER: its table is that of one process
    table "$1" >"$tmp/table"
    diff "$tmp/expected" "$tmp/table" >"$tmp/out"
}
check_folder() { "$bench" check "$tmp/$1"; }
whole() { # WHAT FOLDER [TEXT]: that, and check finds all of it, and says so
    check "$1: the table is that of one process" same "$2"
    expect "$1: all is there" 0 "^all is there${3:-}" check_folder "$2"
}
# finish: print the last line, which run_tests reads; exit 1 when a check failed
finish() {
    echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
    exit $((n_failed > 0))
}
if [ $# -gt 0 ]; then
    tmp=$(scratch "$1") || exit 1
    on_failure "$tmp/out" "$tmp/err"
    needs "${@:2}"
fi
