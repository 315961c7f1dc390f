#!/bin/bash
# test_plots.sh - every figure from made-up tables: drawn, the same twice, never half, and refused in one sentence
#
# The tables are no measurements; they have the columns and the odd corners (skipped rows, empty intervals, no GPU) of
# real ones.  scripts/plot runs in a copy of the tree with a stand-in for the program.
# shellcheck disable=SC2317 # functions are called through check
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
. tests/checks.sh
TMP=$(scratch plots) || exit 1
DEPTHBENCH=$(realpath "${DEPTHBENCH:-${B:-build/release}/depthbench}")
export LC_ALL=C.UTF-8
unset DEPTHBENCH_DATA # what is drawn without data

if ! command -v gnuplot >/dev/null; then
    skip "gnuplot is not installed: figures are not tested"
    finish
fi

# ---- made-up tables ------------------------------------------------------------------------------------

header='impl,status,lap,scope,series,input,case,batch,threads,mode_name,width,height,eps,distance,median,n,min_ms,median_ms,max_ms,mean_ms,sd_ms,rms_error_px,pixels_per_segment,rounds_mean,rounds_sd,rounds_max'

# times VARIANT...: rows for figs. 9 and 10
times() {
    echo "$header"
    printf '%s\n' "$@" | awk '{
        base = 40 / (NR * NR * NR)
        for (h = 256; h <= 1024; h *= 2) for (e = 4; e <= 8; e += 4) for (c = 0; c < 4; c++) {
            t = base * h / 1024 * (1 + 0.4 * c) / (e / 4)
            name = c == 0 ? "all" : c == 1 ? "best" : c == 2 ? "worst" : "all"
            if (name == "best") t = t / 3
            # one sample has no deviation; another deviates by more than its mean
            sd = h == 256 ? "" : h == 512 ? t * 1.2 : t * 0.05
            printf "\"%s\",ok,,kernel,%s,%s,%s,1,%d,any,1242,%d,%d,vertical,5,30,%.9g,%.9g,%.9g,%s,%s,,,,,\n", $1,
                name == "all" ? "frames" : "hot", c == 3 ? "noise" : "scene", name, $1 ~ /omp|cpu/ ? 8 : 1, h, e,
                t * 0.9, 9e9, t * 1.3, t, sd
        }
        printf "%s,ok,transpose,kernel,frames,scene,all,1,1,any,1242,1024,4,vertical,5,30,1,1,1,1,1,,,,,\n", $1
        printf "%s,skipped,,,,scene,all,1,,any,1242,2048,4,vertical,5,,,,,,,,,,,\n", $1
        printf "%s,wrong,,kernel,frames,scene,all,1,1,any,1242,512,4,vertical,5,30,1e9,1e9,1e9,1e9,1e9,,,,,\n", $1
    }'
}

qualities() {
    echo "$header"
    for input in scene kitti-sgm; do
        for eps in 0.5 1 2 4 8 16; do
            awk -v i=$input -v e=$eps 'BEGIN { a = i == "scene" ? 1 : 1.5
                printf "rdp/serial,ok,,,,%s,all,1,,any,1242,1024,%s,vertical,5,,,,,,,%.6g,%.6g,%.6g,%.6g,%d\n",
                       i, e, 0.3 * e * a, 20 * e / a, 3 + 6 / e * a, 1, 8 + 6 / e }'
        done
    done
}

# The same with errors against the truth for one input, rows of times that repeat them, and an unfiltered curve.
comparison() {
    echo "$header,d1_pct,points_visited"
    for median in 5 0; do
        for input in scene street; do
            for eps in 1 2 4 8 16; do
                awk -v i=$input -v e=$eps -v m=$median 'BEGIN {
                    d1 = i == "scene" ? 5 + e : ""
                    printf "rdp/serial,ok,,,,%s,all,1,,any,0,0,%s,vertical,%s,,,,,,,%.6g,%.6g,,,,%s,1\n", i, e, m, 0.3 * e, 20 * e, d1
                    if (m == 5 && i == "scene" && e != 2)
                        printf "rdp/serial,ok,,kernel,frames,%s,all,1,1,any,0,0,%s,vertical,%s,30,%g,%g,%g,%g,,%.6g,%.6g,,,,%s,1\n",
                               i, e, m, 9 / e, 9 / e, 9 / e, 9 / e, 0.3 * e, 20 * e, d1 }'
            done
        done
    done
    echo "rdp/serial,wrong,,,,scene,all,1,,any,0,0,4,vertical,5,,,,,,,1e9,1e9,,,,1e9,1"
}

# stixels on these frames: slanted ones at three betas and flat ones at one
compared_header='impl,status,lap,scope,series,input,case,batch,model,block,beta_mc,mean_ms,d1_pct,input_d1_all_pct,rms_to_input_px,pixels_per_stixel'
compared() {
    echo "$compared_header"
    for input in scene street; do
        for block in 8 4x1; do
            for beta in model 16 64; do
                echo "$input:$block:$beta" | awk -F: '{ n = $2 + 0; b = $3 == "model" ? 1 : 2
                    printf "stixels/openmp,ok,,,,%s,all,1,b12,%s,%s,,%s,%s,%g,%g\n", $1, $2, $3,
                        $1 == "scene" ? n * b : "", $1 == "scene" ? "8.75" : "", n / b, 40 * n * b }'
            done
            [ $input = street ] || echo "stixels/serial,ok,,kernel,frames,$input,all,1,b12,$block,model,${block}1,,,," | sed 's/4x11/44.5/; s/,81,/,7.5,/'
        done
        echo "stixels/openmp,ok,,,,$input,all,1,dh,8,model,,$([ $input = street ] || echo 30),8.75,9,999"
    done
    echo "stixels/serial,ok,,kernel,frames,scene,all,1,dh,8,model,6.5,,,,"
    echo "stixels/serial,failed,,kernel,frames,scene,all,1,b12,2,model,1e9,1e9,1e9,1e9,1e9"
}

shares() {
    echo 'impl,width,height,eps,distance,median,input,case,batch,name,index,value,unit'
    for eps in 4 8; do
        for round in 1 2 3 4 5 6; do
            echo "rdp/serial,1242,1024,$eps,vertical,5,scene,all,1,useful_pct,$round,$((100 / round)),%"
            echo "rdp/serial,1242,1024,$eps,vertical,5,scene,all,1,rounds_hist,$round,7,%"
        done
    done
}

tree() {
    cat <<'END'
kind,row,disparity_px,first,last,cut,depth,order
point,0,10,,,,,
point,1,10,,,,,
point,2,10,,,,,
point,3,20,,,,,
point,4,20,,,,,
node,,,0,4,2,1,1
node,,,0,2,,2,2
node,,,2,4,3,2,3
node,,,2,3,,3,4
node,,,3,4,,3,5
kept,0,10,,,,0,1
kept,2,10,,,,1,2
kept,3,20,,,,2,3
kept,4,20,,,,0,4
END
}

paper() {
    cat <<'END'
paper,figure,impl,mode_name,width,height,eps,case,name,value,printed,unit,read,where
rdp,table1,,MAXN,,,,,gpu_mhz,1337,1337,MHz,table,Table 1
rdp,table1,rdp/gpu-paper,MODE_10W,1242,1024,,all,mean_ms,5.66,5.66,ms,table,Table 1
rdp,table1,rdp/gpu-paper,MAXN,1242,1024,,all,mean_ms,1.09,1.09,ms,table,Table 1
rdp,fig5,,,,1024,4,,rounds_usual,6,5 or 6,,text,sect. 2
rdp,fig5,,,,1024,8,,rounds_usual,6,5 or 6,,text,sect. 2
rdp,fig5,,,,1024,4,,rounds_most,8,8,,text,sect. 2
rdp,fig5,,,,1024,8,,rounds_most,8,8,,text,sect. 2
rdp,fig9,rdp/gpu-paper,MAXN,1242,1024,,all,mean_ms,1.09,1.09,ms,table,Table 1
rdp,fig9,rdp/gpu-paper,MAXN,1242,512,,all,mean_ms,0.182,1.09 / 6,ms,derived,sect. 5
END
}

# ---- made-up tables of stixels

stx_header='impl,status,lap,scope,series,input,case,batch,threads,mode_name,model,block,height,columns,classes,n,min_ms,median_ms,mean_ms,sd_ms,ci_lo_ms,ci_hi_ms,fps,d1_pct'

# powers VARIANT:MODEL:COLUMNS...: rows for table 1
powers() {
    echo "$stx_header"
    for each in "$@"; do
        for h in 32 64 128 256 512 1024; do
            echo "$each:$h" | awk -F: '{ t = ($2 == "b6" ? ($4 / 32) ^ 3 : ($4 / 32) ^ 2) * $3 / 100
                printf "%s,ok,,kernel,hot,city,all,1,%d,any,%s,1x8,%d,%d,19,30,%g,%g,%g,,%g,%g,%g,\n",
                    $1, $1 ~ /openmp/ ? 8 : 1, $2, $4, $3, t, t, t, t * 0.98, t * 1.05, 1000 / t }'
        done
    done
    echo "stixels/serial,wrong,,kernel,hot,city,all,1,1,any,b12,1x8,1024,32,19,,7e9,7e9,7e9,,7e9,7e9,,"
}

fits() {
    echo 'impl,model,columns,x,value,n,exponent,exponent_lo,exponent_hi,exponent_last'
    echo 'stixels/serial,b12,32,height,median_ms,6,1.95,1.9,2.01,2.02'
    echo 'stixels/serial,dh,8,height,median_ms,6,1.85,1.8,1.9,1.99'
    echo 'stixels/cubic-serial,b6,2,height,median_ms,2,2.5,,,2.5'
}

