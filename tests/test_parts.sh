#!/bin/bash
# test_parts.sh - ranks that share the frames of a configuration without times: the table that one process makes, bit for bit
#
# KILLS: how many ranks are killed, each at another moment; default 6.
set -u
. tests/checks.sh
tmp=$(scratch parts) || exit 1
on_failure "$tmp/out" "$tmp/err"
needs python3 timeout
bench=$DEPTHBENCH
export TMPDIR=$tmp/temporary DEPTHBENCH_CACHE=
mkdir "$TMPDIR"
export DEPTHBENCH_HOME=$tmp/home
mkdir -p "$DEPTHBENCH_HOME/experiments/inputs"
printf '%s\n' 'kind = scene' 'width = 64' 'height = 40' 'seed = 3' 'frames = 30' 'level = hard' 'steep = 1' >"$DEPTHBENCH_HOME/experiments/inputs/many.ini"
machine=$("$bench" env --machine)
# 30 frames are three parts of 8 and 6 more
printf '%s\n' '[global]' 'problem = rdp' 'input = many' 'width = 24' 'times = 0' '[values]' 'impl = rdp/serial, rdp/omp-columns' \
    'height = 24, 40' 'eps = 1, 4' 'median = 0' '[times]' 'times = 1' 'impl = rdp/serial' 'height = 24' 'eps = 1' 'median = 0' 'series = hot' \
    'samples = 3..3' 'min_time = 0' >"$tmp/exp.ini"
n_all=9

run() { # FOLDER OPTION...
    "$bench" run "$tmp/exp.ini" -q --results "$tmp/$1/$machine" "${@:2}"
}
# table FOLDER: each row, without what says who made it and how long it took, and its values
table() {
    python3 - "$tmp/$1/$machine"/2*.csv <<'END'
import csv, sys
own = "session row_id utc campaign launcher rank ranks host temp_c_before temp_c_after cpu_mhz gpu_mhz_before gpu_mhz_after clocks_locked cpus cpus_bound".split()
lines = []
for name in sys.argv[1:]:
    if name.endswith(".values.csv"):
        continue
    rows = [r for r in csv.DictReader(open(name)) if r["status"] != "part"]
    identity = {r["row_id"]: r["impl"] + " " + r["params"] + " " + r["scope"] for r in rows}
    for row in rows:
        kept = {k: v for k, v in row.items() if k not in own and not (row["scope"] and k.endswith("_ms"))}
        if row["scope"]:
            kept = {k: kept[k] for k in "impl params input_hash output_hash status".split()}
        lines.append(repr(sorted(kept.items())))
    try:
        for value in csv.DictReader(open(name.replace(".csv", ".values.csv"))):
            if value["row_id"] in identity:
                lines.append(identity[value["row_id"]] + repr([value[k] for k in "name index value unit".split()]))
    except FileNotFoundError:
        pass
print("\n".join(sorted(lines)))
END
}
rows() { table "$1" | grep -c "^\["; }
parts() { cat "$tmp/$1/$machine"/2*.csv | grep -c '"part"'; }

expect "one process" 0 '' run alone
table alone >"$tmp/expected"
check "has all rows" test "$(rows alone)" = $n_all
check "and values" test "$(wc -l <"$tmp/expected")" -gt $((4 * n_all))
same() { # FOLDER: its table is that of one process
    table "$1" >"$tmp/table"
    diff "$tmp/expected" "$tmp/table" >"$tmp/out"
}
for n in 1 2 3 7; do
    for ((i = 0; i < n; i++)); do run "by-$n" --rank $i/$n --campaign c --host one & done >"$tmp/out" 2>"$tmp/err"
    wait
    check "$n ranks make the same table" same "by-$n"
    check "of parts, each done once (was $(parts "by-$n"))" test "$(parts "by-$n")" = 24
    expect "of which gather sees the rows alone" 0 '9 of 9 there' "$bench" gather "$tmp/by-$n" --results "$tmp/by-$n.all"
done
if command -v taskset >"$tmp/out"; then # a rank with one core, and one with all
    one=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
    taskset -c "$one" "$bench" run "$tmp/exp.ini" -q --results "$tmp/uneven/$machine" --rank 0/2 --campaign c --host one >"$tmp/out" 2>"$tmp/err" &
    run uneven --rank 1/2 --campaign c --host one >"$tmp/out.1" 2>"$tmp/err.1"
    wait
    check "ranks of one core and of all make the same table" same uneven
    check "of parts, each done once (was $(parts uneven))" test "$(parts uneven)" = 24
