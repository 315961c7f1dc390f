# checks.sh - what the test scripts share: they source it, call check, and end with finish
# shellcheck shell=bash
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
needs() { # PROGRAM...: where one of them is missing the script ends, and counts as skipped
    local program
    for program; do
        command -v "$program" >/dev/null || { skip "$program is not there" && finish; }
    done
}
# finish: print the last line, which run_tests reads; exit 1 when a check failed
finish() {
    echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
    exit $((n_failed > 0))
}
