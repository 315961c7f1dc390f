#!/bin/bash
# test_plots.sh - scripts/plot: every figure of made-up rows, drawn, never half, and refused in one sentence
#
# The rows are those of tests/plots/rows.sql, the printed numbers those that the project ships.  The program is a stand-in, which hands
# `draw` the made-up rows of a descriptor in its place, and `apply` copies files that it made of small images.
# shellcheck disable=SC2317 # functions are called through check
set -u
. "$(dirname "$0")/../scripts/start" || exit 5
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
TMP=$(scratch plots) || exit 1
DEPTHBENCH=$(realpath "${DEPTHBENCH:-${B:-build/release}/depthbench}")
export LC_ALL=C.UTF-8 TMP PNG=no PWN=$TMP/executed
unset DEPTHBENCH_DATA RESULTS PLOTS # what is drawn without data

if ! command -v gnuplot >/dev/null; then
    skip "gnuplot is not there: figures are not tested (apt-get install gnuplot-nox)"
    finish
fi

# ---- stand-ins ---------------------------------------------------------------------------------------------

apply() { "$DEPTHBENCH" apply "$@" 2>"$TMP/log" || sed 's/^/made-up files: /' "$TMP/log"; }
apply rdp/serial scene:1:64x48 -S eps=1 -S legend=no --picture "$TMP/rdp.png" --tree "$TMP/tree.csv" --column 32
apply stixels/openmp scene:1:256x128 -S block=8 -S legend=no --picture "$TMP/stixels.png" --input-picture "$TMP/input.png" --ply "$TMP/mesh.ply" \
    --column-data "$TMP/column.csv" --column 100 -o "$TMP/stixels.csv"
apply som/rounds input:map-S:1 -S g=60 -S rounds=1 -S co=1024 -o "$TMP/list.csv" --picture "$TMP/som.png"
apply som/openmp input:map-near:13 -S width=45 -S height=38 -S g=4 -S sigma=2 -S co=5 -o "$TMP/small-list.csv" --input-picture "$TMP/small-input.png"

# What the rows are changed to, as SQL.  Of others, one of each kind: another block, machine, input and card; no ceilings.
: >"$TMP/all.sql"
echo "DELETE FROM shown WHERE impl LIKE '%/gpu-%'; DELETE FROM printed; DELETE FROM counter;" >"$TMP/cpu.sql"
cat >"$TMP/other.sql" <<'END'
UPDATE shown SET block = '1x2' WHERE impl = 'stixels/gpu-opt' AND block = '1x8';
UPDATE shown SET columns = 0 WHERE impl = 'stixels/cubic-openmp';
UPDATE shown SET session = impl LIKE '%cubic%' WHERE impl LIKE 'stixels/%';
CREATE TEMP TABLE more AS SELECT * FROM shown WHERE impl LIKE 'stixels/%' OR impl LIKE 'rdp/%' AND eps > 0 AND scope = 'kernel';
UPDATE shown SET machine = 'one' WHERE impl LIKE 'stixels/%';
UPDATE more SET id = NULL, machine = 'two', mean_ms = 10 * mean_ms, fps = fps / 10 WHERE impl LIKE 'stixels/%';
UPDATE more SET id = NULL, input = 'kitti-sgm', commit_hash = CASE height WHEN 1024 THEN 'b' ELSE 'a' END WHERE impl LIKE 'rdp/%';
INSERT INTO shown SELECT * FROM more WHERE input <> 'noise';
DROP TABLE more;
UPDATE shown SET folded_pct = 60 WHERE cost_pct IS NOT NULL;
UPDATE shown SET rms_to_input_px = 0 WHERE pixels_per_stixel = 160;
DELETE FROM shown WHERE impl LIKE 'probe/%' OR input IN ('cones', 'teddy');
END
echo "UPDATE shown SET status = 'skipped'; DELETE FROM shown_value" >"$TMP/unusable.sql"
# this would be executed within a command of gnuplot's, in one way of quoting or another: as each field that figures read
evil='x`touch $PWN`$(touch $PWN)'\''; system "touch $PWN" #'
sed "s/TEXT/'${evil//\'/\'\'}'/g" >"$TMP/evil.sql" <<'END'
UPDATE shown SET input = TEXT WHERE input <> 'noise';
UPDATE shown SET machine = TEXT, gpu = TEXT, cpu = TEXT, sigma = TEXT, commit_hash = TEXT, atomics = TEXT, classes = TEXT;
UPDATE shown SET mode_name = TEXT, block_threads = TEXT WHERE block_threads <> 1;
UPDATE shown_value SET input = TEXT; UPDATE counter SET input = TEXT; UPDATE printed SET printed = TEXT, hardware = TEXT;
END

program "$TMP/program" <<END
case \$1 in
env)
    if [ "\${2:-}" = --machine ]; then echo a-machine; exit; fi
    printf 'machine=a-machine\ncommit=fedcba9876543210\ndirty=%s\nsm_count=132\ncc=8.7\n' "\${DIRTY:-0}"
    [ -z "\${GPU:-}" ] || echo "gpu=\$GPU"
    printf 'gpu_memory_bytes=6.45e+10\nl2_bytes=62914560\nregisters_per_sm=65536\nbandwidth_gb_s=204.8\n' ;;
