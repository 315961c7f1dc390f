# som-fig13.gp - run time against the size of the map                                    [SOM] Fig. 13
#
# A curve for each variant, means, since the paper prints means.  Hollow: the averages of the paper's four sets of maps (Table
# 2), which are other maps than ours.  som/gpu-paper is in the setting that stands for the paper; dashed: in the fastest found.

eval read("curve", "curve impl* name*")
eval ranges("points.tsv", "pixels", "ms")
ours = 0; best = 0
do for [k = 1:n_curve] { if (curve_curve[k] < 100) { ours = k } else { if (curve_curve[k] < 200) { best = k } } }
best_points = best == 0 ? "" : ', "points.tsv" using (column("pixels")):(of(curve_curve[best], column("ms"))) with linespoints dashtype 2 linewidth 1.4 pointtype mark_of(curve_impl[best]) pointsize 0.8 linecolor rgb colour_of(curve_impl[best]) title curve_name[best]'
printed = best > 0 ? best + 1 : ours + 1
printed_points = printed > n_curve ? "" : ', for [k = printed:n_curve] "points.tsv" using (column("pixels")):(of(curve_curve[k], column("ms"))) with linespoints dashtype 2 linewidth hollow_width pointtype mark_of(curve_impl[k]) - 1 pointsize 1.3 linecolor rgb colour_of(curve_impl[k]) title curve_name[k]'

eval chart(440, 92, 250, "pixels of the map", "mean time per map [ms]")
set logscale xy
set xtics ("0.1 M" 1e5, "0.2 M" 2e5, "0.5 M" 5e5, "1 M" 1e6, "2 M" 2e6, "5 M" 5e6, "10 M" 1e7, "20 M" 2e7, "50 M" 5e7)
set format y "%g"
set xrange [x_min / 1.4 : x_max * 1.4]
set yrange [y_min / 1.8 : y_max * 1.8]
set key outside right top Left reverse spacing 1.15 samplen 3.0 width -2
set dashtype 2 (6, 4)

plot for [k = 1:ours] "points.tsv" using (column("pixels")):(of(curve_curve[k], column("ms"))) \
        with linespoints linewidth 1.8 pointtype mark_of(curve_impl[k]) pointsize 1.2 linecolor rgb colour_of(curve_impl[k]) title curve_name[k] @best_points @printed_points
