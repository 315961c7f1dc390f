#!/bin/bash
# test_sql.sh - the subcommand sql: the questions of docs/questions, formats and files; embedded SQL is what SQLite 3.22 knows
set -u
. tests/checks.sh
tmp=$(scratch sql) || exit 1
on_failure "$tmp/out" "$tmp/err"
sql() { "$DEPTHBENCH" sql "$@" >"$tmp/out" 2>"$tmp/err"; }
refuses() { # STATUS WHY OPTION...
    local status=$1 why=$2
    shift 2
    sql "$@"
    test $? = "$status" && grep -q "$why" "$tmp/err" && test ! -s "$tmp/out"
}

mkdir -p "$tmp/results/m"
cat >"$tmp/results/m/1.csv" <<'END'
session,row_id,impl,device,scope,series,status,verdict,median_ms
1,r1,rdp/serial,serial,kernel,hot,ok,exact,1.5
1,r2,rdp/cpu-simd,serial,kernel,hot,ok,exact,0.5
END
small=(--results "$tmp/results/m")

# ---- answers ----
answers() { # QUERY ANSWER OPTION...
    sql "${small[@]}" "${@:3}" ${1:+"$1"} && test "$(cat "$tmp/out")" = "$2"
}
check "an answer" answers "SELECT impl, median_ms FROM current ORDER BY 2" "$(printf '%s\n' 'impl          median_ms' 'rdp/cpu-simd        0.5' 'rdp/serial          1.5')"
check "as CSV" answers "SELECT impl FROM good WHERE row_id = 'r1'" "$(printf '"impl"\n"rdp/serial"')" -f csv
check "into a file" answers "SELECT 1 AS one" "" -f csv -o "$tmp/answer.csv"
check "which has it" test "$(tr '\n' ' ' <"$tmp/answer.csv")" = '"one" "1" '
check "a question from standard input" answers "" "$(printf 'n\n2')" <<<"SELECT count(*) AS n FROM good"
check "no query, no terminal, nothing to read" refuses 2 'expected a SELECT, found nothing' "${small[@]}" </dev/null
if terminal "sql at a terminal"; then
    check "at a terminal all tables are named" script -qec "'$DEPTHBENCH' sql ${small[*]}" "$tmp/typed" </dev/null >"$tmp/out"
    check "with their columns" grep -q '^configuration (table)' "$tmp/out"
    check "in 80 columns" test -z "$(tr -d '\r' <"$tmp/out" | awk 'length > 80')"
fi

# ---- refusals ----
# in a store that is made anew, and in one that is kept
for store in small kept; do
    [ $store = small ] && options=("${small[@]}") || options=()
    for statement in 'DELETE FROM value' VACUUM "VACUUM INTO '$tmp/copy'" "ATTACH '$tmp/copy' AS copy" 'DETACH main' REINDEX ANALYZE \
        'PRAGMA user_version' 'PRAGMA writable_schema = 1' BEGIN COMMIT 'SAVEPOINT s' 'EXPLAIN DELETE FROM value' 'DROP VIEW good' \
        'CREATE TEMP TABLE t (a)' 'CREATE VIRTUAL TABLE t USING fts4(a)' "INSERT INTO folder (results) VALUES ('m')"; do
        check "$store: $statement" refuses 2 'sql: expected a SELECT: results are only read$' "${options[@]}" "$statement"
    done
done
for function in "load_extension('m')" "fts3_tokenizer('simple', x'00')" "writefile('$tmp/copy', 'a')" "readfile('$tmp/err')"; do
    check "$function" refuses 2 'sql: n\(ot authorized to use\|o such\) function: ' "${small[@]}" "SELECT $function"
done
check "nothing is written" test ! -e "$tmp/copy"
check "a slip is told in SQLite's words" refuses 2 'no such column: imp' "${small[@]}" "SELECT imp FROM good"
# SQLite before 3.29 takes it for a text
sql "${small[@]}" 'SELECT 1 FROM good WHERE substr(sqlite_version(), 3, 2) + 0 < 29' && test "$(wc -l <"$tmp/out")" -gt 1 ||
    check "a slip in quotes is no text" refuses 2 'no such column: ' "${small[@]}" 'SELECT "imp" FROM good'
