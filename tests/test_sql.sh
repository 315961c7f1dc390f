#!/bin/bash
# test_sql.sh - the subcommand sql: the questions of docs/questions, a terminal, hostile files, names of folders (tests/cases/store has
# what it answers and refuses)
. tests/checks.sh sql
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
    # what has no room stands below, a group of columns together, without rows that are empty there; the words of a last column go on in
    # the next line, and one row that is too wide is a block
    narrow() { # ANSWER QUERY
        script -qec "stty cols 38; '$DEPTHBENCH' sql ${small[*]} \"$2\"" /dev/null </dev/null | tr -d '\r' >"$tmp/out"
        check "at 38 columns: $2" diff <(printf "$1") "$tmp/out"
    }
    narrow 'name  a printed  a here\none           1       2\ntwo           5       6\n\nname  b printed  b here\none           3       4\n' \
        "SELECT 'one' AS name, 1 AS 'a printed', 2 AS 'a here', 3 AS 'b printed', 4 AS 'b here' UNION ALL SELECT 'two', 5, 6, NULL, NULL"
    narrow 'name  t\none   a few words that have no room in\n      one line\ntwo   few\n' \
        "SELECT 'one' AS name, 'a few words that have no room in one line' AS t UNION ALL SELECT 'two', 'few'"
    narrow 'name  one\nt     some words that have no room\nu     and others\nw     more of them that go on and on\n' \
        "SELECT 'one' AS name, 'some words that have no room' AS t, 'and others' AS u, NULL AS v, 'more of them that go on and on' AS w"
    narrow 'name  a name that is so long that\nt     a text beside it has no room\n\nname  two\nt     few\n' \
        "SELECT 'a name that is so long that' AS name, 'a text beside it has no room' AS t UNION ALL SELECT 'two', 'few'"
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

# ---- files that are none, that are too wide, or that are cut ----
# neither waits for a pipe nor reads a device to its end
hostile=$tmp/results/hostile
mkdir -p "$hostile/4.csv" && mkfifo "$hostile/2.csv" "$hostile/6.env.txt" && ln -s /dev/zero "$hostile/3.csv"
wide() { echo "session,row_id,$(seq -s, -f "c%.0f" "$2" "$3")" >"$hostile/$1"; } # NAME FIRST LAST
wide 7.csv 1 100000 && wide 8.csv 1 1200 && wide 9.csv 100 170 && wide 9a.csv 300 370 && wide 9b.csv 500 649 && echo 9,r1 >>"$hostile/9b.csv" && wide 9c.csv 2000 2899
printf 'session,row_id\n5,r\0001\n' >"$hostile/5.csv"
printf 'session,row_id\n6,r1\n' | tee "$hostile/6a.csv" >"$hostile/6.csv"
printf 'session,row_id,flags\n0,r1,%04000000d\n' 0 >"$hostile/0.csv"
printf 'session,row_id,impl\n1,r1,rdp/serial\n1,r2,"never closed,\n1,r3,x' >"$hostile/1.csv"
printf 'session,row_id,impl\n2,r1,\n2,r2,cut by a ki' >"$hostile/2a.csv"
printf 'row_id,name,index,value,unit\nr1,a,1,"2,\n' >"$hostile/6a.values.csv"
printf 'session,row_id,"impl\n7,r1,x\n' >"$hostile/7a.csv"
check "hostile files" timeout 60 "$DEPTHBENCH" sql --results "$hostile" -f csv "SELECT session, row_id, length(flags), impl FROM measurement" >"$tmp/out" 2>"$tmp/err"
check "leave the others" test "$(sed 1d "$tmp/out" | tr -d '"' | tr '\n' ' ')" = '0,r1,4000000, 1,r1,,rdp/serial 2,r1,, 6,r1,, '
check "and are named" diff <(sed 's|.*/hostile/||; s/; left out$//' "$tmp/err") - <<'END'
2.csv: is no regular file
3.csv: is no regular file
4.csv: is no regular file
5.csv:2: a NUL byte in a text file
6.env.txt: is no regular file
7.csv:1: more than 4096 fields in one row
8.csv:1: expected at most 1000 columns in all, found more
9b.csv:2: expected 152 fields as in the header, found 2
9c.csv:1: expected at most 1000 columns in all, found more
END
# each reader answers, or says why not; nothing that commands a terminal is passed on
printf 'utc,impl,kernel\n\033]0;owned\007,\033[2J,k\n' >"$hostile/ncu.csv" && mkdir "$hostile/ncu" && mv "$hostile/ncu.csv" "$hostile/ncu/\`touch x\`.csv"
printf 'session,row_id,impl,gpu,status,reason,scope\n9,r1,rdp/serial,\033]0;owned\007,\033[2J,\033[2J,\033[2J\n' >"$hostile/9d.csv"
printf 'gpu=\033[2J\n' >"$hostile/9d.env.txt"
for call in 'show rdp/fig9 --results' claims check 'history --of rdp/serial' "report -o $tmp/page.html" "compare $hostile" 'sql "SELECT * FROM environment JOIN measurement USING (session)" --results'; do
    eval "timeout 60 \"\$DEPTHBENCH\" $call \"\$hostile\"" >"$tmp/out" 2>"$tmp/err" </dev/null
    check "hostile files: $call ends" test $? -le 5
    check "hostile files: $call says nothing to the terminal" test -z "$(cat "$tmp/out" "$tmp/err" | tr -d '\n\t' | LC_ALL=C grep -a '[[:cntrl:]]')"
done
mkfifo "$hostile/WITHDRAWN"
expect "what is withdrawn is read, or nothing" 5 'WITHDRAWN' timeout 60 "$DEPTHBENCH" sql --results "$hostile" "SELECT 1"

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

# ---- the ten questions of docs/DATABASE.md, over the rows that are committed ----
n=0
for query in docs/questions/*.sql; do
    "$DEPTHBENCH" sql -f csv <"$query" >"$tmp/out" 2>"$tmp/err"
    check "$query" test $? = 0 -a "$(wc -l <"$tmp/out")" -gt 1
    check "$query is on the page" grep -q "^| \[.*(questions/${query##*/})" docs/DATABASE.md
    n=$((n + 1))
done
check "ten of them" test "$n" = 10
finish