else
    skip "no taskset: ranks of one core and of all"
fi
"$bench" sql "SELECT count(*), count(DISTINCT status) FROM measurement" --results "$tmp/by-3/$machine" >"$tmp/out" 2>"$tmp/err"
check "and the database" grep -q '9.*1' "$tmp/out"

# ---- two hosts that see no locks, and then no folder, of each other ----
run apart-0 --rank 0/2 --campaign c --host one >"$tmp/out" 2>&1
run apart-1 --rank 1/2 --campaign c --host other >"$tmp/out" 2>&1
check "each does its own parts (were $(parts apart-0) and $(parts apart-1))" test $(($(parts apart-0) + $(parts apart-1))) = 24
check "and no row that wants the other's" test $(($(rows apart-0) + $(rows apart-1))) -lt $n_all
expect "what is brought together is not whole" 3 'of 9 there' "$bench" gather "$tmp/apart-0" "$tmp/apart-1" --results "$tmp/together"
expect "one process makes the rows" 0 '' run together --rank 0/1 --campaign c
check "the same" same together
check "of the parts that were there" test "$(parts together)" = 24

cp -r "$tmp/apart-1" "$tmp/renamed"
expect "parts of another campaign, whose input may be another one" 0 '' run renamed --rank 0/1 --campaign d --resume
n_new=$((24 - 3 * $(table apart-1 | grep "^\[" | grep -c "('scope', '')")))
check "are not taken (were $(parts apart-1), are $(parts renamed))" test "$(parts renamed)" = $(($(parts apart-1) + n_new))
check "the table is the same" same renamed

# ---- frames that end whoever runs them ----
# kill -9 of the rank that has started it, by way of the process that keeps a peer's
printf '%s\n' 'problem = rdp' "command = sh -c 'kill -9 \$(cut -d\" \" -f4 /proc/\$PPID/stat)'" 'version = 1' 'licence = MIT' 'inside = all' 'rule = exact' >"$tmp/killer.ini"
printf '%s\n' '[global]' 'problem = rdp' 'input = many' 'width = 24' 'height = 24' 'eps = 1' 'median = 0' 'times = 0' '[values]' \
    'impl = ext/killer' >"$tmp/deadly.ini"
deadly() { # RANK: of a launcher that says that all are of one host; a rank that begins when others have died finds what they leave
    OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_LOCAL_RANK=$1 OMPI_COMM_WORLD_LOCAL_SIZE=3 "$bench" run "$tmp/deadly.ini" -q \
        --peer "$tmp/killer.ini" --results "$tmp/deadly/$machine" --campaign k --host one --ranks auto
}
# whoever is left says so, and as the last one clears: a new start tries it again
for start in a new; do
    n_killed=0
    for i in 0 1 2; do
        deadly $i >"$tmp/out" 2>"$tmp/err"
        n_killed=$((n_killed + ($? == 137)))
    done
    check "$start start: two ranks have died with ranges of frames, of three such ranges (were $n_killed)" test $n_killed = 2
    check "$start start: the third leaves all of them, and says so once" \
        test "$(grep -c '^note: ext/killer of .*: 2 ranks have died with it, so it is left' "$tmp/err")" = 1
done

# ---- hosts whose data differ ----
# data FOLDER N MORE: N frames, the last but one with so many rows more than the others
data() {
    python3 - "$tmp/$1/seen" "$2" "$3" <<'END'
import os, sys
os.makedirs(sys.argv[1])
n, more = int(sys.argv[2]), int(sys.argv[3])
for i in range(n):
    height = 40 + (more if i == n - 2 else 0)
    with open("%s/%02d.pgm" % (sys.argv[1], i), "wb") as f:
        f.write(b"P5 64 %d 255\n" % height + bytes((x * y + i) % 50 + 1 for y in range(height) for x in range(64)))
END
}
printf '%s\n' 'kind = files' 'folder = seen' 'pattern = *.pgm' >"$DEPTHBENCH_HOME/experiments/inputs/seen.ini"
printf '%s\n' '[global]' 'problem = rdp' 'input = seen' 'width = 24' 'height = 24' 'eps = 1, 2, 4, 8' 'median = 0' 'times = 0' \
    '[values]' 'impl = rdp/serial' >"$tmp/seen.ini"
