#!/bin/bash
# test_parts.sh - ranks that share the frames of a configuration without times: readers add up the table of one process, bit for bit
#
# KILLS: how many ranks are killed, each at another moment; default 6.
. tests/checks.sh
begin_ranks parts 1
export DEPTHBENCH_HOME=$tmp/home
mkdir -p "$DEPTHBENCH_HOME/experiments/inputs"
printf '%s\n' 'kind = scene' 'width = 64' 'height = 40' 'seed = 3' 'frames = 30' 'level = hard' 'steep = 1' >"$DEPTHBENCH_HOME/experiments/inputs/many.ini"
printf '%s\n' '[global]' 'problem = rdp' 'input = many' 'width = 24' 'times = 0' '[values]' 'impl = rdp/serial, rdp/omp-columns' \
    'height = 24, 40' 'eps = 1, 4' 'median = 0' '[times]' 'times = 1' 'impl = rdp/serial' 'height = 24' 'eps = 1' 'median = 0' 'series = hot' \
    'samples = 3..3' 'min_time = 0' >"$tmp/exp.ini"
sql() { "$bench" sql -q -f csv "$1" --results "$tmp/$2"; }
# table FOLDER: all columns of all rows, but for what says who made them and how long it took; and their values
table() {
    sql "SELECT * FROM measurement ORDER BY impl, params, scope" "$1" | python3 -c '
import csv, sys
own = """id configuration preference results session row_id utc launcher rank ranks host temp_c_before temp_c_after cpu_mhz gpu_mhz_before gpu_mhz_after
    clocks_locked cpus_bound share share_ranks share_config share_configs row_hash""".split()
for row in csv.DictReader(sys.stdin):
    print(sorted((k, v) for k, v in row.items() if k not in own and (not row["scope"] or k in "impl params input_hash output_hash".split())))'
    sql "SELECT m.impl, m.params, v.name, v.idx, v.value, v.unit FROM value AS v JOIN measurement AS m ON m.id = v.measurement ORDER BY 1, 2, 3, 4" "$1"
}

expect "one process" 0 '' "$bench" run "$tmp/exp.ini" -q --results "$tmp/alone"
table alone >"$tmp/expected"
check "has rows and values (was $(wc -l <"$tmp/expected"))" test "$(wc -l <"$tmp/expected")" = 300
for n in 1 2 3 7 40; do
    expect "$n ranks" 0 '' ranks $n by-$n
    whole "$n ranks" by-$n
done
# a rank with one core, and one with all
one=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
taskset -c "$one" "$bench" run "$tmp/exp.ini" -q --results "$tmp/uneven" --rank 0/2 >"$tmp/out" 2>"$tmp/err"
rank 1 2 uneven >"$tmp/out" 2>"$tmp/err"
check "ranks of one core and of all make the same table" same uneven