draw)
    printf '%s\n' "\$*" >>"$TMP/draws"
    words=()
    for word; do
        name=\${word#experiments/} name=\${name%.ini}
        case \$word in
        experiments/*) words+=(-S "figure=\${name/\//-}") ;;
        plots/rows.sql) words+=(tests/plots/rows.sql "$TMP/\${ROWS:-all}.sql" \$word) ;;
        *) words+=("\$word") ;;
        esac
    done
    "$DEPTHBENCH" "\${words[@]}" ;;
show)
    case "\$*" in *\ -q*) ;; *) echo "missing: rdp/gpu-opt: 4 cells: not measured" >&2 ;; esac
    echo impl,status
    [ "\${ROWS:-}" = unusable ] || echo rdp/gpu-opt,ok ;;
apply)
    echo "\$*" >>"$TMP/calls"
    case \$* in *' --strides '* | *' --cells '* | *' --searches '*) exec "$DEPTHBENCH" "\$@" ;; esac # tables that must fit together
    printf '%s\n' "a remark" verified "written: $TMP/data/x.csv" >&2
    case \$* in *width=45*) small=small- ;; *) small= ;; esac
    for word; do
        file=\${word##*/}
        case \$word in
        */data/input*) file=\${small}input.png ;;
        */data/*.png) file=\${2%/*}.png ;;
        */data/*.ply) file=mesh.ply ;;
        */data/list*) file=\${small}list.csv ;;
        */data/older-*.csv | */data/newer-*.csv) file=stixels.csv ;;
        */data/*) ;;
        *) continue ;;
        esac
        cp "$TMP/\$file" "\$word"
    done ;;
esac
END
# gnuplot: PNG=no has some PNG at once; CUT leaves half a file, as on a full disk, which gnuplot does not notice
program "$TMP/gnuplot" <<END
[ "\$1" != --version ] || exec "$(command -v gnuplot)" --version
sed -n 's/^caption.//p; s/^names.//p' text.tsv >>"$TMP/captions"
case \${PNG:-}\$* in no*png*) [ ! -f out.svg ] || exec cp "$TMP/input.png" out.png ;; esac
"$(command -v gnuplot)" "\$@" >said.txt 2>&1
status=\$?
[ \$status != 0 ] || cat said.txt >>"\$PLOTS.said"
cat said.txt
[ -z "\${CUT:-}" ] || truncate -s 3000 out.\$CUT
exit \$status
END

# plot FOLDER ARGUMENT...: into $TMP/FOLDER, what it says into $TMP/FOLDER.log; settings are variables
plot() {
    env PLOTS="$TMP/$1" DEPTHBENCH="$TMP/program" B="$TMP/$1.b" GNUPLOT="${GNUPLOT:-$TMP/gnuplot}" "${PROGRAM:-scripts/plot}" "${@:2}" \
        >"$TMP/$1.log" 2>&1
}
with() { local setting=$1; shift; (export "${setting?}" && "$@"); } # NAME=VALUE COMMAND...
exits() { "${@:2}"; local got=$?; [ "$got" = "$1" ] || { echo "exit $got, not $1: ${*:2}"; return 1; }; }
said() { grep -q -- "$2" "$TMP/$1.log"; } # FOLDER WORDS
refuses() { exits "$1" "${@:3}" && said "$4" "$2"; } # STATUS WORDS plot FOLDER ARGUMENT...

# ---- all figures -------------------------------------------------------------------------------------------

charts=(plots/*-{cut,cuts,fig*,peers,roofline,stream,table*}.sql)
charts=("${charts[@]#plots/}") charts=("${charts[@]%.sql}")
(
    export DRAW_EPS=4 # nothing beside it
    ROWS=cpu plot cpu rdp-fig{2,5,9} rdp-roofline stixels-table1 stixels-fig{2,8,9} som-fig11 som-table2-work
    ROWS=unusable plot unusable "${charts[@]}"
    unset DRAW_EPS
    ROWS=other plot other rdp-fig{2,9} rdp-roofline stixels-table1 stixels-fig8 som-fig12
) &
(
    ROWS=evil DRAW_EPS=4 plot evil stixels-fig{8,9} rdp-fig{9,10} rdp-cut rdp-roofline som-cut som-fig{9,10}
    ROWS=evil DRAW_INPUT=$evil plot alone rdp-fig9
    quoted="\"${evil//\"/\"\"}\""
    printf '%s\n' wanted,cell,cell_number,point,date,commit_hash,machine_name,fps,level_ms,ci_lo_ms,ci_hi_ms \
        "$quoted,$quoted,1,"{1,2,3}",2026-01-01,$quoted,$quoted,10,100,90,110" | install -D /dev/stdin "$TMP/history.b/history.csv"
    plot history fps-history
    { # eight commits of two configurations
        head -n 1 "$TMP/history.b/history.csv"
        for i in {1..8}; do printf '%s\n' "rdp/x,rdp/x height="{40\,1,80\,2}",$i,2026-01-0$i,${i}abcdef0,m,10,100,90,110"; done
    } | install -D /dev/stdin "$TMP/cells.b/history.csv"
    plot cells fps-history
    IMAGE="/tmp/$evil.png" plot evil-picture rdp-fig1 rdp-fig3
) &
mkdir -p "$TMP/data/kitti2015/sgm" # no others
DEPTHBENCH_DATA=$TMP/data plot all all
wait

# What a figure says: each text in brackets, and all in one, in which the caption is not folded.
texts() {
    texts=$(sed -n 's/.*<text>\([^<]*\)<.*/[\1]/p' "$TMP/$1.svg")
    texts+=${texts//$']\n['/ }
    texts=${texts//  / }
}
is_sound() { # FIGURE PATHS
    local svg=$TMP/$1.svg
    [ -s "$svg" ] && [ -s "${svg%svg}png" ] && [ "$(grep -c '<path' "$svg")" -ge "$2" ] && grep -q 'viewBox="0 0 900 ' "$svg" &&
        [[ $texts = *commit* && $texts != *00000000* && $texts != *e+09* ]]
}
says() { if [[ $1 = -* ]]; then [[ $texts != *"${1#-}"* ]]; else [[ $texts = *"$1"* ]]; fi; }

# FOLDER/FIGURE, how many paths it has at the least, and what it says, and what not (-)
# shellcheck disable=SC2162 # a line may go on below
while read line; do
    mapfile -t words < <(sed 's/ *| /\n/g' <<<"$line")
    figure=${words[0]% *}
    texts "$figure" 2>/dev/null
    check "$figure is drawn as it should be" is_sound "$figure" "${words[0]##* }" || sed 's/^/    /' "$TMP/${figure%/*}.log"
    for each in "${words[@]:1}"; do check "$figure: $each" says "$each"; done
done <<'END'
all/rdp-fig2 90 | and the time, one thread | outliers against the truth | [Stixels 4 × 1 px] | [flat Stixels 8 × 8 px] | [RDP, 5 × 5 median] \
    | [RDP, no filter] | Dashed: at the β of the model | segmentation alone; the median filter and the transposition are not in | -No rows yet \
    | -2 × 2 px | Stixels of 8 × 8 px 8.00 % and 320 a stixel]
