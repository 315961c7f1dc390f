#!/bin/bash
# test_launchers.sh - ranks of Open MPI and MPICH, of which one is killed and all are started again (what Slurm says: test_share)
set -u
. tests/checks.sh
begin_ranks launchers "1, 2"
n_all=16
column() { # FOLDER COLUMN: how many rows, and its values, each once
    # shellcheck disable=SC2046
    cells "$2" $(find "$tmp/$1" -name '2*.csv' ! -name '*.values.csv') >"$tmp/column"
    echo "$(wc -l <"$tmp/column") $(sort -u "$tmp/column" | paste -sd ' ')"
}
table() { "$bench" sql -q -f csv "SELECT impl, params, input_hash, output_hash, scope, count(*) FROM measurement GROUP BY 1, 2, 3, 4, 5" --results "$tmp/$1"; }
# same FOLDER: its table is that of one process
same() { [ "$(table "$1")" = "$expected" ]; }
expect "one process" 0 '' "$bench" run "$tmp/exp.ini" -q --results "$tmp/alone"
expected=$(table alone)
launched() { # NAME RANKS COMMAND...: all is there once, by that launcher
    local name=$1 ranks=$2
    shift 2
    expect "$name" 0 '' timeout 300 "$@" "$bench" run "$tmp/exp.ini" -q --rank auto --results "$tmp/$name"
    check "$name: all is there, once (was $(column "$name" launcher))" test "$(column "$name" launcher)" = "$n_all $name"
    check "$name: by $ranks" test "$(column "$name" ranks)" = "$n_all $ranks"
    check "$name: the table is that of one process" same "$name"
    expect "$name: check finds all" 0 '^all is there' "$bench" check "$tmp/$name"
}
# one is killed: the launcher ends the others, or does not; all are started again
cat >"$tmp/dies" <<'END'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
[ "$rank" != 1 ] || exec timeout -s KILL "$LIVES" "$@"
exec "$@"
END
chmod +x "$tmp/dies"
killed() { # NAME COMMAND...
    local name=$1 lives
    shift
    for lives in 0.05 0.2 0.4 0.8; do
        rm -rf "$tmp/$name-dies"
        LIVES=$lives timeout 300 "$@" "$tmp/dies" "$bench" run "$tmp/exp.ini" -q --rank auto --results "$tmp/$name-dies" >"$tmp/out" 2>&1
        expect "$name: a rank dies after $lives s, all are started again" 0 '' \
            timeout 300 "$@" "$bench" run "$tmp/exp.ini" -q --rank auto --resume --results "$tmp/$name-dies"
        check "$name: the table is that of one process" same "$name-dies"
        expect "$name: check finds all" 0 '^all is there' "$bench" check "$tmp/$name-dies"
    done
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for mpi in openmpi mpich; do
    start=("mpirun.$mpi")
    [ $mpi = mpich ] || start+=(--oversubscribe)
    if command -v "${start[0]}" >/dev/null; then
        launched $mpi 3 "${start[@]}" -n 3
        killed $mpi "${start[@]}" -n 3
    else
        skip "no ${start[0]} (apt-get install ${mpi/%openmpi/openmpi-bin})"
    fi
done
finish
