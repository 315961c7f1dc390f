#!/bin/bash
# test_profile.sh - scripts/profile_ncu and scripts/profile_nsys with stand-ins for the program, for Nsight Compute and for Nsight Systems
. tests/checks.sh profile python3
on_failure "$tmp/out" "$tmp/err" "$tmp/calls"

program "$tmp/depthbench" <<'END'
case $1$2 in
env) printf 'machine=board-4c_card\nresults=board-4c_card\nhost=00ff\ncommit=0123456789abcdef\ndirty=%s\ngpu=A Card\ndriver=13000\nintegrated=%s\n' ${DIRTY:-0} ${PART:-0} ;;
liststixels/*)
    echo "b12 stixels/gpu-paper block=8;classes=18;dp=b;model=b12 input=city frame_pick=all series=hot frames=1"
    echo "b12 stixels/gpu-paper block=8;classes=18;dp=b;model=b12 input=city frame_pick=all series=cold frames=1"
    echo "again stixels/gpu-paper block=8;classes=18;dp=b;model=b12 input=city frame_pick=all series=hot frames=1"
    echo "b6 stixels/gpu-cubic block=4;classes=18;model=b6 input=city frame_pick=typical series=hot batch=16"
    echo "cpu stixels/openmp block=4;classes=18;model=b12 input=city frame_pick=all series=hot frames=1"
    ;;
listrdp/cpu) exit 77 ;;
list*)
    echo "fig9 rdp/gpu-paper eps=4;height=256 input=kitti-sgm frame_pick=typical series=hot scope=kernel"
    echo "fig9 rdp/gpu-paper eps=4;height=256 input=kitti-sgm frame_pick=typical series=cold scope=kernel"
    echo "fig9 rdp/gpu-opt eps=8;height=256 input=kitti-sgm frame_pick=all series=frames scope=kernel"
    echo "cpu rdp/serial eps=4;height=256 input=kitti-sgm frame_pick=all series=frames scope=kernel"
    ;;
*) exit 2 ;;
esac
END
real=$DEPTHBENCH
export DEPTHBENCH=$tmp/depthbench RESULTS=$tmp/results TMPDIR=$tmp

# ---- Nsight Compute ----
# as Nsight Compute 2025 writes a raw page: its own lines first, a row of units, separators of
# thousands
program "$tmp/bin/ncu" <<'END'
echo "NO_FILL=${DEPTHBENCH_NO_FILL:-} $*" >>"$(dirname "$0")/../calls"
while [ $# -gt 0 ]; do
    [ "$1" = --log-file ] && log=$2
    [ "$1" = --metrics ] && metrics=$2
    [ "$1" = stixels/gpu-cubic ] && fails=${NCU_FAILS:-}
    shift
done
[ -z "${fails:-}" ] || { echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' >"$log"; exit 1; }
# a metric that is not known has no column (seen with 2025.3.1), and no Tegra's GPU has dram__ (--query-metrics of 2020.3 to 2025.3)
case $metrics in
*lts__t_sectors_aperture_sysmem_lookup_miss.sum*)
    cat >"$log" <<'LOG'
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","lts__t_sectors_aperture_sysmem_lookup_miss.sum","sm__inst_executed.sum"
"","","","","","","","","","","","sector","inst"
"0","633","a","127.0.0.1","copy_kernel(float *)","1","7","(32, 1, 1)","(1, 1, 1)","0","8.7","104","9"
"1","633","a","127.0.0.1","copy_kernel(float *)","1","7","(32, 1, 1)","(1, 1, 1)","0","8.7","1,000","9"
LOG
    exit ;;
esac
cat >"$log" <<'LOG'
==PROF== Connected to process 42 (/x/depthbench)
==PROF== Profiling "downsample_kernel" - 0: 0%....50%....100% - 2 passes
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes.sum","l1tex__t_sector_hit_rate.pct","launch__registers_per_thread","sm__inst_executed.avg.per_cycle_active","sm__inst_executed.sum","sm__maximum_warps_per_active_cycle_pct","sm__warps_active.avg.pct_of_peak_sustained_active","smsp__issue_active.avg.pct_of_peak_sustained_active"
"","","","","","","","","","","","byte","%","register/thread","inst/cycle","inst","%","%","%"
"0","42","depthbench","127.0.0.1","void downsample_kernel<float, (bool)1>(const T1 *, int, int)","1","7","(256, 1, 1)","(8, 128, 20)","0","9.0","168,123,904","12.5","32","1.94","9,876,543","100","91.5","48.4"
"1","42","depthbench","127.0.0.1","void column_kernel<float, (int)18>(const float *, int)","1","7","(128, 1, 1)","(256, 1, 1)","0","9.0","2,650,000","79.91","79","2.38","1,234","50","24.5","59.5"
"2","42","depthbench","127.0.0.1","copy_kernel(const stixel *, int)","1","7","(128, 1, 1)","(256, 1, 1)","0","9.0","1,000","","16","0.31","77","100","3.5",""
"3","42","depthbench","127.0.0.1","copy_kernel(const stixel *, int)","1","7","(128, 1, 1)","(256, 1, 1)","0","9.0","2,500","","16","0.35","33","100","3.7",""
LOG
END

tool=ncu
profile() { # ARGUMENT...: of scripts/profile_$tool
    : >"$tmp/calls"
    PATH="$tmp/bin:$PATH" "scripts/profile_$tool" "$@"
}
# rows WHAT COLUMN,...: those columns of all rows are the text on stdin
rows() {
    cells "$2" "$RESULTS"/ncu/*.csv >"$tmp/rows"
    check "$1" diff - "$tmp/rows"
}

check "configurations are read as the program lists them" test "$(cd scripts && PYTHONSAFEPATH='' python3 -B -c 'import sys, profile_cells
print([(impl, params["block"], settings["section"]) for impl, params, settings in profile_cells.cells_of(sys.argv[1], ["stixels/fig9"], "/openmp")])' \
    "$real")" = "[('stixels/openmp', '8', 'b12'), ('stixels/openmp', '4', 'b12')]"

expect "all of it" 0 '' profile stixels/fig9 -i 'stixels/gpu-*'
# one process for each GPU configuration, not again for a second series or section; the timed
# range alone is looked at, clocks and caches are left alone, memory is not filled; of a set the
# first frame runs, of a typical frame and a batch, which are chosen from the set, all of it
look="NO_FILL=1 --nvtx --nvtx-include depthbench@timed/ --clock-control none --cache-control none --launch-count 200 --csv \
--page raw --print-units base --metrics METRICS --log-file WORK"
run="$DEPTHBENCH run stixels/fig9 -g"
plain='-S mode=any -S energy=0 -S series=hot -S scope=kernel -S stages=0'
check "what is called" diff - <(sed "s|$tmp/tmp[^/ ]*|WORK|g; s|--metrics [^ ]*|--metrics METRICS|" "$tmp/calls") <<END
$look/1.log $run b12 -i stixels/gpu-paper --profile -q --results WORK/rows -S block=8 -S classes=18 -S dp=b -S model=b12 \
-S input=city -S frame_pick=all -S batch=1 -S transfer=copy -S frames=1 $plain
$look/2.log $run b6 -i stixels/gpu-cubic --profile -q --results WORK/rows -S block=4 -S classes=18 -S model=b6 \
-S input=city -S frame_pick=typical -S batch=16 -S transfer=copy $plain
END
check "one file, named by time, commit, host and process" test "$(echo "$RESULTS"/ncu/* | grep -cE '/[0-9]{8}T[0-9]{6}Z-0123456-00ff-[0-9]+\.csv$')" = 1
rows "template arguments stay, parameters go; grids and stages" kernel,stage,grid <<'END'
downsample_kernel<float, (bool)1> downsample 8x128x20
column_kernel<float, (int)18> dynamic programming 256x1x1
copy_kernel compact 256x1x1
downsample_kernel<float, (bool)1> downsample 8x128x20
column_kernel<float, (int)18> dynamic programming 256x1x1
copy_kernel compact 256x1x1
END
rows "which frames and configuration, on which machine" frame_pick,params,machine,host <<'END'
all block=8;classes=18;dp=b;model=b12 board-4c_card 00ff
all block=8;classes=18;dp=b;model=b12 board-4c_card 00ff
all block=8;classes=18;dp=b;model=b12 board-4c_card 00ff
typical block=4;classes=18;model=b6 board-4c_card 00ff
typical block=4;classes=18;model=b6 board-4c_card 00ff
typical block=4;classes=18;model=b6 board-4c_card 00ff
END

rm -r "$RESULTS"
NCU_FAILS=1 expect "one of two configurations fails" 1 'stixels/gpu-cubic: ncu (exit 1): ==ERROR== ERR_NVGPUCTRPERM' profile stixels/fig9
check "what to do is said once" test "$(grep -c 'NVreg_RestrictProfilingToAdminUsers=0' "$tmp/err")" = 1
rows "the other is written: separators of thousands, what was not measured is empty" \
    instructions,dram_bytes,ipc,l1_hit_pct,registers,issue_active_pct <<'END'
9876543 168123904 1.94 12.5 32 48.4
1234 2650000 2.38 79.91 79 59.5
77 1000 0.31 - 16 -
END
rows "a second launch counts in the sums, and there is none of what was not measured" \
    launches,run_instructions,run_dram_bytes,run_l2_bytes <<'END'
1 9876543 168123904 -
1 1234 2650000 -
2 110 3500 -
END

rm -r "$RESULTS"
PART=1 DIRTY=unknown LC_ALL='' expect "a GPU that is part of a board" 0 'ncu has no column lts__t_bytes.sum for this GPU' profile stixels/fig9
rows "has bytes of the system's memory, in a column of their own" dirty,dram_bytes,sysmem_bytes,run_sysmem_bytes,run_dram_bytes <<'END'
unknown - 3328 35328 -
unknown - 3328 35328 -
END
check "it is asked for no metric of DRAM" test "$(grep -c dram__ "$tmp/calls")" = 0
check "what nobody can tell has the name of what is changed" compgen -G "$RESULTS/ncu/*-0123456-dirty-00ff-*.csv" >"$tmp/out"

rm -r "$RESULTS"
NCU_LAUNCHES=4 NCU_FAILS=1 profile stixels/fig9 >"$tmp/out" 2>"$tmp/err"
check "no more launches than asked for" grep -q -- '--launch-count 4 ' "$tmp/calls"
rows "more launches than are looked at: the first of them, and neither sum nor number" instructions,launches,run_instructions <<'END'
9876543 - -
1234 - -
77 - -
END

rm -r "$RESULTS"
sed -i 's/stixels.gpu-paper/stixels\/gpu-cubic/' "$tmp/depthbench"
NCU_FAILS=1 expect "nothing profiled" 5 '' profile stixels/fig9
check "nothing is written" test ! -e "$RESULTS"
DEPTHBENCH=$tmp/none expect "no program" 5 'run make first' profile stixels/fig9
NCU=$tmp/none expect "no ncu" 5 'comes with the CUDA toolkit' profile stixels/fig9
expect "no descriptor" 2 '' profile
NCU_LAUNCHES=many expect "no number of launches" 2 '^profile_ncu: NCU_LAUNCHES=many: expected a number from 1 to 999999$' profile stixels/fig9

# ---- Nsight Systems ----
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
export REPORTS=$tmp/reports SYSROOT=$tmp/sysroot

tool=nsys
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
check "nothing is written" test ! -e "$REPORTS"
check "nothing beside the scripts" test ! -e scripts/__pycache__
finish
