#!/bin/bash
# test_tables.sh - the tables as the papers print them, of made-up rows and of those that are recorded
set -u
. tests/checks.sh
tmp=$(scratch tables) || exit 1
on_failure "$tmp/err"
show() { "$DEPTHBENCH" show "$@" -q >"$tmp/out" 2>"$tmp/err"; }
# has LINE...: with as many blanks between words as it likes
has() {
    local line
    for line; do sed -E 's/ +/ /g; s/ $//' "$tmp/out" | grep -Fqx -- "$line" || { echo "no line '$line'" >"$tmp/err" && return 1; }; done
}

# ---- of all machines ----------------------------------------------------------------------------------------

for sql in experiments/*/*.sql; do
    name=$(basename "$sql") paper=${sql%/*}
    check "$sql is named by a descriptor" grep -q "= *$name$" "$paper"/*.ini
done
for machine in results/*-*/; do
    for ini in $(grep -l '^first ' experiments/*/*.ini); do
        experiment=${ini#experiments/} experiment=${experiment%.ini}
        check "$experiment of $machine" show "$experiment" --results "${machine%/}"
        check "$experiment has lines of 80 characters" test "$(LC_ALL=C.UTF-8 wc -L <"$tmp/out")" -le 80
        ! grep -q -- --all "$tmp/out" || check "$experiment has what is printed, and here" grep -Eq ' here( |$)' "$tmp/out"
    done
done

# ---- of made-up rows ----------------------------------------------------------------------------------------

# row IMPL SERIES KEY=VALUE...: of a session, a file each
n=0 session=20260101T000000Z-a
row() {
    local names=schema,session,row_id,utc,build_hash,machine,cpu,gpu,commit,dirty,protocol,impl,frame_pick,batch,mode_name,scope,series,verdict,status,n
    local values=4,$session,r$n,20260101T000000Z,b,m,CPU,GPU,abc1234,0,paper,$1,all,1,any,kernel,$2,exact,ok,9 word
    for word in "${@:3}"; do names+=,${word%%=*} values+=,${word#*=}; done
    printf '%s\n%s\n' "$names" "$values" >"$tmp/m/$session-$n.csv"
    n=$((n + 1))
}
mkdir "$tmp/m"
time='mean_ms=%s median_ms=%s ci_lo_ms=%s ci_hi_ms=%s'
# shellcheck disable=SC2059,SC2046 # words
ms() { printf "$time" "$1" "$1" "$2" "$3"; }
# shellcheck disable=SC2046 # words
{
    row rdp/gpu-paper frames problem=rdp device=gpu input=scene width=1242 height=1024 eps=4 $(ms 0.07118 0.0706 0.0718)
    row rdp/gpu-paper frames problem=rdp device=gpu input=scene width=1242 height=1024 eps=8 $(ms 9 9 9)
    row rdp/serial frames problem=rdp device=serial threads=1 input=scene width=1242 height=1024 eps=4 $(ms 3.9871 3.98 4)
    row probe/gpu-plain hot problem=probe device=gpu input=noise operation=copy kib=1048576 work_bytes=2e9 $(ms 0.5 0.499 0.501)
}
printf 'machine=m\ngpu=A Card\ncc=7.2\nsm_count=20\nsm_clock_max_mhz=1980\ncores=16\nl2_bytes=62914560\ngpu_memory_bytes=6.45e10\n' \
    >"$tmp/m/$session-0.env.txt"
session=20260102T000000Z-b # a newer one, which saw no GPU
row rdp/serial hot problem=rdp device=serial threads=1 input=noise
printf 'machine=m\ncores=2\n' >"$tmp/m/$session-$((n - 1)).env.txt"

check "RDP's Table 1" show rdp/table1 --results "$tmp/m"
check "has clocks, cores, and times with the digits of their intervals" has ' 10 W printed 15 W printed MAXN printed here' \
    'GPU clock, MHz 520 670 1337 1980' 'CPUs online 2 4 8 16' 'power budget, W 10 15 30+ (unknown)' \
    'GPU, ms (gpu-paper) 5.66 2.33 1.09 0.0712' '1 core, ms (serial) 43.9 40.10 21.15 3.99' 'cores, ms (omp-columns) 23.3 14.31 4.97 (no rows)'
check "[STX] Table 4" show stixels/table4 --results "$tmp/m"
check "has facts, what follows of them, and what was measured" has 'GPU Tegra X2 Tegra Xavier A Card' 'architecture Pascal Volta 7.2 Volta' \
    'number of cores 256 512 1280' 'shared memory per SM 64 KiB 96 KiB 96 KiB' 'device memory size 8 GB 32 GB 64.5 GB' \
    'L2 cache size 4096 KiB 6144 KiB 61440 KiB' 'TDP 15 W 30 W (unknown)' 'GFLOPS (single precision) 750 1410 (no rows)' \
    'device memory bandwidth 59.7 GB/s 136.5 GB/s 4000 GB/s'
finish
