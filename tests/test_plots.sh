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
export LC_ALL=C.UTF-8

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

cpu=(rdp/serial rdp/omp-columns rdp/omp-tasks rdp/cpu-simd)
times "${cpu[@]}" >"$TMP/cpu.csv"
times "${cpu[@]}" rdp/gpu-paper rdp/gpu-opt >"$TMP/gpu.csv"
qualities >"$TMP/quality.csv"
shares >"$TMP/shares.csv"
tree >"$TMP/tree.csv"
paper >"$TMP/paper.csv"
echo "$header" >"$TMP/header.csv"
grep -v ',ok,' "$TMP/gpu.csv" >"$TMP/unusable.csv"
: >"$TMP/nothing.csv"
cat >"$TMP/caption.txt" <<'END'
a machine, commit abc1234, 100% of $HOME `date` \n 'quoted' {_^}, input scene; many words so that the line is folded more than once: one
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
END


# Any PNG with three panels will do: gnuplot's own.
gnuplot -e "set terminal png size 60,250; set output '$TMP/picture.png'; plot x" >"$TMP/log" 2>&1

# render NAME GP FORMAT SETTINGS
render() {
    gnuplot -e "out='$TMP/$1.$3'; fmt='$3'; caption='$TMP/caption.txt'; $4" "plots/$2.gp" >"$TMP/$1.log" 2>&1
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

P="paper='$TMP/paper.csv'"
figure fig2 rdp-fig2 "csv='$TMP/quality.csv'" 40 20
figure fig5 rdp-fig5 "csv='$TMP/quality.csv'; $P" 35 15
figure fig5-alone rdp-fig5 "csv='$TMP/quality.csv'" 30 15
figure fig7 rdp-fig7 "csv='$TMP/header.csv'; values='$TMP/shares.csv'" 30 20
figure fig9-gpu rdp-fig9 "csv='$TMP/gpu.csv'; $P" 80 20
figure fig9-cpu rdp-fig9 "csv='$TMP/cpu.csv'" 60 15
figure fig10-gpu rdp-fig10 "csv='$TMP/gpu.csv'; $P" 30 30
figure fig10-cpu rdp-fig10 "csv='$TMP/cpu.csv'" 20 20
figure fig3 rdp-fig3 "tree='$TMP/tree.csv'; what='a column'" 30 20
figure fig4 rdp-fig4 "tree='$TMP/tree.csv'; what='a column'" 20 12
figure fig1 rdp-fig1 "picture='$TMP/picture.png'; what='an image'" 0 8
figure fig8 rdp-fig8 "pictures='$TMP/picture.png $TMP/picture.png'; names='worst best'" 0 5
check "fig1 has three panels" test "$(count_of image "$TMP/fig1.svg")" = 3
check "fig8 has six panels" test "$(count_of image "$TMP/fig8.svg")" = 6

# five calls, three of them leaves, and one of each in the legend
filled() { grep -c "fill = 'rgb($1)'" "$TMP/fig4.svg"; }
check "fig4 has two cut boxes" test "$(filled '207, 227, 241')" = 3
check "fig4 has three leaves" test "$(filled '211, 238, 227')" = 4
has_text() { grep -q "$1" "$TMP/$2.svg"; }
lacks_text() { ! grep -q "$1" "$TMP/$2.svg"; }
check "a figure without GPU rows says so" has_text 'No rows yet for rdp/gpu-paper, rdp/gpu-opt' fig9-cpu
check "a figure with them does not" lacks_text 'No rows yet' fig9-gpu
check "absent variants have no legend" lacks_text '>rdp/gpu-opt<' fig9-cpu
check "present ones have" has_text 'rdp/gpu-opt' fig9-gpu
check "printed values are named" has_text 'Table 1, Xavier' fig9-gpu
check "but only where they were given" lacks_text 'Xavier' fig9-cpu
check "fig9 is not drawn from medians" lacks_text '1e+09\|10000000' fig9-cpu
check "bars carry their time" has_text '40.00 ms' fig10-cpu
check "bars carry the team" has_text 'rdp/omp-columns, 8 threads' fig10-cpu
check "printed bars carry the role" has_text '\[RDP\] GPU, MODE_10W' fig10-gpu
check "and what is printed" has_text '5.66 ms' fig10-gpu
check "wrong rows are not drawn" lacks_text '1000000000' fig10-cpu
check "another eps can be chosen" render eps8 rdp-fig10 svg "csv='$TMP/cpu.csv'; eps='8'"
check "and is" has_text '20.00 ms' eps8
# a copy of the table with real data behind the generated
sed '1!s/,scene,/,kitti-sgm,/; 1d' "$TMP/cpu.csv" | cat "$TMP/cpu.csv" - >"$TMP/both.csv"
check "with two inputs" render both rdp-fig10 svg "csv='$TMP/both.csv'"
check "real data are drawn" has_text 'input kitti-sgm' both
check "the other can be chosen" render both rdp-fig10 svg "csv='$TMP/both.csv'; input='scene'; beside=1"
check "and is, too" has_text 'input scene' both
render beside rdp-fig9 svg "csv='$TMP/cpu.csv'; input='scene'; beside=1"
check "the main figure is not drawn twice" test $? = 3

# ---- tables without a usable row -------------------------------------------------------------------------

refused() { # GP SETTINGS
    render refused "$1" svg "$2"
    local status=$?
    [ "$status" = 2 ] && grep -q 'no row\|no valid point\|no segment' "$TMP/refused.log"
}
head -n 1 "$TMP/tree.csv" >"$TMP/no-tree.csv"
head -n 1 "$TMP/shares.csv" >"$TMP/no-shares.csv"
grep -v useful "$TMP/shares.csv" >"$TMP/other-shares.csv"
check "rdp-fig7 refuses a table without rows" refused rdp-fig7 "values='$TMP/no-shares.csv'"
check "rdp-fig7 refuses a table without shares" refused rdp-fig7 "values='$TMP/other-shares.csv'"
# the numbers that the project ships are what the figures read
if [ -f results/paper/rdp.csv ]; then
    for gp in rdp-fig5 rdp-fig9 rdp-fig10; do
        table=$TMP/gpu.csv
        [ $gp = rdp-fig5 ] && table=$TMP/quality.csv
        check "$gp with the shipped numbers" render shipped $gp svg "csv='$table'; paper='results/paper/rdp.csv'"
        check "names them" has_text '\[RDP\]' shipped
        check "without a warning" test ! -s "$TMP/shipped.log"
    done
fi
for gp in rdp-fig2 rdp-fig5 rdp-fig9 rdp-fig10; do
    for table in header unusable nothing; do
        check "$gp refuses a table with $table" refused $gp "csv='$TMP/$table.csv'"
    done
done
check "rdp-fig3 refuses an empty column" refused rdp-fig3 "tree='$TMP/no-tree.csv'"
check "rdp-fig4 refuses an empty column" refused rdp-fig4 "tree='$TMP/no-tree.csv'"

# ---- scripts/plot ----------------------------------------------------------------------------------------

mkdir -p "$TMP/tree/scripts" "$TMP/tree/experiments/rdp" "$TMP/tree/results/paper"
cp -r plots "$TMP/tree/plots"
cp scripts/plot "$TMP/tree/scripts/"
cp "$TMP/paper.csv" "$TMP/tree/results/paper/rdp.csv"
touch "$TMP/tree/experiments/rdp/fig9.ini" "$TMP/tree/experiments/rdp/fig10.ini"
echo 'scope = kernel, frame  ; both' >"$TMP/tree/experiments/rdp/table1.ini"
cat >"$TMP/program" <<END
#!/bin/bash
# a stand-in for depthbench: tables from \$FAKE, pictures from files
case \$1 in
env) echo a-machine ;;
show)
    [ -f "$TMP/\$FAKE.csv" ] || { echo "no results" >&2; exit 5; }
    case "\$*" in
    *--out-dir*) mkdir -p "\$4/rdp" && cp "$TMP/\$FAKE.csv" "\$4/\$2.csv" && cp "$TMP/caption.txt" "\$4/\$2.caption.txt" ;;
    *) cp "$TMP/\$FAKE.csv" "\$6" ;;
    esac ;;
