#!/bin/bash
# test_profile_ncu.sh - scripts/profile_ncu with stand-ins for the program and for Nsight
# Compute
. tests/checks.sh profile_ncu python3

program "$tmp/depthbench" <<'END'
case $1 in
env) printf 'machine=board-4c_card\nresults=board-4c_card\nhost=00ff\ncommit=0123456789abcdef\ndirty=%s\ngpu=A Card\ndriver=13000\nintegrated=%s\n' ${DIRTY:-0} ${PART:-0} ;;
list)
    echo "b12 stixels/gpu-paper block=8;classes=18;dp=b;model=b12 input=city frame_pick=all series=hot frames=1"
    echo "b12 stixels/gpu-paper block=8;classes=18;dp=b;model=b12 input=city frame_pick=all series=cold frames=1"
    echo "again stixels/gpu-paper block=8;classes=18;dp=b;model=b12 input=city frame_pick=all series=hot frames=1"
    echo "b6 stixels/gpu-cubic block=4;classes=18;model=b6 input=city frame_pick=typical series=hot batch=16"
    echo "cpu stixels/openmp block=4;classes=18;model=b12 input=city frame_pick=all series=hot frames=1"
    ;;
*) exit 2 ;;
esac
END
# as Nsight Compute 2025 writes a raw page: its own lines first, a row of units, separators of
# thousands
program "$tmp/ncu" <<'END'
echo "NO_FILL=${DEPTHBENCH_NO_FILL:-} $*" >>"$(dirname "$0")/calls"
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
real=$DEPTHBENCH
export DEPTHBENCH=$tmp/depthbench RESULTS=$tmp/results TMPDIR=$tmp

profile() { # ARGUMENT...
    : >"$tmp/calls"
    NCU=${NCU:-$tmp/ncu} scripts/profile_ncu "$@"
}
# rows WHAT COLUMN,...: those columns of all rows are the text on stdin
rows() {
    python3 -c 'import csv, glob, sys
for path in glob.glob(sys.argv[1] + "/ncu/*.csv"):
    for row in csv.DictReader(open(path)):
        print(*(row[column] for column in sys.argv[2].split(",")), sep="|")' "$RESULTS" "$2" >"$tmp/rows"
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
downsample_kernel<float, (bool)1>|downsample|8x128x20
column_kernel<float, (int)18>|dynamic programming|256x1x1
copy_kernel|compact|256x1x1
downsample_kernel<float, (bool)1>|downsample|8x128x20
column_kernel<float, (int)18>|dynamic programming|256x1x1
copy_kernel|compact|256x1x1
END
rows "which frames and configuration, on which machine" frame_pick,params,machine,host <<'END'
all|block=8;classes=18;dp=b;model=b12|board-4c_card|00ff
all|block=8;classes=18;dp=b;model=b12|board-4c_card|00ff
all|block=8;classes=18;dp=b;model=b12|board-4c_card|00ff
typical|block=4;classes=18;model=b6|board-4c_card|00ff
typical|block=4;classes=18;model=b6|board-4c_card|00ff
typical|block=4;classes=18;model=b6|board-4c_card|00ff
END

rm -r "$RESULTS"
NCU_FAILS=1 expect "one of two configurations fails" 1 'stixels/gpu-cubic: ncu (exit 1): ==ERROR== ERR_NVGPUCTRPERM' profile stixels/fig9
check "what to do is said once" test "$(grep -c 'NVreg_RestrictProfilingToAdminUsers=0' "$tmp/err")" = 1
rows "the other is written: separators of thousands, what was not measured is empty" \
    instructions,dram_bytes,ipc,l1_hit_pct,registers,issue_active_pct <<'END'
9876543|168123904|1.94|12.5|32|48.4
1234|2650000|2.38|79.91|79|59.5
77|1000|0.31||16|
END
rows "a second launch counts in the sums, and there is none of what was not measured" \
    launches,run_instructions,run_dram_bytes,run_l2_bytes <<'END'
1|9876543|168123904|
1|1234|2650000|
2|110|3500|
END

rm -r "$RESULTS"
PART=1 DIRTY=unknown LC_ALL='' expect "a GPU that is part of a board" 0 'ncu has no column lts__t_bytes.sum for this GPU' profile stixels/fig9
rows "has bytes of the system's memory, in a column of their own" dirty,dram_bytes,sysmem_bytes,run_sysmem_bytes,run_dram_bytes <<'END'
unknown||3328|35328|
unknown||3328|35328|
END
check "it is asked for no metric of DRAM" test "$(grep -c dram__ "$tmp/calls")" = 0
check "what nobody can tell has the name of what is changed" compgen -G "$RESULTS/ncu/*-0123456-dirty-00ff-*.csv" >"$tmp/out"

rm -r "$RESULTS"
NCU_LAUNCHES=4 NCU_FAILS=1 profile stixels/fig9 >"$tmp/out" 2>"$tmp/err"
check "no more launches than asked for" grep -q -- '--launch-count 4 ' "$tmp/calls"
rows "more launches than are looked at: the first of them, and neither sum nor number" instructions,launches,run_instructions <<'END'
9876543||
1234||
77||
END

rm -r "$RESULTS"
sed -i 's/stixels.gpu-paper/stixels\/gpu-cubic/' "$tmp/depthbench"
NCU_FAILS=1 expect "nothing profiled" 5 '' profile stixels/fig9
check "nothing is written" test ! -e "$RESULTS"
DEPTHBENCH=$tmp/none expect "no program" 5 'run make first' profile stixels/fig9
NCU=$tmp/none expect "no ncu" 5 'comes with the CUDA toolkit' profile stixels/fig9
expect "no descriptor" 2 '' profile
NCU_LAUNCHES=many expect "no number of launches" 2 '^profile_ncu: NCU_LAUNCHES=many: expected a number from 1 to 999999$' profile stixels/fig9
finish