# frames VARIANT:MODEL:COLUMNS...: rows for figs. 2, 8 and 9, with laps; COLUMNS 0: all of them
frames() {
    echo "$stx_header"
    for each in "$@"; do
        for b in 8 4; do
            echo "$each:$b" | awk -F: '{ t = ($2 == "b6" ? 400 : 40) * (8 / $4) ^ 3 * ($3 > 0 ? $3 / 512 : 1)
                threads = $1 ~ /openmp/ ? 8 : $1 ~ /gpu/ ? 0 : 1
                printf "%s,ok,,kernel,hot,city,all,1,%d,any,%s,%d,0,%d,18,30,%g,8e9,%g,1,,,%g,\n", $1, threads, $2, $4, $3, t, t, 1000 / t
                split("downsample,dynamic programming,compact", lap, ",")
                for (i = 1; i <= 3; i++)
                    printf "%s,ok,%s,kernel,hot,city,all,1,%d,any,%s,%d,0,%d,18,30,%g,8e9,%g,1,,,,\n", $1, lap[i], threads, $2, $4, $3, t / i, t / i / 4 }'
        done
    done
    echo "stixels/serial,failed,,kernel,hot,city,all,1,1,any,b12,8,0,0,18,30,1e-9,1e-9,1e-9,,,,1e9,"
}

errors() {
    for b in 8 4; do
        echo "stixels/cubic-openmp,ok,,,,city-normal,all,1,8,any,b6,$b,0,0,19,,,,,,,,,$((b / 2 + 1)).5"
        echo "stixels/openmp,ok,,,,city-normal,all,1,8,any,b12,$b,0,0,19,,,,,,,,,$((b / 2 + 1)).75"
    done
}

images() {
    echo 'impl,arith,model,block,input,case,batch,name,index,value,unit'
    for input in city-easy city-hard; do
        for i in 0 1 2 3 4 5 6 7 8 9; do
            echo "stixels/cubic-openmp,float,b6,4,$input,all,1,d1_image_pct,$i,$((i / 2)).25,%"
            # one that the other equation lacks
            [ $input$i = city-hard9 ] || echo "stixels/openmp,float,b12,4,$input,all,1,d1_image_pct,$i,$((i / 2)).5,%"
            echo "stixels/openmp,float,b12,8,$input,all,1,d1_image_pct,$i,99,%"
            echo "stixels/openmp,float,b12,4,$input,all,1,iou_pct,$i,99,%"
        done
    done
}

stx_paper() {
    cat <<'END'
paper,figure,impl,hardware,input,model,block,lap,scope,name,value,printed,unit,read,where
stx,fig2,stixels/gpu-paper,Tegra Xavier,,b12,8,,kernel,mean_ms,2.91,1.80 + 1.11,ms,derived,Fig. 9a
stx,fig2,stixels/gpu-paper,Tegra Xavier,SYNTHIA-SF,b12,8,,,d1_pct,8.85,8.85,%,table,Table 3
stx,fig8,stixels/gpu-paper,Tegra Xavier,,b12,8,,kernel,fps,344.3,344.3,fps,text,sect. 5
stx,fig8,stixels/gpu-cubic,Tegra X2,,b6,4,,kernel,fps,0.9618,1000 / 1039.68,fps,derived,Fig. 9b
stx,fig9,,Tegra Xavier,,,8,downsample,kernel,mean_ms,1.80,1.80,ms,table,Fig. 9a
stx,fig9,stixels/gpu-cubic,Tegra X2,,b6,4,dynamic programming,kernel,mean_ms,1029.83,1029.83,ms,table,Fig. 9b
stx,fig9,stixels/gpu-cubic,Tegra X2,,b6,4,dynamic programming,,ipc,0.73,0.73,,table,Fig. 9b
stx,fig9,stixels/gpu-paper,Tegra X2,,b12,4,dynamic programming,kernel,mean_ms,53.80,53.80,ms,table,Fig. 9b
stx,table4,,Tegra X2,,,,,,sm_count,4,4,,table,Table 4
stx,table4,,Tegra X2,,,,,,tdp_w,15,15 W,W,table,Table 4
stx,table4,,Tegra Xavier,,,,,,sm_count,8,8,,table,Table 4
stx,table4,,Tegra X2,,,,,,cc,6.2,Pascal,,table,Table 4
stx,table4,,Tegra X2,,,,,,gpu_memory_bytes,8000000000,8 GB,bytes,table,Table 4
stx,table4,,Tegra X2,,,,,,l2_bytes,4194304,4096 KiB,bytes,table,Table 4
stx,table4,,Tegra X2,,,,,,registers_per_sm,65536,64 Ki,,table,Table 4
stx,table4,,Tegra X2,,,,,,bandwidth_gb_s,59.7,59.7 GB/s,GB/s,table,Table 4
END
}

# what scripts/profile_ncu writes
counters() {
    cat <<'END'
utc,experiment,impl,input,params,block,model,classes,kernel,stage,grid,threads,ipc
x,stx/fig9,stixels/gpu-paper,city,block=8;model=b12,8,b12,18,downsample_kernel,downsample,1,1,1.94
x,stx/fig9,stixels/gpu-paper,city,block=8;model=b12,8,b12,18,column_kernel,dynamic programming,1,1,2.38
x,stx/fig9,stixels/gpu-cubic,city,block=8;model=b6,8,b6,18,column_kernel,dynamic programming,1,1,1.81
END
}

# a road and a person in four block rows, the top one unknown
stixel_column() {
    cat <<'END'
v,row,disparity_px,confidence,ground_px,stixel,class,semantic,stixel_px,colour
0,27.5,20,255,20,0,ground,0,20,0x804080
1,19.5,15,9,15,0,ground,0,15,0x804080
2,11.5,12,255,,1,object,11,12,0xdc143c
3,3.5,,0,,1,object,11,12,0xdc143c
END
}

# the same as a mesh: a piece of road and an upright one on it, which comes first here
stixel_mesh() {
    printf 'ply\nformat ascii 1.0\nelement vertex 8\nelement face 2\nend_header\n'
    printf '%s 220 20 60\n' '-1 0 20' '1 0 20' '1 1.5 20' '-1 1.5 20'
    printf '%s 128 64 128\n' '-1 1.5 20' '1 1.5 20' '1 1.5 5' '-1 1.5 5'
    printf '4 0 1 2 3\n4 4 5 6 7\n'
}

# three columns: one of two classes, one of three, one of three in more pieces
stixel_list() {
    echo 'u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost'
    printf '%s,0,0,0\n' 0,8,0,7,object,11 0,8,8,31,ground,0
    printf '%s,0,0,0\n' 8,8,0,7,sky,10 8,8,8,15,object,11 8,8,16,31,ground,0
    printf '%s,0,0,0\n' 16,8,0,7,sky,10 16,8,8,15,object,11 16,8,16,23,object,11 16,8,24,31,ground,0
}

# points of a roofline of a card and of cores, of two inputs: 1e6 operations on 5e5 bytes, in 0.1 ms and more; a column of counters
# where MORE is `counters`
roof_points() { # MORE VARIANT...
    local more=$1 variant device
    shift
    echo "impl,device,machine,gpu_uuid,status,lap,scope,series,input,case,batch,block,width,n_inputs,mean_ms,median_ms,work_ops,work_bytes$([ "$more" = counters ] && echo ,ncu_instructions,ncu_dram_bytes,ncu_l2_bytes)"
    for variant in "$@"; do
        device=serial
        case $variant in */gpu-*) device=gpu ;; esac
        for batch in 1 64; do
            echo "$variant,$device,one,$([ $device = gpu ] && echo GPU-1),ok,,kernel,hot,scene,all,$batch,8,900,1,7e9,0.$((batch / 8 + 1)),1e6,5e5$([ "$more" = counters ] && { [ $device = gpu ] && echo ",2e6,$((batch / 64))e6,4e6" || echo ,,,; })"
        done
        echo "$variant,$device,one,GPU-1,wrong,,kernel,hot,scene,all,1,8,900,1,7e9,1e-9,1e6,5e5$([ "$more" = counters ] && echo ,2e6,1e6,4e6)"
    done
}
# 8, 2 (in memory) and 4 TB/s; 16, 8 and 20 T operations/s: of a card called $1, and of cores a thousandth
roof_ceilings() { # UUID VARIANT...
    local uuid=$1 variant each slower
    shift
    echo 'impl,machine,gpu_uuid,status,lap,scope,series,operation,kib,median_ms,work_ops,work_bytes,mean_ms'
    for variant in "$@"; do
        slower=1
        [ "$variant" = probe/gpu-plain ] || slower=1000
        for each in 1024:8 1048576:2 262144:4; do
            awk -v i="$variant" -v u="$uuid" -v k="${each%:*}" -v rate="${each#*:}" -v s=$slower 'BEGIN {
                printf "%s,one,%s,ok,,kernel,hot,copy,%d,%.9g,%d,%.9g\n", i, u, k, s * 2048 * k / rate / 1e9, 256 * k, 2048 * k
                printf "%s,one,%s,wrong,,kernel,hot,copy,%d,1e-9,%d,%.9g\n", i, u, 2 * k, 256 * k, 2048 * k }'
        done
        for each in fma:16 integer:8 mixed:20; do
            echo "$variant,one,$uuid,ok,,kernel,hot,${each%:*},4096,$slower,${each#*:}e9,8192"
        done
    done | awk -F, -v OFS=, '{ print $0, $10 }'
}

# parts FIRST VARIANT:KEYS...: rows on 8 to 132 multiprocessors at 2000 MHz, from FIRST on; 80 ms on 8 but for what does not scale, 1 ms;
# KEYS are those of parts_keys
parts_keys=input,series,width,eps,height,block,classes,sigma,ssr,block_threads,atomics
parts() {
    local first=$1
    shift
    echo "impl,status,lap,scope,case,batch,sm_count,sms,gpu_mhz_med,n,min_ms,median_ms,mean_ms,sd_ms,$parts_keys"
    for each in "$@"; do
        for sms in 8 16 32 64 132; do
            [ $sms -lt "$first" ] && continue
            awk -v i="${each%%:*}" -v k="${each#*:}" -v n=$sms 'BEGIN { t = 640 / n + 1
                printf "%s,ok,,kernel,all,1,132,%d,2000,30,%g,7e9,%g,,%s\n%s,wrong,,kernel,all,1,132,%d,2000,30,%g,7e9,9e9,,%s\n", i, n, t, t, k, i, n, t, k }'
        done
    done
}

