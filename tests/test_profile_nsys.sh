#!/bin/bash
# test_profile_nsys.sh - scripts/profile_nsys with a made-up program and a made-up Nsight Systems that looks at its arguments
set -u
. tests/checks.sh
command -v python3 >/dev/null || {
    skip "python3 is not there"
    finish
}
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
# refuses what the real one would not understand, and what would record more than the timed range
mkdir "$tmp/bin"
cat >"$tmp/bin/nsys" <<'END'
#!/bin/bash
folder=$(dirname "$0")/..
echo "$*" >>"$folder/calls"
refuse() { echo "nsys: $*"; exit 1; }
case $1 in
stats)
    shift
    while [ $# -gt 1 ]; do
        case $1 in --report | --format) shift ;; --force-export=true) ;; *) refuse "stats: $1" ;; esac
        shift
    done
    [ -f "$1" ] || refuse "no report $1"
    echo "  Time (%)  kernel"
    echo "     100.0  segment_kernel"
    exit
    ;;
profile) shift ;;
*) refuse "no command '$1'" ;;
esac
declare -A given
while [ "${1#--}" != "$1" ]; do
    case $1 in
    --trace=* | --sample=* | --cpuctxsw=* | --capture-range=* | --nvtx-capture=* | --capture-range-end=* | --env-var=* | \
        --force-overwrite=* | --output=*) given[${1%%=*}]=${1#*=} ;;
    *) refuse "unrecognised option '$1'" ;;
    esac
    shift
done
[ "${given[--capture-range]:-none}" = nvtx ] || refuse 'all of the run would be recorded'
[ "${given[--nvtx-capture]:-}" = timed@depthbench ] || refuse 'no such range'
[ "${given[--capture-range-end]:-}" = stop ] || refuse 'the range has no end'
case ,${given[--env-var]:-}, in *,NSYS_NVTX_PROFILER_REGISTER_ONLY=0,*) ;; *) refuse 'only registered strings' ;; esac
case ,${given[--env-var]:-}, in *,DEPTHBENCH_NO_FILL=1,*) ;; *) refuse 'memory is filled' ;; esac
case ,${given[--trace]:-}, in *,cuda,*nvtx,*) ;; *) refuse 'nothing to trace' ;; esac
[ -x "$1" ] && [ "$2" = run ] || refuse "no program '$1'"
case " $* " in *' --profile '*) ;; *) refuse 'a run with all its tricks' ;; esac
case "${NSYS_FAILS:-none}" in all) refuse 'Installation is incomplete' ;; esac
case " $* " in *" ${NSYS_FAILS:-none} "*) refuse 'no kernel was recorded' ;; esac
echo a report >"${given[--output]}.nsys-rep"
END
chmod +x "$tmp/depthbench" "$tmp/bin/nsys"
export DEPTHBENCH=$tmp/depthbench REPORTS=$tmp/reports SYSROOT=$tmp/sysroot

profile() { # ARGUMENT...
    : >"$tmp/calls"
    PATH="$tmp/bin:$PATH" scripts/profile_nsys "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}
nothing_written() { [ ! -e "$REPORTS" ]; }

profile rdp/fig9
check "done" test "$status" = 0
check "a report for each GPU configuration, once" test "$(echo "$REPORTS"/rdp/fig9/*.nsys-rep)" = "$REPORTS/rdp/fig9/001-rdp-gpu-paper.nsys-rep $REPORTS/rdp/fig9/002-rdp-gpu-opt.nsys-rep"
check "and what is in it, beside" grep -q segment_kernel "$REPORTS/rdp/fig9/001-rdp-gpu-paper.txt"
check "with the configuration" grep -qx 'rdp/gpu-opt eps=8;height=256 input=kitti-sgm frame_pick=all batch=1' "$REPORTS/rdp/fig9/002-rdp-gpu-opt.txt"
check "no stacks of the host" grep -q -- '--sample=none' "$tmp/calls"
check "the configuration, by its section and keys" grep -q -- '-g fig9 -i rdp/gpu-paper .*-S eps=4 -S height=256 -S input=kitti-sgm -S frame_pick=typical' "$tmp/calls"
check "where they are" grep -q "2 reports in $REPORTS/rdp/fig9" "$tmp/out"
check "no file is left half" test -z "$(find "$REPORTS" -name '*.new')"

profile "$tmp/own/mine.ini"
check "reports of a descriptor by its path are with the others" test -s "$REPORTS/mine/001-rdp-gpu-paper.nsys-rep"
check "and not beside it" test ! -e "$tmp/own"

NSYS_FAILS=rdp/gpu-opt profile rdp/fig9
check "one of two fails: exit 1" test "$status" = 1
check "and says why" grep -q 'rdp/gpu-opt: nsys (exit 1) wrote no report: nsys: no kernel was recorded' "$tmp/err"
check "the older report stays" test -s "$REPORTS/rdp/fig9/002-rdp-gpu-opt.nsys-rep"
rm -r "$REPORTS"
NSYS_FAILS=all profile rdp/fig9
check "none: exit 5" test "$status" = 5
check "nothing is written" nothing_written

paranoid() { install -D /dev/stdin "$SYSROOT/proc/sys/kernel/perf_event_paranoid" <<<"$1"; }
paranoid 4
SAMPLE=cpu profile rdp/fig9
if [ "$(id -u)" = 0 ]; then
    check "root may look at the host" test "$status" = 0
else
    check "no rights to look at the host: exit 5" test "$status" = 5
    check "one sentence, with what to do" grep -q 'here it is 4: sudo sysctl kernel.perf_event_paranoid=2' "$tmp/err"
    check "before anything runs" test ! -s "$tmp/calls"
fi
paranoid 2
SAMPLE=cpu profile rdp/fig9
check "with rights" test "$status" = 0
check "the host's stacks are asked for" grep -q -- '--sample=cpu' "$tmp/calls"
SAMPLE=gpu profile rdp/fig9
check "another sample: exit 2" test "$status" = 2

rm -rf "$REPORTS"
NSYS=$tmp/none scripts/profile_nsys rdp/fig9 >"$tmp/out" 2>"$tmp/err"
check "no nsys: exit 5" test $? = 5
check "no nsys: says where it comes from" grep -q 'nsight-systems-cli' "$tmp/err"
check "and nothing is written" nothing_written
profile rdp/cpu
check "no GPU configuration: exit 77" test "$status" = 77
profile
check "no descriptor: exit 2" test "$status" = 2
DEPTHBENCH=$tmp/none profile rdp/fig9
check "no program: exit 5" test "$status" = 5
check "nothing beside the scripts" test ! -e scripts/__pycache__
finish