all/rdp-fig2-street 60 | rms error against the input | input street | -Times: | -and the time
cpu/rdp-fig2-eps4 40
other/rdp-fig2-street 60
all/rdp-fig5 35
cpu/rdp-fig5-eps4 30
all/rdp-fig7 30
all/rdp-fig9 40 | rdp/gpu-opt | [printed, Xavier] | [worst frame] | input scene | -No rows yet
all/rdp-fig9-eps8 40
cpu/rdp-fig9-eps4 50 | [RDP column segmentation: run time against column height] | No rows yet for rdp/gpu-paper, rdp/gpu-opt | -[rdp/gpu-opt] | -Xavier
other/rdp-fig9 40 | input kitti-sgm | No line joins two builds: 256 to 512 rows are of a; 1024 rows are of b
other/rdp-fig9-scene 40 | input scene
all/rdp-fig10 30 | CPU code -march=x86-64-v3; | [40.00 ms] | [CPU multi-core (rdp/omp-columns), 8 threads] | [GPU of a Xavier, Low Energy] | [5.66 ms]
all/rdp-fig10-eps8 20 | [20.00 ms]
all/rdp-peers 12 | [CPU, vectors (rdp/cpu-simd)] | [GEOS (rdp/geos)] | [30.00 ms; every bit] | [12.50 ms; 50 % of the columns equal] | [3.00 ms] | [street, 1242 × 1024 px] \
    | over 99.9 % of the columns equal | by another rule: rdp/opencv, rdp/boost] | -No rows yet
all/rdp-cut 12 | 1024 rows, GPU, paper's kernel (rdp/gpu-paper) | [measured here, at 2000 MHz | [118 ms, printed 1.09 ms: 108 × as slow] | (b) from 8 on as 1 / N \
    | hollow: printed for a Xavier | caches and the lanes of each SM stay its own | -[333 rows] \
    | [640 rows, GPU, paper's kernel (rdp/gpu-paper)] | [(b) 512 rows] | -[(b) 640 rows] | SMs 8, 16, 32, 64, 132
all/scale-gpus 20 | [Several GPUs, a process each: efficiency of 69.2 to 100 % with 8] | [GPU, faster] | [strong: frames divided] | [RDP: kernels alone] | [GPUs] \
    | [SOM: end to end] | [one: 125/s] | -Stixels: | No rows yet for stixels/gpu-opt | n 30 samples
