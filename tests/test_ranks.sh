#!/bin/bash
# test_ranks.sh - ranks that share the work of a call, some of which are killed; what gather says of their rows
#
# KILLS: how many ranks are killed, each at another moment; default 8.
set -u
. tests/checks.sh
begin_ranks ranks "1, 2, 4, 8"
n_all=32

rank() { # RANK SIZE HOST FOLDER [OPTION...]
    "$bench" run "$tmp/exp.ini" -q --rank "$1/$2" --host "$3" --results "$4/$machine" --campaign "${campaign:-c}" "${@:5}"
}
# launched RANK SIZE FOLDER [PREFIX...]: by a launcher that says that all ranks are of one host
launched() {
    OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=$2 OMPI_COMM_WORLD_LOCAL_RANK=$1 OMPI_COMM_WORLD_LOCAL_SIZE=$2 "${@:4}" \
        "$bench" run "$tmp/exp.ini" -q --ranks auto --host one --results "$3/$machine" --campaign c
}
# counts FOLDER: "ROWS DISTINCT SESSIONS"
counts() {
    python3 - "$1/$machine"/2*.csv <<'END'
import csv, sys
rows = [row for name in sys.argv[1:] if not name.endswith(".values.csv") for row in csv.DictReader(open(name))]
print(len(rows), len({(r["impl"], r["params"], r["scope"], r["series"]) for r in rows}), len({r["session"] for r in rows}))
END
}
gathered() { "$bench" gather "$1" --results "$1.all"; }

# ---- all is done once ----
for i in 0 1 2; do rank $i 3 one "$tmp/three" & done >"$tmp/out" 2>&1
wait
check "three ranks do all, once (was $(counts "$tmp/three"))" test "$(counts "$tmp/three")" = "$n_all $n_all 3"
expect "gather says so" 0 "32 of 32 there" gathered "$tmp/three"
check "nothing else is left" test ! -e "$tmp/three/$machine/.share"
expect "a second time there is nothing to do" 0 '' rank 0 3 one "$tmp/three"
check "and no row" test "$(counts "$tmp/three")" = "$n_all $n_all 3"
campaign=d
expect "--resume of any number of ranks neither" 0 '' rank 0 2 one "$tmp/three" --resume
check "nor any row" test "$(counts "$tmp/three")" = "$n_all $n_all 3"
expect "another campaign measures anew" 0 '' rank 0 1 one "$tmp/three"
check "all of it (was $(counts "$tmp/three"))" test "$(counts "$tmp/three")" = "$((2 * n_all)) $n_all 4"
campaign=

# ---- rows that are withdrawn ----
cp -r "$tmp/three" "$tmp/withdrawn"
session=$(basename "$(ls "$tmp/withdrawn/$machine"/*-one-*-rank0.csv | head -n 1)" .csv)
# its first row
sed -n '2s/^"[0-9]*","\([^"]*\)","\([^"]*\)".*/\1:\2 the fan was off/p' "$tmp/withdrawn/$machine/$session.csv" >"$tmp/withdrawn/$machine/WITHDRAWN"
"$bench" gather "$tmp/withdrawn" --results "$tmp/withdrawn.all" >"$tmp/out" 2>&1
cp "$tmp/withdrawn/$machine/WITHDRAWN" "$tmp/withdrawn.all/$machine/"
campaign=c expect "gather misses a row that is withdrawn" 3 "31 of 32 there" gathered "$tmp/withdrawn"
campaign=c expect "ranks measure it again" 0 '' rank 0 1 one "$tmp/withdrawn"
check "it alone (was $(counts "$tmp/withdrawn"))" test "$(counts "$tmp/withdrawn" | cut -d' ' -f1,2)" = "$((2 * n_all + 1)) $n_all"
expect "and it is there" 0 "32 of 32 there" gathered "$tmp/withdrawn"

# ---- hosts that see no locks of each other ----
rank 0 2 one "$tmp/two" >"$tmp/out" 2>&1
first=$(counts "$tmp/two")
check "a rank that sees no other host does its share alone (was $first)" test "${first%% *}" -gt 0 -a "${first%% *}" -lt "$n_all"
expect "what is missing is said" 3 "${first%% *} of 32 there" gathered "$tmp/two"
check "with its names" test "$(grep -c '^  rdp/.*(kernel, hot)' "$tmp/out")" = $((n_all - ${first%% *}))
rank 1 2 other "$tmp/two" >"$tmp/out" 2>&1
check "the other one does the rest (was $(counts "$tmp/two"))" test "$(counts "$tmp/two")" = "$n_all $n_all 2"
rank 0 2 one "$tmp/late" >"$tmp/out" 2>&1
late=$(counts "$tmp/late")
touch "$tmp/none" && mkdir -p "$tmp/late/$machine/.share/c" && touch "$tmp/late/$machine/.share/c/one.0.2"
expect "a late rank is given nothing where it has seen no lock" 0 '' rank 2 3 other "$tmp/late"
check "and does nothing (was $(counts "$tmp/late"))" test "$(counts "$tmp/late")" = "$late"

