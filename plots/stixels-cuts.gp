# stixels-cuts.gp - how many times as fast cuts at candidate rows are, and their energy above the least; a line for each input and block

eval most("fastest", "dot", "dot_times[each]")."; ".most("slowest", "dot", "1 / dot_times[each]")."; ".most("worst", "dot", "dot_excess[each]")
eval widest("names_px", "row", "label")
sign(k) = int(word("7 13 15 9", int(kind_kind[k])))
do for [k = 1:n_kind] { unused = entry(kind_said[k], colour_of(kind_impl[k]), sign(k), 0, 1) }

# Side by side, or in a narrow figure one above the other.
left = 26.0 + names_px
panel_h = 20 * (n_row + 0.5)
first_w = narrow ? W - left - 44 : 0.6 * (W - left)
eval canvas(46 + (narrow ? 2 : 1) * (34 + panel_h + 56))
set yrange [-n_row - 0.6 : -0.4]
eval named("row", "label", "at")
of_kind(k, value) = column("kind") == kind_kind[k] ? value : nowhere

eval frame(left, W - left - first_w, 46 + 34, narrow ? panel_h + 34 + 56 + 56 : 56)
set label 801 "times as fast" at graph 0, graph 1 offset 0, 0.9 left font bold noenhanced
set logscale x
set xrange [1 / (slowest > 1.4 ? 1.25 * slowest : 1.4) : (fastest > 1.4 ? 1.6 * fastest : 1.4)]
set xtics (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
set arrow 1 from 1, graph 0 to 1, graph 1 nohead linewidth 1 linecolor rgb "#777777"
plot "rows.tsv" using (column("low")):(-column("at")):(column("high") - column("low")):(0) with vectors nohead linewidth 1 linecolor rgb "#BBBBBB" notitle, \
     for [k = 1:n_kind] "dots.tsv" using (of_kind(k, column("times"))):(-column("row")) with points pointtype sign(k) pointsize 1.2 linecolor rgb colour_of(kind_impl[k]) notitle, \
     "dots.tsv" using (strcol("said") eq "-" ? nowhere : column("times")):(-column("row")):(strcol("said")) with labels left offset 1.3, 0 font small textcolor rgb "#222222" noenhanced notitle
unset arrow 1
unset logscale x

second = narrow ? left : left + first_w + 44
eval frame(second, 44, 46 + (narrow ? 34 + panel_h + 56 : 0) + 34, 56)
if (!narrow) { unset ytics }
set label 801 "energy above the least [%]" at graph 0, graph 1 offset 0, 0.9 left font bold noenhanced
set xrange [-0.05 * worst - 0.001 : 1.1 * worst + 0.001]
set xtics autofreq
plot for [k = 1:n_kind] "dots.tsv" using (column("excess")):(column("kind") == kind_kind[k] && kind_kind[k] != 3 ? -column("row") : -1000) with points pointtype sign(k) pointsize 1.2 linecolor rgb colour_of(kind_impl[k]) notitle
