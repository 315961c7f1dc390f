# som-fig9.gp - threads per block, one kernel a round or three                            [SOM] Fig. 9
#
# A panel for each size of the cells.  Laps of the rounds, means: SK is the kernel that does all, MK_E, MK_S and MK_L are the
# three that share its work, MK is their sum, as in the paper.  The dotted line is the same schedule on one core.  The paper
# prints no times here; it names the fastest block sizes, which are ringed.
load "plots/style.gp"

eval words_of("maps", "input", "usable(0)")
if (!exists("input")) { input = has_word(maps, "conesM") ? "conesM" : word(maps, 1) }
of_input(x) = strcol("status") eq "ok" && in_scope(0) && strcol("input") eq input && column("mean_ms") > 0
is_lap(x) = of_input(0) && strcol("lap") ne "" && strcol("impl") eq "som/gpu-paper"
is_whole(x) = of_input(0) && strcol("lap") eq "" && strcol("impl") eq "som/rounds"
eval require("is_lap(0) || is_whole(0)", csv)
eval words_of("present", "impl", "is_lap(0) || is_whole(0)")
eval words_of("cells", "co", "is_lap(0) || is_whole(0)")
eval first_of("sigma")
eval first_of("ssr")

# A lap's name is behind the colon of the part that it belongs to.
part_of(lap) = strstrt(lap, ": ") > 0 ? lap[strstrt(lap, ": ") + 2 : *] : lap
parts = "som extraction search learning"
curves = "SK MK MK_E MK_S MK_L"
curve_text = "'SK, one kernel' 'MK, sum of three' 'MK_E, extraction' 'MK_S, search' 'MK_L, learning'"
belongs(c, lap) = c eq "MK" ? part_of(lap) eq "extraction" || part_of(lap) eq "search" || part_of(lap) eq "learning" : \
    part_of(lap) eq (c eq "SK" ? "som" : c eq "MK_E" ? "extraction" : c eq "MK_S" ? "search" : "learning")
of(c, co, value) = is_lap(0) && strcol("co") eq co && belongs(c, strcol("lap")) ? value : NaN
n_laps = 0
stats csv using (is_lap(0) ? (n_laps = n_laps + 1) : 0) nooutput

# The fastest block sizes that the paper names (sect. 6.2), in the order of the curves; MK has none.
fastest_of(co) = co eq "10" ? "64 0 256 64 64" : co eq "20" ? "8 0 16 8 16" : co eq "30" ? "1 0 8 1 8" : "0 0 0 0 0"
named_block(c, co) = int(word(fastest_of(co), int(sum [i = 1:5] (word(curves, i) eq c ? i : 0))))
is_named(c, co) = column("block_threads") == named_block(c, co)

y_min = 1e300; y_max = -1e300
stats csv using (is_lap(0) && (belongs("SK", strcol("lap")) || belongs("MK", strcol("lap"))) || is_whole(0) ? (y_min = column("mean_ms") < y_min ? column("mean_ms") : y_min, y_max = column("mean_ms") > y_max ? column("mean_ms") : y_max, 1) : 0) nooutput

n_panels = words(cells)
panel = 650.0 / n_panels
array one_core[n_panels]
do for [k = 1:n_panels] {
    one_core[k] = 1e300 # outside of the panel
    stats csv using (is_whole(0) && strcol("co") eq word(cells, k) ? (one_core[k] = column("mean_ms"), 1) : 0) nooutput
}
eval canvas(900, 420, (n_laps > 0 ? "Rings: the fastest block sizes that [SOM] names in sect. 6.2; it prints no times. " : \
    "[SOM] sect. 6.2 names the fastest block sizes of SK, MK_E, MK_S, MK_L: 64, 256, 64, 64 with cells of 10 px, 8, 16, 8, 16 with 20 px, 1, 8, 1, 8 with 30 px. "). \
    missing_note("som/gpu-paper", present))
eval headline("SOM mesh: threads per block", sprintf("input %s, 1500 rounds, sigma from %s, search range %s, MOV2; times of all rounds, means", input, sigma, ssr))
set multiplot
set xlabel "threads per block"
set logscale x 2
set logscale y 10
set xrange [0.7 : 360]
set yrange [y_min / 1.6 : y_max * 1.6]
set xtics (1, 8, 32, 128) font small
set xtics add ("" 16 1, "" 64 1, "" 256 1)
set format y "%g"
set bmargin at screen (52.0 + base) / H
set tmargin at screen 1 - 80.0 / H
set key at screen 1 - 196.0 / W, screen 1 - 74.0 / H left top Left reverse spacing 1.2 samplen 2.4
set dashtype 3 (2, 4)
hue(c) = c eq "SK" ? hex("#0072B2") : c eq "MK" ? hex("#000000") : c eq "MK_E" ? hex("#009E73") : c eq "MK_S" ? hex("#D55E00") : hex("#CC79A7")
sign(c) = c eq "SK" ? 13 : c eq "MK" ? 5 : c eq "MK_E" ? 9 : c eq "MK_S" ? 11 : 7
core_title = has_word(present, "som/rounds") ? "som/rounds, one core" : ""
lap_curves = n_laps == 0 ? "" : \
    ', for [i = 1:5] csv using (column("block_threads")):(of(word(curves, i), co, column("mean_ms"))) smooth frequency with linespoints linewidth (i <= 2 ? 2.2 : 1.4) pointtype sign(word(curves, i)) pointsize 0.8 linecolor rgb hue(word(curves, i)) title word(curve_text, i)'. \
    ', for [c in "SK MK_E MK_S MK_L"] csv using (column("block_threads")):(is_named(c, co) ? of(c, co, column("mean_ms")) : NaN) with points pointtype 6 pointsize 1.9 linewidth 1.2 linecolor rgb hue(c) notitle'
do for [k = 1:n_panels] {
    co = word(cells, k)
    set lmargin at screen (66 + panel * (k - 1)) / W
    set rmargin at screen (66 + panel * k - 16) / W
    set title sprintf("cells of %s × %s px", co, co) font small offset 0, -0.6 noenhanced
    if (k == 1) { set ylabel "mean time [ms]" } else { unset ylabel; unset key; set format y "" }
    core(x) = one_core[k]
    plot core(x) with lines linewidth 1.6 dashtype 3 linecolor rgb colour_of("som/rounds") title core_title @lap_curves
    if (k == 1) { eval undraw }
}
unset multiplot