cpu=(rdp/serial rdp/omp-columns rdp/omp-tasks rdp/cpu-simd)
times "${cpu[@]}" >"$TMP/cpu.csv"
times "${cpu[@]}" rdp/gpu-paper rdp/gpu-opt >"$TMP/gpu.csv"
qualities >"$TMP/quality.csv"
comparison >"$TMP/comparison.csv"
compared >"$TMP/compared.csv"
echo "$compared_header" >"$TMP/compared-header.csv"
shares >"$TMP/shares.csv"
sed 's/kitti-sgm/scene/; s/,[0-9.]*,vertical/,4,vertical/' "$TMP/quality.csv" >"$TMP/shared.csv"
tree >"$TMP/tree.csv"
paper >"$TMP/paper.csv"
stixel_column >"$TMP/column.csv"
stixel_mesh >"$TMP/mesh.ply"
stixel_list >"$TMP/list.csv"
printf '%s\n' col,row,x,y 0,0,1,1 1,0,2,1 0,1,0.5,2 1,1,1.5,2 0,2,1,3 1,2,2,3 >"$TMP/neurons.csv"
printf 'u,v,disparity_px\n0,0,1\n0,1,2\n1,0,1\n' >"$TMP/points.csv"
powers stixels/serial:b12:32 stixels/openmp:b12:32 stixels/serial:dh:8 stixels/cubic-serial:b6:2 >"$TMP/powers.csv"
powers stixels/serial:b12:32 stixels/gpu-paper:b12:32 stixels/gpu-opt:b12:32 stixels/gpu-cubic:b6:16 >"$TMP/gpu-powers.csv"
fits >"$TMP/fits.csv"
frames stixels/serial:b12:0 stixels/openmp:b12:0 stixels/cubic-openmp:b6:64 >"$TMP/frames.csv"
# of two machines, the second ten times as slow; and powers of two blocks
awk 'NR == 1 { print $0 ",machine"; next } { print $0 ",one" }' "$TMP/frames.csv" >"$TMP/machines.csv"
awk -F, -v OFS=, 'NR > 1 { $19 *= 10; $23 /= 10; print $0, "two" }' "$TMP/frames.csv" >>"$TMP/machines.csv"
sed '/gpu-opt/ s/1x8/1x2/' "$TMP/gpu-powers.csv" >"$TMP/block-powers.csv"
frames stixels/openmp:b12:0 stixels/gpu-paper:b12:0 stixels/gpu-cubic:b6:0 >"$TMP/gpu-frames.csv"
errors | cat "$TMP/frames.csv" - >"$TMP/errors.csv"
errors | cat "$TMP/gpu-frames.csv" - >"$TMP/gpu-errors.csv"
images >"$TMP/images.csv"
printf '%s\n' impl,status,model,block,input,case stixels/cubic-openmp,ok,b6,4,city-easy,all stixels/openmp,ok,b12,4,city-easy,all >"$TMP/imaged.csv"
stx_paper >"$TMP/stx.csv"
counters >"$TMP/counters.csv"
roof_points plain rdp/serial rdp/omp-columns rdp/gpu-paper rdp/gpu-opt >"$TMP/roof.csv"
roof_points plain rdp/serial rdp/omp-columns >"$TMP/roof-cpu.csv"
roof_points counters rdp/serial rdp/gpu-paper rdp/gpu-opt >"$TMP/roof-counted.csv"
roof_points plain stixels/openmp stixels/gpu-cubic >"$TMP/roof-stx.csv"
roof_points plain som/openmp som/gpu-opt >"$TMP/roof-som.csv"
roof_ceilings GPU-1 probe/serial probe/openmp probe/gpu-plain >"$TMP/ceilings.csv"
roof_ceilings GPU-2 probe/openmp probe/gpu-plain >"$TMP/other-ceilings.csv"
roof_ceilings '' probe/serial probe/openmp >"$TMP/cpu-ceilings.csv"
head -n 1 "$TMP/ceilings.csv" >"$TMP/no-ceilings.csv"
head -n 1 "$TMP/roof.csv" >"$TMP/roof-header.csv"
grep ',wrong,\|^impl' "$TMP/roof.csv" >"$TMP/roof-unusable.csv"
echo "$stx_header" >"$TMP/stx-header.csv"
sed '1!s/,ok,/,skipped,/' "$TMP/frames.csv" >"$TMP/stx-unusable.csv"
echo "$header" >"$TMP/header.csv"
grep -v ',ok,' "$TMP/gpu.csv" >"$TMP/unusable.csv"
: >"$TMP/nothing.csv"
cat >"$TMP/caption.txt" <<'END'
a machine, commit abc1234, 100% of $HOME `date` \n 'quoted' {_^}, input scene; many words so that the line is folded more than once: one
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
END


# Any PNG with three panels will do: gnuplot's own.
gnuplot -e "set terminal png size 60,250; set output '$TMP/picture.png'; plot x" >"$TMP/log" 2>&1

# two panels of 200 x 100, one above the other, and one alone
gnuplot -e "set terminal png size 200,208; set output '$TMP/stixels.png'; plot x" >"$TMP/log" 2>&1
gnuplot -e "set terminal png size 200,100; set output '$TMP/input.png'; plot x" >"$TMP/log" 2>&1
# a surface of 2 x 2 corners for each quadrilateral
cat >"$TMP/mesh.csv" <<'END'
x,y,z,colour
-1,1.5,20,0x804080
1,1.5,20,0x804080

-1,1.5,5,0x804080
1,1.5,5,0x804080


-1,0,20,0xdc143c
1,0,20,0xdc143c

-1,1.5,20,0xdc143c
1,1.5,20,0xdc143c


END