# ---- killed ----
for i in $(seq "${KILLS:-8}"); do
    all=$tmp/killed-$i
    # by chance, and the same each time
    lives=$(python3 -c "import random; random.seed($i); print(round(random.uniform(0.1, 1.6), 3))")
    { timeout -s KILL "$lives" "$bench" run "$tmp/exp.ini" -q --rank 0/1 --results "$all/$machine" --campaign c; } >"$tmp/out" 2>&1
    n=$(counts "$all" 2>/dev/null)
    n=${n%% *}
    if ls "$all/$machine"/*.plan >"$tmp/out" 2>&1; then
        expected=$((n == n_all ? 0 : 3))
        expect "killed after $lives s: gather counts what is there" $expected "$n of 32 there" gathered "$all"
        if [ $expected = 3 ]; then
            command=$(sed -n 's/^  the others, where that was called: depthbench //p' "$tmp/out")
            check "and says what goes on" test -n "$command"
            eval "'$bench' $command" >"$tmp/out" 2>&1
        fi
    else
        rank 0 1 one "$all" >"$tmp/out" 2>&1
    fi
    check "killed after $lives s with $n rows: all is there, once (was $(counts "$all"))" test "$(counts "$all" | cut -d' ' -f1,2)" = "$n_all $n_all"
    rm -rf "$all" "$all.all"
done
for i in $(seq $((${KILLS:-8} / 4))); do
    all=$tmp/helped-$i
    lives=$(python3 -c "import random; random.seed(-$i); print(round(random.uniform(0.1, 1.0), 3))")
    launched 0 3 "$all" >"$tmp/out" 2>&1 &
    (launched 1 3 "$all" timeout -s KILL "$lives") >"$tmp/err" 2>&1 &
    launched 2 3 "$all" >"$tmp/out" 2>&1 &
    wait
    check "a rank is killed after $lives s, the others do its share (was $(counts "$all"))" \
        test "$(counts "$all" | cut -d' ' -f1,2)" = "$n_all $n_all"
    rm -rf "$all"
done

# ---- a disk that is full ----
rank 0 2 one "$tmp/full" >"$tmp/out" 2>&1 &
(ulimit -f 10 && rank 1 2 one "$tmp/full") >"$tmp/full.out" 2>&1
check "a rank whose disk is full says so" grep -q 'cannot append a row\|cannot write' "$tmp/full.out"
wait
rank 0 2 one "$tmp/full" >"$tmp/out" 2>&1
check "and the others do its work (was $(counts "$tmp/full"))" test "$(counts "$tmp/full" | cut -d' ' -f1,2)" = "$n_all $n_all"

# ---- what is gathered ----
cp -r "$tmp/two" "$tmp/odd"
python3 - "$tmp/odd/$machine"/*-other-*-rank1.csv <<'END'
import re, sys
name = next(n for n in sys.argv[1:] if not n.endswith(".values.csv"))
text = open(name).read()
hashes = re.findall(r'"[0-9a-f]{16}"', text)
# the first row's output alone, under the name of a session of its own
lines = text.split("\n")
head = [c.strip('"') for c in lines[0].split(",")]
import csv
rows = list(csv.DictReader(open(name)))
row = dict(rows[0])
row["output_hash"] = "0123456789abcdef"
row["session"] = row["session"] + "-2"
row["host"] = "third"
with open(name.replace("-rank1.csv", "-rank1-2.csv"), "w") as out:
    writer = csv.DictWriter(out, head, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerow(row)
END
expect "an output that differs comes first" 1 '^OUTPUTS DIFFER' gathered "$tmp/odd"
check "with its board" grep -q '0123456789abcdef.*third\|third' "$tmp/out"
mkdir -p "$tmp/hostile"
session=$(basename "$(ls "$tmp/two/$machine"/*-one-*-rank0.csv)" .csv)
cp "$tmp/two/$machine/$session.csv" "$tmp/hostile/"
ln -s /etc/passwd "$tmp/hostile/$session.env.txt"
sed 's/"'"$machine"'"/"..\/outside"/g' "$tmp/hostile/$session.csv" >"$tmp/hostile/20260101T000000Z-x.csv"
printf 'no table\n' >"$tmp/hostile/20260102T000000Z-y.csv"
printf '\033]0;title\007' >"$tmp/hostile/$(printf 'a\033[31m').csv"
expect "what others made is looked at" 3 'refused; 0 sources' "$bench" gather "$tmp/hostile" --results "$tmp/safe"
check "a link is not followed" test ! -e "$tmp/safe/$machine/$session.env.txt"
check "nothing is outside" test ! -e "$tmp/outside"
check "no escape is printed" test -z "$(grep -h "$(printf '\033')" "$tmp/out" "$tmp/err")"
rm "$tmp/hostile"/*
cp "$tmp/two/$machine/$session".* "$tmp/hostile/"
"$bench" gather "$tmp/hostile" --results "$tmp/grows" >"$tmp/out" 2>&1
head -c -10 "$tmp/two/$machine/$session.csv" >"$tmp/hostile/$session.csv"
expect "an older copy changes nothing" 0 '0 new, 0 longer' "$bench" gather "$tmp/hostile" --results "$tmp/grows"
check "what is there stays" cmp "$tmp/two/$machine/$session.csv" "$tmp/grows/$machine/$session.csv"
sed 's/"kernel"/"KERNEL"/' "$tmp/two/$machine/$session.csv" >"$tmp/hostile/$session.csv"
echo theirs >"$tmp/hostile/$session.env.txt"
expect "another file of the name is refused" 3 'another file than that of the same name' "$bench" gather "$tmp/hostile" --results "$tmp/grows"
check "and ours stays" cmp "$tmp/two/$machine/$session.csv" "$tmp/grows/$machine/$session.csv"
check "with what goes with it" cmp "$tmp/two/$machine/$session.env.txt" "$tmp/grows/$machine/$session.env.txt"
# a session that was continued: more rows, another environment, and a line that is being written
head -n 2 "$tmp/two/$machine/$session.csv" >"$tmp/hostile/$session.csv"
echo "started before" >"$tmp/hostile/$session.env.txt"
"$bench" gather "$tmp/hostile" --results "$tmp/resumed" >"$tmp/out" 2>&1
cp "$tmp/two/$machine/$session".* "$tmp/hostile/"
printf '"5","half a l' >>"$tmp/hostile/$session.csv"
expect "a continued session is taken" 0 '0 new, 1 longer' "$bench" gather "$tmp/hostile" --results "$tmp/resumed"
check "with its environment" cmp "$tmp/two/$machine/$session.env.txt" "$tmp/resumed/$machine/$session.env.txt"
sed '/^command/s/$/; touch out/' "$tmp/two/$machine/c.ranks-exp.plan" >"$tmp/hostile/evil.plan"
expect "a plan whose command does more" 3 'no plan of ranks: refused' "$bench" gather "$tmp/hostile" --results "$tmp/planned"
check "is not kept" test ! -e "$tmp/planned/$machine/evil.plan"
cp -r "$tmp/two" "$tmp/counted"
sed -i 's/^revision.*/revision\t9999999999/' "$tmp/counted/$machine"/*.plan
expect "a plan whose revision is too long" 3 'no plan of ranks: refused' gathered "$tmp/counted"
cp "$tmp/counted/$machine"/*.plan "$tmp/counted.all/$machine/"
expect "and one that is there" 3 "c.ranks-exp.plan:1: expected a revision of 1 to 9 digits" gathered "$tmp/counted"
rank 0 1 one "$tmp/counted" >"$tmp/out" 2>&1
expect "is written anew by a rank" 0 '32 of 32 there' gathered "$tmp/counted"
check "with a revision that is counted" grep -qx "revision	1" "$tmp/counted.all/$machine/c.ranks-exp.plan"
cat >"$tmp/ssh" <<'END'
#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
shift
sh -c "$*" || exit
case $* in *sha256sum*) sha256sum "$HAS" | sed "s|  .*|  $NAMED|" ;; esac
END
chmod +x "$tmp/ssh"
echo secret >"$tmp/secret"
for named in "$tmp/secret" "./../../../../../../../../../..$tmp/secret"; do
    expect "hashes that name $named" 3 '1 sources not reached' \
        env HAS="$tmp/secret" NAMED="$named" DEPTHBENCH_SSH="$tmp/ssh" "$bench" gather "board:$tmp/two" --results "$tmp/named"
done
check "take nothing" test ! -e "$tmp/named/$machine"
row=two/$machine/$session.csv
expect "hashes that name what was sent" 0 ' new' \
    env HAS="$tmp/$row" NAMED="./${row#*/}" DEPTHBENCH_SSH="$tmp/ssh" "$bench" gather "board:$tmp/two" --results "$tmp/named"
expect "a board that is down stops nothing" 3 '1 sources not reached' \
    env DEPTHBENCH_SSH=false "$bench" gather "board:$tmp/two" "$tmp/two" --results "$tmp/down"
check "the others are there" test "$(counts "$tmp/down")" = "$n_all $n_all 2"
expect "no rank without a launcher" 2 'no launcher has set a rank' "$bench" run "$tmp/exp.ini" --ranks auto
expect "no rank by hand without a name" 2 'give them --campaign NAME' "$bench" run "$tmp/exp.ini" --rank 0/2
expect "no campaign without ranks" 2 'expected --ranks auto or --rank' "$bench" run "$tmp/exp.ini" --campaign c
expect "a name that is a path" 2 'expected a word' "$bench" run "$tmp/exp.ini" --rank 0/2 --campaign ../c
expect "one rank twice" 2 "" "$bench" run "$tmp/exp.ini" --rank 2/2 --campaign c

finish
