# cut.gp - time against the number of multiprocessors that a variant may use; of what cut.sql has
#
# Colour: variant.  Line: what else differs, a column.  Thin: the time on the fewest multiprocessors, if it fell as their number
# rises.  Hollow: printed, at the number that the paper's GPU has, brought to the clock that was measured here.

eval read("curve", "curve impl* dash first")
eval read("variant", "impl*")
eval read("piece", "name*")
eval read("part", "sms*")
eval read("printed", "impl*")
eval ranges("points.tsv", "sms", "ms")
if (n_printed > 0) { eval ranges("printeds.tsv", "sms", "ms") }
printed_points = n_printed == 0 ? "" : ', "printeds.tsv" using (column("sms")):(column("ms")):(mark_of(strcol("impl")) - 1):(colour_of(strcol("impl"))) with points pointtype variable pointsize 1.9 linewidth hollow_width linecolor rgb variable notitle, keyentry with points pointtype 12 pointsize 1.9 linewidth hollow_width linecolor rgb "black" title printed_name'
dash_of(i) = (int(i) - 1) % 6 + 1

eval chart(520, 84, 268, "multiprocessors in use", "mean time [ms]")
set logscale xy
set xtics ()
do for [i = 1:n_part] { set xtics add (part_sms[i] part_sms[i] + 0) }
set mytics 10
set format y "%g"
if (y_max / y_min < 100) { do for [e = -5:6] { do for [m in "2 5"] { set ytics add (sprintf("%g", m * 10.0 ** e) m * 10.0 ** e) } } }
set xrange [x_min / 1.15 : x_max * 1.15]
set yrange [y_min / 1.6 : y_max * 1.6]
set key outside right top Left reverse spacing 1.15 samplen 3.0 width -2
set dashtype 2 (10, 5)
set dashtype 3 (2, 4)
set dashtype 4 (14, 4, 2, 4)
set dashtype 5 (6, 3)
set dashtype 6 (14, 4, 2, 4, 2, 4)

plot for [k = 1:n_curve] (curve_first[k] > 0 ? curve_first[k] / x : NaN) with lines linewidth 0.8 linecolor rgb "#BBBBBB" notitle, \
     for [k = 1:n_curve] "points.tsv" using (column("sms")):(of(curve_curve[k], column("ms"))) \
        with lines linewidth 1.8 linecolor rgb colour_of(curve_impl[k]) dashtype dash_of(curve_dash[k]) notitle, \
     for [k = 1:n_curve] "points.tsv" using (column("sms")):(of(curve_curve[k], column("ms"))) \
        with points pointtype mark_of(curve_impl[k]) pointsize 1.0 linecolor rgb colour_of(curve_impl[k]) notitle, \
     for [i = 1:n_variant] keyentry with linespoints linewidth 1.8 pointtype mark_of(variant_impl[i]) linecolor rgb colour_of(variant_impl[i]) title variant_impl[i], \
     for [i = 1:n_piece] keyentry with lines linewidth 1.8 linecolor rgb "black" dashtype dash_of(i) title piece_name[i], \
     keyentry with lines linewidth 0.8 linecolor rgb "#BBBBBB" title "from ".fewest." on as 1 / N" @printed_points
