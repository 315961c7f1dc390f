# stixels-fig8.gp - frames per second, a panel for each machine                      [STX] Fig. 8
#
# Hollow: printed in the paper; filled: measured here.  A line joins the models that one machine ran with one size of blocks.

eval ranges("dots.tsv", "low", "high")
eval most("last", "row", "row_at[each]")

hue(k) = colour_of(kind_impl[k])
mark(k, is_printed) = int(word("7 5 9", int(kind_kind[k])) + 0) - is_printed   # a circle, a square, a triangle
do for [k = 1:n_kind] { unused = entry(kind_said[k], hue(k), mark(k, 0), 0, 1) }
unused = entry("hollow: printed in the paper", grey, 6, 0, 1)

eval canvas(46 + 6 + 27 * (last + 1.3) + 56)
eval frame(92, 34, 52, 56)
eval decades("x")
set tics out
set xrange [x_min / 4 : y_max * 4]
set yrange [-last - 0.8 : 0.5]
eval named("row", "label", "at")
set label 803 "frames per second" at screen (W + 58) / 2 / W, screen (base + 12.0) / H center font small noenhanced
do for [i = 1:n_head] { set label i head_said[i] at screen 10.0 / W, first -head_row[i] left font small textcolor rgb "#222222" noenhanced front }
do for [i = 1:n_row] { set label i + 300 (row_said[i] eq "-" ? "" : row_said[i]) at first sqrt(row_older[i] * row_newer[i]), first -row_at[i] + 0.42 center font small textcolor rgb grey noenhanced front }

# a line ends at its marks
pad = 10 ** (7.0 * log10(16 * y_max / x_min) / (W - 126))
dot(k, printed, value) = column("kind") == kind_kind[k] && column("is_printed") == printed ? value : nowhere
beside(s, value) = column("side") == s ? value : nowhere
plot "spans.tsv" using (column("from") * pad):(-column("row")):(column("to") / pad - column("from") * pad):(0) with vectors nohead linewidth 1 linecolor rgb "#BBBBBB" notitle, \
     for [k = 1:n_kind] "dots.tsv" using (dot(k, 0, column("low"))):(-column("row")):(dot(k, 0, column("high") - column("low"))):(0) with vectors nohead linewidth 2.4 linecolor rgb hue(k) notitle, \
     for [k = 1:n_kind] for [printed = 0:1] "dots.tsv" using (dot(k, printed, column("fps"))):(-column("row")) with points pointtype mark(k, printed) pointsize 1.2 linewidth hollow_width linecolor rgb hue(k) notitle, \
     "dots.tsv" using (beside(1, column("far"))):(-column("row")):(strcol("said")) with labels left offset 1.3, 0 font small textcolor rgb "#222222" noenhanced notitle, \
     "dots.tsv" using (beside(-1, column("far"))):(-column("row")):(strcol("said")) with labels right offset -1.3, 0 font small textcolor rgb "#222222" noenhanced notitle, \
     "dots.tsv" using (beside(0, column("fps"))):(-column("row") - 0.42):(strcol("said")) with labels center font small textcolor rgb "#222222" noenhanced notitle