# render NAME GP FORMAT SETTINGS: NAME='VALUE'; ..., which are tables for `depthbench draw`, or files and texts that gnuplot gets
render() {
    local data=$TMP/$1.data each name value file status n
    local words=()
    rm -rf "$data" && mkdir "$data" && ln -s "$root/plots" "$data/plots"
    printf 'name\tvalue\ncaption\t%s\n' "$(tr '\n' ' ' <"$TMP/caption.txt")" >"$data/text.tsv"
    while IFS='=' read -r name value; do
        name=${name# } value=${value//\'/} n=0
        case $name in
        csv | stixels_csv | ceilings) # measured at a commit
            sed -e '1s/$/,commit/' -e '2,$s/$/,abc1234/' "$value" >"$TMP/$name-shown.csv"
            words+=("shown=$TMP/$name-shown.csv")
            ;;
        values) words+=("value=$value") ;;
        fits) words+=("fit=$value") ;;
        paper) words+=("printed=$value") ;;
        counters) words+=("counter=$value") ;;
        ?*) words+=(-S "$name=$value") ;;
        esac
        case $value in
        */*.*)
            file=$value value=
            for each in $file; do
                n=$((n + 1))
                cp "$each" "$data/$name-$n.${each##*.}"
                value="$value $name-$n.${each##*.}"
            done
            ;;
        esac
        printf '%s\t%s\n' "$name" "${value# }" >>"$data/text.tsv"
    done < <(tr ';' '\n' <<<"$4")
    if [ -f "plots/$2.sql" ]; then
        # shellcheck disable=SC2046 # names, one word each
        "$DEPTHBENCH" draw plots/tables.sql "${words[@]}" plots/rows.sql $(sed -n 's|^-- with |plots/|p' "plots/$2.sql") "plots/$2.sql" --out-dir "$data" 2>"$TMP/$1.log" || return
    fi
    (cd "$data" && gnuplot -e "fmt='$3'" "plots/$2.gp") >"$TMP/$1.log" 2>&1
    status=$?
    mv "$data/out.$3" "$TMP/$1.$3" 2>/dev/null
    return $status
}

count_of() { grep -o "<$1[ >]" "$2" | wc -l; }
at_least() { [ "$1" -ge "$2" ] || { echo "$1 < $2"; return 1; }; }

# figure NAME GP SETTINGS PATHS TEXTS: drawn without a word, well-formed, twice the same, and not empty
figure() {
    local name=$1 gp=$2 settings=$3 n_paths=$4 n_texts=$5
    check "$name is drawn" render "$name" "$gp" svg "$settings" || return
    check "$name: gnuplot says nothing: $(head -n 2 "$TMP/$name.log" | tr '\n' ' ')" test ! -s "$TMP/$name.log"
    cp "$TMP/$name.svg" "$TMP/$name.first"
    render "$name" "$gp" svg "$settings"
    check "$name is the same twice" cmp -s "$TMP/$name.svg" "$TMP/$name.first"
    check "$name ends as it should" grep -q '</svg>' "$TMP/$name.svg"
    check "$name has paths" at_least "$(count_of path "$TMP/$name.svg")" "$n_paths"
    check "$name has texts" at_least "$(count_of text "$TMP/$name.svg")" "$n_texts"
    check "$name has the caption" grep -q 'commit abc1234' "$TMP/$name.svg"
    check "$name is not above 900 px" grep -q 'viewBox="0 0 900 ' "$TMP/$name.svg"
    check "$name as PNG" render "$name" "$gp" png "$settings"
    check "$name: the PNG is whole" grep -qa IEND "$TMP/$name.png"
}

som_header='impl,status,lap,scope,series,input,case,batch,threads,mode_name,width,height,rounds,sigma,ssr,mean_ms,cost_pct,block_threads'
{
    echo "$som_header"
    for each in som/serial som/rounds; do
        for map in cones teddy map-S; do
            for rounds in 100 500 1500; do echo "$each,ok,,,,$map,all,1,,any,0,0,$rounds,24,4,,$((9000 / rounds + 15)),"; done
        done
    done
    echo "som/rounds,wrong,,,,cones,all,1,,any,0,0,1000,24,4,,9e9,"
} >"$TMP/som-values.csv"
{
    echo "$som_header"
    for side in 400 800 1600; do
        echo "som/serial,ok,,kernel,hot,cones,all,1,1,any,$side,$side,1500,12,4,$((side * side / 100)),,"
        echo "som/gpu-paper,ok,,kernel,hot,cones,all,1,,any,$side,$side,1500,12,4,300,,8"
        echo "som/gpu-paper,ok,,kernel,hot,cones,all,1,,any,$side,$side,1500,12,4,150,,1"
        echo "som/openmp,ok,,kernel,hot,cones,all,1,8,any,$side,$side,1500,12,4,$((side * side / 900)),,"
        echo "som/rounds,ok,,kernel,hot,map-L,all,1,1,any,$side,$side,1500,12,4,1e9,,"
    done
} >"$TMP/som-times.csv"
# rows of GPU variants and of one core: memory organisations, block sizes with laps, search ranges, runs of more rounds
som_keys='impl,status,lap,scope,series,input,case,batch,sigma,ssr,crr,co,mov,kernels,block_threads,rounds,mean_ms,cost_pct,cost_pct_sd,reach_ms'
{
    echo "$som_keys"
    for map in tsukuba conesL map-M; do
        ms=400
        for mov in 1 2 2tex; do
            echo "som/gpu-paper,ok,,kernel,hot,$map,all,1,24,4,20,20,$mov,single,32,1500,$ms,,,"
            ms=$((ms / 2))
        done
        echo "som/rounds,ok,,kernel,hot,$map,all,1,24,4,20,20,,,,1500,777,,,"
    done
    echo "som/gpu-paper,wrong,,kernel,hot,tsukuba,all,1,24,4,20,20,2,single,32,1500,9e9,,,"
} >"$TMP/som-mov.csv"
{
    echo "$som_keys"
    for co in 10 20 30; do
        for block in 1 8 16 32 64 128 256; do
            row="kernel,hot,conesM,all,1,24,4,20,$co,2"
            echo "som/gpu-paper,ok,,$row,single,$block,1500,$((block + 40)),,,"
            echo "som/gpu-paper,ok,rounds: som,$row,single,$block,1500,$((block + 30)),,,"
            echo "som/gpu-paper,ok,rounds: refresh,$row,multi,$block,1500,1e6,,,"
            echo "som/gpu-paper,ok,rounds: extraction,$row,multi,$block,1500,$((300 - block)),,,"
            echo "som/gpu-paper,ok,rounds: search,$row,multi,$block,1500,$((block + 20)),,,"
            echo "som/gpu-paper,ok,rounds: learning,$row,multi,$block,1500,$((block + 10)),,,"
        done
        echo "som/rounds,ok,,kernel,hot,conesM,all,1,24,4,20,$co,,,,1500,$((9000 / co)),,,"
    done
} >"$TMP/som-blocks.csv"
{
    echo "$som_keys"
    for each in som/gpu-paper som/rounds; do
        for map in cones conesM conesL; do
            for ssr in -1 10 5 4 3 2; do
                for crr in 1 10 20 100; do
                    echo "$each,ok,,kernel,hot,$map,all,1,24,$ssr,$crr,20,,,,1500,$((50 + 3 * ssr + 20 / crr)),$((16 + crr / 20)).$((5 - ssr % 5)),,"
                done
            done
        done
    done
} >"$TMP/som-ranges.csv"
{
    echo "$som_keys"
    for map in cones conesM teddy; do
        for sigma in 12 24; do
            for rounds in 100 500 1500 3000; do
                echo "som/rounds,ok,,kernel,hot,$map,all,1,$sigma,4,20,20,,,,$rounds,$((rounds / 3)),$((2000 / rounds + 15)),0.5,$([ $rounds = 1500 ] && echo 500)"
                echo "som/gpu-opt,ok,,kernel,hot,$map,all,1,$sigma,4,20,20,,,,$rounds,$((rounds / 9)),$((2000 / rounds + 15)),,$([ $rounds = 1500 ] && echo 166)"
            done
            echo "som/serial,ok,,kernel,hot,$map,all,1,$sigma,4,20,20,,,,1500,3000,16,,3000"
        done
    done
} >"$TMP/som-work.csv"
echo "$som_keys" >"$TMP/som-header.csv"
grep -h ',wrong,\|^impl' "$TMP/som-mov.csv" >"$TMP/som-unusable.csv"
for each in mov blocks ranges work; do grep -v som/gpu "$TMP/som-$each.csv" >"$TMP/som-$each-cpu.csv"; done
cat >"$TMP/som-counters.csv" <<'END'
utc,experiment,impl,input,params,mov,kernels,kernel,stage,l1_hit_pct
x,som/fig8,som/gpu-paper,tsukuba,,1,single,run_round_kernel,som,21.4
x,som/fig8,som/gpu-paper,tsukuba,,2,single,run_round_kernel,som,78.6
x,som/fig8,som/gpu-paper,tsukuba,,2,single,list_neurons_kernel,refresh,99
END
printf '%s\n' x,y 1,1 2,1 '' 1,1 1,2 >"$TMP/links.csv"
{
    echo paper,figure,impl,size,name,value
    echo som,fig13,som/gpu-paper,200000,mean_ms,600
    echo som,fig13,som/gpu-paper,2000000,mean_ms,2000
} >"$TMP/som.csv"
printf '%s\n' x,y,z,colour 0,0,2,0x102030 1,0,2,0x102030 0,1,3,0x102030 0,0,2,0x102030 '' 1,0,2,0xff0000 1,1,4,0xff0000 0,1,3,0xff0000 \
    1,0,2,0xff0000 '' >"$TMP/surface.csv"

P="paper='$TMP/paper.csv'"
figure som-fig12 som-fig12 "csv='$TMP/som-values.csv'" 20 20
check "som-fig12 leaves the generated map out" test "$(grep -c 'map-S' "$TMP/som-fig12.svg")" = 0
sed '/cones\|teddy/d' "$TMP/som-values.csv" >"$TMP/som-generated.csv"
figure som-fig12-generated som-fig12 "csv='$TMP/som-generated.csv'" 10 10
check "som-fig12 of a generated map" grep -q 'map-S' "$TMP/som-fig12-generated.svg"
figure som-fig13 som-fig13 "csv='$TMP/som-times.csv'; paper='$TMP/som.csv'" 10 12
figure som-fig14 som-fig14 "samplings='$TMP/picture.png'; meshes='$TMP/picture.png'; surfaces='$TMP/surface.csv'; names='one'" 1 4
figure som-fig15 som-fig15 "surfaces='$TMP/surface.csv $TMP/surface.csv'; names='regular adapted'" 2 4
figure som-fig2 som-fig2 "samplings='$TMP/picture.png'; meshes='$TMP/picture.png'; surfaces='$TMP/surface.csv'; names='one'" 1 4
figure som-fig4 som-fig4 "meshes='$TMP/links.csv $TMP/links.csv'; titles='as it begins/pulled'; extent_px='4 3'" 2 4
figure som-fig8 som-fig8 "csv='$TMP/som-mov.csv'; counters='$TMP/som-counters.csv'" 8 20
figure som-fig8-cpu som-fig8 "csv='$TMP/som-mov-cpu.csv'" 2 8
figure som-fig9 som-fig9 "csv='$TMP/som-blocks.csv'" 60 20
figure som-fig9-cpu som-fig9 "csv='$TMP/som-blocks-cpu.csv'" 3 12
figure som-fig10 som-fig10 "csv='$TMP/som-blocks.csv'" 9 15
figure som-fig10-cpu som-fig10 "csv='$TMP/som-blocks-cpu.csv'" 3 8
figure som-fig11 som-fig11 "csv='$TMP/som-ranges.csv'" 60 20
figure som-fig11-cpu som-fig11 "csv='$TMP/som-ranges-cpu.csv'" 60 20
figure som-table2-work som-table2-work "csv='$TMP/som-work.csv'" 40 20
figure som-table2-work-cpu som-table2-work "csv='$TMP/som-work-cpu.csv'" 20 20
figure fig2 rdp-fig2 "csv='$TMP/quality.csv'" 40 20
figure fig2-both rdp-fig2 "csv='$TMP/comparison.csv'; stixels_csv='$TMP/compared.csv'" 90 40
figure fig2-street rdp-fig2 "csv='$TMP/comparison.csv'; stixels_csv='$TMP/compared.csv'; input='street'" 60 30
sed 's/,4,160$/,0,160/' "$TMP/compared.csv" >"$TMP/perfect.csv"
figure fig2-perfect rdp-fig2 "csv='$TMP/comparison.csv'; stixels_csv='$TMP/perfect.csv'; input='street'" 60 30
figure fig2-rdp rdp-fig2 "csv='$TMP/comparison.csv'; stixels_csv='$TMP/compared-header.csv'" 40 20
figure fig5 rdp-fig5 "csv='$TMP/quality.csv'; $P" 35 15
figure fig5-alone rdp-fig5 "csv='$TMP/quality.csv'" 30 15
figure fig7 rdp-fig7 "csv='$TMP/shared.csv'; values='$TMP/shares.csv'" 30 20
figure fig9-gpu rdp-fig9 "csv='$TMP/gpu.csv'; $P" 80 20
figure fig9-cpu rdp-fig9 "csv='$TMP/cpu.csv'" 60 15
figure fig10-gpu rdp-fig10 "csv='$TMP/gpu.csv'; $P" 30 30
figure fig10-cpu rdp-fig10 "csv='$TMP/cpu.csv'" 20 20
figure fig3 rdp-fig3 "tree='$TMP/tree.csv'; what='a column'" 30 20
figure fig4 rdp-fig4 "tree='$TMP/tree.csv'; what='a column'" 20 12
figure fig1 rdp-fig1 "picture='$TMP/picture.png'; what='an image'" 0 8
figure fig8 rdp-fig8 "pictures='$TMP/picture.png $TMP/picture.png'; names='worst best'" 0 5

I="picture='$TMP/stixels.png'; input='$TMP/input.png'"
figure stx-fig1 stx-fig1 "$I; mesh='$TMP/mesh.csv'" 2 7
figure stx-fig3 stx-fig3 "$I; column_data='$TMP/column.csv'; u=8; u_width=8" 20 12
figure stx-fig6 stx-fig6 "inputs='$TMP/input.png $TMP/input.png'; older='$TMP/stixels.png $TMP/stixels.png'; newer='$TMP/stixels.png $TMP/stixels.png'; names='one two'" 0 6
for each in som-fig14:2 fig1:3 fig8:6 stx-fig1:2 stx-fig3:2 stx-fig6:6; do
    check "${each%:*} has ${each#*:} pictures" test "$(count_of image "$TMP/${each%:*}.svg")" = "${each#*:}"
done
# in the order of the table
in_space() { grep -o "polygon fill = 'rgb(128,  64, 128)'\|polygon fill = 'rgb(220,  20,  60)'" "$TMP/$1.svg" | grep -o '(.*)' | tr -d '( )' | tr '\n' ' '; }
check "stx-fig1 has two stixels in space, the ground first" test "$(in_space stx-fig1)" = "128,64,128 220,20,60 "

S="paper='$TMP/stx.csv'"
figure stx-table1 stx-table1 "csv='$TMP/powers.csv'; fits='$TMP/fits.csv'" 30 15
figure stx-table1-gpu stx-table1 "csv='$TMP/gpu-powers.csv'" 30 12
figure stx-table1-blocks stx-table1 "csv='$TMP/block-powers.csv'" 30 12
figure stx-fig2 stx-fig2 "csv='$TMP/errors.csv'; $S" 20 15
figure stx-fig2-gpu stx-fig2 "csv='$TMP/gpu-errors.csv'" 20 15
figure stx-fig7 stx-fig7 "csv='$TMP/imaged.csv'; values='$TMP/images.csv'" 30 20
figure stx-fig8 stx-fig8 "csv='$TMP/frames.csv'; $S" 20 20
figure stx-fig8-gpu stx-fig8 "csv='$TMP/gpu-frames.csv'" 20 15
figure stx-fig8-machines stx-fig8 "csv='$TMP/machines.csv'" 20 15
figure stx-fig9 stx-fig9 "csv='$TMP/frames.csv'; $S" 30 30
figure stx-fig9-gpu stx-fig9 "csv='$TMP/gpu-frames.csv'; $S; counters='$TMP/counters.csv'" 30 30

parts 8 rdp/gpu-paper:kitti-sgm,frames,1242,4,1024,,,,,, rdp/gpu-opt:kitti-sgm,frames,1242,4,1024,,,,,, \
    rdp/gpu-paper:kitti-sgm,frames,1242,4,512,,,,,, rdp/gpu-paper:kitti-sgm,frames,1242,8,333,,,,,, >"$TMP/rdp-parts.csv"
parts 8 stixels/gpu-paper:city,hot,,,,8,18,,,, stixels/gpu-paper:city,hot,,,,4,18,,,, >"$TMP/stx-parts.csv"
parts 16 som/gpu-paper:tsukuba,hot,,,,,,12,3,8,cas64 som/gpu-paper:tsukuba,hot,,,,,,12,3,32,cas64 som/gpu-opt:tsukuba,hot,,,,,,12,3,, >"$TMP/som-parts.csv"
figure rdp-cut rdp-cut "csv='$TMP/rdp-parts.csv'; $P" 12 18
figure rdp-cut-alone rdp-cut "csv='$TMP/rdp-parts.csv'" 12 16
figure stx-cut stx-cut "csv='$TMP/stx-parts.csv'; $S" 8 16
figure som-cut som-cut "csv='$TMP/som-parts.csv'; paper='results/paper/som.csv'" 6 14
R="csv='$TMP/roof.csv'"
figure rdp-roofline rdp-roofline "$R; ceilings='$TMP/ceilings.csv'" 20 20
figure rdp-roofline-bare rdp-roofline "$R; ceilings='$TMP/no-ceilings.csv'" 10 20
figure rdp-roofline-none rdp-roofline "$R" 10 20
figure rdp-roofline-cpu rdp-roofline "csv='$TMP/roof-cpu.csv'; ceilings='$TMP/cpu-ceilings.csv'" 10 15
figure rdp-roofline-card rdp-roofline "$R; ceilings='$TMP/cpu-ceilings.csv'" 20 20
figure rdp-roofline-counted rdp-roofline "csv='$TMP/roof-counted.csv'; ceilings='$TMP/other-ceilings.csv'" 30 30
figure stx-roofline stx-roofline "csv='$TMP/roof-stx.csv'; ceilings='$TMP/ceilings.csv'" 20 20
figure som-roofline som-roofline "csv='$TMP/roof-som.csv'; ceilings='$TMP/ceilings.csv'" 20 20

# five calls, three of them leaves, and one of each in the legend
filled() { grep -c "fill = 'rgb($1)'" "$TMP/fig4.svg"; }
check "fig4 has two cut boxes" test "$(filled '207, 227, 241')" = 3
check "fig4 has three leaves" test "$(filled '211, 238, 227')" = 4
# the texts of a figure as one line, in which the caption is not folded
all_text() { sed -n 's/.*<text>\([^<]*\)<.*/\1/p' "$1" | tr '\n' ' ' | tr -s ' '; }
has_text() { grep -q "$1" "$TMP/$2.svg"; }
lacks_text() { ! grep -q "$1" "$TMP/$2.svg"; }
has() { local text; for text in "${@:2}"; do check "$1 says: $text" has_text "$text" "$1"; done; }
lacks() { local text; for text in "${@:2}"; do check "$1 does not say: $text" lacks_text "$text" "$1"; done; }
# what figures say, and what they do not
has rdp-cut '>printed, Xavier × 1377 / 2000 MHz<' '>from 8 on as 1 / N<'
lacks rdp-cut '>333 rows<'
lacks rdp-cut-alone 'Xavier'
has som-cut '>from 16 on as 1 / N<' 'blocks of 8, atomics cas64<'
has fig9-cpu 'No rows yet for rdp/gpu-paper, rdp/gpu-opt'
lacks fig9-cpu '>rdp/gpu-opt<' 'Xavier' '1e+09\|10000000'
has fig9-gpu 'rdp/gpu-opt' 'Table 1, Xavier'
lacks fig9-gpu 'No rows yet'
has fig10-cpu '40.00 ms' 'rdp/omp-columns, 8 threads'
lacks fig10-cpu '1000000000'
has fig10-gpu '\[RDP\] GPU, MODE_10W' '5.66 ms'
has som-fig13 '1 thread a block'
lacks som-fig13 '>som/rounds<'
has som-fig8 '>100 ms · 4.00 × as fast as MOV1<' '>200 ms · 2.00 × as fast as MOV1 · L1 79 %<' '>400 ms · L1 21 %<'
lacks som-fig8 '>map-M<'
has som-fig8-cpu 'No hit rates of L1 yet' 'about 20 % in MOV1, 80 % in MOV2' 'No rows yet for som/gpu-paper'
has som-fig9 'MK_S, search'
lacks som-fig9-cpu 'MK_S, search'
has som-fig10 '>31.0 ms · 1 threads a block<' '>76.0 ms · 256 + 1 + 1 threads a block · 2.45 × SK<'
has som-fig11 '>som/gpu-paper, 1500 rounds'
has som-fig11-cpu '>som/rounds, 1500 rounds'
has som-table2-work '>conesM, sigma 24<'
lacks som-table2-work 'teddy, sigma'
has rdp-roofline '>copy of 1 GiB: 2 TB/s<' '>copy of 1 MiB: 8 TB/s<' '>mixed chains: 20 T/s<' '>copy of 1 GiB: 2 GB/s<' \
    '>one core: 2 GB/s, 20 G/s<' 'the distance of a point to a chord' 'One takes several instructions' '>batch of 64<' \
    'make profile-ncu EXP=rdp/roofline'
