#!/bin/bash
# test_scale.sh - experiments that scale: ranks that measure together by Open MPI and by MPICH, one of which is wrong, dies or stops
#
# The program under test may have no MPI.  What differs with one is a single object, so it is compiled with each mpicc that is there and
# linked to the rest.
. tests/checks.sh scale python3 timeout make
export TMPDIR=$tmp/temporary DEPTHBENCH_CACHE='' MAKEFLAGS='' OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir "$TMPDIR"
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE
plain=$DEPTHBENCH
descriptor() { # NAME LINE...
    printf '%s\n' '[global]' 'problem = rdp' 'impl = rdp/serial' 'input = scene' 'width = 40' 'height = 24' 'values = 0' 'eps = 4' 'samples = 5..5' \
        'sustained_time = 0.001' 'interval = 0.05' 'scaling = weak' 'ranks = 1, 2, 3' "${@:2}" '[cells]' 'median = 0' >"$tmp/$1.ini"
}
# rows FOLDER COLUMN...: of each row these, sorted
# shellcheck disable=SC2046
rows() { cells "$(IFS=, && echo "${*:2}")" $(find "$tmp/$1" -name '2*.csv' ! -name '*.values.csv') | sort | awk '{ printf "%s%s", (NR > 1 ? "; " : ""), $0 }'; }
descriptor exp
descriptor pair 'scope = kernel, end_to_end' 'frames = 2'
sed -i 's/scaling = weak/scaling = weak, strong/' "$tmp/pair.ini"

# ---- what the build says ----
expect "no mpicc" 2 'MPI=yes, but false names no library of an MPI; apt-get install' make -n MPI=yes MPICC=false CUDA=no B="$tmp/none"
expect "neither yes nor no" 2 'MPI=maybe: expected yes or no' make -n MPI=maybe CUDA=no B="$tmp/none"

# ---- a process alone, without MPI ----
expect "one process is one rank" 0 '^3 rows (1 ok), 2 configurations skipped' "$plain" run "$tmp/exp.ini" --results "$tmp/alone"
check "which has a row (was $(rows alone launcher ranks scaling rank_hosts status))" \
    test "$(rows alone launcher ranks scaling rank_hosts status)" = "none 1 weak 1 ok; none 2 weak - skipped; none 3 weak - skipped"
check "and is told how to be more" grep -q 'ranks = 2, of which 1 are there; mpirun -n N starts N of a program that make MPI=yes has built' <(tr -s '\n ' ' ' <"$tmp/out")
expect "ranks alone mean nothing" 2 "exp.ini:.* ranks = 2: expected scaling = weak or strong, too" "$plain" run "$tmp/exp.ini" -S scaling=none -S ranks=2
expect "the work is not shared, too" 2 'expected no --rank' "$plain" run "$tmp/exp.ini" --rank auto
expect "no rank switches a board" 2 'mode = MAXN: expected any, and clocks = keep, with scaling' "$plain" run "$tmp/exp.ini" -S mode=MAXN --results "$tmp/none"
expect "nor done several times" 2 'runs = 2: expected 1 with scaling = weak' "$plain" run "$tmp/exp.ini" -S runs=2 --results "$tmp/none"
descriptor other
sed -i '/scaling\|ranks/d' "$tmp/other.ini"
expect "nor beside other experiments" 2 '3 of 4 configurations have scaling' "$plain" run "$tmp/exp.ini" "$tmp/other.ini"

# ---- a peer that is odd in rank 1 ----
cp docs/peers/rdp.py "$tmp/rdp.py"
cat >"$tmp/odd.py" <<'END'
import os, signal, sys
odd = os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0")) == "1" and sys.argv[1]
parent_of = lambda process: int(open("/proc/%d/stat" % process).read().rsplit(")", 1)[1].split()[1])
is_ours = lambda process: open("/proc/%d/comm" % process).read().startswith("depthbench")
program = os.getpid()
while not is_ours(program) or is_ours(parent_of(program)):  # the first of ours keeps this process for the second
    program = parent_of(program)
n_runs = 0


def run_oddly(frame, output):
    """As run(), but wrong; or it ends or stops the rank, when verification and warm-up are long over."""
    global n_runs
    n_runs += 1
    if n_runs == 60 and odd in ("KILL", "STOP"):
        os.kill(program, getattr(signal, "SIG" + odd))
    run(frame, output)
    if odd == "wrong":
        with open(output, "r+b") as file:
            file.write(b"\7")


text = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "rdp.py")).read()
exec(text.replace("            run(frame,", "            run_oddly(frame,"))
END
for odd in wrong KILL STOP; do
    printf '%s\n' 'problem = rdp' "command = python3 odd.py $odd" 'version = 1' 'licence = MIT' 'inside = all' 'rule = exact' >"$tmp/odd-$odd.ini"
    descriptor "odd-$odd-exp" 'frames = 2'
    sed -i "s|^impl = .*|impl = ext/odd-$odd|; s/^ranks = .*/ranks = 1, 2/; s/^interval = .*/interval = 1/" "$tmp/odd-$odd-exp.ini"
