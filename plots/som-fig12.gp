# som-fig12.gp - quality against the number of rounds                                    [SOM] Fig. 12
#
# A panel for each map, a curve for each variant; each point is runs of its own, whose alpha and sigma shrink over their rounds:
# the mean over seeds, and one standard deviation.

eval read("panel", "panel input*")
eval read("curve", "curve impl* title*")
eval ranges("points.tsv", "rounds", "high")
in_panel(k, value) = column("panel") == panel_panel[p] && column("curve") == curve_curve[k] ? value : NaN
do for [k = 1:n_curve] { unused = entry(curve_title[k], colour_of(curve_impl[k]), mark_of(curve_impl[k]), 1.6, 1) }

eval grid(n_panel, 2, 300, 36, 40, "rounds", "%cost")
set xrange [0 : x_max * 1.03]
set yrange [0 : y_max * 1.05]
do for [p = 1:n_panel] {
    eval cell(p, panel_input[p])
    plot for [k = 1:n_curve] "points.tsv" using (column("rounds")):(in_panel(k, column("cost_pct"))):(column("low")):(column("high")) \
            with yerrorbars pointtype -1 linewidth 1 linecolor rgb colour_of(curve_impl[k]), \
         for [k = 1:n_curve] "points.tsv" using (column("rounds")):(in_panel(k, column("cost_pct"))) \
            with linespoints linewidth 1.6 pointtype mark_of(curve_impl[k]) pointsize 0.8 linecolor rgb colour_of(curve_impl[k])
    eval undraw
}
