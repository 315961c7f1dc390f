# stixels-table1.gp - time against the number of block rows                     [STX] Table 1, Complexity
#
# Medians for one column.  Thin lines: the powers that the paper states.

eval read("curve", "curve impl* is_flat name* fitted*")
eval read("power", "power name* height ms")
eval ranges("points.tsv", "height", "ms")
curve_hue(k) = curve_is_flat[k] > 0 ? hex("#CC79A7") : colour_of(curve_impl[k])
curve_sign(k) = curve_is_flat[k] > 0 ? 9 : mark_of(curve_impl[k])   # a mark of no variant of stixels
power_through(k, x) = power_ms[k] * (x / power_height[k]) ** power_power[k]
# Of a curve its name, and below it the exponent.
lines = ""
do for [k = 1:n_curve] { lines = lines." ".k.(curve_fitted[k] eq "-" ? "" : " -".k) }
of_line(line) = abs(int(line))
line_text(line) = line < 0 ? curve_fitted[of_line(line)] : curve_name[of_line(line)]

eval chart(480, 84, 372, "block rows h", "median time / w [ms]")
set logscale xy
set xtics (16, 32, 64, 128, 256, 512, 1024)
set format y "%g"
set xrange [x_min / 1.12 : x_max * 1.12]
set yrange [y_min / 2 : y_max * 2]
set key at screen 1 - 362.0 / W, screen 1 - 56.0 / H left top Left reverse spacing 1.15 samplen 2.6
set dashtype 2 (10, 5)
set dashtype 3 (2, 4)

plot for [k = 1:n_curve] "points.tsv" using (column("height")):(of(curve_curve[k], column("ms"))) \
        with lines linewidth 2 linecolor rgb curve_hue(k) notitle, \
     for [k = 1:n_curve] "points.tsv" using (column("height")):(of(curve_curve[k], column("ms"))):(column("low")):(column("high")) \
        with yerrorbars pointtype curve_sign(k) pointsize 1 linewidth 1 linecolor rgb curve_hue(k) notitle, \
     for [line in lines] keyentry with linespoints linewidth 2 pointtype (line < 0 ? 0 : curve_sign(of_line(line))) \
        linecolor rgb (line < 0 ? 0xFFFFFF : curve_hue(of_line(line))) title line_text(line), \
     for [k = 1:n_power] power_through(k, x) with lines linewidth 1 dashtype 1 + k linecolor rgb "#555555" title power_name[k]
