# som-fig12.gp - quality against the number of rounds                                    [SOM] Fig. 12
#
# Each point is runs of its own, whose alpha and sigma shrink over their rounds.

eval ranges("points.tsv", "rounds", "high")
mine(k, value) = column("panel") == panel_panel[p] ? of(curve_curve[k], value) : NaN
weight(k) = 1.6
do for [k = 1:n_curve] { unused = entry(curve_title[k], hue(k), sign(k), weight(k), 1) }

eval grid(n_panel, 2, 300, 36, 40, "rounds", "%cost")
set xrange [0 : x_max * 1.03]
set yrange [0 : y_max * 1.05]
do for [p = 1:n_panel] {
    eval cell(p, panel_input[p])
    eval "plot ".barred("rounds", "cost_pct")
}