all/scale-processes 15 | [processes] | -[strong: frames divided] | frames per second, of one process: 1
all/scale-streams 12 | [frames in flight, each on a stream] | [one: 1000/s] | -[kernels alone] | No rows yet for stixels/gpu-opt, som/gpu-opt
all/rdp-stream 12 | -[1500] | [30 frames a second] | [highest rate with under 0.1 % misses] | [60/s; max: 2500/s] | [1000/s; max: 2500/s] | [mJ a frame] | -[scores on the GPU] \
    | a curve ends where ten frames take longer
all/stixels-stream 12 | [GPU, faster, class scores on the GPU, 8-bit roots]
all/som-stream 12 | SOM mesh: 1000 frames a second with under 0.1 % misses by som/gpu-opt, 60 by the paper's kernel
all/stixels-cut 8
all/som-cut 6 | (a) on 16 of this GPU's SMs, at the clock of a GTX 570, which has 15] | (b) from 16 on as 1 / N] | blocks of 8, atomics cas64]
all/rdp-roofline 20 | [solid: copy of 1 GiB, 2 TB/s; mixed chains, 20 T/s] | [dashed: in a cache, 1 MiB, 8 TB/s] | [solid: copy of 1 GiB, 2 GB/s; \
    | dotted: one core, 2 GB/s, 20 G/s] | the distance of a point to a chord | and takes several instructions | [batch of 64 · 0.028 %] | [1 frame · 0.22 %] \
    | Not counted by Nsight Compute: rdp/gpu-opt (1 frame, batch of 64), rdp/gpu-paper (1 frame, batch of 64) (make profile-ncu EXP=rdp/roofline) \
    | -No ceilings | -GPUs of this kind | -as counted
all/stixels-roofline 20 | [8 × 8 px] | [8 × 8 px · 0.36 %] | [GPU: instructions as counted, one of a warp for each of its 32 lanes] | [solid: copy of 1 GiB, 2 TB/s; mixed chains, 20 T/s] \
    | large: by bytes of memory, small: of L2 | Rows and ceilings are of 2 GPUs of this kind | -Not counted
all/som-roofline 20 | [900 px · 222 %] | No ceilings of this GPU yet | no roof shows that | No DRAM counter: points without one are at their bytes of L2 | 32 for each sector of system memory | -Not counted
other/rdp-roofline 10 | No ceilings of this machine yet: make bench EXP=probe/ceilings | -copy of | -chains: | -Percent | -0 %
cpu/rdp-roofline-eps4 10 | -[GPU: | -profile-ncu
all/stixels-table1 30 | eq. 12: CPU single-core (stixels/serial), w = 32; exponent 2.00 (2.00 … 2.00), last step 2.00 | w = 2; exponent 3.00 (3.00 … 3.00), last step 3.00 \
    | Stixel World [2], flat: CPU single-core (stixels/serial), w = 8 | eq. 6: CPU single-core, [12] (stixels/cubic-serial), w = 2 | blocks of 1 × 8 px | -No rows yet
cpu/stixels-table1-eps4 20 | No rows yet for stixels/gpu-paper, stixels/gpu-opt, stixels/gpu-cubic | -exponent 1
other/stixels-table1 20 | (stixels/gpu-opt), w = 32, 1 × 2 px | (stixels/gpu-paper), w = 32, 1 × 8 px | -blocks of
all/stixels-fig2 20 | -[150] | here: errors of city-normal, times of city | printed: SYNTHIA-SF, Tegra Xavier | from 64 of 256 columns | [eq. 12 adds 0.30 points (8 × 8), 0.27 (4 × 4)] \
    | [eq. 12 adds 0.25 ± 0.00 points (8 × 8)] | over 10 images
cpu/stixels-fig2-eps4 20 | -SYNTHIA-SF
all/stixels-fig7 30 | Eq. 6 has fewer outliers in 19 of 19 generated images, eq. 12 in 0 | images of city-easy, city-hard; | 20 of eq. 6, 19 of eq. 12, 19 of both | eq. 6 is better in 19, eq. 12 in 0
all/stixels-fig8 20 | Blocks of 8 × 8 and 4 × 4 px: eq. 12 is 10.0 and 10.0 times as fast as eq. 6 on | [25.0] | [0.31²] | [10.0 ×] | -[5.00 ×] | [344.3] | [3.36 ×] | [0.96¹] | ² from the time of 64 of 256 columns | Tegra X2 (printed) | hollow: printed | -Times: of
other/stixels-fig8 15 | [Slanted Stixels: frame rates of both models, by machine] | -[10.0 ×] | [25.0] | Times: of one alone | -[0.25] | -²
all/stixels-fig9 30 | [62 %] | [7.18 × = 5.46 · 1.31] | [19.1 × = 9.91 · 1.93] | [10.0 × = 5.00 · 2.00] | -[5.00 ×] | Pale: its instructions were not counted
cpu/stixels-fig9-eps4 20 | -printed) | -× =
all/stixels-cuts 20 | [city: 256 rows of 4 × 4 px] | [noise: 128 rows of 8 × 8 px] | [5.25 ×] | [2.62 ×] | [0.88 ×] | -[1.17 ×] | [eq. 6 on a GPU] \
    | by another rule: stixels/cuts, stixels/cuts-cubic, stixels/gpu-cuts-cubic
