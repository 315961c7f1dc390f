# cut.gp - times on a part of the multiprocessors (SMs) of a GPU; of what cut.sql has
#
# (a) on as many as the paper's GPU has: filled: measured here; plus: the same, brought to its clock; hollow: printed, as it is printed.
# (b) on more of them: colour: variant; dashes: what else differs; thin: the time on the fewest, if it fell as their number rises.

eval ranges("points.tsv", "sms", "ms")
dash(i) = (int(i) - 1) % 6 + 1
dash_of(k) = dash(curve_dash[k])
set dashtype 4 (14, 4, 2, 4)
set dashtype 5 (6, 3)
set dashtype 6 (14, 4, 2, 4, 2, 4)
sign_of(m) = int(word("7 1 12", int(m)) + 0)
do for [i = 1:n_variant] { unused = entry(variant_title[i], colour_of(variant_impl[i]), mark_of(variant_impl[i]), 1.8, 1) }
do for [i = 1:n_mark] { unused = entry(mark_said[i], grey, sign_of(mark_mark[i]), 0, 1) }
do for [i = 1:n_piece] { unused = entry("(b) ".piece_name[i], grey, -1, 1.8, dash(i)) }
unused = entry("(b) from ".fewest." on as 1 / N", hex("#BBBBBB"), -1, 1, 1)

eval widest("names_px", "row", "label")."; ".widest("said_px", "row", "said")
eval most("far", "row", "row_far[each]")."; ".most("nearness", "row", "1.0 / (row_printed[each] > 0 && row_printed[each] < row_ms[each] ? row_printed[each] : row_ms[each])")
above = names_px > 0.35 * W   # then names stand above their rows
row_h = above ? 36 : 20
row_left = above ? 14.0 : names_px + 26
rows_h = n_row > 0 ? 34 + row_h * (n_row + 0.5) + 56 : 0
eval canvas(46 + rows_h + 34 + 22 + 290 + 56)

if (n_row > 0) {
    eval frame(row_left, said_px + 30, 46 + 34, H - base - head - rows_h + 56)
    set label 801 title_said[1] at screen 10.0 / W, screen 1 - (head + 14.0) / H left font bold noenhanced
    set label 803 "mean time [ms]" at graph 0.5, screen 1 - (head + rows_h - 14.0) / H center font small noenhanced
    eval decades("x")
    set xrange [1 / nearness / 1.6 : far * 1.6]
    set yrange [-n_row - 0.6 : -0.4]
    eval named("row", "label", "at")
    if (above) { set ytics ("" 1) }
    do for [i = 1:n_row * above] { set label i row_label[i] at screen row_left / W, first -row_at[i] + 0.3 left font small textcolor rgb "#222222" noenhanced }
    its_hue(x) = colour_of(strcol("impl"))
    at(x) = -column("at") - (above ? 0.2 : 0)
    plot "rows.tsv" using (column("scaled")):(at(0)):(column("printed") > 0 ? column("printed") - column("scaled") : 0):(0) with vectors nohead linewidth 1 linecolor rgb "#BBBBBB", \
         "rows.tsv" using (column("ms")):(at(0)):(column("scaled") - column("ms")):(0):(its_hue(0)) with vectors nohead linewidth 1 linecolor rgb variable, \
         "rows.tsv" using (column("ms")):(at(0)):(mark_of(strcol("impl"))):(its_hue(0)) with points pointtype variable pointsize 1 linecolor rgb variable, \
         "rows.tsv" using (column("scaled")):(at(0)):(its_hue(0)) with points pointtype 1 pointsize 1.2 linewidth hollow_width linecolor rgb variable, \
         "rows.tsv" using (column("printed") > 0 ? column("printed") : nowhere):(at(0)):(mark_of(strcol("impl")) - 1):(its_hue(0)) with points pointtype variable pointsize 1.2 linewidth hollow_width linecolor rgb variable, \
         "rows.tsv" using (column("far")):(at(0)):(strcol("said")) with labels left offset 1.4, 0 font small textcolor rgb "#222222" noenhanced
    do for [i = 1:n_row] { unset label i }
    set ytics scale 1
    set border 3
    set grid xtics ytics
}

eval frame(58, 20, 46 + rows_h + 34 + 22, 56)
set label 801 title_said[n_title] at screen 10.0 / W, screen 1 - (head + rows_h + 14.0) / H left font bold noenhanced
set label 802 "mean time [ms]" at screen 10.0 / W, screen 1 - (head + rows_h + 34.0) / H left font small noenhanced
set label 803 "multiprocessors in use" at graph 0.5, screen (base + 22.0) / H center font small noenhanced
eval logs(1.1, 1.6)
set xtics ()
do for [i = 1:n_part] { set xtics add (part_sms[i] part_sms[i] + 0) }
if (y_max / y_min < 100) { do for [e = -5:6] { do for [m in "2 5"] { set ytics add (sprintf("%g", m * 10.0 ** e) m * 10.0 ** e) } } }
eval 'plot for [k = 1:n_curve] (curve_first[k] > 0 ? curve_first[k] / x : NaN) with lines linewidth 0.8 linecolor rgb "#BBBBBB", '.curves("sms", "ms")
