#!/bin/bash
# test_profile_nsys.sh - scripts/profile_nsys with stand-ins for the program and for Nsight
# Systems
set -u
. tests/checks.sh
needs python3
tmp=$(scratch profile_nsys) || exit 1
on_failure "$tmp/out" "$tmp/err" "$tmp/calls"

cat >"$tmp/depthbench" <<'END'
#!/bin/sh
case $1 in
env) printf 'machine=board-4c_card\ncommit=0123456789abcdef\n' ;;
list)
    case $2 in rdp/cpu) exit 77 ;; esac
    echo "fig9 rdp/gpu-paper eps=4;height=256 input=kitti-sgm frame_pick=typical series=hot scope=kernel"
    echo "fig9 rdp/gpu-paper eps=4;height=256 input=kitti-sgm frame_pick=typical series=cold scope=kernel"
    echo "fig9 rdp/gpu-opt eps=8;height=256 input=kitti-sgm frame_pick=all series=frames scope=kernel"
    echo "cpu rdp/serial eps=4;height=256 input=kitti-sgm frame_pick=all series=frames scope=kernel"
    ;;
*) exit 2 ;;
esac
END
mkdir "$tmp/bin"
cat >"$tmp/bin/nsys" <<'END'
#!/bin/bash
echo "$*" >>"$(dirname "$0")/../calls"
[ "$1" != stats ] || { echo "     100.0  segment_kernel"; exit; }
case "${NSYS_FAILS:-none}" in all) echo 'nsys: Installation is incomplete'; exit 1 ;; esac
case " $* " in *" ${NSYS_FAILS:-none} "*) echo 'nsys: no kernel was recorded'; exit 1 ;; esac
words=$*
report=${words#*--output=}
echo a report >"${report%% *}.nsys-rep"
END
chmod +x "$tmp/depthbench" "$tmp/bin/nsys"
export DEPTHBENCH=$tmp/depthbench REPORTS=$tmp/reports SYSROOT=$tmp/sysroot TMPDIR=$tmp

profile() { # ARGUMENT...
    : >"$tmp/calls"
    PATH="$tmp/bin:$PATH" scripts/profile_nsys "$@"
}
reports=$REPORTS/rdp/fig9

expect "all of it" 0 "2 reports in $reports" profile rdp/fig9
check "a report for each GPU configuration, once" test "$(echo "$reports"/*.nsys-rep)" = "$reports/001-rdp-gpu-paper.nsys-rep $reports/002-rdp-gpu-opt.nsys-rep"
check "and what is in it, beside" grep -q segment_kernel "$reports/001-rdp-gpu-paper.txt"
check "with the configuration" grep -qx 'rdp/gpu-opt eps=8;height=256 input=kitti-sgm frame_pick=all batch=1' "$reports/002-rdp-gpu-opt.txt"
# the timed range alone is recorded, without stacks of the host or strings that are not
# registered, and memory is not filled; the program runs one configuration, one launch after
# another
record="profile --trace=cuda,nvtx,osrt --sample=none --cpuctxsw=none --capture-range=nvtx --nvtx-capture=timed@depthbench \
--capture-range-end=stop --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0,DEPTHBENCH_NO_FILL=1 --force-overwrite=true \
--output=WORK/report $DEPTHBENCH run rdp/fig9 -g fig9 -i"
plain='-S mode=any -S energy=0 -S series=hot -S scope=kernel -S stages=0'
look='stats --report nvtx_sum,cuda_gpu_kern_sum,cuda_api_sum --format column --force-export=true WORK/report.nsys-rep'
check "what is called" diff - <(sed "s|$tmp/tmp[^/ ]*|WORK|g" "$tmp/calls") <<END
$record rdp/gpu-paper --profile -q --results WORK/rows -S eps=4 -S height=256 -S input=kitti-sgm -S frame_pick=typical \
-S batch=1 -S transfer=copy $plain
$look
$record rdp/gpu-opt --profile -q --results WORK/rows -S eps=8 -S height=256 -S input=kitti-sgm -S frame_pick=all \
-S batch=1 -S transfer=copy -S frames=1 $plain
$look
END
check "no file is left half" test -z "$(find "$REPORTS" -name '*.new')"
expect "a descriptor by its path" 0 '' profile "$tmp/own/mine.ini"
check "its reports are with the others, not beside it" test -s "$REPORTS/mine/001-rdp-gpu-paper.nsys-rep" -a ! -e "$tmp/own"

NSYS_FAILS=rdp/gpu-opt expect "one of two fails" 1 \
    'rdp/gpu-opt: nsys (exit 1) wrote no report: nsys: no kernel was recorded' profile rdp/fig9
check "the older report stays" test -s "$reports/002-rdp-gpu-opt.nsys-rep"

paranoid() { install -D /dev/stdin "$SYSROOT/proc/sys/kernel/perf_event_paranoid" <<<"$1"; }
paranoid 4
if [ "$(id -u)" = 0 ]; then
    SAMPLE=cpu expect "root may look at the host" 0 '' profile rdp/fig9
else
    SAMPLE=cpu expect "no rights to look at the host" 5 'here it is 4: sudo sysctl kernel.perf_event_paranoid=2' profile rdp/fig9
    check "before anything runs" test ! -s "$tmp/calls"
fi
paranoid 2
SAMPLE=cpu expect "with rights" 0 '' profile rdp/fig9
check "the host's stacks are asked for" grep -q -- '--sample=cpu' "$tmp/calls"

rm -r "$REPORTS"
SAMPLE=gpu expect "another sample" 2 '' profile rdp/fig9
NSYS_FAILS=all expect "none can be profiled" 5 '' profile rdp/fig9
NSYS=$tmp/none expect "no nsys" 5 'nsight-systems-cli' profile rdp/fig9
expect "no GPU configuration" 77 '' profile rdp/cpu
expect "no descriptor" 2 '' profile
DEPTHBENCH=$tmp/none expect "no program" 5 '' profile rdp/fig9
check "nothing is written" test ! -e "$REPORTS"
check "nothing beside the scripts" test ! -e scripts/__pycache__
finish