lacks rdp-roofline 'No ceilings' 'cards of this kind'
has rdp-roofline-card 'No ceilings of this GPU yet'
lacks rdp-roofline-cpu '>GPU, by' 'profile-ncu'
has rdp-roofline-counted '>GPU, instructions as counted<' '>mixed chains: 625 G/s<' 'bytes of L2 in place of DRAM' \
    'alone: DRAM has below 1 %' 'Rows and ceilings are of 2 cards of this kind'
has stx-roofline '>block 8 × 8<'
has som-roofline '>900 px<'
has fig2 'No rows yet of stixels' 'rms error against the input'
has fig2-rdp 'No rows yet of stixels'
lacks fig2-rdp 'one against the other' 'Dashed'
has fig2-both 'and the time, one thread' 'outliers against the truth' '>Stixels 4 × 1 px<' '>flat Stixels 8 × 8 px<' \
    '>RDP, 5 × 5 median<' '>RDP, no filter<'
lacks fig2-both 'No rows yet' '2 × 2 px'
has fig2-street 'rms error against the input' 'input street'
lacks fig2-street 'Times:' 'and the time'
has stx-fig3 '>road<' '>person<'
lacks stx-fig3 '>sky<'
has stx-table1 'exponent 1.95 (1.90 … 2.01), last step 2.02' 'exponent 1.85 (1.80 … 1.90), last step 1.99' \
    'stixels/serial, flat, w = 8' 'stixels/serial, eq. 12, w = 32' 'stixels/cubic-serial, eq. 6, w = 2' \
    'No rows yet for stixels/gpu-paper, stixels/gpu-opt, stixels/gpu-cubic'