seen() { # FOLDER DATA OPTION...
    "$bench" run "$tmp/seen.ini" -q --results "$tmp/$1/$machine" --data "$tmp/$2" "${@:3}"
}
data data 62 0
data fewer 58 0
data larger 62 1
cp -r "$tmp/data" "$tmp/same"
for other in same fewer larger; do
    seen by-$other data --rank 0/2 --campaign c --host one >"$tmp/out" 2>&1
    n=$(parts by-$other)
    seen by-$other $other --rank 1/2 --campaign c --host other >"$tmp/out" 2>"$tmp/err"
    check "$other data: both hosts have made parts (were $n and $(($(parts by-$other) - n)))" test "$n" -gt 0 -a "$(parts by-$other)" -gt "$n"
    if [ $other = same ]; then
        expect "parts of the same data elsewhere" 0 '' seen by-$other data --rank 0/1 --campaign c --host one
        check "are added up" test "$(rows by-$other)" = 4 -a "$(parts by-$other)" = 28
        continue
    fi
    expect "parts of $other data" 2 "input seen: expected the data set of this host, of 62 frames, .* found another one of host other: names, sizes or the number" \
        seen by-$other data --rank 0/1 --campaign c --host one
    check "make no row" test "$(rows by-$other)" = 0
    expect "$other data: another campaign, of one host" 0 '' seen by-$other data --rank 0/1 --campaign d --host one
    check "$other data: its rows are made" test "$(rows by-$other)" = 4
done

# ---- parts that are not what they were ----
cp -r "$tmp/together" "$tmp/odd"
python3 - "$tmp/odd/$machine" <<'END'
import csv, glob, os, sys
names = sorted(n for n in glob.glob(sys.argv[1] + "/2*.csv") if not n.endswith(".values.csv"))
for name in names:
    # the rows go, parts stay, of which one lacks a sum, one has a text for one, one has another number of inputs, and one, whose
    # sum is wrong, is withdrawn
    rows = list(csv.DictReader(open(name)))
    values = list(csv.DictReader(open(name.replace(".csv", ".values.csv"))))
    ids = [r["row_id"] for r in rows if r["status"] == "part"]
    rows = [r for r in rows if r["status"] == "part"]
    if not rows:
        for end in (".csv", ".values.csv"):
            os.remove(name.replace(".csv", end))
        continue
    values = [v for v in values if v["row_id"] in ids]
    del values[next(i for i, v in enumerate(values) if v["row_id"] == ids[0])]
    next(v for v in values if v["row_id"] == ids[1])["value"] = "1e3"
    next(v for v in values if v["row_id"] == ids[2])["name"] = "x" * 40
    next(v for v in values if v["row_id"] == ids[3] and v["name"] == "run.input")["index"] = "29"
    if len(ids) > 4:
        values = [v for v in values if v["row_id"] != ids[4]]
        next(r for r in rows if r["row_id"] == ids[4])["n"] = "0"
    if len(ids) > 5:
        next(v for v in values if v["row_id"] == ids[5] and v["name"] == "run.work_bytes")["value"] = "1"
        with open(sys.argv[1] + "/WITHDRAWN", "a") as out:
            out.write("%s:%s its board was ill\n" % (rows[0]["session"], ids[5]))
    for kept, end in ((rows, ".csv"), (values, ".values.csv")):
        with open(name.replace(".csv", end), "w") as out:
            writer = csv.DictWriter(out, list(kept[0]), quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writeheader()
            writer.writerows(kept)
END
check "the rows are gone, and parts are withdrawn" test "$(rows odd)" = 0 -a -s "$tmp/odd/$machine/WITHDRAWN"
# what is withdrawn is made by others than whoever makes the rows
for i in 0 1; do run odd --rank $i/2 --campaign c --host again-$i >"$tmp/out" 2>&1; done
expect "parts that are odd are done anew" 0 '' run odd --rank 0/1 --campaign c
check "and the table is the same" same odd

# ---- killed ----
for i in $(seq "${KILLS:-6}"); do
    lives=$(python3 -c "import random; random.seed($i); print(round(random.uniform(0.05, 0.6), 3))")
    run killed --rank 0/2 --campaign c --host one >"$tmp/out" 2>&1 &
    (timeout -s KILL "$lives" "$bench" run "$tmp/exp.ini" -q --rank 1/2 --campaign c --host one --results "$tmp/killed/$machine") >"$tmp/err" 2>&1
    wait
    run killed --rank 0/1 --campaign c --host one >"$tmp/out" 2>&1
    check "a rank is killed after $lives s, and the table is the same" same killed
    rm -rf "$tmp/killed"
done
finish
