# som-fig8.gp - memory organisations of the cells' lists                                 [SOM] Fig. 8
#
# A group of bars for each map.  The paper prints no numbers here; what it says in words stands below the bars.  counters: what
# scripts/profile_ncu wrote, if it did; the share of the sectors read that L1 had stands beside the bars.
load "plots/style.gp"
if (!exists("counters")) counters = ""

keep(x) = usable(0) && in_scope(0) && column("mean_ms") > 0 && strcol("co") eq "20"
eval require("keep(0)", csv)
eval words_of("present", "impl", "keep(0)")
eval words_of("all_maps", "input", "keep(0)")
# generated maps only where there are no others
maps = ""
do for [m in all_maps] { if (strstrt(m, "map-") != 1) { maps = maps." ".m } }
if (maps eq "") { maps = all_maps }
eval first_of("sigma")
eval first_of("ssr")

max_bars = 200
array bar_map[max_bars]
array bar_ms[max_bars]
array bar_impl[max_bars]
array bar_mov[max_bars]
array bar_text[max_bars]
n_bars = 0
add_bar(map, ms, impl, mov) = n_bars >= max_bars ? 0 : (n_bars = n_bars + 1, bar_map[n_bars] = map, bar_ms[n_bars] = ms, \
    bar_impl[n_bars] = impl, bar_mov[n_bars] = mov, bar_text[n_bars] = time_text(ms), 1)
time_text(ms) = ms >= 100 ? sprintf("%.0f ms", ms) : ms >= 10 ? sprintf("%.1f ms", ms) : sprintf("%.2f ms", ms)
eval words_of("movs", "mov", "keep(0) && strcol('impl') eq 'som/gpu-paper'")
do for [map in maps] {
    n_before = n_bars
    stats csv using (keep(0) && strcol("input") eq map && strcol("impl") eq "som/gpu-paper" ? add_bar(map, column("mean_ms"), "som/gpu-paper", strcol("mov")) : 0) nooutput
    # an organisation that the map has no time of, where it has others
    n_timed = n_bars
    if (n_timed > n_before) { do for [mov in movs] {
        there = 0
        do for [i = n_before + 1:n_timed] { if (bar_mov[i] eq mov) { there = 1 } }
        if (!there && add_bar(map, 0, "som/gpu-paper", mov)) { bar_text[n_bars] = "no time: a wrong mesh or not run" }
    } }
    stats csv using (keep(0) && strcol("input") eq map && strcol("impl") eq "som/rounds" ? add_bar(map, column("mean_ms"), "som/rounds", strcol("mov")) : 0) nooutput
}

# Beside a bar: how much faster than MOV1 on the same map, and what L1 had.
has_l1 = counters ne "" && has_column(counters, "l1_hit_pct")
n_l1 = 0
do for [i = 1:n_bars] {
    if (bar_mov[i] ne "" && bar_mov[i] ne "1" && bar_ms[i] > 0) {
        do for [j = 1:n_bars] { if (bar_map[j] eq bar_map[i] && bar_impl[j] eq bar_impl[i] && bar_mov[j] eq "1") { bar_text[i] = bar_text[i].sprintf(" · %.2f × as fast as MOV1", bar_ms[j] / bar_ms[i]) } }
    }
    hit = -1.0
    if (has_l1 && bar_mov[i] ne "" && bar_ms[i] > 0) { stats counters using (strcol("impl") eq bar_impl[i] && strcol("input") eq bar_map[i] && strcol("mov") eq bar_mov[i] && strcol("kernels") eq "single" && strcol("stage") eq "som" ? (hit = column("l1_hit_pct"), 1) : 0) nooutput }
    if (hit >= 0) { bar_text[i] = bar_text[i].sprintf(" · L1 %.0f %%", hit); n_l1 = n_l1 + 1 }
}
label_of(impl, mov) = mov eq "" ? impl.", one core" : mov eq "2tex" ? "MOV2 texture" : "MOV".mov
mov_colour(impl, mov) = mov eq "1" ? hex("#56B4E9") : mov eq "2tex" ? hex("#009E73") : colour_of(impl)

# Rows from the top: the name of a map, its bars, the next.
array bar_row[max_bars]
n_in(m) = int(sum [i = 1:n_bars] (bar_map[i] eq m ? 1 : 0))
title_row(m) = 1 + int(sum [k = 1:words(maps)] (k < map_index(m) ? n_in(word(maps, k)) + 1 : 0))
map_index(m) = int(sum [k = 1:words(maps)] (word(maps, k) eq m ? k : 0))
do for [i = 1:n_bars] { bar_row[i] = title_row(bar_map[i]) + int(sum [j = 1:i] (bar_map[j] eq bar_map[i] ? 1 : 0)) }
set print $bars
print "row,ms,impl,mov,text"
do for [i = 1:n_bars] { print sprintf("%d,%.9g,%s,%s,\"%s\"", bar_row[i], bar_ms[i], bar_impl[i], bar_mov[i] eq "" ? "none" : bar_mov[i], bar_text[i]) }
set print

n_rows = n_bars + words(maps)
row_height = 18.0
eval canvas(900, int(72 + row_height * n_rows + 52), \
    (n_l1 > 0 ? "L1: share of the sectors asked for in the first launch that it had, by Nsight Compute; [SOM]: about 20 % in MOV1, 80 % in MOV2. " : "No hit rates of L1 yet; [SOM]: about 20 % in MOV1, 80 % in MOV2. "). \
    "[SOM] sect. 6.1, in words: MOV2 is faster than MOV1 on each of its six maps, the texture gains most on the large one. ".missing_note("som/gpu-paper", present))
eval headline("SOM mesh: memory organisations", sprintf("1500 rounds, sigma from %s, search range %s, 32 threads a block; measured here, the paper prints no numbers", sigma, ssr))
eval frame(180, 30, 58, 52)
unset key
eval room_from_zero(900 - 180 - 30, "bar_ms", "bar_text")
set xrange [0 : x_right]
set format x "%g"
set border 1
set ytics scale 0 ("" 1)
set grid noytics
set yrange [-n_rows - 0.6 : -0.4]
do for [i = 1:n_bars] { set ytics add (label_of(bar_impl[i], bar_mov[i]) -bar_row[i]) }
do for [k = 1:words(maps)] { set label 10 + k word(maps, k) at screen 188.0 / W, first -title_row(word(maps, k)) left font small textcolor rgb "#222222" front }
set xlabel "mean time [ms]"
plot $bars using (0):(-column("row")):(0):(column("ms")):(-column("row") - 0.36):(-column("row") + 0.36):(mov_colour(strcol("impl"), strcol("mov"))) \
         with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, \
     $bars using (column("ms")):(-column("row")):(strcol("text")) with labels left offset 0.5, 0 font small