all/som-fig8 12 | [400 ms, L1 21 %] | [200 ms, L1 79 %] | [100 ms; 1 refused] | [no time: the mesh had folded] | [not run] | [777 ms on one core] | -[map-M] \
    | about 20 % in MOV1, 80 % in MOV2
all/som-fig9 60 | MK_S, search | the same rounds on one core
all/som-fig10 9 | [31.0 ms, 1 thread a block] | [76.0 ms, 256, 1 and 1 threads a block, 2.45 × SK] | [cells of 10 × 10 px, one core: 900 ms]
all/som-fig11 60 | GPU, paper's kernel (som/gpu-paper), 1500 rounds | [28.2] | [conesL: mean time [ms]] | 72 of 72 cells are one seed | orange corner
cpu/som-fig11-eps4 60 | CPU, rounds (som/rounds), 1500 rounds | -orange corner
all/som-fig12 20 | -map-S | -mirrored | No rows yet for som/gpu-paper. | teddy: 18.19 GPU and 19.91 CPU
other/som-fig12 10 | map-S | points are of meshes that lie mirrored: %cost does not see it
all/som-fig13 10 | 1 thread a block | -som/rounds | [printed: one core]
all/som-peers 10 | [cones, 4725 vertices] | -map-S | [SOM, 16 cores] | [greedy, background free] | [0.5 px on 94 %, 14.00 ms] | [bisection, GPU, free] | [1.25 px on 96 %, 16.00 ms] | cones 20 to 40 %. \
    | by another rule: som/greedy, som/rtin, som/gpu-rtin
all/som-table2-work 40 | [conesM, sigma from 24] | [teddy, sigma from 12]
cpu/som-table2-work-eps4 20
all/rdp-fig3 30 | apply rdp/serial scene:1 -S eps=4 --tree FILE --column 592; a remark; verified; commit fedcba9]
all/rdp-fig4 20
all/rdp-fig6 60 | [RDP reduction: 6 strides find the farthest rows of all 4 segments at once; 53 of 199 reads count] | [stride 32]
all/som-fig5 12 | [SOM mesh: each of 30 cells has a thread, 36 pixels of the map and 0 to 18 of the 120 neurons] | [in orange the 5 that the cell lists]
all/som-fig6 60 | [SOM mesh: a search visits 1 to 20 of 49 cells, ring by ring, until none can hold a nearer neuron] | [20] | -[21]
all/som-fig7 60 | [SOM mesh: a thread's next neuron stands 6 places further in version 1, 1 in version 2]
evil/rdp-fig9-eps4 40 | px, input x`touch $PWN`
evil/stixels-fig9-eps4 20
evil/som-fig9-eps4 20
alone/rdp-fig9-x`touch $PWN`$(touch $PWN)'; system "touch $PWN" # 40
END
# but for curves without a point, of which 6.0 says so
check "gnuplot says nothing" test -z "$(grep -hvE '^$|warning: (No valid data points found in file|Skipping data file with no valid points)' "$TMP"/{all,cpu,other}.said | tee >(cat >&2))"
check "what is missing is said once, below the figures" test "$(grep -c '^missing: 4 configurations (4 not measured): depthbench show [a-z]*/[a-z0-9]* --all lists them$' "$TMP/all.log")" = 1
check "a chart has one of the points that times repeat" test "$(grep -c '>ε 1<' "$TMP/all/rdp-fig2.svg")" = 2
check "β is written beside one curve" test "$(grep -c '>β 64<' "$TMP/all/rdp-fig2.svg")" = 1
check "the input of the main figure is not drawn twice" test ! -e "$TMP/all/rdp-fig9-scene.svg"
for each in rdp-table1.md rdp-table1.csv stixels-fig4.md stixels-table1.md rdp-fig{1,8}.png stixels-fig{1,3,6}.png som-fig{1,2,3,4,14,15}.png; do
    check "$each is there" test -s "$TMP/all/$each"
done
check "and has its surfaces" test "$(stat -c %s "$TMP/all/som-fig15.png")" -gt 200000 # without them 64 KB
check "nothing of the results was executed" test ! -e "$PWN"
check "a picture of such a file is drawn" test -s "$TMP/evil-picture.b/pictures/rdp-fig3.svg"
check "and a history with such names" grep -qF 'x`touch $PWN`' "$TMP/history.b/fps-history.svg"
check "commits along the axis, a name for each configuration" test "$(grep -oE '>[0-9]abcdef|height=[0-9]+' "$TMP/cells.b/fps-history.svg" | sort | paste -sd ' ')" = \
    "$(echo '>'{1..8}abcdef height={40,80})"
check "a history is drawn without a remark" test "$(cat "$TMP/cells.log")" = "$TMP/cells.b/fps-history.svg"
check "nothing without rows" test ! -e "$TMP/unusable"
for each in "${charts[@]}"; do check "$each without rows" said unusable "plot: $each.*: depthbench: no row with status ok\|plot: $each: no rows to show"; done

results_of() { sed -n "s|.* plots/$1.sql .*--results \([^ ]*\) .*|\1|p" "$TMP/draws" | sort -u; }
check "times are of one machine" test "$(results_of som-fig13)" = results/a-machine
check "what depends on none is of all, ours first" test "$(results_of som-fig12)" = "results/a-machine,$(printf '%s\n' results/*/*.csv | sed 's|/[^/]*$||' |
    sort -u | grep -vx results/paper | paste -sd ,)"

