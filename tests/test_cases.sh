#!/bin/bash
# test_cases.sh - the cases of tests/cases, and what run_cases says of some that are wrong
. "$(dirname "$0")/../scripts/start" || exit 5
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh own python3
mkdir -p "$tmp/tests/cases/a" && cp tests/run_cases "$tmp/tests/"
own() { # STATUS PATTERN LINE...: of a case of these lines
    printf '%s\n' "${@:3}" >"$tmp/tests/cases/a/b.case"
    TEST_TMP=$tmp "$tmp/tests/run_cases" >"$tmp/out" 2>&1
    [ $? = "$1" ] && grep -qE -- "$2" "$tmp/out"
}
a=('== rows r' '01 rdp/serial median_ms=2' '== run sql --results r -f csv "SELECT median_ms FROM current" | columns *')
check "what is expected is found" own 0 '^1 passed, 0 failed' "${a[@]}" 2
check "something else is a fault" own 1 '^    \+2$' "${a[@]}" 3
check "which is named" grep -q '^FAILED: a/b: .*b.case:3: sql' "$tmp/out"
check "so is another status" own 1 'exit status 2, expected 0: frobnicate' '== run frobnicate'
check "and another sentence" own 1 '^    \+2 no subcommand' '== each {}' 'frobnicate => 2 no experiment'
check "each is one start" own 0 '^2 passed' '== each {}' 'frobnicate => 2 /no subcommand/' 'run => 2 run: expected an experiment (depthbench list names them)'
UPDATE=yes own 0 passed "${a[@]}" 3 '' '# then' '== each {}' 'run =>'
check "what is found is written" diff "$tmp/tests/cases/a/b.case" <(printf '%s\n' "${a[@]}" 2 '' '# then' '== each {}' 'run => 2 run: expected an experiment (depthbench list names them)')
while IFS='|' read -r sentence first second; do
    check "malformed: $sentence" own 1 "^FAILED: a/b: .*b.case:$sentence\$" "$first" ${second:+"$second" "== run list"}
done <<'END'
1: expected a remark, '.name = text' or a section, found 'run x'|run x
1: expected one of rows, file, .*, each, all, found 'runs'|== runs x
1: expected run WORDS, found 'run'|== run
1: expected err, found 'err x'|== err x
1: expected run above says, found none|== says
2: expected TEXT => WHAT, found 'x'|== each {}|x
2: expected KEY=VALUE, found 'x'|== rows r|01 rdp/serial x
1: expected words of a shell, found No closing quotation: .*|== run 'x
1: expected run, each or all, found none|# nothing
END
check "all cases" tests/run_cases
finish