lacks stx-table1 'exponent 2.50'
has stx-table1-gpu 'blocks of 1 × 8 px'
lacks stx-table1-gpu 'flat' 'No rows yet'
has stx-table1-blocks 'stixels/gpu-opt, eq. 12, w = 32, 1 × 2 px' 'stixels/gpu-paper, eq. 12, w = 32, 1 × 8 px'
lacks stx-table1-blocks 'blocks of'
has stx-fig8 '25.0 fps<' '>5.00 fps (20.0 on 64 of 256 columns)<' 'Hatched' '\[STX\] eq. 12, Tegra Xavier' '344.3 fps' \
    '0.96 fps (from Fig. 9)'
lacks stx-fig8 'Times: of' 'e+09'
has stx-fig9 '>50.00 ms (12.50 on 64 of 256 columns)<' 'dynamic programming, eq. 6 (Slanted Stixels)' '1029.83 ms' \
    '1029.83 ms · IPC 0.73' '53.80 ms · 19.1 × as fast as eq. 6'
lacks stx-fig9 '0.73 ms' 'as eq. 6 · IPC\|IPC 2.38'
has stx-fig8-machines '>25.0 fps<' 'Times: of one alone'
lacks stx-fig8-machines '>2.50 fps<'
lacks stx-fig8-gpu 'Hatched'
has stx-fig9-gpu 'IPC 2.38' 'IPC 1.94' 'IPC 1.81' '× as fast as eq. 6 · IPC 2.38'
has stx-fig2 'errors: input city-normal; times: input city' 'Ring: '
has stx-fig7 '20 images of generated scenes' '20 of eq. 6, 19 of eq. 12, 19 of both'
check "with what does not scale" grep -q 'memory, caches and lanes a multiprocessor do not scale' <(all_text "$TMP/rdp-cut.svg")
check "and the paper's fastest in words" grep -q 'fastest block sizes of SK, MK_E, MK_S, MK_L: 64, 256, 64, 64' <(all_text "$TMP/som-fig9-cpu.svg")
check "in the paper's order" test "$(grep -o ">SSR [^<]*<" "$TMP/som-fig11.svg" | awk '!seen[$0]++' | tr -d '\n')" = '>SSR 2<>SSR 3<>SSR 4<>SSR 5<>SSR 10<>SSR ∞<'
check "another eps can be chosen" render eps8 rdp-fig10 svg "csv='$TMP/cpu.csv'; eps='8'"
check "and is" has_text '20.00 ms' eps8
for name in bare none; do
    check "without ($name) it says how to get them" has_text 'No ceilings of this machine yet: make bench EXP=probe/ceilings' rdp-roofline-$name
    check "and has none" lacks_text 'copy of\|chains:' rdp-roofline-$name
done
check "which has none then" test "$(grep -c "<text>copy of 1 GiB" "$TMP/rdp-roofline-card.svg")" = 1
# a copy of the table with real data behind the generated
sed '1!s/,scene,/,kitti-sgm,/; 1d' "$TMP/cpu.csv" | cat "$TMP/cpu.csv" - >"$TMP/both.csv"
check "with two inputs" render both rdp-fig10 svg "csv='$TMP/both.csv'"
check "real data are drawn" has_text 'input kitti-sgm' both
check "the other can be chosen" render both rdp-fig10 svg "csv='$TMP/both.csv'; input='scene'; beside=1"
check "and is, too" has_text 'input scene' both
render beside rdp-fig9 svg "csv='$TMP/cpu.csv'; input='scene'; beside=1"
check "the main figure is not drawn twice" test $? = 2
check "but refused" grep -q 'input scene is in the main figure' "$TMP/beside.log"

check "the dashed lines are explained" grep -q 'Dashed: at the β of the model' <(all_text "$TMP/fig2-both.svg")
check "and what the times are of" grep -q 'segmentation alone; the median filter and the transposition are not in' <(all_text "$TMP/fig2-both.svg")
check "another error can be asked for" render fig2-rms rdp-fig2 svg "csv='$TMP/comparison.csv'; stixels_csv='$TMP/compared.csv'; error='rms'"
check "and is drawn" has_text 'rms error against the input' fig2-rms
check "β is written beside one curve" test "$(grep -c '>β 64<' "$TMP/fig2-both.svg")" = 1
check "rows of times do not repeat a point" test "$(grep -c '>ε 1<' "$TMP/fig2-both.svg")" = 2

# texts from their left end, at the least width of a character
beyond() {
    grep -A1 'text-anchor="start"' "$TMP/$1.svg" | tr -d '\n' | sed 's/<g /\n<g /g' |
        sed -n 's/.*translate(\([0-9.]*\),.*<text>\([^<]*\)<.*/\1 \2/p' | grep 'ms\|fps' | awk '{ n++ } $1 + 5.5 * (length($0) - length($1) - 1) > 900 { print } END { if (!n) print "no texts" }'
}
for name in stx-fig8 stx-fig8-gpu stx-fig8-machines stx-fig9 stx-fig9-gpu; do
    check "$name: no text goes beyond the edge: $(beyond $name | head -n 1)" test -z "$(beyond $name)"
done
check "the other can be asked for" render stx-fig8-two stx-fig8 svg "csv='$TMP/machines.csv'; machine='two'"
check "and is" has_text '>2.50 fps<' stx-fig8-two
check "alone" lacks_text '>25.0 fps<' stx-fig8-two
# the even marks of gnuplot, from the square on, which its SVG counts from 0
hollow() { grep -v " id='gpPt" "$TMP/$1.svg" | grep -o "href='#gpPt[0-9]*'" | grep -c 'gpPt\(3\|5\|7\|9\|11\|13\)'; }
check "hollow marks are printed values" at_least "$(hollow stx-fig2)" 2
for name in fig2 fig2-both fig2-street fig5 stx-table1 stx-fig2-gpu; do
    check "and nothing else in $name" test "$(hollow "$name")" = 0
done

# ---- tables without a usable row -------------------------------------------------------------------------

refused() { # GP SETTINGS
    render refused "$1" svg "$2"
    local status=$?
    [ "$status" = 2 ] && grep -q 'no row\|no valid point\|no segment\|header is missing' "$TMP/refused.log"
}
head -n 1 "$TMP/tree.csv" >"$TMP/no-tree.csv"
head -n 1 "$TMP/shares.csv" >"$TMP/no-shares.csv"
grep -v useful "$TMP/shares.csv" >"$TMP/other-shares.csv"
# the numbers that the project ships are what the figures read
for each in rdp-fig5:quality:rdp rdp-fig9:gpu:rdp rdp-fig10:gpu:rdp stx-fig2:errors:stx stx-fig8:errors:stx stx-fig9:errors:stx; do
    IFS=: read -r gp table paper <<<"$each"
    check "$gp with the shipped numbers" render shipped "$gp" svg "csv='$TMP/$table.csv'; paper='results/paper/$paper.csv'"
    check "names them" has_text "\[${paper^^}\]" shipped
    check "without a warning" test ! -s "$TMP/shipped.log"
done

head -n 1 "$TMP/column.csv" >"$TMP/no-column.csv"
while IFS='|' read -r figures tables settings; do
    for gp in $figures; do
        for table in $tables; do check "$gp refuses a table with $table" refused "$gp" "${settings//@/$TMP/$table}"; done
    done
done <<END
rdp-fig2 rdp-fig5 rdp-fig9 rdp-fig10|header unusable nothing|csv='@.csv'
stx-table1 stx-fig2 stx-fig8 stx-fig9|stx-header stx-unusable nothing|csv='@.csv'
som-fig8 som-fig9 som-fig10 som-fig11 som-fig12 som-fig13 som-table2-work|som-header som-unusable nothing|csv='@.csv'
rdp-roofline stx-roofline som-roofline|roof-header roof-unusable nothing|csv='@.csv'; ceilings='$TMP/ceilings.csv'
stx-fig2|frames|csv='@.csv'
rdp-fig7|no-shares other-shares|csv='$TMP/shared.csv'; values='@.csv'
stx-fig7|no-shares|csv='$TMP/imaged.csv'; values='@.csv'
rdp-fig3 rdp-fig4|no-tree|tree='@.csv'
stx-fig3|no-column|$I; column_data='@.csv'; u=0; u_width=8
END

# ---- scripts/plot ----------------------------------------------------------------------------------------

mkdir -p "$TMP/tree/scripts" "$TMP/tree/experiments/rdp" "$TMP/tree/experiments/stx" "$TMP/tree/results/paper"
cp -r plots "$TMP/tree/plots"
cp scripts/plot scripts/figure "$TMP/tree/scripts/"
cp "$TMP/paper.csv" "$TMP/tree/results/paper/rdp.csv"
cp "$TMP/stx.csv" "$TMP/tree/results/paper/stx.csv"
touch "$TMP/tree/experiments/rdp/fig9.ini" "$TMP/tree/experiments/rdp/fig10.ini" "$TMP/tree/experiments/stx/table1.ini"
echo 'scope = kernel, frame  ; both' >"$TMP/tree/experiments/rdp/table1.ini"
# stand_in NAME: $TMP/NAME is this script
stand_in() { { echo '#!/bin/bash'; cat; } | install -m 755 /dev/stdin "$TMP/$1"; }
stand_in program <<END
# a stand-in for depthbench: tables from \$FAKE, pictures from files
case \$1 in
env)
    if [ "\${2:-}" = --machine ]; then echo a-machine; exit; fi
    [ "\${2:-}" != --beside ] || DEPTHBENCH_HOME="$TMP/tree" exec "$DEPTHBENCH" "\$@"
    printf 'machine=a-machine\ncommit=fedcba9876543210\ndirty=%s\nsm_count=132\ncc=8.7\n' "\${DIRTY:-0}"
    [ -z "\${GPU:-}" ] || echo "gpu=\$GPU"
    printf 'gpu_memory_bytes=6.45e+10\nl2_bytes=62914560\nregisters_per_sm=65536\nbandwidth_gb_s=204.8\n' ;;
