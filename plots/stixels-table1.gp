# stixels-table1.gp - time against the number of block rows                     [STX] Table 1, Complexity
#
# Medians for one column.  Thin lines: the powers that the paper states.

eval ranges("points.tsv", "height", "ms")
hue(k) = curve_is_flat[k] > 0 ? hex("#CC79A7") : colour_of(curve_impl[k])
sign(k) = curve_is_flat[k] > 0 ? 9 : mark_of(curve_impl[k])   # a mark of no variant of stixels
power_through(k, x) = power_ms[k] * (x / power_height[k]) ** power_power[k]
# a name and its exponent, in a narrow figure one below the other
do for [k = 1:n_curve] {
    fitted = curve_fitted[k] eq "-" ? "" : curve_fitted[k]
    unused = entry(curve_name[k].(narrow || fitted eq "" ? "" : "; ".fitted), hue(k), sign(k), 2, 1)
    if (narrow && fitted ne "") { unused = entry(fitted, 0, -1, 0, 1) }
}
do for [k = 1:n_power] { unused = entry(power_name[k], grey, -1, 1, 1 + k) }

eval chart(450, 66, 20, "block rows h", "median time / w [ms]")
eval logs(1.12, 2)
set xtics (16, 32, 64, 128, 256, 512, 1024)
eval "plot for [k = 1:n_power] power_through(k, x) with lines linewidth 1 dashtype 1 + k linecolor rgb grey, ".barred("height", "ms")