apply)
    while [ \$# -gt 0 ]; do
        case \$1 in
        --picture) cp "$TMP/picture.png" "\$2" ;;
        --tree) cp "$TMP/tree.csv" "\$2" ;;
        -o) printf 'u,v,disparity_px\n0,0,1\n0,1,2\n1,0,1\n' >"\$2" ;;
        esac
        shift
    done ;;
esac
END
chmod +x "$TMP/program"

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
check "as Markdown, one table a scope" test "$(grep -c '^impl,status' "$drawn/rdp-table1.md")" = 2
check "and CSV" test -s "$drawn/rdp-table1.csv"
check "pictures are drawn" status_is 0 plot scripts/plot fig1 fig3 fig4 fig8
for file in rdp-fig1.png rdp-fig3.svg rdp-fig3.png rdp-fig4.svg rdp-fig4.png; do
    check "$file is there" test -s "$drawn/$file"
done
check "an input that is no scene is not committed" test ! -e "$drawn/rdp-fig8.png"
check "but drawn in the build folder" test -s "$TMP/tree/build/pictures/rdp-fig8.png"
check "which is said" said 'not to be committed'
printf 'kind = scene\n' | install -D /dev/stdin "$TMP/tree/experiments/inputs/scene.ini"
check "a generated input" status_is 0 plot scripts/plot fig8
check "is" test -s "$drawn/rdp-fig8.png"
check "a file of the user's" status_is 0 plot env IMAGE=/tmp/mine.png scripts/plot fig1
check "stays in the build folder" test -s "$TMP/tree/build/pictures/rdp-fig1.png"
check "all" status_is 0 plot scripts/plot all
check "no such figure" status_is 2 plot scripts/plot fig77
check "no arguments" status_is 2 plot scripts/plot
rm "$drawn/rdp-fig9.png"
check "without gnuplot" status_is 5 plot env GNUPLOT=no-such-gnuplot scripts/plot fig9
check "the remedy is said" said 'apt-get install gnuplot-nox'
check "and nothing drawn" test ! -e "$drawn/rdp-fig9.png"
check "no temporary file is left" no_leftovers
cd "$root" || exit 1
finish
