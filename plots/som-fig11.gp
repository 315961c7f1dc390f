# som-fig11.gp - time and quality by search range and refresh rate                       [SOM] Fig. 11
#
# A panel for each map, small, medium and large from the left; a curve for each search range, whose points are the refresh rates 1
# (ringed), 10 ... 50 and 100.  Of one variant: the paper's, or the same schedule on one core where no card has run it.

eval read("panel", "panel input*")
eval read("curve", "curve name*")
in_panel(k, value) = column("panel") == panel_panel[p] && column("curve") == curve_curve[k] ? value : NaN
# a round number for some four tics on so long an axis
decade(x) = 10 ** floor(log10(x))
rounded_up(x) = x <= decade(x) ? decade(x) : x <= 2 * decade(x) ? 2 * decade(x) : x <= 5 * decade(x) ? 5 * decade(x) : 10 * decade(x)

eval panels(420, n_panel, 66, 760, 56, 80, "mean time [ms]", "%cost")
set key at screen 1 - 102.0 / W, screen 1 - 74.0 / H left top Left reverse spacing 1.2 samplen 2.4
set format "%g"
do for [p = 1:n_panel] {
    eval panel_at(p, panel_input[p])
    set autoscale xy # those of the panel before would leave points out
    x_min = 1e300; x_max = -1e300; y_min = 1e300; y_max = -1e300
    stats "points.tsv" using (column("panel") == panel_panel[p] ? (x_min = column("ms") < x_min ? column("ms") : x_min, x_max = column("ms") > x_max ? column("ms") : x_max, y_min = column("cost_pct") < y_min ? column("cost_pct") : y_min, y_max = column("cost_pct") > y_max ? column("cost_pct") : y_max, 1) : 0) nooutput
    x_margin = 0.08 * (x_max - x_min) + 0.05 * x_min
    set xrange [x_min - x_margin : x_max + x_margin]
    set yrange [y_min - 0.06 * (y_max - y_min) - 0.1 : y_max + 0.06 * (y_max - y_min) + 0.1]
    set xtics rounded_up((x_max - x_min + 2 * x_margin) / 5) font small
    set ytics autofreq font small
    plot for [i = 1:n_curve] "points.tsv" using (in_panel(i, column("ms"))):(column("cost_pct")) \
            with linespoints linewidth 1.4 pointtype curve_mark(i) pointsize 0.7 linecolor rgb curve_colour(i) notitle, \
         for [i = 1:n_curve] keyentry with linespoints linewidth 1.4 pointtype curve_mark(i) pointsize 0.7 linecolor rgb curve_colour(i) title curve_name[i], \
         for [i = 1:n_curve] "points.tsv" using (column("is_each") == 1 ? in_panel(i, column("ms")) : NaN):(column("cost_pct")) \
            with points pointtype 6 pointsize 1.8 linewidth 1.2 linecolor rgb curve_colour(i) notitle
    if (p == 1) { eval undraw }
}
