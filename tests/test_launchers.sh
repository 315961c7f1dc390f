#!/bin/bash
# test_launchers.sh - ranks of Open MPI, MPICH, and of a Slurm of two made-up nodes with two made-up GPUs each; they are killed and requeued
#
# The Slurm is this script's own: its daemons, keys and ports, ended with it.  It needs root, and slurm-wlm and munge of Debian.
. tests/checks.sh
begin_ranks launchers "1, 2"
n_all=16
# when SECONDS COMMAND...: as soon as it succeeds; fails behind so many seconds
when() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do [ $SECONDS -lt $end ] || return 1; done
}
column() { # FOLDER COLUMN: how many rows, and its values, each once
    # shellcheck disable=SC2046
    cells "$2" $(find "$tmp/$1" -name '2*.csv' ! -name '*.values.csv') >"$tmp/column"
    echo "$(wc -l <"$tmp/column") $(sort -u "$tmp/column" | paste -sd ' ')"
}
table() { "$bench" sql -q -f csv "SELECT impl, params, input_hash, output_hash, scope, count(*) FROM measurement GROUP BY 1, 2, 3, 4, 5" --results "$tmp/$1"; }
expect "one process" 0 '' "$bench" run "$tmp/exp.ini" -q --results "$tmp/alone"
table alone >"$tmp/expected"
launched() { # NAME RANKS COMMAND...: all is there once, by that launcher
    local name=$1 ranks=$2
    shift 2
    expect "$name" 0 '' timeout 300 "$@" "$bench" run "$tmp/exp.ini" -q --rank auto --results "$tmp/$name"
    check "$name: all is there, once (was $(column "$name" launcher))" test "$(column "$name" launcher)" = "$n_all $name"
    check "$name: by $ranks" test "$(column "$name" ranks)" = "$n_all $ranks"
    whole "$name" "$name"
}
# one is killed: the launcher ends the others, or does not; all are started again
program "$tmp/dies" <<'END'
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$SLURM_PROCID}}
[ "$rank" != 1 ] || exec timeout -s KILL "$LIVES" "$@"
exec "$@"
END
killed() { # NAME COMMAND...
    local name=$1 lives
    shift
    for lives in 0.05 0.2 0.4 0.8; do
        rm -rf "$tmp/$name-dies"
        LIVES=$lives timeout 300 "$@" "$tmp/dies" "$bench" run "$tmp/exp.ini" -q --rank auto --results "$tmp/$name-dies" >"$tmp/out" 2>&1
        expect "$name: a rank dies after $lives s, all are started again" 0 '' \
            timeout 300 "$@" "$bench" run "$tmp/exp.ini" -q --rank auto --resume --results "$tmp/$name-dies"
        whole "$name, again" "$name-dies"
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

# ---- Slurm ----
for program in slurmctld slurmd srun sbatch scontrol munged; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || { skip "no $program (apt-get install slurm-wlm munge)" && finish; }
done
[ "$(id -u)" = 0 ] || { skip "Slurm's daemons need root" && finish; }
PATH=$PATH:/usr/sbin
slurm=$(mktemp -d -p /tmp) # its sockets want short names
end_slurm() {
    local pid
    for pid in "$slurm"/*.pid; do
        [ ! -s "$pid" ] || kill "$(cat "$pid")" 2>/dev/null
    done
    # they end by themselves, and write until then
    for pid in "$slurm"/*.pid; do
        timeout 10 sh -c 'while [ -e "$1" ]; do :; done' sh "$pid" || kill -KILL "$(cat "$pid")" 2>/dev/null
    done
    rm -rf "$slurm"
}
trap end_slurm EXIT
head -c 1024 /dev/urandom >"$slurm/munge.key" && chmod 600 "$slurm/munge.key"
munged --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" --pid-file="$slurm/munge.pid" --log-file="$slurm/munge.log" \
    --seed-file="$slurm/munge.seed" >"$tmp/out" 2>&1 || { skip "munged does not start here" && finish; }
mknod "$slurm/gpu0" c 1 3 2>/dev/null && mknod "$slurm/gpu1" c 1 3 || { skip "no device nodes can be made here" && finish; }
read -r port port1 port2 < <(python3 -c '
import socket
held = [socket.socket() for _ in range(3)]
for s in held: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in held])')
host=$(hostname -s)
cat >"$slurm/slurm.conf" <<END
ClusterName=t
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
SlurmctldPort=$port
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool-%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
GresTypes=gpu
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$port1 CPUs=4 Gres=gpu:fake:2 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$port2 CPUs=4 Gres=gpu:fake:2 State=UNKNOWN
PartitionName=p Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
printf 'NodeName=n%d Name=gpu Type=fake File=%s/gpu[0-1]\n' 1 "$slurm" 2 "$slurm" >"$slurm/gres.conf"
mkdir "$slurm/state"
export SLURM_CONF=$slurm/slurm.conf
on_failure "$tmp/out" "$tmp/err" "$slurm"/slurm*.log
{ slurmctld && slurmd -N n1 && slurmd -N n2; } >"$tmp/out" 2>&1
timeout 30 sh -c 'until [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; do :; done' || { skip "Slurm brings no two nodes up here" && finish; }
pass
timeout 60 srun -Q -N 2 -n 4 --gpus-per-task=1 true >"$tmp/out" 2>&1 || {
    skip "Slurm starts not even true here: $(grep -h error "$slurm"/slurmd-n1.log "$tmp/out" | head -n 3 | tr '\n' ' ')" && finish
}
# a node is a host of its own to the program; which GPU a rank takes is what Slurm has left it
program "$slurm/rank" <<'END'
echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES" >>"$SEEN"
exec "$@" --host "$SLURMD_NODENAME"
END
export SEEN=$tmp/seen
launched slurm 4 srun -Q -N 2 -n 4 --gpus-per-task=1 "$slurm/rank"
check "each rank has a GPU of its own" test "$(sort -u "$SEEN" | wc -l)" = 4
check "on both nodes" test "$(column slurm host)" = "$n_all n1 n2"
killed slurm srun -Q -N 2 -n 4 --kill-on-bad-exit=0
# an array is several jobs, one of which begins when the others have gone; its tasks are requeued as they work
program "$slurm/array" <<END
#SBATCH --requeue
echo "\$SLURM_ARRAY_TASK_ID \${SLURM_RESTART_COUNT:-0}" >>"$tmp/starts"
exec "$bench" run "$tmp/exp.ini" -q --runs 2 --rank auto --resume --results "$tmp/slurm-array" --host \$SLURMD_NODENAME
END
: >"$tmp/starts"
# what is requeued would wait for two minutes
idle() {
    for job in $(squeue -h -r -t PENDING -o %i); do scontrol update JobId="$job" StartTime=now; done
    [ -z "$(squeue -h)" ]
}
expect "an array" 0 '' sbatch -Q --array=0-2 -n 1 -o "$tmp/array.out" "$slurm/array"
when 30 test -s "$tmp/starts"
for _ in 1 2 3; do
    sleep 0.7
    for job in $(squeue -h -r -t RUNNING -o %i); do scontrol requeue "$job"; done >"$tmp/requeued" 2>&1
done
if ! when 180 idle; then
    skip "Slurm leaves an array waiting: $(squeue -h -t PENDING -o %r | sort -u | tr '\n' ' ')"
    scancel -u root
else
    check "its tasks were requeued (starts: $(sort "$tmp/starts" | paste -sd ,))" grep -qE ' [1-9]' "$tmp/starts"
    check "all of an array is there, once in each run (was $(column slurm-array launcher))" test "$(column slurm-array launcher)" = "$((2 * n_all)) slurm-array"
    check "both runs are one group (was $(column slurm-array run_group))" test "$(column slurm-array run_group | wc -w)" = 2
    expect "an array: check finds all" 0 '^all is there' "$bench" check "$tmp/slurm-array"
fi
finish