# ---- what is missing ----
for i in 0 2; do rank $i 3 apart-$i >"$tmp/out" 2>&1; done
mkdir "$tmp/together" && cp "$tmp"/apart-?/* "$tmp/together/"
expect "show says what its rows wait for" 0 'note: 8 configurations wait for inputs of other ranks (rdp/[a-z-]*: inputs 11 to 20 of 30): check says which' \
    "$bench" show "$tmp/exp.ini" -g values --results "$tmp/together"
expect "check names the rank" 1 'parts/exp, rank 1/3, build [0-9a-f]*: none of its configurations is there; start it again with --resume' check_folder together
check "and its inputs" grep -q 'rank 1/3: inputs 11 to 20 of 30 are missing in 8' <(tr -s '\n ' ' ' <"$tmp/out")
expect "it is started" 0 '' rank 1 3 together --resume
expect "there is nothing more to do" 0 '' ranks 3 together --resume
whole "behind it" together
expect "two folders of one call" 1 'rank 1/3' "$bench" check "$tmp/apart-0" "$tmp/apart-2"

# ---- parts that are not what they were ----
odd() { # NAME SED TEXT: one line of the values of a part is changed
    rm -rf "$tmp/odd" && cp -r "$tmp/by-3" "$tmp/odd"
    sed -i "0,/$2/s//$3/" "$tmp/odd"/*rank1.values.csv
    expect "$1: a row less" 0 '^"8"$' sql 'SELECT count(*) FROM measurement' odd
    expect "$1: it is said" 0 "note: ranks' parts of rdp/[a-z-]*: $4; left out" "$bench" sql 'SELECT 1' --results "$tmp/odd"
    expect "$1: check names the row" 1 'row r[0-9]*: it, its values or the row before it is not' check_folder odd
}
odd "a text for a sum" '"run.frames",,"10"' '"run.frames",,"1e3"' 'the sums of its inputs 11 to 20 are not whole'
odd "a name too long" '"run.frames"' '"run.frames_that_are_a_longer_name_than_any"' 'the sums of its inputs 11 to 20 are not whole'
odd "an input that is another's" '"run.input","10"' '"run.input","9"' 'the sums are not of the inputs 1 to 30, each once'
odd "another data set" '"run.data_hash_max",,"[0-9]*"' '"run.data_hash_max",,"7"' 'its inputs 11 to 20 are of another data set than those before.*'
rm -rf "$tmp/odd" && cp -r "$tmp/by-3" "$tmp/odd"
session=$(basename "$tmp/odd"/*rank1.csv .csv)
echo "$session its board was ill" >"$tmp/odd/WITHDRAWN"
expect "a rank that is withdrawn" 1 'rank 1/3, build [0-9a-f]*: none of its configurations is there' check_folder odd
expect "is started again" 0 '' rank 1 3 odd --resume
check "and the table is the same" same odd

# ---- hosts whose data differ ----
data() { # FOLDER N MORE: N frames, the last but one with so many rows more than the others
    python3 - "$tmp/$1/seen" "$2" "$3" <<'END_OF_DATA'
import os, sys
os.makedirs(sys.argv[1])
n, more = int(sys.argv[2]), int(sys.argv[3])
for i in range(n):
    height = 40 + (more if i == n - 2 else 0)
    with open("%s/%02d.pgm" % (sys.argv[1], i), "wb") as f:
        f.write(b"P5 64 %d 255\n" % height + bytes((x * y + i) % 50 + 1 for y in range(height) for x in range(64)))
END_OF_DATA
}
printf '%s\n' 'kind = files' 'folder = seen' 'pattern = *.pgm' >"$DEPTHBENCH_HOME/experiments/inputs/seen.ini"
printf '%s\n' '[global]' 'problem = rdp' 'input = seen' 'width = 24' 'height = 24' 'eps = 1, 2' 'median = 0' 'times = 0' \
    '[values]' 'impl = rdp/serial' >"$tmp/seen.ini"
data data 12 0
data fewer 10 0
data larger 12 1
cp -r "$tmp/data" "$tmp/copy"
for other in copy fewer larger; do
    for i in 0/data 1/$other; do
        "$bench" run "$tmp/seen.ini" -q --results "$tmp/by-$other" --rank ${i%/*}/2 --data "$tmp/${i#*/}" >"$tmp/out" 2>&1
    done
    case $other in
    copy) expect "the same data elsewhere" 0 '^all is there' check_folder by-copy ;;
    fewer) expect "fewer frames elsewhere" 1 'inputs 7 to 12 of 12 are' check_folder by-fewer ;;
    larger) expect "other frames elsewhere" 1 'its inputs 7 to 12 are of another data set' check_folder by-larger ;;
    esac
    check "$other: rows" test "$(sql 'SELECT count(*) FROM measurement' by-$other | tail -n 1)" = "$([ $other = copy ] && echo '"2"' || echo '"0"')"
done

# ---- killed ----
for i in $(seq "${KILLS:-6}"); do
    rm -rf "$tmp/killed"
    lives=$(python3 -c "import random; random.seed($i); print(round(random.uniform(0.05, 0.6), 3))")
    rank 0 2 killed >"$tmp/out" 2>&1 &
    timeout -s KILL "$lives" "$bench" run "$tmp/exp.ini" -q --rank 1/2 --results "$tmp/killed" >"$tmp/err" 2>&1 &
    wait
    rank 1 2 killed --resume >"$tmp/out" 2>&1
    whole "a rank is killed after $lives s and started again" killed
done
finish
