#!/bin/bash
# test_profile_nsys.sh - scripts/profile_nsys with stand-ins for the program and for Nsight Systems, which looks at its arguments
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
    PATH="$tmp/bin:$PATH" scripts/profile_nsys "$@"
}
reports=$REPORTS/rdp/fig9

expect "all of it" 0 "2 reports in $reports" profile rdp/fig9
check "a report for each GPU configuration, once" test "$(echo "$reports"/*.nsys-rep)" = "$reports/001-rdp-gpu-paper.nsys-rep $reports/002-rdp-gpu-opt.nsys-rep"
check "and what is in it, beside" grep -q segment_kernel "$reports/001-rdp-gpu-paper.txt"
check "with the configuration" grep -qx 'rdp/gpu-opt eps=8;height=256 input=kitti-sgm frame_pick=all batch=1' "$reports/002-rdp-gpu-opt.txt"
check "no stacks of the host" grep -q -- '--sample=none' "$tmp/calls"
check "the configuration, by its section and keys" grep -q -- '-g fig9 -i rdp/gpu-paper .*-S eps=4 -S height=256 -S input=kitti-sgm -S frame_pick=typical' "$tmp/calls"
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