draw) exec "$DEPTHBENCH" "\$@" ;;
show)
    [ -f "$TMP/\$FAKE.csv" ] || { echo "no results" >&2; exit 5; }
    case "\$*" in *scope=*) n=2 ;; *) n=4 ;; esac
    echo "missing: rdp/gpu-opt: \$n cells, the first eps=4 input=scene case=all: not measured" >&2
    case "\$*" in
    *--out-dir*)
        mkdir -p "\$4/rdp" "\$4/stx" "\$4/probe"
        case \$2 in probe/ceilings) FAKE=ceilings ;; rdp/fig2-stixels) FAKE=compared ;; esac
        sed -e '1s/\$/,commit/' -e "2,\\\$s/\$/,of-\$FAKE/" "$TMP/\$FAKE.csv" >"\$4/\$2.csv"
        [ "\$FAKE" != powers ] || cp "$TMP/fits.csv" "\$4/\$2.fit.csv" ;;
    *) cp "$TMP/\$FAKE.csv" "\$6" ;;
    esac ;;
apply)
    echo "\$*" >>"$TMP/calls"
    shape=picture list=points
    case \$2 in som/*) list=neurons; echo "a remark" >&2 ;; esac
    case \$2 in stixels/*) shape=stixels list=list; echo "a remark" >&2 ;; esac
    while [ \$# -gt 0 ]; do
        case \$1 in
        --picture | --sampling) cp "$TMP/\$shape.png" "\$2" ;;
        --input-picture) cp "$TMP/input.png" "\$2" ;;
        --ply) cp "$TMP/mesh.ply" "\$2" ;;
        --column-data) cp "$TMP/column.csv" "\$2" ;;
        --tree) cp "$TMP/tree.csv" "\$2" ;;
        -o) cp "$TMP/\$list.csv" "\$2" ;;
        esac
        shift
    done ;;
esac
END

plot() { (cd "$TMP/tree" && env FAKE="$FAKE" DEPTHBENCH="$TMP/program" B=build "$@" >"$TMP/plot.log" 2>&1); }
drawn=$TMP/tree/plots/a-machine
said() { grep -q "$1" "$TMP/plot.log"; }
no_leftovers() { [ -z "$(find "$TMP/tree" -name '*.tmp')" ]; }
status_is() { local want=$1; shift; "$@"; local got=$?; [ "$got" = "$want" ] || { echo "exit $got"; cat "$TMP/plot.log"; return 1; }; }

FAKE=gpu
check "plot draws fig9" status_is 0 plot scripts/plot fig9
check "as SVG" test -s "$drawn/rdp-fig9.svg"
check "and PNG" test -s "$drawn/rdp-fig9.png"
cp "$drawn/rdp-fig9.svg" "$TMP/old.svg"
touch -d '2001-02-03' "$drawn/rdp-fig9.svg" "$drawn/rdp-fig9.png"
check "plot draws it again" status_is 0 plot scripts/plot rdp-fig9
check "eps 8 is beside it" test -s "$drawn/rdp-fig9-eps8.svg"
check "the input of the main figure is not" test ! -e "$drawn/rdp-fig9-scene.svg"
check "one input can be asked for" status_is 0 plot env DRAW_INPUT=scene DRAW_EPS=8 scripts/plot fig9
check "and has its own name" test -s "$drawn/rdp-fig9-scene-eps8.png"
check "one that is not there is refused" status_is 1 plot env DRAW_INPUT=street scripts/plot fig9
check "with a sentence" said 'no row with status ok'
check "an equal figure is not touched" test "$(date -r "$drawn/rdp-fig9.svg" +%Y)$(date -r "$drawn/rdp-fig9.png" +%Y)" = 20012001
check "another machine's results" status_is 0 plot env MACHINE=other scripts/plot fig9
check "have their own folder" test -s "$TMP/tree/plots/other/rdp-fig9.svg"
FAKE=both
check "two inputs" status_is 0 plot scripts/plot fig10
check "make two figures" test -s "$drawn/rdp-fig10-scene.svg"
FAKE=header
check "a table without rows is refused" status_is 1 plot scripts/plot fig9
check "with a sentence" said 'no row with status ok'
check "the old figure stays" cmp -s "$drawn/rdp-fig9.svg" "$TMP/old.svg"
FAKE=absent
check "failing show is passed on" status_is 1 plot scripts/plot fig9
check "the old figure stays again" cmp -s "$drawn/rdp-fig9.svg" "$TMP/old.svg"
FAKE=cpu
check "another table" status_is 0 plot scripts/plot rdp/fig9
check "replaces the figure" test "$(cmp -s "$drawn/rdp-fig9.svg" "$TMP/old.svg" && echo same)" = ""
check "table1 is written" status_is 0 plot scripts/plot table1
check "what is missing is said once" test "$(grep -c '^missing: ' "$TMP/plot.log")" = 1
check "of all scopes" said '^missing: 4 of rdp/gpu-opt, input scene: not measured'
check "as Markdown, one table a scope" test "$(grep -c '^impl,status' "$drawn/rdp-table1.md")" = 2
check "and CSV" test -s "$drawn/rdp-table1.csv"
FAKE=comparison
touch "$TMP/tree/experiments/rdp/fig2.ini" "$TMP/tree/experiments/rdp/fig2-stixels.ini"
check "two problems" status_is 0 plot scripts/plot fig2
check "are one figure" grep -q '>Stixels 8 × 8 px<' "$drawn/rdp-fig2.svg"
check "with one caption" grep -q 'commit of-comp; input scene' <(all_text "$drawn/rdp-fig2.svg")
check "and another of the other input" grep -q 'input street' "$drawn/rdp-fig2-street.svg"
rm "$TMP/tree/experiments/rdp/fig2-stixels.ini"
check "without the second" status_is 0 plot scripts/plot fig2
check "it is the first alone" grep -q 'No rows yet of stixels' "$drawn/rdp-fig2.svg"
FAKE=roof
touch "$TMP/tree/experiments/rdp/roofline.ini"
check "a roofline" status_is 0 plot scripts/plot rdp-roofline
check "has the machine's ceilings" grep -q '>mixed chains: 20 T/s<' "$drawn/rdp-roofline.svg"
FAKE=powers
check "a table with a figure" status_is 0 plot scripts/plot stx-table1
check "what is missing is said once for both" test "$(grep -c '^missing: ' "$TMP/plot.log")" = 1
check "has both" test -s "$drawn/stx-table1.md" -a -s "$drawn/stx-table1.svg" -a -s "$drawn/stx-table1.png"
check "the figure has the fits" grep -q 'exponent 1.95' "$drawn/stx-table1.svg"
FAKE=gpu-powers
check "without fits" status_is 0 plot scripts/plot stx/table1
check "none are left over" test "$(grep -c 'exponent 1.95' "$drawn/stx-table1.svg")" = 0
FAKE=stx-header
mkdir "$TMP/kept" && mv "$drawn"/stx-table1.* "$TMP/kept/"
check "a table without rows is refused" status_is 1 plot scripts/plot stx-table1
check "with a sentence, too" said 'stx-table1: no rows to show'
check "and not written" test ! -e "$drawn/stx-table1.md" -a ! -e "$drawn/stx-table1.csv"
mv "$TMP/kept"/* "$drawn/"
check "nor is an older one replaced" status_is 1 plot scripts/plot stx-table1
check "as it is" grep -q '^impl,status' "$drawn/stx-table1.md"
FAKE=stx-header
mkdir -p "$TMP/tree/build"
ln -s "$TMP/program" "$TMP/tree/build/depthbench"
touch "$TMP/tree/experiments/stx/fig9.ini"
check "without rows and a GPU there is no figure" status_is 0 plot scripts/figure stx fig9
check "which is said" said 'stx-fig9: no rows on a machine without a GPU'
check "and nothing is drawn" test ! -e "$drawn/stx-fig9.svg"
check "with a GPU it is a failure" status_is 1 plot env GPU=X scripts/figure stx fig9
touch "$drawn/stx-fig9.svg"
check "and where there was a figure" status_is 1 plot scripts/figure stx fig9
rm "$drawn/stx-fig9.svg"
FAKE=gpu-powers
check "the machine's table" status_is 0 plot scripts/plot stx-table4
fact() { sed -n "s/^| $1 *| \([^|]*[^ |]\) *|.*/\1/p" "$drawn/stx-table4.md"; }
check "has its facts beside the printed ones" grep -q '^| sm_count *| 132 *| 4 *| 8 *|$' "$drawn/stx-table4.md"
check "bytes in the printed unit" test "$(fact gpu_memory_bytes), $(fact l2_bytes)" = '64.5 GB, 61440 KiB'
check "counts, too" test "$(fact registers_per_sm)" = '64 Ki'
check "other units as they are" test "$(fact bandwidth_gb_s)" = '204.8 GB/s'
check "the architecture has a name" test "$(fact cc)" = '8.7 Ampere'
check "what is not known is left open" grep -q '^| tdp_w *| *| 15 W *|' "$drawn/stx-table4.md"
check "the machine and the commit are named" grep -qx 'a-machine; commit fedcba9' "$drawn/stx-table4.md"
for each in '6.2 Pascal' '7.2 Volta' '7.5 Turing' '8.0 Ampere' '8.9 Ada' '9.0 Hopper' '10.0 Blackwell' '12.1 Blackwell' 99.0; do
    printf 'gpu=A Card\ncommit=abc\ndirty=1\ncc=%s\n' "${each% *}" | install -D /dev/stdin "$TMP/tree/cards/a.env.txt"
    check "a card of ${each% *}" status_is 0 plot env RESULTS=cards scripts/plot stx-table4
    check "is $each" test "$(fact cc)" = "$each"