check "two words" refuses 2 'expected one query in quotes, found 2 words' "${small[@]}" SELECT 1
check "another format" refuses 2 'expected text, csv, md, html or json' -f xml "SELECT 1"
check "no such folder" refuses 2 'expected a folder with results' --results "$tmp/nowhere" "SELECT 1"
"$DEPTHBENCH" list --export x >"$tmp/out" 2>"$tmp/err"
check "--export is sql's" grep -q -- '--export is an option of sql' "$tmp/err"
check "an answer without a query" refuses 2 'sql: -o is for the answer to a query' --export "$tmp/x.sqlite" -o "$tmp/x.csv"

# ---- names ----
odd="$tmp/runs, of May/board: 1"
mkdir -p "$odd" "$tmp/empty" && cp "$tmp/results/m/1.csv" "$odd/1.csv"
counts() { # N LIST
    sql --results "$2" -f csv "SELECT count(*) AS n FROM measurement" && test "$(tail -n 1 "$tmp/out")" = "\"$1\""
}
check "a folder with commas, colons and blanks" counts 2 "$odd"
check "with another behind it" counts 4 "$odd,$tmp/results/m"
check "and before it" counts 4 "$tmp/results/m,$odd"
check "a part of its name is none" refuses 2 '^depthbench: .*runs: expected a folder' --results "$tmp/runs, of June,$odd" "SELECT 1"
"$DEPTHBENCH" compare "$odd" "$tmp/results/m" >"$tmp/out" 2>"$tmp/err"
check "compare finds it" grep -q "^2 configurations: .* 2 unclear" "$tmp/out"
"$DEPTHBENCH" gather "$(dirname "$odd")" --results "$tmp/gathered" >"$tmp/out" 2>"$tmp/err"
check "gather takes it for no host" grep -q 'board: 1' "$tmp/out" "$tmp/err"

# ---- files ----
check "all of it as a file" sql "${small[@]}" --export "$tmp/all.sqlite"
check "which SQLite reads" test "$(head -c 15 "$tmp/all.sqlite")" = "SQLite format 3"
echo 'not,a,session' >"$tmp/results/m/2.csv"
check "beside a broken file the rest is read" answers "SELECT count(*) AS n FROM measurement" "$(printf 'n\n2')"
check "and the file is named" grep -q '^note: .*/2.csv:1: expected the header of a session; left out$' "$tmp/err"

# ---- the ten questions of docs/DATABASE.md, over the rows that are committed ----
n=0
for query in docs/questions/*.sql; do
    "$DEPTHBENCH" sql -f csv <"$query" >"$tmp/out" 2>"$tmp/err"
    check "$query" test $? = 0 -a "$(wc -l <"$tmp/out")" -gt 1
    check "$query is on the page" grep -q "^| \[.*(questions/${query##*/})" docs/DATABASE.md
    n=$((n + 1))
done
check "ten of them" test "$n" = 10

# ---- no newer SQL than JetPack 4 has: windows came with 3.25, FILTER 3.30, NULLS LAST 3.30, UPSERT 3.24, functions 3.35 ----
newer='\bOVER\b|\bFILTER\b|\bRETURNING\b|ON CONFLICT.*\bDO\b|NULLS (FIRST|LAST)|\b(ceil|floor|ln|log|log10|log2|exp|pow|power|sqrt|mod|iif|format)\('
# texts of C files, too
for file in harness/analysis/*.c; do grep -ho '"[^"]*"' "$file" | grep -E '\b(SELECT|FROM|WHERE|UPDATE|INSERT)\b'; done >"$tmp/texts.sql"
for file in harness/analysis/*.sql harness/analysis/*.txt harness/analysis/report.html plots/*.sql docs/questions/*.sql "$tmp/texts.sql"; do
    check "$(basename "$file") is SQL of 3.22" test -z "$(sed "s/'[^']*'//g; s/--.*//" "$file" | grep -niE "$newer")"
done
finish
