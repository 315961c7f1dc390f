# som-fig13.gp - run time against the size of the map                                    [SOM] Fig. 13
#
# A curve for each variant, means, since the paper prints means.  Hollow: the averages of the paper's four sets of maps (Table
# 2), which are other maps than ours.  som/gpu-paper is in the setting that stands for the paper; dashed: in the fastest found.
load "plots/style.gp"

# one map at all sizes; a generated one where there is no other
any_map(x) = usable(0) && in_scope(0) && strcol("mean_ms") ne ""
eval words_of("all_maps", "input", "any_map(0)")
if (!exists("input")) {
    input = words(all_maps) > 0 ? word(all_maps, 1) : ""
    do for [m in all_maps] { if (strstrt(input, "map-") == 1 && strstrt(m, "map-") != 1) { input = m } }
}
shown(x) = any_map(0) && strcol("input") eq input
is_best(x) = strcol("impl") eq "som/gpu-paper" && strcol("block_threads") eq "1"
keep(x) = shown(0) && !is_best(0)
eval require("keep(0)", csv)
eval words_of("present", "impl", "keep(0)")
eval first_of("sigma")
eval first_of("ssr")
drawn = ""
do for [i in som_variants] { if (has_word(present, i)) { drawn = drawn." ".i } }
pixels(x) = column("width") * column("height")
printed(impl, value) = strcol("figure") eq "fig13" && strcol("name") eq "mean_ms" && strcol("impl") eq impl ? value : NaN
printed_impls = ""
if (paper ne "") { stats paper using (strcol("figure") eq "fig13" && !has_word(printed_impls, strcol("impl")) ? (printed_impls = printed_impls." ".strcol("impl"), 1) : 0) nooutput }

x_min = 1e300; x_max = -1e300
stats csv using (keep(0) ? (x_min = pixels(0) < x_min ? pixels(0) : x_min, x_max = pixels(0) > x_max ? pixels(0) : x_max, 1) : 0) nooutput
eval extent("y", "mean_ms", "shown(0)", csv)
n_best = 0
stats csv using (shown(0) && is_best(0) ? (n_best = n_best + 1) : 0) nooutput
best_points = n_best == 0 ? "" : \
    ', csv using (pixels(0)):(shown(0) && is_best(0) ? column("mean_ms") : NaN) with linespoints dashtype 2 linewidth 1.4 pointtype mark_of("som/gpu-paper") pointsize 0.8 linecolor rgb colour_of("som/gpu-paper") title "  1 thread a block, exch"'
if (printed_impls ne "") {
    eval extent("x", "size", "strcol('figure') eq 'fig13'", paper)
    eval extent("y", "value", "strcol('figure') eq 'fig13'", paper)
}
ours_of(impl) = strstrt(impl, "serial") > 0 ? "one core" : "GeForce GTX 570"
printed_points = printed_impls eq "" ? "" : \
    ', for [i in printed_impls] paper using (column("size")):(printed(i, column("value"))) with linespoints dashtype 2 linewidth hollow_width pointtype mark_of(i) - 1 pointsize 1.3 linecolor rgb colour_of(i) title "[SOM], ".ours_of(i)'

eval canvas(900, 440, missing_note("som/gpu-paper som/gpu-opt", present))
eval headline("SOM mesh: run time against the size of the map", sprintf("input %s at all sizes, sigma from %s, search range %s; hollow: averages of the paper's sets of maps", input, sigma, ssr))
eval frame(92, 250, 58, 52)
set xlabel "pixels of the map"
set ylabel "mean time per map [ms]"
set logscale xy
set xtics ("0.1 M" 1e5, "0.2 M" 2e5, "0.5 M" 5e5, "1 M" 1e6, "2 M" 2e6, "5 M" 5e6, "10 M" 1e7, "20 M" 2e7, "50 M" 5e7)
set format y "%g"
set xrange [x_min / 1.4 : x_max * 1.4]
set yrange [y_min / 1.8 : y_max * 1.8]
set key outside right top Left reverse spacing 1.15 samplen 3.0 width -2
set dashtype 2 (6, 4)

plot for [i in drawn] csv using (pixels(0)):(strcol("impl") eq i && keep(0) ? column("mean_ms") : NaN) \
        with linespoints linewidth 1.8 pointtype mark_of(i) pointsize 1.2 linecolor rgb colour_of(i) title i @best_points @printed_points
