# bars.gp - values in rows, with a text behind each, in panels; of what bars.sql has
#
# From 0 they are bars.  On a logarithmic axis, which has no 0, they are dots, since the length of a bar would say nothing.  Hollow:
# printed, in the colour of our variant.  A thin line is the range of a value.

row_height = 20
from_zero = look_from_zero[1] > 0
mark = from_zero ? 5 : 7
eval most("any_printed", "bar", "bar_kind[each]")
if (any_printed) { unused = entry("measured here", "#4D4D4D", mark, 0, 1) + entry("printed in the paper", "#4D4D4D", mark - 1, 0, 1) }

# The names stand left of the rows, or above them where the figure is narrow.
eval widest("left", "bar", "label")
above = left > 0.45 * W
if (above) { left = 6.0; row_height = 2 * row_height }
left = left + 16
titled = panel_title[1] ne "-"
panel_gap = titled ? 62.0 : 10.0
all_rows = sum [s_p = 1:n_panel] (panel_n[s_p])
eval canvas(46 + 54 + n_panel * panel_gap + row_height * all_rows - (titled ? 28 : 0))
top = head + panel_gap - (titled ? 28 : 0)

# The axis ends where each text ends before it.
eval range("x", "bars.tsv", "x")
left_edge = from_zero ? 0 : x_min / 1.6
panel_px = W - left - 14.0
text_share(s) = (text_px(s, 11) + 12) / panel_px
eval most("x_room", "bar", "(from_zero ? bar_x[each] : log10(bar_x[each] / left_edge)) / (text_share(bar_said[each]) < 0.8 ? 1 - text_share(bar_said[each]) : 0.2)")
x_right = from_zero ? x_room : left_edge * 10 ** x_room
if (!from_zero) { eval decades("x") }
set xrange [left_edge : x_right]
set border 1
set grid noytics
set tics out

# What no variant does is grey.
hue(x) = strcol("impl") eq "-" ? hex("#777777") : colour_of(strcol("impl"))
# Others go below the panel, where they are clipped; a name above its row needs room.
at(kind) = column("panel") + 0 == panel_panel[p] + 0 && (kind < 0 || column("kind") == kind) ? -column("row") - (above ? 0.24 : 0) : -1000
half = above ? 0.18 : 0.34
do for [p = 1:n_panel] {
    n = panel_n[p]
    eval frame(left, 14, top - head + 46, H - base - top - row_height * n)
    set yrange [-n - 0.5 : -0.5]
    if (titled) { set label 801 panel_title[p] at screen 10.0 / W, screen 1 - (top - 14) / H left font bold noenhanced }
    set label 803 (p == n_panel ? look_axis[1] : "") at screen (left + panel_px / 2) / W, screen 1 - (top + row_height * n + 44) / H center font small noenhanced
    set ytics scale 0 ("" 1)
    do for [i = 1:n_head + n_bar] { unset label 100 + i }
    eval which("here", "bar", "bar_panel[each] eq panel_panel[p]")."; ".which("heads", "head", "head_panel[each] eq panel_panel[p]")
    do for [w in here] {
        i = int(w)
        if (above) { set label 100 + i bar_label[i] at screen (left + 4.0) / W, first -bar_row[i] + 0.26 left font small textcolor rgb "#222222" front noenhanced
        } else { set ytics add (bar_label[i] -bar_row[i]) }
    }
    do for [w in heads] { i = int(w); set label 100 + n_bar + i head_said[i] at screen (left + 10.0) / W, first -head_row[i] left font small textcolor rgb "#222222" front noenhanced }
    ranges_of = '"whiskers.tsv" using (column("low")):(at(-1)):(column("high") - column("low")):(0):(from_zero ? 0 : hue(0)) with vectors nohead linewidth (from_zero ? 1.4 : 2.4) linecolor rgb variable, '
    texts = '"bars.tsv" using (column("far")):(at(-1)):(strcol("said")) with labels left offset (from_zero ? 0.5 : 1), 0 font small textcolor rgb "#222222"'
    bars = 'for [kind = 0:1] "bars.tsv" using (0):(at(kind)):(0):(column("x")):(at(kind) - half):(at(kind) + half):(hue(0)) with boxxyerror fillstyle solid (kind == 1 ? 0.0 : 1.0) border linewidth (kind == 1 ? hollow_width : 0.5) linecolor rgb variable, '
    stems = '"bars.tsv" using (left_edge):(at(-1)):(column("x") - left_edge):(0) with vectors nohead linewidth 0.8 linecolor rgb "#BBBBBB", '
    points = 'for [kind = 0:1] "bars.tsv" using (column("x")):(at(kind)):(hue(0)) with points pointtype (kind == 1 ? 6 : 7) pointsize 1.1 linewidth hollow_width linecolor rgb variable, '
    eval "plot ".(from_zero ? bars.ranges_of : stems.ranges_of.points).texts
    top = top + row_height * n + panel_gap
}
