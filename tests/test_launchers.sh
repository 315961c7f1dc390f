#!/bin/bash
# test_launchers.sh - ranks of Open MPI, MPICH, and of a Slurm of two made-up nodes with two made-up GPUs each
#
# The Slurm is this script's own: its daemons, keys and ports, ended with it.  It needs root, and slurm-wlm and munge of Debian.
set -u
. tests/checks.sh
begin_ranks launchers "1, 2"
n_all=16
column() { # FOLDER COLUMN: its values, each once
    python3 - "$2" "$tmp/$1/$machine"/2*.csv <<'END'
import csv, sys
rows = [row for name in sys.argv[2:] if not name.endswith(".values.csv") for row in csv.DictReader(open(name))]
print(len(rows), " ".join(sorted({row[sys.argv[1]] for row in rows})))
END
}
launched() { # NAME RANKS COMMAND...: all is there once, by that launcher; a second start measures anew
    local name=$1 ranks=$2
    shift 2
    expect "$name" 0 '' timeout 300 "$@" "$bench" run "$tmp/exp.ini" -q --ranks auto --results "$tmp/$name/$machine"
    check "$name: all is there, once (was $(column "$name" launcher))" test "$(column "$name" launcher)" = "$n_all ${name%-*}"
    check "$name: by $ranks" test "$(column "$name" ranks)" = "$n_all $ranks"
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
named=(sh -c 'exec "$@" --campaign m' sh)
for mpi in openmpi mpich; do
    start=("mpirun.$mpi")
    [ $mpi = mpich ] || start+=(--oversubscribe)
    if command -v "${start[0]}" >/dev/null; then
        expect "$mpi gives its ranks no name" 2 "$mpi has no name for all of its ranks" \
            timeout 60 "${start[@]}" -n 1 "$bench" run "$tmp/exp.ini" -q --ranks auto
        launched $mpi 3 "${start[@]}" -n 3 "${named[@]}"
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
cat >"$slurm/rank" <<'END'
#!/bin/sh
echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES" >>"$SEEN"
exec "$@" --host "$SLURMD_NODENAME"
END
chmod +x "$slurm/rank"
export SEEN=$tmp/seen
launched slurm 4 srun -Q -N 2 -n 4 --gpus-per-task=1 "$slurm/rank"
check "each rank has a GPU of its own" test "$(sort -u "$SEEN" | wc -l)" = 4
check "on both nodes" test "$(column slurm host)" = "$n_all n1 n2"
# an array is several jobs, one of which begins when the others have gone
printf '#!/bin/sh\nexec "%s" run "%s" -q --ranks auto --results "%s" --host $SLURMD_NODENAME\n' "$bench" "$tmp/exp.ini" "$tmp/array/$machine" >"$slurm/array"
timeout 120 sbatch -Q -W --array=0-2 -n 1 -o "$tmp/array.out" "$slurm/array" >"$tmp/out" 2>"$tmp/err"
status=$?
if [ $status = 124 ] && squeue -h -t PENDING | grep -q .; then
    skip "Slurm leaves an array waiting: $(squeue -h -t PENDING -o %r | sort -u | tr '\n' ' ')"
    scancel -u root
else
    check "an array: exit 0 (was $status)" test $status = 0
    check "all of an array is there, once (was $(column array launcher))" test "$(column array launcher)" = "$n_all slurm-array"
fi
# a rank is killed in its work: the others go on, whatever srun says
cat >"$slurm/dies" <<'END'
#!/bin/sh
[ "$SLURM_PROCID" != 2 ] || exec timeout -s KILL 0.6 "$@" --host "$SLURMD_NODENAME"
exec "$@" --host "$SLURMD_NODENAME"
END
chmod +x "$slurm/dies"
timeout 300 srun -Q -N 2 -n 4 --kill-on-bad-exit=0 "$slurm/dies" "$bench" run "$tmp/exp.ini" -q --ranks auto --results "$tmp/dies/$machine" >"$tmp/out" 2>&1
# where the others had ended before they saw each other, its share is left
n=$(column dies launcher)
expect "a rank of Slurm is killed: what is left is said" $((${n% *} == n_all ? 0 : 3)) "${n% *} of $n_all there" "$bench" gather "$tmp/dies" --results "$tmp/dies.all"
command=$(sed -n 's/^  the others, where that was called: depthbench //p' "$tmp/out")
[ -z "$command" ] || eval "'$bench' $command" >"$tmp/out" 2>&1
check "and done, once (was $(column dies impl))" test "$(column dies impl)" = "$n_all rdp/omp-columns rdp/serial"
finish
