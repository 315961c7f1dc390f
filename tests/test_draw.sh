#!/bin/bash
# test_draw.sh - the subcommand draw: rows of an experiment and tables in, SQL, tables for gnuplot out
set -u
. tests/checks.sh
tmp=$(scratch draw) || exit 1
on_failure "$tmp/err"
home=$PWD rows=$PWD/results/xeon-16c_nvidia-h200
draw() { "$DEPTHBENCH" draw "$@" --out-dir "$tmp/out" >"$tmp/said" 2>"$tmp/err"; }
refuses() { # STATUS SENTENCE ARGUMENT...
    draw "${@:3}"
    [ $? = "$1" ] && grep -q "$2" "$tmp/err"
}
cd "$tmp" || exit 1
cat >a.sql <<'END'
CREATE TABLE shown (id INTEGER PRIMARY KEY, impl TEXT, height NUMERIC, ms REAL, absent REAL);
CREATE VIEW remark AS SELECT 'a remark' AS said;
END
cat >b.sql <<'END'
CREATE TABLE draw_rows AS
SELECT impl, height * 2 AS twice, ms, absent FROM shown WHERE height >= (SELECT value FROM asked WHERE name = 'height');
CREATE VIEW draw_texts AS SELECT number_text(ms * 1e3), number_text(50), number_text(5), time_text(ms), time_text(ms / 2), time_text(5), time_text(500) FROM shown;
CREATE VIEW refusal AS SELECT 'nothing of that height' WHERE NOT EXISTS (SELECT 1 FROM draw_rows);
END
echo 'CREATE VIEW draw_x AS SELECT missing FROM shown;' >c.sql
printf 'impl,other,height,ms\n"a ""b"" \\n, `c`",x,4,0.1\nb,y,8,\n' >rows.csv
check "a figure's data" draw a.sql shown=rows.csv b.sql -S height=4
check "as gnuplot reads them" test "$(cat out/rows.tsv)" = "$(printf '%s\t%s\t%s\t%s\n' impl twice ms absent "a 'b' \\\\n, \`c\`" 8 0.1 NaN b 16 NaN NaN)"
check "numbers as texts" test "$(sed -n 2p out/texts.tsv)" = "$(printf '100\t50.0\t5.00\t0.100 ms\t50.0 µs\t5.00 ms\t500 ms')"
check "and a remark" test "$(cat said)" = 'a remark'
while IFS='|' read -r status sentence words; do
    # shellcheck disable=SC2086 # words
    check "refused: $sentence" refuses "$status" "$sentence" $words
done <<'END'
2|nothing of that height|a.sql shown=rows.csv b.sql -S height=9
2|nothing of that height|a.sql shown=rows.csv b.sql -S height=4'OR'1--
2|nothing of that height|a.sql b.sql -S height=4
2|no SQL before it declares a table 'other'|a.sql other=rows.csv b.sql
2|expected FILE.sql, EXPERIMENT.ini or TABLE=FILE.csv|a.sql other
2|expected NAME=VALUE|a.sql shown=rows.csv b.sql -S height
5|none.csv|a.sql shown=none.csv b.sql
5|draw_x: no such column: missing|a.sql shown=rows.csv b.sql c.sql -S height=4
2|expected FILE.sql and --out-dir DIR|
END

# what show has of an experiment, in the words of files
cat >d.sql <<'END'
CREATE VIEW draw_all AS
SELECT (SELECT count(status || input || frame_pick || eps) FROM shown) AS rows, (SELECT count(DISTINCT name) > 3 FROM value) AS names,
       (SELECT group_concat(DISTINCT paper) FROM printed WHERE figure = 'fig5') AS paper;
CREATE VIEW refusal AS SELECT 1 WHERE 0;
END
sed 's/printed (/printed (paper TEXT, /' "$home/plots/tables.sql" >tables.sql
check "an experiment" draw tables.sql "$home/experiments/rdp/fig5.ini" d.sql --results "$rows"
"$DEPTHBENCH" show rdp/fig5 -q -f csv --results "$rows" >shown.csv
check "has the rows of show, their values, and the numbers of its paper" test "$(sed 1d out/all.tsv)" = "$(($(wc -l <shown.csv) - 1))	1	rdp"

# of each configuration the newest that a profiler counted, though another one was counted later
head='utc,commit,experiment,impl,input,case,batch,params,kernel,stage,ipc'
mkdir -p counted/ncu
printf '%s\n' $head 1,c,rdp/fig5,rdp/gpu-paper,scene,all,1,eps=4,k,a,1 1,c,rdp/fig5,rdp/gpu-opt,scene,all,1,eps=4,k,a,2 >counted/ncu/1.csv
printf '%s\n' $head 2,c,rdp/fig5,rdp/gpu-opt,scene,all,1,eps=4,k,a,3 2,c,rdp/fig9,rdp/gpu-paper,scene,all,1,eps=4,k,a,4 >counted/ncu/2.csv
cat >e.sql <<'END'
CREATE VIEW draw_counted AS SELECT group_concat(impl || ' ' || ipc, ', ') AS said FROM counter;
CREATE VIEW refusal AS SELECT 1 WHERE 0;
END
check "counters of a profiler" draw tables.sql "$home/experiments/rdp/fig5.ini" e.sql --results "$tmp/counted"
check "are the newest of each configuration" test "$(sed 1d out/counted.tsv)" = 'rdp/gpu-paper 1.0, rdp/gpu-opt 3.0'

cat >e.sql <<'END'
CREATE VIEW draw_refused AS SELECT min(input), count(*), count(reason LIKE '%folded triangles%' OR NULL) FROM dropped WHERE ssr = 4 AND crr = 1;
CREATE VIEW refusal AS SELECT 1 WHERE 0;
END
check "the experiment of a mesh that folded" draw tables.sql "$home/experiments/som/fig11.ini" e.sql --results "$rows"
wrong=$("$DEPTHBENCH" sql -f csv --results "$rows" "SELECT min(input), count(*), count(*) FROM measurement
    WHERE experiment = 'som/fig11' AND status = 'wrong' AND ssr = 4 AND crr = 1" | tail -n 1 | tr -d '"' | tr , '\t')
check "has the runs that were refused" test "$(sed 1d out/refused.tsv)" = "$wrong" -a -n "$wrong"
check "without results it has none" draw tables.sql "$home/experiments/rdp/fig5.ini" d.sql --results "$tmp/none"
check "and says what is missing" grep -qx 'missing: \([0-9]*\) configurations (\1 not measured)' said
finish
