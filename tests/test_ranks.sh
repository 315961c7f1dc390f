#!/bin/bash
# test_ranks.sh - ranks, each of which measures a fixed share of a call, are killed and started again; and what check says of folders
#
# KILLS: how many times all ranks are killed, each at another moment; default 4.
. tests/checks.sh
begin_ranks ranks "1, 2, 4, 8"
n_all=32
table() {
    "$bench" sql -q -f csv "SELECT impl, params, plan, input, input_hash, output_hash, scope, series, verdict, n, count(*) FROM measurement
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ORDER BY 1, 2, 7, 8" --results "$tmp/$1"
}
# share FOLDER RANK: its configurations
share() { "$bench" sql -q -f csv "SELECT impl, params FROM measurement WHERE rank = $2 ORDER BY 1, 2" --results "$tmp/$1"; }

# ---- all is done once ----
expect "one process" 0 '' "$bench" run "$tmp/exp.ini" -q --results "$tmp/alone"
table alone >"$tmp/expected"
check "has all rows" test "$(wc -l <"$tmp/expected")" = $((n_all + 1))
for i in 0 1 2; do rank $i 3 three & done >"$tmp/out" 2>"$tmp/err"
wait
whole "three ranks" three ": $n_all rows in 3 sessions"
expect "the same three again" 0 '' ranks 3 again
for i in 0 1 2; do
    check "rank $i has the same share (was $(share three $i | wc -l) lines)" test "$(share three $i)" = "$(share again $i)"
    check "which is even" test "$(share three $i | wc -l)" -ge $((n_all / 3 - 2)) -a "$(share three $i | wc -l)" -le $((n_all / 3 + 5))
done
expect "there is nothing more to do" 0 '' ranks 3 three --resume
check "and no new session" test "$(find "$tmp/three" -name '*-rank?.csv' | wc -l)" = 3
expect "40 ranks, of which some have no share" 0 '' ranks 40 forty
whole "40 ranks" forty ": $n_all rows in 16 sessions"
expect "several runs" 0 '' ranks 2 runs --runs 2
check "are by one rank each" test "$("$bench" sql -q -f csv 'SELECT count(*) FROM (SELECT 1 FROM measurement GROUP BY impl, params HAVING count(DISTINCT run) = 2
    AND count(DISTINCT rank) = 1 AND count(DISTINCT run_group) = 1)' --results "$tmp/runs" | tail -n 1)" = "\"$n_all\""
expect "several runs: all is there" 0 '^all is there' check_folder runs

