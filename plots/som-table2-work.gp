# som-table2-work.gp - quality against the time that it takes                             [SOM] Table 2
#
# A panel for each map, a row of them for each sigma: runs of more and more rounds, each with a decay of its own.  Dashed: the
# %cost of som/serial at 1500 times cells updates, and its time.  Rings: the shortest run that is as good.  som/gpu-paper is in the
# setting that stands for the paper, and dashed in the fastest found.

eval read("panel", "panel* title* line column aim most")
eval read("curve", "curve impl* name*")
n_lines = 0; n_columns = 0
do for [p = 1:n_panel] {
    n_lines = panel_line[p] > n_lines ? panel_line[p] : n_lines
    n_columns = panel_column[p] > n_columns ? panel_column[p] : n_columns
}
best = curve_curve[n_curve] == 100 ? n_curve : 0
ours = best > 0 ? best - 1 : n_curve
x_min = 1e300; x_max = -1e300
stats "points.tsv" using (column("curve") < 100 ? (x_min = column("ms") < x_min ? column("ms") : x_min, x_max = column("ms") > x_max ? column("ms") : x_max, 1) : 0) nooutput
in_panel(c, value) = strcol("panel") eq panel_panel[p] && column("curve") == c ? value : NaN

row_h = 250.0
eval panels(60 + n_lines * (row_h + 40) + 26, n_columns, 62, 640, 34, 0, "mean time [ms]", "%cost")
set logscale x
set format x "%g"
set key at screen 1 - 206.0 / W, screen 1 - 76.0 / H left top Left reverse spacing 1.2 samplen 2.4
set dashtype 2 (6, 4)
best_points = best == 0 ? "" : '"points.tsv" using (in_panel(100, column("ms"))):(column("cost_pct")) with linespoints dashtype 2 linewidth 1.2 pointtype mark_of(curve_impl[best]) pointsize 0.5 linecolor rgb colour_of(curve_impl[best]) title curve_name[best], '
do for [p = 1:n_panel] {
    set autoscale xy # those of the panel before would leave points out
    top = 66 + (panel_line[p] - 1) * (row_h + 40)
    set tmargin at screen 1 - (top + 14.0) / H
    set bmargin at screen 1 - (top + row_h - 14.0) / H
    eval panel_at(panel_column[p], panel_title[p])
    set xrange [x_min / 1.5 : x_max * 1.5]
    set yrange [0 : panel_most[p] * 1.08]
    set xtics font small
    set ytics font small
    if (panel_line[p] == n_lines) { set xlabel x_text } else { unset xlabel }
    aim(x) = panel_aim[p] > 0 ? panel_aim[p] : NaN
    plot aim(x) with lines linewidth 1.2 dashtype 2 linecolor rgb colour_of("som/serial") title "", @best_points \
         for [k = 1:ours] "points.tsv" using (in_panel(curve_curve[k], column("ms"))):(column("cost_pct")):(column("sd")) \
            with yerrorbars pointtype 0 linewidth 1 linecolor rgb colour_of(curve_impl[k]) notitle, \
         for [k = 1:ours] "points.tsv" using (in_panel(curve_curve[k], column("ms"))):(column("cost_pct")) \
            with linespoints linewidth 1.6 pointtype mark_of(curve_impl[k]) pointsize 0.7 linecolor rgb colour_of(curve_impl[k]) title curve_impl[k], \
         "points.tsv" using (in_panel(0, column("ms"))):(column("cost_pct")) \
            with points pointtype mark_of("som/serial") pointsize 1.2 linecolor rgb colour_of("som/serial") title "som/serial", \
         for [k = 1:ours] "points.tsv" using (column("reaches") == 1 ? in_panel(curve_curve[k], column("ms")) : NaN):(column("cost_pct")) \
            with points pointtype 6 pointsize 2.0 linewidth 1.2 linecolor rgb colour_of(curve_impl[k]) notitle
    eval undraw
    unset key
}