# texts from their left end, at the least width of a character
beyond() {
    grep -A1 'text-anchor="start"' "$1" | tr -d '\n' | sed 's/<g /\n<g /g' | sed -n 's/.*translate(\([0-9.]*\),.*<text>\([^<]*\)<.*/\1 \2/p' |
        awk '{ n++ } $1 + 5.5 * (length($0) - length($1) - 1) > 900 { print } END { if (!n) print "no texts" }'
}
for name in {all,other}/stixels-fig8 all/stixels-fig9 cpu/stixels-fig{8,9}-eps4; do
    check "$name: no text goes beyond the edge" test -z "$(beyond "$TMP/$name.svg" | tee >(cat >&2))"
done
# the even marks of gnuplot, from the square on, which its SVG counts from 0
hollow() { grep -v " id='gpPt" "$TMP/$1.svg" | grep -o "href='#gpPt[0-9]*'" | grep -c 'gpPt\(3\|5\|7\|9\|11\|13\)'; }
check "hollow marks are printed values" test "$(hollow all/stixels-fig2)" -ge 2
for name in cpu/rdp-fig{2,5}-eps4 all/rdp-fig2 all/rdp-fig2-street all/stixels-table1; do check "and nothing else in $name" test "$(hollow $name)" = 0; done

# ---- pictures ----------------------------------------------------------------------------------------------

filled() { grep -c "fill = '$1'" "$TMP/all/rdp-fig4.svg"; }
nodes() { awk -F, -v is_leaf="$1" '$1 == "node" && ($6 == "") == is_leaf { n++ } END { print n + 0 }' "$TMP/tree.csv"; }
check "fig4 has a box for each cut and leaf" test "$(filled '#e1def2') $(filled '#d5eced')" = "$(nodes 0) $(nodes 1)"
# every slot takes each row of its segment once, the last one all of them in the end; the cuts are those of the recursion tree.
strides() { # HEIGHT
    apply rdp/serial scene:1 -S height="$1" -S eps=1 --strides "$TMP/strides.csv" --tree "$TMP/tree.csv" --column 1144 -q
    awk -F, '
        $1 == "slot" { for (r = 0; r < 64; r++) has[$4, r] = r == $4; first[$4] = $6; last[$4] = $7 }
        $1 == "read" { for (r = 0; r < 64; r++) if (has[$5, r]) wrong += has[$4, r]++; wrong += $4 - $5 != $3 }
        $1 == "cut" { n++; for (s in last) for (r = first[s] + 1; r <= last[s]; r++) wrong += s == last[s] && !has[s, r] }
        END { print n + 0, wrong + 0 }' "$TMP/strides.csv"
    diff <(awk -F, '$1 == "cut" { print $6, $7, $4, $2 }' "$TMP/strides.csv" | sort) <(awk -F, '$1 == "node" && $6 { print $4, $5, $6, $7 }' "$TMP/tree.csv" | sort)
}
for each in '2 0' '33 12' '50 10' '64 16'; do check "strides of ${each% *} rows" test "$(strides "${each% *}")" = "${each#* } 0"; done
# A list has the neurons of a cell by number; either order of the memory, all lists.  A search visits each cell of a ring once, ring by
# ring, and ends where no ring may hold a neuron as near, or at its range.
cells() { # G CO SSR MNPC
    apply som/rounds scene:5 -S width=36 -S height=24 -S g="$1" -S co="$2" -S ssr="$3" -S mnpc="$4" -S sigma=2 -S rounds=2 -o "$TMP/network.csv" \
        --cells "$TMP/cells.csv" --searches "$TMP/searches.csv" -q
    awk -F, -v co="$2" -v ssr="$3" -v room="$4" '
        function abs(x) { return x < 0 ? -x : x }
        function larger(a, b) { return a > b ? a : b }
        function margin(k) { return -larger(larger(cx * co - x, x - (cx + 1) * co), larger(cy * co - y, y - (cy + 1) * co)) + (k - 1) * co }
        function end(    c, n) {
            for (c = 0; c < cols * rows; c++) n += abs(c % cols - cx) <= ring && abs(int(c / cols) - cy) <= ring
            wrong += n != visits || !(ring == (ssr < 0 ? larger(cols, rows) : ssr) || winner >= 0 && margin(ring + 1) > best)
        }
        BEGIN { n = 0; cols = int((36 + co - 1) / co); rows = int((24 + co - 1) / co) }
        FNR == 1 { file++; next }
        file == 1 { home[n] = int($4 / co) * cols + int($3 / co); at_x[n] = $3; at_y[n++] = $4 }
        file == 2 { wrong += $1 != home[$3] || $2 != length_of[$1]++ || $2 >= room || $6 != $2 * cols * rows + $1 || $7 != $1 * room + $2; listed[$3] = $1 }
        file == 3 && $4 == 1 { if (visits) end(); x = $2; y = $3; cx = int(x / co); cy = int(y / co); winner = -1; best = 1e9; ring = 0; searches++ }
        file == 3 {
            visits = $4
            wrong += seen[$1, $5]++ || $6 < ring || $6 > ring && margin($6) > best || $6 != larger(abs($5 % cols - cx), abs(int($5 / cols) - cy))
            ring = $6
            for (k in listed) if (listed[k] == $5) {
                distance = sqrt((at_x[k] - x) ^ 2 + (at_y[k] - y) ^ 2)
                if (distance < best || distance == best && k + 0 < winner + 0) { best = distance; winner = k }
            }
            wrong += $7 != winner
        }
        END { end(); for (k in home) wrong += !(k in listed) && length_of[home[k]] < room; print searches, wrong + 0 }' "$TMP/network.csv" "$TMP/cells.csv" "$TMP/searches.csv"
}
for each in '6 3 3 20' '4 7 1 3' '3 20 0 50' '20 4 -1 2'; do check "cells and searches of g, co, ssr, mnpc $each" test "$(eval "cells $each")" = '16 0'; done
check "the mesh is as it was written" cmp -s "$TMP/all/stixels-fig1.ply" "$TMP/mesh.ply"
# the two rows of corners of a piece of road have two distances
check "as a table it has the ground first" test "$(awk -f plots/ply.awk "$TMP/mesh.ply" |
    awk -F, 'NF == 4 { z[++n] = $3 } END { print z[2] != z[4], z[n] != z[n - 2] }')" = '1 0'