# ---- what is missing or odd ----
finds() { # WHAT TEXT FOLDER...
    expect "$1" 1 "$2" "$bench" check "${@:3}"
}
cp -r "$tmp/three" "$tmp/odd"
second=$(echo "$tmp/odd"/*-rank1.csv)
mv "$second" "$tmp/aside"
finds "a rank is missing" 'ranks/exp, rank 1/3, build [0-9a-f]*: none of its configurations is there; start it again with --resume' "$tmp/odd"
head -n 4 "$tmp/aside" >"$second"
finds "rows are missing" "ranks/exp, rank 1/3, build [0-9a-f]*: 3 of $(($(share three 1 | wc -l) - 1)) configurations are there" "$tmp/odd"
sed '3d' "$tmp/aside" >"$second"
finds "a row is gone" 'rank1.csv: row r[0-9]*: it, its values or the row before it is not as written' "$tmp/odd"
sed '3s/"hot"/"hoT"/' "$tmp/aside" >"$second"
finds "a row is edited" 'rank1.csv: row r[0-9]*: it, its values' "$tmp/odd"
sed '3s/"[0-9a-f]*",\("[^"]*",\)*/x/' "$tmp/aside" >"$second"
finds "a row is damaged" 'rank1.csv: no table of ours: damaged, or cut' "$tmp/odd"
cp "$tmp/aside" "$second" && cp "$second" "${second%.csv}-copy.csv"
finds "a file that was copied" 'rank1-copy.csv: a row of another session: renamed, or copied' "$tmp/odd"
rm "${second%.csv}-copy.csv"
expect "it is as it was" 0 '^all is there' check_folder odd
finds "a session in two folders" 'session 2.*-rank2 is in .*, too' "$tmp/odd" "$tmp/three"
rank 2 3 odd >"$tmp/out" 2>&1
finds "a rank has done its share twice" 'ranks/exp, rank 2/3: [0-9]* configurations are done twice: by 2.*-rank2 and 2.*-rank2' "$tmp/odd"
python3 - "$tmp/three" "$tmp/other" <<'END_OF_OTHER'
import csv, glob, os, sys
os.mkdir(sys.argv[2])
name = glob.glob(sys.argv[1] + "/*-rank0.csv")[0]
rows = list(csv.DictReader(open(name)))
for k, change in enumerate(({"output_hash": "0123456789abcdef"}, {"build_hash": "fedcba9876543210"})):
    session = "20260101T00000%dZ-x" % k
    with open("%s/%s.csv" % (sys.argv[2], session), "w") as out:
        writer = csv.DictWriter(out, list(rows[0]), quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({**row, "session": session, "host": "third", "row_hash": "", **(change if k or row is rows[0] else {})})
END_OF_OTHER
rm "$tmp/other/20260101T000001Z-x.csv"
finds "an output that differs" 'OUTPUTS DIFFER, though they are exact, so a machine computes wrongly: rdp/' "$tmp/three" "$tmp/other"
check "with its machines" grep -q 'other third / three' <(grep OUTPUTS "$tmp/out" | tr -d ',' | tr -s ' ')
cp -r "$tmp/three" "$tmp/builds"
sed -i 's/"\('"$(sed -n '2s/^\("[^"]*",\)\{6\}"\([^"]*\)".*/\2/p' "$tmp/aside")"'\)"/"fedcba9876543210"/' "$tmp/builds"/*-rank1.csv
finds "another build" 'rank 1/3, build [0-9a-f]*: none of its configurations is there; build fedcba98 has rows of it' "$tmp/builds"

# ---- folders that others made ----
mkdir "$tmp/bad" && echo secret >"$tmp/secret" && cp "$tmp/secret" "$tmp/kept"
session=$(basename "$(ls "$tmp/three"/*-rank0.csv)" .csv)
bad() { # WHAT SENTENCE COMMAND...: in a copy of a good folder, which is $tmp/bad/m
    rm -rf "$tmp/bad" && mkdir "$tmp/bad" && cp -r "$tmp/three" "$tmp/bad/m"
    (cd "$tmp/bad/m" && "${@:3}") || fail "$1 is made"
    expect "$1" 1 "$2" "$bench" check "$tmp/bad/m"
    check "$1: no escape is printed" test -z "$(grep -h "$(printf '\033')" "$tmp/out" "$tmp/err")"
    check "$1: what is outside is as it was" cmp -s "$tmp/secret" "$tmp/kept"
}
bad "a row file that is a link" 'a link: not followed' ln -sf ../../secret "$session.csv"
bad "an environment that is a link" 'a link: not followed' ln -sf ../../secret "$session.env.txt"
bad "samples that are a link" 'a link: not followed' ln -sf ../../secret "$session.samples.csv.gz"
bad "WITHDRAWN that is a link" 'WITHDRAWN: a link: not followed' ln -s ../../secret WITHDRAWN
bad "a folder that is a link" 'ncu: a link: not followed' ln -s / ncu
bad "a link to nothing" 'a link: not followed' ln -s nowhere x.csv
bad "a link in a folder" 'ncu/x.csv: a link: not followed' sh -c 'mkdir ncu && ln -s ../../../secret ncu/x.csv'
bad "a name of two lines" 'a name of other than letters, digits and ._+-: not read' touch "$(printf 'a\nb').csv"
bad "a name with an escape" 'a name of other than letters' touch "$(printf 'a\033[31m').csv"
bad "a name with a blank" 'a name of other than letters' touch 'a b.csv'
bad "a very long name" 'a name of other than letters' touch "$(printf 'a%.0s' {1..220}).csv"
bad "a folder called as a session" 'a folder, expected a session: not read' mkdir x.csv
bad "a pipe" 'neither a file nor a folder: not read' mkfifo x.csv
bad "no table" 'x.csv:1: expected the header of a session' sh -c 'echo no table >x.csv'
bad "a machine that is a path" '\(not as written\|expected a name\)' sed -i 's/"'"$("$bench" env | sed -n 's/^machine=//p')"'"/"..\/outside"/g' "$session.csv"
ln -s three "$tmp/linked"
for as in linked linked/ linked//; do finds "the folder $as" 'linked: a link: not followed' "$tmp/$as"; done
finds "no folder" 'nowhere: no such folder' "$tmp/nowhere"
finds "a file" 'secret: no folder' "$tmp/secret"
finds "a folder without sessions" 'no session is there' "$tmp/temporary"
expect "a folder given twice" 2 'the folder is given twice' "$bench" check "$tmp/three" "$tmp/three/"
expect "no folder is given" 2 'check: expected folders of sessions' "$bench" check

# ---- killed ----
for i in $(seq "${KILLS:-4}"); do
    rm -rf "$tmp/killed"
    # three times all of them, by chance, and the same each time
    for start in '' --resume --resume; do
        for r in 0 1 2; do
            lives=$(python3 -c "import random; random.seed('$i $start $r'); print(round(random.uniform(0.05, 0.9), 3))")
            # shellcheck disable=SC2086 # none, or one
            timeout -s KILL "$lives" "$bench" run "$tmp/exp.ini" -q --rank $r/3 --results "$tmp/killed" $start &
        done
        wait
    done >"$tmp/out" 2>&1
    expect "killed $i: the last start" 0 '' ranks 3 killed --resume
    whole "killed $i" killed
done

# ---- a disk that is full ----
(ulimit -f 10 && rank 1 2 full) >"$tmp/full.out" 2>&1
check "a rank whose disk is full says so" grep -q 'cannot append a row\|cannot write' "$tmp/full.out"
expect "it is started again" 0 '' ranks 2 full --resume
whole "a full disk" full

# ---- words ----
expect "no rank without a launcher" 2 'no launcher has set a rank' "$bench" run "$tmp/exp.ini" --rank auto
for wrong in '' 3 3/ 2/2 -1/2 a/2 1/2x 0/0; do
    expect "--rank '$wrong'" 2 'expected auto, or RANK/SIZE with ranks from 0' "$bench" run "$tmp/exp.ini" --rank "$wrong"
done
finish
