#!/bin/bash
# test_profile_nsys.sh - scripts/profile_nsys with stand-ins for the program and for Nsight
# Systems
. tests/checks.sh profile_nsys python3
on_failure "$tmp/out" "$tmp/err" "$tmp/calls"

program "$tmp/depthbench" <<'END'
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
# As Debian's packages of nsight-systems 2020.4.3, 2022.4.2 and 2023.4.4 do: what is not known is an error in words, and exit 0; .qdstrm
# is what is left where the importer is missing; NO_KERNELS where nothing was recorded.
program "$tmp/bin/nsys" <<'END'
case "${VERSION:=2023.4.4}" in
2020*) names="gpukernsum cudaapisum nvtxppsum osrtsum" file=qdrep ;;
2022*) names="gpukernsum cudaapisum nvtxsum nvtxppsum osrtsum" file=nsys-rep ;;
2023*) names="cuda_gpu_kern_sum cuda_api_sum nvtx_sum nvtx_pushpop_sum osrt_sum" file=nsys-rep ;;
*) names=vulkan_api_sum file=nsys-rep ;;
esac
case "$*" in
--version) echo "NVIDIA Nsight Systems version $VERSION"; exit ;;
"profile --help") [ $file = qdrep ] || echo "	--capture-range-end="; exit ;;
"stats --help-reports") printf '  %s[:base] -- Summary\n' $names; exit ;;
esac
echo "$*" >>"$(dirname "$0")/../calls"
if [ "$1" = stats ]; then
    for name in ${3//,/ }; do
        case " $names " in *" $name "*) ;; *) echo "ERROR: Report '$name' could not be found." >&2; continue ;; esac
        case $name in
        *kern*) [ -z "${NO_KERNELS:-}" ] && echo "     100.0  segment_kernel" || echo "SKIPPED: ${!#} does not contain CUDA kernel data." >&2 ;;
        esac
    done
    [ -n "${SAYS_NOTHING:-}" ] || echo "Processing [${!#}]"
    exit
fi
case "$file $*" in *qdrep*--capture-range-end*) echo "unrecognised option '--capture-range-end=stop'"; exit 1 ;; esac
[ -z "${NO_IMPORTER:-}" ] || file=qdstrm
case "${NSYS_FAILS:-none}" in all) echo 'nsys: Installation is incomplete'; exit 1 ;; esac
case " $* " in *" ${NSYS_FAILS:-none} "*) echo 'nsys: no kernel was recorded'; exit 1 ;; esac
words=$*
report=${words#*--output=}
echo a report >"${report%% *}.$file"
END
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

rm -r "$REPORTS"
VERSION=2022.4.2 expect "the names of before 2023.1" 0 '2 reports' profile rdp/fig9
check "are asked for" test "$(grep -c 'stats --report nvtxsum,gpukernsum,cudaapisum ' "$tmp/calls")" = 2
VERSION=2020.4.3 expect "no option for the end of a range" 0 '2 reports' profile rdp/fig9
check "and no summary of all ranges" test "$(grep -c 'stats --report nvtxppsum,gpukernsum,cudaapisum .*/report.qdrep$' "$tmp/calls")" = 2
check "the report keeps its name" test -s "$reports/001-rdp-gpu-paper.qdrep"
check "its kernels are read" grep -q segment_kernel "$reports/001-rdp-gpu-paper.txt"
VERSION=1.0 expect "no report of kernels" 5 'version 1.0 has no report cuda_gpu_kern_sum or gpukernsum' profile rdp/fig9
NO_IMPORTER=1 expect "no importer" 5 'its importer is missing: ' profile rdp/fig9
check "what was recorded is kept" test -s "$reports/002-rdp-gpu-opt.qdstrm"
NO_KERNELS=1 expect "no kernel in a report" 5 'gpu-opt: nsys tells no kernels: SKIPPED: .*report.nsys-rep does not contain CUDA kernel data' profile rdp/fig9
check "is in the text, too" grep -q '^SKIPPED: ' "$reports/002-rdp-gpu-opt.txt"
NO_KERNELS=1 SAYS_NOTHING=1 VERSION=2022.4.2 expect "exit 0 and nothing" 5 'gpu-opt: nsys tells no kernels: ' profile rdp/fig9
PYTHONSAFEPATH=1 expect "Python that does not look beside a script" 0 '2 reports' profile rdp/fig9

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