done

built() { # MPI: $tmp/MPI/depthbench
    local libraries
    mkdir -p "$tmp/$1"
    libraries=$(cut -d '|' -f 2 "$B/flags" | grep -oE -- ' -[lL][^ ]+' | grep -v -- '-lmpi' | tr -d '\n')
    # shellcheck disable=SC2086 # words
    make -s "$B/all.a" B="$B" CUDA=no >"$tmp/out" 2>&1 &&
        "mpicc.$1" -std=c11 -D_GNU_SOURCE -O1 -I. -c harness/suite/world_mpi.c -o "$tmp/$1/world_mpi.o" >"$tmp/out" 2>&1 &&
        "mpicc.$1" -fopenmp "$tmp/$1/world_mpi.o" "$B/harness/cli/main.c.o" "$B/all.a" $libraries -o "$tmp/$1/depthbench" >"$tmp/out" 2>&1
}
sessions() { find "$tmp/$1" -name '2*.csv' -size +0 | wc -l; }

n_mpi=0
for mpi in openmpi mpich; do
    start=(timeout 120 "mpirun.$mpi")
    [ $mpi = mpich ] || start+=(--oversubscribe)
    if grep -q -- '-DHAVE_CUDA=1' "$B/flags" || ! command -v "mpicc.$mpi" "mpirun.$mpi" >"$tmp/out"; then
        skip "$mpi: no mpicc.$mpi and mpirun.$mpi, or a build with CUDA (apt-get install ${mpi/%openmpi/openmpi-bin} lib$mpi-dev)"
        continue
    fi
    n_mpi=$((n_mpi + 1))
    if ! grep -q -- '-DHAVE_MPI=1' "$B/flags"; then
        expect "$mpi: a build without MPI says what to build" 4 "$mpi started 2 ranks, and this build has no MPI .*: make MPI=yes" \
            "${start[@]}" -n 2 "$plain" run "$tmp/exp.ini" --results "$tmp/none"
    fi
    check "$mpi: the program is linked" built $mpi || continue
    bench=$tmp/$mpi/depthbench
    export DEPTHBENCH_HOME=$PWD

    for n in 1 2 3; do
        expect "$mpi, $n ranks" 0 "^3 rows ($n ok), $((3 - n)) configurations skipped" "${start[@]}" -n $n "$bench" run "$tmp/exp.ini" --results "$tmp/$mpi-$n"
        check "$mpi, $n ranks: one session has them (was $(sessions $mpi-$n))" test "$(sessions $mpi-$n)" = 1
        check "and no other file is left" test "$(find "$tmp/$mpi-$n" -name '2*' | sed 's/\..*//' | sort -u | wc -l)" = 1
    done
    check "$mpi: what a row says (was $(rows $mpi-2 launcher rank ranks scaling rank_hosts rank_gpus series stop_reason n status))" \
        test "$(rows $mpi-2 launcher rank ranks scaling rank_hosts rank_gpus series stop_reason n status)" = \
        "$mpi 0 1 weak 1 - sustained interval 5 ok; $mpi 0 2 weak 1 - sustained interval 5 ok; $mpi 0 3 weak - - - - - skipped"
    check "$mpi: why there is none of 3" test "$(rows $mpi-2 ranks reason | sed 's/.*; 3/3/')" = "3 ranks = 3, of which 2 are there; mpirun -n N starts N of a program that make MPI=yes has built"
    expect "$mpi: --resume goes on" 0 '2 there already' "${start[@]}" -n 2 "$bench" run "$tmp/exp.ini" --results "$tmp/$mpi-2" --resume
    expect "$mpi: weak and strong, in both scopes" 0 '8 ok' "${start[@]}" -n 2 "$bench" run "$tmp/pair.ini" -S ranks=1,2 --results "$tmp/$mpi-pair"
    expect "$mpi: frames for each rank at least" 0 '' "${start[@]}" -n 3 "$bench" run "$tmp/pair.ini" -S ranks=3 -S scope=kernel --results "$tmp/$mpi-few"
    check "$mpi: of which 3 ranks want 3 (was $(rows $mpi-few scaling reason))" test "$(rows $mpi-few scaling reason)" = \
        "strong rank 0 of 3: scaling = strong: 2 inputs cannot be divided among 3 ranks; weak -"
    expect "$mpi: teams" 0 '2 ok' "${start[@]}" -n 2 "$bench" run "$tmp/pair.ini" -S impl=rdp/omp-columns -S ranks=1,2 -S scope=kernel -S scaling=weak --results "$tmp/$mpi-teams"
    read -r _ all _ half <<<"$(rows $mpi-teams ranks threads | tr ';' ' ')"
    check "$mpi: two ranks divide the cores that both may use ($all, then $half each)" test "$half" = $((all > 1 ? all / 2 : 1))
    expect "$mpi: they are shown" 0 '^ *rdp/serial' "$bench" show "$tmp/pair.ini" --results "$tmp/$mpi-pair"
    expect "$mpi: each by itself" 0 '^"8"$' "$bench" sql "SELECT count(DISTINCT configuration) FROM good" --results "$tmp/$mpi-pair" -f csv

    # clocks of two starts of a system are not compared
    for i in 1 2; do
        mkdir -p "$tmp/root-$i/proc/sys/kernel/random"
        echo "boot-$i" >"$tmp/root-$i/proc/sys/kernel/random/boot_id"
    done
    one=("$bench" run "$tmp/exp.ini" -S ranks=2 --results "$tmp/$mpi-hosts")
    # (they would take turns by a lock in one folder)
    expect "$mpi: two hosts" 0 '' "${start[@]}" -n 1 "${one[@]}" --sysroot "$tmp/root-1" : -n 1 env TMPDIR="$tmp/root-2" "${one[@]}" --sysroot "$tmp/root-2"
    check "$mpi: are two (was $(rows $mpi-hosts ranks rank_hosts status))" test "$(rows $mpi-hosts ranks rank_hosts status)" = "2 2 ok"
    expect "$mpi: on one host they are measured, too" 0 '' "${start[@]}" -n 2 "${one[@]}" --sysroot "$tmp/root-1" --resume
    rm "$TMPDIR/depthbench-cpu.lock"
    expect "$mpi: once" 0 '1 there already' "${start[@]}" -n 2 "${one[@]}" --sysroot "$tmp/root-1" --resume
    check "$mpi: nobody has locked the cores" test ! -e "$TMPDIR/depthbench-cpu.lock"
    check "$mpi: rows of one host and of two (was $(rows $mpi-hosts ranks rank_hosts status))" test "$(rows $mpi-hosts ranks rank_hosts status)" = "2 1 ok; 2 2 ok"

    expect "$mpi: a wrong output of one rank" 1 'rank 1 of 2: ext/odd-wrong differs from rdp/serial' \
        "${start[@]}" -n 2 "$bench" run "$tmp/odd-wrong-exp.ini" --peer "$tmp/odd-wrong.ini" --results "$tmp/$mpi-wrong"
    check "$mpi: is no time (was $(rows $mpi-wrong ranks status verdict mean_ms | sed 's/ exact [0-9.]*//'))" \
        test "$(rows $mpi-wrong ranks status verdict mean_ms | sed 's/ exact [0-9.]*//')" = "1 ok; 2 wrong - -"

    "${start[@]}" -n 2 "$bench" run "$tmp/odd-KILL-exp.ini" --peer "$tmp/odd-KILL.ini" --results "$tmp/$mpi-killed" -S interval=100 -S ranks=2 >"$tmp/out" 2>"$tmp/err"
    check "$mpi: a rank is killed in its work: not 0" test $? != 0
    [ $mpi = mpich ] || check "the other says so" grep -q 'rank 0 of 2 was told to stop while it waited for the others; .* one of them has died' "$tmp/err"
    check "$mpi: no row of it is there" test -z "$(rows $mpi-killed ranks)"
    expect "$mpi: a rank that stops is not waited for" 4 'rank 0 of 2 has waited 11 s for the others at a .*: one of them has died or is stuck' \
        "${start[@]}" -n 2 "$bench" run "$tmp/odd-STOP-exp.ini" --peer "$tmp/odd-STOP.ini" --results "$tmp/$mpi-stopped" -S wait=10
    check "$mpi: the row before stays (was $(rows $mpi-stopped ranks status))" test "$(rows $mpi-stopped ranks status)" = "1 ok"
    expect "$mpi: the mpirun of another MPI" 4 'this is rank 0 of 2 by the environment of openmpi, and 0 of 1 by the MPI of this build, .*: start it with the mpirun of that' \
        env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 timeout 60 "$bench" run "$tmp/exp.ini" --results "$tmp/none"
done
if [ -x "$tmp/openmpi/depthbench" ]; then
    OMPI_MCA_pml=nonsense timeout 60 mpirun.openmpi --oversubscribe -n 2 "$tmp/openmpi/depthbench" run "$tmp/exp.ini" --results "$tmp/none" >"$tmp/out" 2>&1
    check "an MPI that cannot start: not 0" test $? != 0
    check "and a sentence" grep -q 'depthbench: the MPI of this build cannot start: MPI_Init() ended the process' "$tmp/out"
fi
check "no row is where there should be none" test ! -e "$tmp/none"
[ $n_mpi = 0 ] || check "no process is left" test -z "$(pgrep -f "^$tmp/[a-z]*/depthbench")"
finish
