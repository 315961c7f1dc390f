# bars.gp - horizontal bars with a text behind each, in panels; of what bars.sql has
#
# Filled: measured here; hollow: printed, in the colour of our variant; hatched: timed on a part.  looks.tsv: left, the pixels of the labels;
# row_height; axis, its name; from_zero, else the axis is logarithmic.

eval read("look", "left row_height axis* from_zero")
eval read("panel", "panel* n title*")
eval read("bar", "panel* row x label* said*")
eval read("head", "panel* row said*")
left = look_left[1]
row_height = look_row_height[1]
from_zero = look_from_zero[1] > 0
x_min = 1e300
do for [i = 1:n_bar] { x_min = bar_x[i] > 0 && bar_x[i] < x_min ? bar_x[i] : x_min }
left_edge = from_zero ? 0 : x_min / 3

top = panel_title[1] eq "-" ? 58.0 : 88.0
panel_gap = 2 * row_height
all_rows = sum [p = 1:n_panel] (panel_n[p])
eval canvas(top + row_height * all_rows + panel_gap * (n_panel - 1) + 50)
unset key
# The axis ends where each text ends before it.
panel_px = 900.0 - left - 30
text_share(s) = (6.1 * strlen(s) + 8) / panel_px
x_room = from_zero ? 1e-9 : 0.1
do for [i = 1:n_bar] {
    room = (from_zero ? bar_x[i] : log10(bar_x[i] / left_edge)) / (text_share(bar_said[i]) < 0.8 ? 1 - text_share(bar_said[i]) : 0.2)
    x_room = room > x_room ? room : x_room
}
x_right = from_zero ? x_room : left_edge * 10 ** x_room
if (!from_zero) { set logscale x; set mxtics 10 }
set xrange [left_edge : x_right]
set format x "%g"
set border 1
set grid noytics
unset xlabel

# The printed stage that both equations of stixels share has no variant: it is grey.
hue(x) = strcol("impl") eq "-" ? hex("#777777") : strcol("impl") eq "mov1" ? hex("#56B4E9") : strcol("impl") eq "mov2tex" ? hex("#009E73") : colour_of(strcol("impl"))
# Other bars go below the panel, where they are clipped.
bar(kind, dy) = column("panel") + 0 == panel_panel[p] + 0 && column("kind") == kind ? -column("row") + dy : -1000
in_panel(value) = column("panel") == panel_panel[p] + 0 ? value : NaN
set multiplot
do for [p = 1:n_panel] {
    n = panel_n[p]
    eval frame(left, 30, top, H - base - top - row_height * n)
    set yrange [-n - 0.6 : -0.4]
    if (panel_title[p] ne "-") { set label 1 panel_title[p] at screen 10.0 / W, graph 1 offset 0, 0.9 left }
    set ytics scale 0 ("" 1)
    do for [i = 1:n_bar] { if (bar_panel[i] eq panel_panel[p]) { set ytics add (bar_label[i] -bar_row[i]) } }
    do for [i = 1:n_head] {
        unset label 10 + i
        if (head_panel[i] eq panel_panel[p]) { set label 10 + i head_said[i] at screen (left + 10.0) / W, first -head_row[i] left font small textcolor rgb "#222222" front }
    }
    if (p == n_panel) { set xlabel look_axis[1] }
    plot "bars.tsv" using (left_edge):(bar(0, 0)):(left_edge):(column("x")):(bar(0, -0.36)):(bar(0, 0.36)):(hue(0)) \
             with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, \
         "bars.tsv" using (left_edge):(bar(1, 0)):(left_edge):(column("x")):(bar(1, -0.36)):(bar(1, 0.36)):(hue(0)) \
             with boxxyerror fillstyle empty linewidth hollow_width linecolor rgb variable, \
         "bars.tsv" using (left_edge):(bar(2, 0)):(left_edge):(column("x")):(bar(2, -0.36)):(bar(2, 0.36)):(hue(0)) \
             with boxxyerror fillstyle pattern 4 border linewidth 1 linecolor rgb variable, \
         "bars.tsv" using (column("x")):(in_panel(-column("row"))):(strcol("said")) with labels left offset 0.5, 0 font small
    top = top + row_height * n + panel_gap
    eval undraw
}
