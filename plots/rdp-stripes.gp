# rdp-stripes.gp - time by height, of stripes of columns and of chunks
load "plots/style.gp"

eval read("curve", "curve impl*")
eval range("y", "points.tsv", "mean_ms")
eval canvas(700, 420)
eval frame(70, 200, 58, 52)
set xlabel "rows"
set ylabel "mean time per frame [ms]"
set logscale xy
set xrange [200 : 1300]
set xtics (256, 512, 1024)
set yrange [y_min / 2 : y_max * 2]
set format y "%g"
set key outside right top Left reverse
plot for [i = 1:n_curve] "points.tsv" using (column("height")):(of(curve_curve[i], column("mean_ms"))) \
    with linespoints linewidth 1.6 pointtype mark_of(curve_impl[i]) linecolor rgb colour_of(curve_impl[i]) title curve_impl[i]