done
check "a changed tree is named" grep -q 'commit abc-dirty$' "$drawn/stx-table4.md"
rm "$drawn/stx-table4.md"
printf 'machine=no card\n' | install -D /dev/stdin "$TMP/tree/cardless/a.env.txt"
check "without a fact there is no table, and nothing wrong" status_is 0 plot env RESULTS=cardless scripts/plot stx-table4
check "which is said" said 'none of its facts is known of no card'
check "and none written" test ! -e "$drawn/stx-table4.md"
check "the card of another folder" status_is 0 plot env RESULTS=cardless,cards scripts/plot stx-table4
check "is looked for" grep -q '^| gpu *| A Card *|' "$drawn/stx-table4.md"
printf 'gpu=A Card\nsm_count=20\n' | install -D /dev/stdin "$TMP/tree/results/a-machine/20200101T000000Z-a.env.txt"
printf 'machine=no card\n' >"$TMP/tree/results/a-machine/20210101T000000Z-b.env.txt"
check "those of the results" status_is 0 plot scripts/plot stx-table4
check "are preferred, of one that saw the card" test "$(fact sm_count)" = 20
FAKE=cpu
check "pictures are drawn" status_is 0 plot scripts/plot fig1 fig3 fig4 fig8
for file in rdp-fig1.png rdp-fig3.svg rdp-fig3.png rdp-fig4.svg rdp-fig4.png; do
    check "$file is there" test -s "$drawn/$file"
done
check "pictures name the commit" grep -q 'eps=4; commit fedcba9 *<' "$drawn/rdp-fig3.svg"
stand_in keep-captions <<END
sed -n 's/^caption.//p' text.tsv >>"$TMP/captions"
exec gnuplot "\$@"
END
check "pictures of a changed tree" status_is 0 plot env DIRTY=1 GNUPLOT="$TMP/keep-captions" scripts/plot fig1 fig3 fig4 fig8 stx-fig1 stx-fig3 stx-fig6
check "say so, each" test "$(grep -c 'depthbench apply .*; commit fedcba9-dirty$' "$TMP/captions")" = 9
check "an input that is no scene is not committed" test ! -e "$drawn/rdp-fig8.png"
check "but drawn in the build folder" test -s "$TMP/tree/build/pictures/rdp-fig8.png"
check "which is said" said 'not to be committed'
printf 'kind = scene\n' | install -D /dev/stdin "$TMP/tree/experiments/inputs/scene.ini"
check "a generated input" status_is 0 plot scripts/plot fig8
check "is" test -s "$drawn/rdp-fig8.png"
check "pictures of stixels" status_is 0 plot scripts/plot stx-fig1 stx-fig3 stx/fig6
for file in stx-fig1.png stx-fig1.ply stx-fig3.png stx-fig6.png; do
    check "$file is there" test -s "$drawn/$file"
done
check "the mesh is as it was written" cmp -s "$drawn/stx-fig1.ply" "$TMP/mesh.ply"
stand_in keep-mesh <<END
cp mesh.csv "$TMP/made.csv"
exec gnuplot "\$@"
END
check "the mesh as a table" status_is 0 plot env GNUPLOT="$TMP/keep-mesh" scripts/plot stx-fig1
check "has the ground first" cmp -s "$TMP/made.csv" "$TMP/mesh.csv"
check "of many classes in few pieces is column 8" grep -q -- '--column 8 ' "$TMP/calls"
check "both models are asked" grep -q '^apply stixels/cubic-openmp .* model=b6$' "$TMP/calls"
check "without data there is no figure of them" test ! -e "$TMP/tree/build/pictures/stx-fig6-kitti.png"
mkdir -p "$TMP/data/kitti2015/sgm"
check "with them" status_is 0 plot env DEPTHBENCH_DATA="$TMP/data" scripts/plot stx-fig6
check "there is" test -s "$TMP/tree/build/pictures/stx-fig6-kitti.png"
check "in the build folder alone" test ! -e "$drawn/stx-fig6-kitti.png"
check "a frame of the user's" status_is 0 plot env IMAGE=/tmp/mine.png scripts/plot stx-fig1 stx-fig3 stx-fig6
check "stays there" test -s "$TMP/tree/build/pictures/stx-fig1.ply" -a -s "$TMP/tree/build/pictures/stx-fig3.png"
check "pictures of a mesh" status_is 0 plot scripts/plot som-fig2 som-fig4
check "the mesh is asked for at both strengths" test "$(grep -c '^apply som/rounds .* co=1024 .* sigma=\(6\|12\)' "$TMP/calls")" = 3
touch "$TMP/tree/experiments/stx/fig4.ini"
check "the table of a figure" status_is 0 plot scripts/plot stx-fig4
check "is written" test -s "$drawn/stx-fig4.md" -a -s "$drawn/stx-fig4.csv"
check "a file of the user's" status_is 0 plot env IMAGE=/tmp/mine.png scripts/plot fig1
check "stays in the build folder" test -s "$TMP/tree/build/pictures/rdp-fig1.png"
: >"$TMP/calls"
check "all" status_is 0 plot scripts/plot all
check "a map of three figures is computed once" test "$(grep -c '^apply som/openmp input:map-S:1 -S sigma=12 ' "$TMP/calls")" = 1
check "no such figure" status_is 2 plot scripts/plot fig77
check "no arguments" status_is 2 plot scripts/plot

# ---- a disk that is full, and results made by somebody else ----------------------------------------------------

stand_in full-disk <<END
# gnuplot that does not notice a full disk
gnuplot "\$@"
status=\$?
for file in out.\$CUT; do truncate -s 3000 "\$file"; done
exit \$status
END
cp "$drawn/rdp-fig9.png" "$drawn/rdp-fig9.svg" "$TMP/"
FAKE=gpu
for cut in png svg; do
    check "half a $cut is no figure" status_is 1 plot env CUT=$cut GNUPLOT="$TMP/full-disk" scripts/plot fig9
    check "which is said" said "plot: rdp-fig9: gnuplot did not finish the $cut"
    check "the old one stays ($cut)" cmp -s "$drawn/rdp-fig9.png" "$TMP/rdp-fig9.png"
    check "in both formats ($cut)" cmp -s "$drawn/rdp-fig9.svg" "$TMP/rdp-fig9.svg"
done
# the folder of figures is full, that of gnuplot is not
stand_in cp <<END
case \${!#} in *.tmp) echo half >"\${!#}"; echo "cp: No space left on device" >&2; exit 1 ;; esac
exec /bin/cp "\$@"
END
check "a full folder of figures" status_is 1 plot env PATH="$TMP:$PATH" scripts/plot fig9
check "is said" said 'rdp-fig9.svg: cannot be written whole'
check "and the old figure stays" cmp -s "$drawn/rdp-fig9.png" "$TMP/rdp-fig9.png"
check "without half a one beside it" no_leftovers
rm "$TMP/cp"

# each of these would be executed within a command of gnuplot's, in one way of quoting or another
evil_tables() {
    local csv_evil="\"${1//\"/\"\"}\"" each from
    for each in machines:one cpu:scene rdp-parts:kitti-sgm frames:city som-blocks:conesM gpu:rdp/gpu-opt roof:rdp/gpu-opt som-blocks:20; do
        # as a field that the figures read: the machine, the input, a variant, a key
        from=${each#*:}
        awk -v from="$from" -v to="$csv_evil" -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if (NR > 1 && $i == from) $i = to; print }' \
            "$TMP/${each%%:*}.csv" >"$TMP/evil-${each%%:*}-${from##*/}.csv"
    done
    {
        echo "wanted,cell,cell_number,point,commit,machine_name,fps,level_ms,ci_lo_ms,ci_hi_ms"
        for each in 1 2 3; do echo "$csv_evil,$csv_evil,1,$each,$csv_evil,$csv_evil,10,100,90,110"; done
    } >"$TMP/tree/build/history.csv"
}
cp "$TMP/caption.txt" "$TMP/old-caption.txt"
mkdir -p "$TMP/tree/build" "$TMP/tree/results/a-machine/ncu"
export PWN=$TMP/executed
for evil in 'x`touch $PWN`$(touch $PWN)' 'x`touch $PWN`'\''; system "touch $PWN" #'; do
    evil_tables "$evil"
    printf '%s, commit abc1234\n' "$evil" >"$TMP/caption.txt"
    for each in stx-fig8:machines-one stx-fig9:machines-one stx-fig9:frames-city rdp-fig9:cpu-scene rdp-fig10:cpu-scene \
        rdp-fig9:gpu-gpu-opt rdp-fig10:gpu-gpu-opt rdp-cut:rdp-parts-kitti-sgm som-fig9:som-blocks-conesM \
        som-fig10:som-blocks-conesM som-fig10:som-blocks-20 som-fig9:som-blocks-20 rdp-roofline:roof-gpu-opt; do
        render evil "${each%%:*}" svg "csv='$TMP/evil-${each#*:}.csv'"
    done
    FAKE='evil-cpu-scene'
    printf 'utc,experiment,impl\nx,rdp/fig9,y\n' >"$TMP/tree/results/a-machine/ncu/20200101T000000Z-$evil.csv"
    check "a chart of such rows is drawn" plot scripts/plot fig9
    check "of the input as it is called" grep -qF 'px, input x`touch $PWN`' "$drawn/rdp-fig9.svg"
    check "and one of that input alone" plot env DRAW_INPUT="$evil" scripts/plot fig9
    check "a history with such names is drawn" plot scripts/plot fps-history
    check "as they are" grep -qF 'x`touch $PWN`' "$TMP/tree/build/fps-history.svg"
    FAKE=cpu
    check "and a picture of such a file" plot env IMAGE="/tmp/$evil.png" scripts/plot fig1 fig3
done
check "nothing of it was executed" test ! -e "$PWN"
cp "$TMP/old-caption.txt" "$TMP/caption.txt"

rm "$drawn/rdp-fig9.png"
check "without gnuplot" status_is 5 plot env GNUPLOT=no-such-gnuplot scripts/plot fig9
check "the remedy is said" said 'apt-get install gnuplot-nox'
check "and nothing drawn" test ! -e "$drawn/rdp-fig9.png"
check "no temporary file is left" no_leftovers
cd "$root" || exit 1
finish
