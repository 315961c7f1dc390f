# som-table2-work.gp - quality against the time that it takes                             [SOM] Table 2
#
# Runs of more and more rounds, each with a decay of its own.  Dashed: som/gpu-paper in the fastest setting found.  som/serial is a point.

eval ranges("points.tsv", "ms", "high")."; ".range("y", "points.tsv", "low")
mine(k, value) = strcol("panel") eq panel_panel[p] ? of(curve_curve[k], value) : NaN
is_point(k) = curve_curve[k] == 0
is_best(k) = curve_curve[k] == 100
dash_of(k) = is_best(k) ? 2 : 1
weight(k) = is_point(k) ? 0.1 : is_best(k) ? 1.2 : 1.6
size_of(k) = is_point(k) ? 1.1 : 0.5
do for [k = 1:n_curve] { unused = entry(curve_name[k], hue(k), sign(k), is_point(k) ? 0 : weight(k), dash_of(k)) }

eval grid(n_panel, 3, 190, 36, 30, "mean time [ms]", "%cost")
eval logs(1.5, 1.05)
set ytics (10, 12, 15, 20, 30, 40, 60, 80)
set mytics 1
do for [p = 1:n_panel] {
    eval cell(p, panel_title[p])
    aim(x) = panel_aim[p] > 0 ? panel_aim[p] : NaN
    eval 'plot aim(x) with lines linewidth 1.2 dashtype 3 linecolor rgb colour_of("som/serial"), '.barred("ms", "cost_pct").", ". \
         'for [k = 1:n_curve] "points.tsv" using (column("reaches") == 1 ? mine(k, column("ms")) : NaN):(column("cost_pct")) with points pointtype sign(k) pointsize 1.3 linecolor rgb hue(k)'
}
