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
cd "$tmp" || exit 1
echo 'CREATE TABLE shown (id INTEGER PRIMARY KEY, impl TEXT, height, ms REAL, absent REAL);' >a.sql
cat >b.sql <<'END'
CREATE TABLE draw_rows AS
SELECT impl, height * 2 AS twice, ms, absent FROM shown WHERE height = (SELECT value FROM asked WHERE name = 'height');
CREATE VIEW draw_texts AS SELECT number_text(ms * 1e3), number_text(50), number_text(5), time_text(ms), time_text(ms / 2), time_text(5), time_text(500) FROM shown;
CREATE VIEW refusal AS SELECT 'nothing of that height' WHERE NOT EXISTS (SELECT 1 FROM draw_rows);
END
printf 'impl,other,height,ms\n"a ""b"" \\n, `c`",x,4,0.1\nb,y,8,\n' >rows.csv
figure=(a.sql shown=rows.csv b.sql)
check "a figure's data" draw "${figure[@]}" -S height=4
check "as gnuplot reads them" test "$(cat out/rows.tsv)" = "$(printf 'impl\ttwice\tms\tabsent\na '\''b'\'' \\\\n, `c`\t8\t0.1\tNaN')"
check "numbers as texts" test "$(sed -n 2p out/texts.tsv)" = "$(printf '100\t50.0\t5.00\t0.100 ms\t50.0 µs\t5.00 ms\t500 ms')"
check "a number that is not there is NaN" draw "${figure[@]}" -S height=8
check "of the other row" grep -q "^b	16	NaN	NaN$" out/rows.tsv
check "nothing to draw is refused" refuses 2 'nothing of that height' "${figure[@]}" -S height=5
check "a quote in what is asked is text" refuses 2 'nothing of that height' "${figure[@]}" -S "height=4' OR 1 --"
check "so is a table without a file" refuses 2 'nothing of that height' a.sql b.sql -S height=4
check "a table that no SQL declares" refuses 2 "no SQL before it declares a table 'other'" a.sql other=rows.csv b.sql
check "nor before it" refuses 2 "declares a table 'shown'" shown=rows.csv a.sql b.sql
check "a word of another kind" refuses 2 "expected FILE.sql or TABLE=FILE.csv" a.sql other
check "what is asked without a value" refuses 2 "expected NAME=VALUE" "${figure[@]}" -S height
check "a file that is not there" refuses 5 'none.csv' a.sql shown=none.csv b.sql
echo 'CREATE VIEW draw_x AS SELECT missing FROM shown;' >c.sql
check "SQL that is wrong" refuses 5 'draw_x: no such column: missing' "${figure[@]}" c.sql -S height=4
check "nothing at all" refuses 2 'expected FILE.sql and --out-dir DIR'
finish