check "a mesh of 8 × 6 neurons has each link once" test "$(awk -f plots/links.awk "$TMP/list.csv" | sed 1d | awk 'BEGIN { RS = "" } !seen[$0]++ { n++ } END { print n == NR, n }')" = "1 $((7 * 6 + 8 * 5 + 7 * 5))"
# the honeycomb of the 7 neurons around (30, 20) covers the pixels whose centres are in it
{
    echo col,row,x,y
    for row in 0 1 2; do for col in 0 1 2 3; do echo "$col,$row,$((10 + 10 * col + (row % 2 ? 0 : 5))),$((10 + 10 * row))"; done; done
} >"$TMP/twelve.csv"
awk 'BEGIN { for (y = 39; y >= 0; y--) for (x = 0; x < 50; x++) print x, y, 1 + (x < 30), "i" }' >"$TMP/levels.txt"
comb=$(cd "$TMP" && awk -v zoom=1 -v height=40 -v u=30 -v v=20 -f "$OLDPWD/plots/honeycombs.awk" twelve.csv levels.txt)
check "a honeycomb's weight is that of its pixels" test "$comb $(awk -F, '$4 == 1 { n++; sum += $3 } END { print n, sum }' "$TMP/pixels.csv")" = '450 300 450'
check "of twelve neurons one is the middle of a honeycomb" test "$(grep -c '^[0-9]' "$TMP/combs.csv")" = 7
check "each image is named" grep -qx 'scene:1:1024x512 scene:2:1024x512 scene:3:1024x512' "$TMP/captions"
# a sky and an object of 5 px, which become one object of 9 px; what is below stays, 1 px nearer
printf '%s\n' u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost 0,4,0,3,sky,,0,0,0 0,4,4,7,object,,0,5,0 0,4,8,15,ground,,1,0.5,0 >"$TMP/old.csv"
printf '%s\n' u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost 0,4,0,7,object,,0,9,0 0,4,8,15,ground,,1,1.5,0 >"$TMP/new.csv"
check "of two lists the blocks that differ" test "$(awk -v BLOCK=4 -f plots/difference.awk "$TMP/old.csv" "$TMP/new.csv" 2>"$TMP/share" | paste -sd ' ') $(cat "$TMP/share")" = \
    'x,y,r,g,b 0,0,123,63,152 0,-1,219,44,43 0,-2,233,176,177 0,-3,233,176,177 50.0'
