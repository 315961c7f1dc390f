# som-table2-work.gp - quality against the time that it takes                             [SOM] Table 2
#
# A panel for each map, a row of them for each sigma: runs of more and more rounds, each with a decay of its own.  Dashed: the
# %cost of som/serial at 1500 times cells updates, and its time.  Rings: the shortest run that is as good.  som/gpu-paper is in the
# setting that stands for the paper, and dashed in the fastest found.
load "plots/style.gp"

shown(x) = usable(0) && in_scope(0) && column("mean_ms") > 0 && strcol("cost_pct") ne ""
is_best(x) = strcol("impl") eq "som/gpu-paper" && strcol("block_threads") eq "1"
keep(x) = shown(0) && !is_best(0)
n_best = 0
stats csv using (shown(0) && is_best(0) ? (n_best = n_best + 1) : 0) nooutput
best_points = n_best == 0 ? "" : \
    'csv using (shown(0) && is_best(0) && strcol("input") eq map && strcol("sigma") eq s ? column("mean_ms") : NaN):(column("cost_pct")) smooth unique with linespoints dashtype 2 linewidth 1.2 pointtype mark_of("som/gpu-paper") pointsize 0.5 linecolor rgb colour_of("som/gpu-paper") title "  1 thread a block, exch", '
eval require("keep(0)", csv)
eval words_of("present", "impl", "keep(0)")
eval words_of("all_maps", "input", "keep(0)")
eval words_of("all_sigmas", "sigma", "keep(0)")
if (!exists("wanted")) { wanted = "cones conesM conesL" }
maps = ""
do for [m in wanted] { if (has_word(all_maps, m)) { maps = maps." ".m } }
if (maps eq "") { maps = all_maps }
sigmas = ""
do for [s in all_sigmas] {
    n_rows = 0
    stats csv using (keep(0) && strcol("sigma") eq s && has_word(maps, strcol("input")) ? (n_rows = n_rows + 1) : 0) nooutput
    if (n_rows > 0) { sigmas = sigmas." ".s }
}
drawn = ""
do for [i in "som/rounds som/openmp som/gpu-paper som/gpu-opt"] { if (has_word(present, i)) { drawn = drawn." ".i } }
n_maps = words(maps)
n_sigmas = words(sigmas)
of(impl, map, s, value) = strcol("impl") eq impl && strcol("input") eq map && strcol("sigma") eq s && keep(0) ? value : NaN
eval extent("x", "mean_ms", "keep(0) && has_word(maps, strcol('input'))", csv)
eval first_of("ssr")

panel = 690.0 / n_maps
row_h = 250.0
eval canvas(900, int(60 + n_sigmas * (row_h + 40) + 26), "Rings: the shortest of these runs whose %cost is at most that of som/serial. ".missing_note("som/gpu-paper som/gpu-opt", present))
eval headline("SOM mesh: %cost against the time that it takes", sprintf("from left to right on a curve more rounds; search range %s; means over seeds, bars: one standard deviation", ssr))
set multiplot
set logscale x
set format x "%g"
set key at screen 1 - 160.0 / W, screen 1 - 76.0 / H left top Left reverse spacing 1.2 samplen 2.4
set dashtype 2 (6, 4)
do for [r = 1:n_sigmas] {
    s = word(sigmas, r)
    do for [k = 1:n_maps] {
        map = word(maps, k)
        n_here = 0
        set autoscale xy # those of the panel before would leave points out
        y_min = 1e300; y_max = -1e300
        stats csv using (of("som/serial", map, s, 1) == 1 || has_word(drawn, strcol("impl")) && of(strcol("impl"), map, s, 1) == 1 ? (n_here = n_here + 1, y_min = column("cost_pct") < y_min ? column("cost_pct") : y_min, y_max = column("cost_pct") > y_max ? column("cost_pct") : y_max, 1) : 0) nooutput
        if (n_here == 0) { continue }
        aim = -1e300
        stats csv using (of("som/serial", map, s, 1) == 1 ? (aim = column("cost_pct"), 1) : 0) nooutput
        top = 66 + (r - 1) * (row_h + 40)
        set tmargin at screen 1 - (top + 14.0) / H
        set bmargin at screen 1 - (top + row_h - 14.0) / H
        set lmargin at screen (62 + panel * (k - 1)) / W
        set rmargin at screen (62 + panel * k - 34) / W
        set xrange [x_min / 1.5 : x_max * 1.5]
        set yrange [0 : y_max * 1.08]
        set title sprintf("%s, sigma %s", map, s) font small offset 0, -0.6 noenhanced
        set xtics font small
        set ytics font small
        if (k == 1) { set ylabel "%cost" } else { unset ylabel }
        if (r == n_sigmas) { set xlabel "mean time [ms]" } else { unset xlabel }
        line_of(x) = aim > 0 ? aim : NaN
        plot line_of(x) with lines linewidth 1.2 dashtype 2 linecolor rgb colour_of("som/serial") title "", @best_points \
             for [i in drawn] csv using (of(i, map, s, column("mean_ms"))):(column("cost_pct")):(strcol("cost_pct_sd") eq "" ? 0 : column("cost_pct_sd")) \
                with yerrorbars pointtype 0 linewidth 1 linecolor rgb colour_of(i) notitle, \
             for [i in drawn] csv using (of(i, map, s, column("mean_ms"))):(column("cost_pct")) smooth unique \
                with linespoints linewidth 1.6 pointtype mark_of(i) pointsize 0.7 linecolor rgb colour_of(i) title i, \
             csv using (of("som/serial", map, s, column("mean_ms"))):(column("cost_pct")) \
                with points pointtype mark_of("som/serial") pointsize 1.2 linecolor rgb colour_of("som/serial") title "som/serial", \
             for [i in drawn] csv using (strcol("reach_ms") ne "" ? of(i, map, s, column("mean_ms")) : NaN):(column("cost_pct")) \
                with points pointtype 6 pointsize 2.0 linewidth 1.2 linecolor rgb colour_of(i) notitle
        eval undraw
        unset key
    }
}
unset multiplot
