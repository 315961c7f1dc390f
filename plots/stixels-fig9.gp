# stixels-fig9.gp - shares of the stages, and the factors of a speedup              [STX] Fig. 9
#
# Outlined: printed in the paper; filled: measured here.  Bars of the second panel begin at 1, no change, and multiply.

eval most("last", "row", "row_at[each]")."; ".widest("names_px", "row", "label")
eval most("times", "factor", "factor_times[each] > factor_fewer[each] ? factor_times[each] : factor_fewer[each]")."; ".widest("said_px", "factor", "said")

part_hue(p) = p == 1 ? 0x9A9A9A : curve_colour(int(p) - 1)
fewer_hue = curve_colour(3); denser_hue = curve_colour(4); whole_hue = hex("#BBBBBB")
do for [p = 1:n_part] { unused = entry(part_said[p], part_hue(part_part[p]), 5, 0, 1) }
unused = entry("times fewer instructions", fewer_hue, 5, 0, 1) + entry("times as many in a cycle", denser_hue, 5, 0, 1) + entry("outlined: printed in the paper", grey, 4, 0, 1)

# Side by side, or in a narrow figure one above the other.
left = 26.0 + names_px
panel_h = 20 * (last + 0.5)
across = narrow ? 1 : 2
first_w = narrow ? W - left - 20 : 0.36 * W
eval canvas(46 + (3 - across) * (34 + panel_h + 56))
set tics out
set yrange [-last - 0.6 : 0.1]
eval named("row", "label", "at")
# others go below the panel, where they are clipped
row(printed, dy) = column("is_printed") == printed ? -column("row") + dy : -1000
bottom(p) = narrow && p == 1 ? panel_h + 34 + 56 + 56 : 56

eval frame(left, W - left - first_w, 46 + 34, bottom(1))
do for [i = 1:n_head] { set label i head_said[i] at screen 10.0 / W, first -head_row[i] left font small textcolor rgb "#222222" noenhanced }
set label 801 "share of the frame's time [%]" at graph 0, graph 1 offset 0, 0.9 left font bold noenhanced
set xrange [0 : 100]
row_of(printed, dy) = column("part") == part_part[p] ? row(printed, dy) : -1000
ink(p) = p == 2 ? 0xFEFEFE : 0x111111
plot for [p = 1:n_part] "shares.tsv" using (column("low")):(row_of(0, 0)):(column("low")):(column("high")):(row_of(0, -0.34)):(row_of(0, 0.34)) \
         with boxxyerror fillstyle solid 1.0 noborder linecolor rgb part_hue(part_part[p]) notitle, \
     for [p = 1:n_part] "shares.tsv" using (column("low")):(row_of(1, 0)):(column("low") + 0.3):(column("high") - 0.3):(row_of(1, -0.31)):(row_of(1, 0.31)) \
         with boxxyerror fillstyle empty linewidth hollow_width linecolor rgb part_hue(part_part[p]) notitle, \
     for [printed = 0:1] "shares.tsv" using ((column("low") + column("high")) / 2):(strcol("said") eq "-" ? -1000 : row(printed, 0)):(strcol("said")):(printed ? 0x222222 : ink(column("part"))) \
         with labels center font small textcolor rgb variable noenhanced notitle

second = narrow ? left : left + first_w + 30
eval frame(second, said_px + 24, 46 + (narrow ? 34 + panel_h + 56 : 0) + 34, bottom(2))
if (!narrow) { unset ytics; do for [i = 1:n_head] { unset label i } }
set label 801 "time of dynamic programming, eq. 6 / eq. 12" at screen (narrow ? 10.0 : second) / W, graph 1 offset 0, 0.9
set logscale x
set xrange [1 : (times > 2 ? 1.01 * times : 2)] # the last text is not clipped
set xtics (1, 2, 5, 10, 20, 50, 100)
plot "factors.tsv" using (1):(row(0, 0)):(1):(column("fewer")):(row(0, -0.34)):(row(0, 0.34)) with boxxyerror fillstyle solid 1.0 noborder linecolor rgb fewer_hue notitle, \
     "factors.tsv" using (1):(row(0, 0)):(column("fewer")):(column("times")):(row(0, -0.34)):(row(0, 0.34)):(column("is_known") > 0 ? denser_hue : whole_hue) \
         with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable notitle, \
     "factors.tsv" using (1):(row(1, 0)):(1):(column("fewer")):(row(1, -0.31)):(row(1, 0.31)) with boxxyerror fillstyle empty linewidth hollow_width linecolor rgb fewer_hue notitle, \
     "factors.tsv" using (1):(row(1, 0)):(column("fewer")):(column("times")):(row(1, -0.31)):(row(1, 0.31)) with boxxyerror fillstyle empty linewidth hollow_width linecolor rgb denser_hue notitle, \
     "factors.tsv" using (column("times") > column("fewer") ? column("times") : column("fewer")):(-column("row")):(strcol("said")) with labels left offset 0.8, 0 font small textcolor rgb "#222222" noenhanced notitle
