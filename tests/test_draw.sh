#!/bin/bash
# test_draw.sh - the verb draw: tables in, SQL, tables for gnuplot out
set -u
. tests/checks.sh
tmp=$(scratch draw) || exit 1
on_failure "$tmp/err"
draw() { "$DEPTHBENCH" draw "$@" --out-dir "$tmp/out" 2>"$tmp/err"; }
refuses() { # STATUS SENTENCE ARGUMENT...
    draw "${@:3}"
    [ $? = "$1" ] && grep -q "$2" "$tmp/err"
}
cat >"$tmp/a.sql" <<'END'
CREATE TABLE shown (id INTEGER PRIMARY KEY, impl TEXT, height, ms REAL, absent REAL);
CREATE TABLE asked (name TEXT, value TEXT);
CREATE VIEW draw_rows AS
SELECT impl, height * 2 AS twice, ms, absent FROM shown WHERE height = (SELECT value FROM asked WHERE name = 'height');
CREATE VIEW refusal AS SELECT 'nothing of that height' WHERE NOT EXISTS (SELECT 1 FROM draw_rows);
END
printf 'impl,other,height,ms\n"a ""b"" \\n, `c`",x,4,0.1\nb,y,8,\n' >"$tmp/rows.csv"
check "a figure's data" draw "$tmp/a.sql" shown="$tmp/rows.csv" -S height=4
check "as gnuplot reads them" test "$(cat "$tmp/out/rows.tsv")" = "$(printf 'impl\ttwice\tms\tabsent\na '\''b'\'' \\\\n, `c`\t8\t0.1\tNaN')"
check "a number that is not there is NaN" draw "$tmp/a.sql" shown="$tmp/rows.csv" -S height=8
check "of the other row" grep -q "^b	16	NaN	NaN$" "$tmp/out/rows.tsv"
check "nothing to draw is refused" refuses 2 'nothing of that height' "$tmp/a.sql" shown="$tmp/rows.csv" -S height=5
check "a quote in what is asked is text" refuses 2 'nothing of that height' "$tmp/a.sql" shown="$tmp/rows.csv" -S "height=4' OR 1 --"
check "so is a table without a file" refuses 2 'nothing of that height' "$tmp/a.sql" -S height=4
check "a table that no SQL declares" refuses 2 "no SQL declares a table 'other'" "$tmp/a.sql" other="$tmp/rows.csv"
check "a word of another kind" refuses 2 "expected FILE.sql or TABLE=FILE.csv" "$tmp/a.sql" other
check "a file that is not there" refuses 5 'none.csv' "$tmp/a.sql" shown="$tmp/none.csv"
echo 'CREATE VIEW draw_x AS SELECT missing FROM shown;' >"$tmp/b.sql"
check "SQL that is wrong" refuses 5 'draw_x: no such column: missing' "$tmp/a.sql" "$tmp/b.sql" shown="$tmp/rows.csv" -S height=4
check "nothing at all" refuses 2 'expected FILE.sql and --out-dir DIR'
finish
