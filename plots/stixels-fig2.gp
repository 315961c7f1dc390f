# stixels-fig2.gp - accuracy against run time                                              [STX] Fig. 2
#
# A curve for each variant, a point for each block.  Hollow: the paper's, errors on SYNTHIA-SF, times on a Tegra Xavier.

eval read("curve", "curve impl* is_printed name*")
eval ranges("points.tsv", "ms", "error")
ours = ""
printed = ""
do for [k = 1:n_curve] { if (curve_is_printed[k]) { printed = printed." ".k } else { ours = ours." ".k } }
rings = 0
stats "points.tsv" using (rings = rings + column("is_part"), 1) nooutput
printed_points = printed eq "" ? "" : ', for [k in printed] "points.tsv" using (column("ms")):(of(curve_curve[int(k)], column("error"))) with linespoints linewidth hollow_width dashtype 2 pointtype mark_of(curve_impl[int(k)]) - 1 pointsize 1.6 linecolor rgb colour_of(curve_impl[int(k)]) title curve_name[int(k)]'
ring_points = rings == 0 ? "" : ', "points.tsv" using (column("ms")):(column("is_part") == 1 ? column("error") : NaN) with points pointtype 6 pointsize 3 linewidth 1 linecolor rgb "#555555" notitle'

eval chart(480, 78, 292, "mean time per frame [ms]", "disparity outliers [%]")
set logscale x
set format x "%g"
set xrange [x_min / 2 : x_max * 2]
set yrange [0 : y_max * 1.15]
set key at screen 1 - 282.0 / W, screen 1 - 56.0 / H left top Left reverse spacing 1.15 samplen 2.6
set dashtype 2 (6, 4)

plot for [k in ours] "points.tsv" using (column("ms")):(of(curve_curve[int(k)], column("error"))) \
        with linespoints linewidth 1.6 pointtype mark_of(curve_impl[int(k)]) pointsize 1.5 linecolor rgb colour_of(curve_impl[int(k)]) notitle, \
     "points.tsv" using (column("ms")):(column("error")):(strcol("said")) with labels left offset 0.9, 0.7 font small textcolor rgb "#333333" notitle, \
     for [k in ours] keyentry with linespoints linewidth 1.6 pointtype mark_of(curve_impl[int(k)]) pointsize 1.3 linecolor rgb colour_of(curve_impl[int(k)]) \
        title curve_name[int(k)] @printed_points @ring_points