check "what apply said is in one line, without its files" grep -q ' IMAGE .* --ply FILE; the last: a remark; verified; commit fedcba9$' "$TMP/captions"
check "both models are asked" grep -q '^apply stixels/cubic-openmp .* model=b6$' "$TMP/calls"
check "the mesh is asked for at both strengths" test "$(grep -c '^apply som/rounds .* co=1024 .* sigma=\(6\|12\)' "$TMP/calls")" = 3
: >"$TMP/captions"
check "pictures of a changed tree, and of the user's" with DIRTY=1 with IMAGE=/tmp/mine.png refuses 0 'not to be committed' plot mine rdp-fig3 stixels-fig1
check "are of that tree, each" test "$(grep -c 'depthbench apply .*; commit fedcba9-dirty$' "$TMP/captions")" = 3
check "so do those of a scene" with DIRTY=1 refuses 0 'not to be committed' plot mine rdp-fig3
check "and stay in the build folder" test ! -e "$TMP/mine" -a -s "$TMP/mine.b/pictures/stixels-fig1.ply" -a -s "$TMP/mine.b/pictures/rdp-fig3.svg"
check "so do those of data that are there" test "$(ls "$TMP/all.b/pictures")" = stixels-fig6-kitti.png
sed -i '2,$d' "$TMP/tree.csv" "$TMP/column.csv"
check "pictures without a row" exits 1 plot empty rdp-fig3 rdp-fig4 stixels-fig3
check "are not drawn" test ! -e "$TMP/empty"

# ---- files, tables and refusals ----------------------------------------------------------------------------

export DRAW_EPS=8
with PNG= plot again fig9
cp -r "$TMP/again" "$TMP/before"
touch -d '2001-02-03' "$TMP"/again/*
PNG='' plot again rdp/fig9
check "the same figure is not touched" test "$(date -r "$TMP/again/rdp-fig9-eps8.svg" +%Y)$(date -r "$TMP/again/rdp-fig9-eps8.png" +%Y)" = 20012001
DRAW_INPUT=scene plot again fig9
mkdir -p "$TMP/user" && printf 'set %s\n' grid 'key outside' 'decimalsign ","' 'xtics rotate' >"$TMP/user/.gnuplot"
with PNG= with HOME="$TMP/user" plot again rdp/fig9
check "a user's own settings of gnuplot change nothing" cmp -s "$TMP/again/rdp-fig9-eps8.svg" "$TMP/before/rdp-fig9-eps8.svg"
check "one input can be asked for" test -s "$TMP/again/rdp-fig9-scene-eps8.png"
check "one that is not there is refused" with DRAW_INPUT=street refuses 1 'no row with status ok' plot again fig9
# the folder of figures is full, that of gnuplot is not
program "$TMP/full/cp" <<'END'
case ${!#} in *.tmp) echo half >"${!#}"; echo "cp: No space left on device" >&2; exit 1 ;; esac
exec /bin/cp "$@"
END
program "$TMP/old/gnuplot" <<<'echo gnuplot 5.2 patchlevel 2' # of Ubuntu 18.04
for each in CUT=png:'gnuplot did not finish the png' CUT=svg:'gnuplot did not finish the svg' ROWS=unusable:'no row with status ok' \
    PATH="$TMP/full:$PATH":'cannot be written whole' GNUPLOT=no-such-gnuplot:'apt-get install gnuplot-nox' \
    GNUPLOT="$TMP/old/gnuplot":'gnuplot 5.2 patchlevel 2 is too old: 5.4 or later'; do
    [[ $each = GNUPLOT* ]] && want=5 || want=1
    check "not drawn: ${each##*:}" with PNG= with ROWS=cpu with "${each%:*}" refuses $want "${each##*:}" plot again fig9
    for file in rdp-fig9-eps8.png rdp-fig9-eps8.svg; do check "the old $file stays" cmp -s "$TMP/again/$file" "$TMP/before/$file"; done
done
check "without half a one beside it" test -z "$(find "$TMP" -name '*.tmp')"
ROWS=cpu plot again fig9
check "other rows replace the figure" grep -q 'No rows yet for' "$TMP/again/rdp-fig9-eps8.svg"
check "tables, with their charts" plot again table1 stixels-table1
check "what is missing is said once for each" test "$(grep -c '^missing: ' "$TMP/again.log")" = 2
check "a table without rows" with ROWS=unusable refuses 1 'no rows to show' plot again stixels-table1
check "leaves the older one" grep -q rdp/gpu-opt "$TMP/again/stixels-table1.md"
check "a narrow figure" with WIDTH=450 plot narrow fig9
check "is as wide as it should be" grep -q 'viewBox="0 0 450 .*data-body="0 .* 450 ' "$TMP/narrow/rdp-fig9-eps8.svg"
check "no such width" with WIDTH=4x0 refuses 2 'expected pixels' plot narrow fig9
check "no such figure" exits 2 plot again fig77
check "no figure" exits 2 plot again

# figure FOLDER ARGUMENT...: scripts/figure, whose program is where the build folder has it
figure() { PROGRAM=scripts/figure STEP=draw ROWS=unusable MACHINE=none plot "$@"; }
mkdir -p "$TMP/figure.b" && ln -s "$TMP/program" "$TMP/figure.b/depthbench"
check "without rows and a GPU there is no figure" refuses 0 'stixels-fig9: no rows on a machine without a GPU' figure figure stixels fig9
check "with a GPU it is a failure" with GPU=X exits 1 figure figure stixels fig9

finish
