#!/bin/bash
# test_profile_ncu.sh - scripts/profile_ncu with a made-up program and a made-up Nsight Compute
set -u
. tests/checks.sh
command -v python3 >/dev/null || {
    skip "python3 is not there"
    finish
}
tmp=$(scratch profile_ncu) || exit 1
on_failure "$tmp/out" "$tmp/err"

cat >"$tmp/depthbench" <<'END'
#!/bin/sh
case $1 in
env) printf 'machine=board-4c_card\nhost=00ff\ncommit=0123456789abcdef\ndirty=0\ngpu=A Card\ndriver=13000\n' ;;
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
# as Nsight Compute 2025 writes a raw page: its own lines first, a row of units, separators of thousands
cat >"$tmp/ncu" <<'END'
#!/bin/bash
echo "NO_FILL=${DEPTHBENCH_NO_FILL:-} $*" >>"$(dirname "$0")/calls"
while [ $# -gt 0 ]; do
    [ "$1" = --log-file ] && log=$2
    [ "$1" = stixels/gpu-cubic ] && fails=${NCU_FAILS:-}
    shift
done
[ -z "${fails:-}" ] || { echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' >"$log"; exit 1; }
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
chmod +x "$tmp/depthbench" "$tmp/ncu"
export DEPTHBENCH=$tmp/depthbench RESULTS=$tmp/results

profile() { # ARGUMENT...
    : >"$tmp/calls"
    NCU=$tmp/ncu scripts/profile_ncu "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}
table() { cat "$RESULTS"/ncu/*.csv; }
# configuration KERNEL COLUMN VALUE: of the first row of that kernel
cell() {
    python3 - "$1" "$2" "$3" "$RESULTS" <<'END'
import csv, glob, sys
kernel, column, value, folder = sys.argv[1:]
rows = [row for path in glob.glob(folder + "/ncu/*.csv") for row in csv.DictReader(open(path))]
sys.exit(0 if [row[column] for row in rows if row["kernel"].startswith(kernel)][0] == value else 1)
END
}

profile stixels/fig9 -i 'stixels/gpu-*'
check "done" test "$status" = 0
check "one process for each GPU configuration, and none for a second series" test "$(wc -l <"$tmp/calls")" = 2
check "not again for a second section" test "$(grep -c -- '-g b12 -i stixels/gpu-paper' "$tmp/calls")" = 1
check "only the timed range" grep -q -- '--nvtx-include depthbench@timed/' "$tmp/calls"
check "clocks are left alone" grep -q -- '--clock-control none' "$tmp/calls"
check "and caches" grep -q -- '--cache-control none' "$tmp/calls"
check "one warm-up, one sample, no tricks" grep -q -- ' run stixels/fig9 .* --profile ' "$tmp/calls"
check "of the kernels alone, back to back" test "$(grep -c -- '-S series=hot -S scope=kernel -S stages=0$' "$tmp/calls")" = 2
check "memory is not filled when it is allocated" grep -q '^NO_FILL=1 .*stixels/gpu-paper' "$tmp/calls"
check "of a set the first frame" grep -q -- '-S input=city -S frame_pick=all -S batch=1 -S transfer=copy -S frames=1 ' "$tmp/calls"
check "of a typical frame and a batch, which are chosen from the set, all of it" \
    grep -q -- '-S input=city -S frame_pick=typical -S batch=16 -S transfer=copy -S mode=any' "$tmp/calls"
check "the configuration is named by its keys" grep -q -- '-S block=8 -S classes=18 -S dp=b -S model=b12 -S input=city' "$tmp/calls"
check "one file, named by time, commit, host and process" test "$(echo "$RESULTS"/ncu/* | grep -cE '/[0-9]{8}T[0-9]{6}Z-0123456-00ff-[0-9]+\.csv$')" = 1
check "a row for each kernel" test "$(table | wc -l)" = 7
check "separators of thousands" cell downsample_kernel instructions 9876543
check "bytes" cell downsample_kernel dram_bytes 168123904
check "a fraction stays one" cell column_kernel ipc 2.38
check "the hit rate of L1" cell column_kernel l1_hit_pct 79.91
check "registers" cell column_kernel registers 79
check "what was not measured is empty" cell copy_kernel issue_active_pct ""
check "template arguments stay, parameters go" cell downsample_kernel kernel 'downsample_kernel<float, (bool)1>'
check "grid" cell downsample_kernel grid 8x128x20
check "stage of down-sampling" cell downsample_kernel stage downsample
check "stage of the dynamic programming" cell column_kernel stage 'dynamic programming'
check "stage of the compaction" cell copy_kernel stage compact
check "a second launch counts" cell copy_kernel launches 2
check "the row is of the first" cell copy_kernel dram_bytes 1000
check "beside the sum of both" cell copy_kernel run_dram_bytes 3500
check "and of a kernel with one launch the same" cell column_kernel run_instructions 1234
check "no sum of what was not measured" cell copy_kernel run_l2_bytes ""
check "which frames" cell column_kernel frame_pick all
check "which configuration" cell column_kernel params 'block=8;classes=18;dp=b;model=b12'
check "which machine" cell column_kernel machine board-4c_card
check "which of its kind" cell column_kernel host 00ff

rm -r "$RESULTS"
NCU_LAUNCHES=4 profile stixels/fig9 -i stixels/gpu-paper
check "no more launches than asked for" grep -q -- '--launch-count 4 ' "$tmp/calls"
check "more launches than are looked at: no sum" cell copy_kernel run_instructions ""
check "nor a number of them" cell copy_kernel launches ""
check "but the first launch" cell copy_kernel instructions 77

rm -r "$RESULTS"
NCU_FAILS=1 profile stixels/fig9
check "one of two configurations fails: exit 1" test "$status" = 1
check "says which and why" grep -q 'stixels/gpu-cubic: ncu (exit 1): ==ERROR== ERR_NVGPUCTRPERM' "$tmp/err"
check "and what to do, once" test "$(grep -c 'NVreg_RestrictProfilingToAdminUsers=0' "$tmp/err")" = 1
check "the other is written" test "$(table | wc -l)" = 4

rm -r "$RESULTS"
sed -i 's/stixels.gpu-paper/stixels\/gpu-cubic/' "$tmp/depthbench"
NCU_FAILS=1 profile stixels/fig9
check "nothing profiled: exit 5" test "$status" = 5
check "nothing is written" test ! -e "$RESULTS"
DEPTHBENCH=$tmp/none scripts/profile_ncu stixels/fig9 >"$tmp/out" 2>"$tmp/err"
check "no program: exit 5" test $? = 5
check "no program: says so" grep -q 'run make first' "$tmp/err"
NCU=$tmp/none scripts/profile_ncu stixels/fig9 >"$tmp/out" 2>"$tmp/err"
check "no ncu: exit 5" test $? = 5
check "no ncu: says so" grep -q 'comes with the CUDA toolkit' "$tmp/err"
scripts/profile_ncu >"$tmp/out" 2>"$tmp/err"
check "no descriptor: exit 2" test $? = 2
NCU_LAUNCHES=many scripts/profile_ncu stixels/fig9 >"$tmp/out" 2>"$tmp/err"
check "no number of launches: exit 2" test $? = 2
check "no number of launches: one sentence" test "$(cat "$tmp/err")" = 'profile_ncu: NCU_LAUNCHES=many: expected a number from 1 to 999999'
finish
