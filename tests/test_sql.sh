#!/bin/bash
# test_sql.sh - the subcommand sql: docs/DATABASE.md's queries, a terminal, names of folders; embedded SQL is what SQLite 3.22 knows
# (tests/cases/store has what it answers and refuses)
set -u
. tests/checks.sh
tmp=$(scratch sql) || exit 1
on_failure "$tmp/out" "$tmp/err"
sql() { "$DEPTHBENCH" sql "$@" >"$tmp/out" 2>"$tmp/err"; }

mkdir -p "$tmp/results/m"
printf '%s\n' session,row_id,impl,device,scope,series,status,verdict,median_ms 1,r1,rdp/serial,serial,kernel,hot,ok,exact,1.5 \
    1,r2,rdp/cpu-simd,serial,kernel,hot,ok,exact,0.5 >"$tmp/results/m/1.csv"
small=(--results "$tmp/results/m")
check "a question from standard input" sql "${small[@]}" <<<"SELECT count(*) AS n FROM good"
check "is answered" test "$(cat "$tmp/out")" = "$(printf 'n\n2')"
if terminal "sql at a terminal"; then
    check "at a terminal all tables are named" script -qec "'$DEPTHBENCH' sql ${small[*]}" "$tmp/typed" </dev/null >"$tmp/out"
    check "with their columns" grep -q '^configuration (table)' "$tmp/out"
    check "in 80 columns" test -z "$(tr -d '\r' <"$tmp/out" | awk 'length > 80')"
fi
check "all of it as a file" sql "${small[@]}" --export "$tmp/all.sqlite"
check "which SQLite reads" test "$(head -c 15 "$tmp/all.sqlite")" = "SQLite format 3"
# a store that is kept is as closed as one that is made anew
for statement in 'DELETE FROM value' "VACUUM INTO '$tmp/copy'" 'PRAGMA writable_schema = 1' "INSERT INTO folder (results) VALUES ('m')"; do
    expect "kept: $statement" 2 'sql: expected a SELECT: results are only read$' "$DEPTHBENCH" sql "$statement"
done
check "nothing is written" test ! -e "$tmp/copy"
# SQLite before 3.29 takes it for a text
sql "${small[@]}" 'SELECT 1 FROM good WHERE substr(sqlite_version(), 3, 2) + 0 < 29' && test "$(wc -l <"$tmp/out")" -gt 1 ||
    expect "a slip in quotes is no text" 2 'no such column: ' "$DEPTHBENCH" sql "${small[@]}" 'SELECT "imp" FROM good'

# ---- names ----
odd="$tmp/runs, of May/board: 1"
mkdir -p "$odd" && cp "$tmp/results/m/1.csv" "$odd/1.csv"
counts() { # N LIST
    sql --results "$2" -f csv "SELECT count(*) AS n FROM measurement" && test "$(tail -n 1 "$tmp/out")" = "\"$1\""
}
check "a folder with commas, colons and blanks" counts 2 "$odd"
check "with another behind it" counts 4 "$odd,$tmp/results/m"
check "and before it" counts 4 "$tmp/results/m,$odd"
expect "a part of its name is none" 2 '^depthbench: .*runs: expected a folder' "$DEPTHBENCH" sql --results "$tmp/runs, of June,$odd" "SELECT 1"
"$DEPTHBENCH" compare "$odd" "$tmp/results/m" >"$tmp/out" 2>"$tmp/err"
check "compare finds it" grep -q "^2 configurations: .* 2 unclear" "$tmp/out"
"$DEPTHBENCH" gather "$(dirname "$odd")" --results "$tmp/gathered" >"$tmp/out" 2>"$tmp/err"
check "gather takes it for no host" grep -q 'board: 1' "$tmp/out" "$tmp/err"

# ---- the page's queries, over the rows that are committed ----
awk '/^```sql$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside { print > sprintf("'"$tmp"'/query%02d.sql", n) }' docs/DATABASE.md
n=0
for query in "$tmp"/query*.sql; do
    "$DEPTHBENCH" sql -f csv <"$query" >"$tmp/out" 2>"$tmp/err"
    check "docs/DATABASE.md, query $((++n))" test $? = 0 -a "$(wc -l <"$tmp/out")" -gt 1
    cat "$query" >>"$tmp/all.sql"
done
check "ten of them" test "$n" -ge 10

# ---- no newer SQL than JetPack 4 has: windows came with 3.25, FILTER 3.30, NULLS LAST 3.30, UPSERT 3.24, functions 3.35 ----
newer='\bOVER\b|\bFILTER\b|\bRETURNING\b|ON CONFLICT.*\bDO\b|NULLS (FIRST|LAST)|\b(ceil|floor|ln|log|log10|log2|exp|pow|power|sqrt|mod|iif|format)\('
# texts of C files, too
for file in harness/analysis/*.c; do grep -ho '"[^"]*"' "$file" | grep -E '\b(SELECT|FROM|WHERE|UPDATE|INSERT)\b'; done >"$tmp/texts.sql"
for file in harness/analysis/*.sql harness/analysis/*.txt harness/analysis/report.html plots/*.sql "$tmp/all.sql" "$tmp/texts.sql"; do
    check "$(basename "$file") is SQL of 3.22" test -z "$(sed "s/'[^']*'//g; s/--.*//" "$file" | grep -niE "$newer")"
done
finish
