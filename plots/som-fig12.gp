# som-fig12.gp - quality against the number of rounds                                    [SOM] Fig. 12
#
# A panel for each map, a curve for each variant; each point is runs of its own, whose alpha and sigma shrink over their rounds:
# the mean over seeds, and one standard deviation.
load "plots/style.gp"

keep(x) = usable(0) && strcol("cost_pct") ne ""
eval require("keep(0)", csv)
eval words_of("present", "impl", "keep(0)")
eval words_of("all_maps", "input", "keep(0)")
# generated maps only where there are no others
maps = ""
do for [m in all_maps] { if (strstrt(m, "map-") != 1) { maps = maps." ".m } }
if (maps eq "") { maps = all_maps }
eval first_of("sigma")
eval first_of("ssr")
sd(x) = 0
if (has_column(csv, "cost_pct_sd")) { sd(x) = strcol("cost_pct_sd") eq "" ? 0 : column("cost_pct_sd") }
drawn = ""
do for [i in som_variants] { if (has_word(present, i)) { drawn = drawn." ".i } }
n_maps = words(maps)
of(impl, map, value) = strcol("impl") eq impl && strcol("input") eq map && keep(0) ? value : NaN
shown(x) = keep(0) && has_word(maps, strcol("input"))
eval extent("x", "rounds", "shown(0)", csv)
eval extent("y", "cost_pct", "shown(0)", csv)

panel = 680.0 / n_maps
eval canvas(900, 400, missing_note("som/gpu-paper som/gpu-opt", present))
eval headline("SOM mesh: quality against rounds", sprintf("sigma from %s, search range %s; som/serial makes as many times cells single updates; means over seeds, bars: one standard deviation", sigma, ssr))
set multiplot
set xlabel "rounds"
set xrange [0 : x_max * 1.03]
set yrange [0 : y_max * 1.08]
set bmargin at screen (52.0 + base) / H
set tmargin at screen 1 - 74.0 / H
set key at screen 1 - 170.0 / W, screen 1 - 70.0 / H left top Left reverse spacing 1.15 samplen 2.4

do for [k = 1:n_maps] {
    map = word(maps, k)
    set lmargin at screen (62 + panel * (k - 1)) / W
    set rmargin at screen (62 + panel * k - 34) / W
    set title map font small offset 0, -0.6 noenhanced
    if (k == 1) { set ylabel "%cost" } else { unset ylabel; unset key }
    plot for [i in drawn] csv using (column("rounds")):(of(i, map, column("cost_pct"))):(sd(0)) \
            with yerrorbars pointtype -1 linewidth 1 linecolor rgb colour_of(i) notitle, \
         for [i in drawn] csv using (column("rounds")):(of(i, map, column("cost_pct"))) \
            with linespoints linewidth 1.6 pointtype mark_of(i) pointsize 0.9 linecolor rgb colour_of(i) title i
    if (k == 1) { eval undraw }
}
unset multiplot
