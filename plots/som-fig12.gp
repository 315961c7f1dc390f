# som-fig12.gp - quality against the number of rounds                                    [SOM] Fig. 12
#
# A panel for each map, a curve for each variant; each point is runs of its own, whose alpha and sigma shrink over their rounds:
# the mean over seeds, and one standard deviation.

eval read("panel", "panel input*")
eval read("curve", "curve impl*")
eval ranges("points.tsv", "rounds", "cost_pct")
in_panel(k, value) = column("panel") == panel_panel[p] && column("curve") == curve_curve[k] ? value : NaN

eval panels(400, n_panel, 62, 680, 34, 74, "rounds", "%cost")
set xrange [0 : x_max * 1.03]
set yrange [0 : y_max * 1.08]
set key at screen 1 - 170.0 / W, screen 1 - 70.0 / H left top Left reverse spacing 1.15 samplen 2.4

do for [p = 1:n_panel] {
    eval panel_at(p, panel_input[p])
    plot for [k = 1:n_curve] "points.tsv" using (column("rounds")):(in_panel(k, column("cost_pct"))):(column("sd")) \
            with yerrorbars pointtype -1 linewidth 1 linecolor rgb colour_of(curve_impl[k]) notitle, \
         for [k = 1:n_curve] "points.tsv" using (column("rounds")):(in_panel(k, column("cost_pct"))) \
            with linespoints linewidth 1.6 pointtype mark_of(curve_impl[k]) pointsize 0.9 linecolor rgb colour_of(curve_impl[k]) title curve_impl[k]
    if (p == 1) { eval undraw }
}
