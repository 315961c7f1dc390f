#!/bin/bash
# test_som_maps.sh - the paper's maps by the reference: active cells to three digits, %cost near what other programs found
#
# Fractions of active cells follow from the maps and thresholds alone: mean over greatest density of a cell.  Bands of %cost are
# those of three seeds of a probe that shares no code with this program, and a point to either side.  Without data: skipped.
. tests/checks.sh som_maps
data=${DEPTHBENCH_DATA:-data}
only "no middlebury in $data: the paper's maps are not tested (scripts/fetch_data middlebury)" test -d "$data/middlebury"
on_failure "$tmp/log"
cat >"$tmp/maps.ini" <<'END'
[global]
problem = som
sigma   = 12
ssr     = 4
seed    = 1, 2, 3
update  = snapshot
times   = 0
[maps]
impl    = som/rounds
input   = tsukuba, venus, teddy, cones, conesM
[show]
rows    = seed
columns = input
value   = active_pct, cost_pct
END
check "the maps run" "$DEPTHBENCH" run "$tmp/maps.ini" --results "$tmp/results" >"$tmp/log" 2>&1
"$DEPTHBENCH" show "$tmp/maps.ini" --results "$tmp/results" -f md >"$tmp/shown" 2>>"$tmp/log"
# within NAME MAP LOW HIGH: the values of three seeds, of the table of NAME with a column for each map
within() {
    awk -F'|' -v name="**$1**" -v map="$2" -v low="$3" -v high="$4" '
        /^\*\*/ { on = $0 == name }
        on && !at && /^\| seed/ { for (i = 2; i < NF; i++) { gsub(/ /, "", $i); if ($i == map) at = i } next }
        on && at && /^\| *[0-9]+ / { n++; bad += !($at + 0 >= low && $at + 0 <= high) }
        END { exit !(n == 3 && !bad) }' "$tmp/shown"
}
while read -r map least most low high; do
    check "$map: $least to $most % of the cells are active" within active_pct "$map" "$least" "$most"
    check "$map: %cost of $low to $high" within cost_pct "$map" "$low" "$high"
done <<'END'
tsukuba 10.9 11.1 20.4 25.8
venus 16.1 16.3 18.3 20.5
teddy 34.0 34.2 16.6 19.5
cones 29.1 29.3 14.3 16.6
conesM 29.1 29.3 17.8 19.9
END
finish
