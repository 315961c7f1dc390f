# rdp-fig10.gp - ranked run times on CPUs and GPUs, by power mode           [RDP] Fig. 10
#
# One bar per variant, mode and team size, slowest at the top as in the paper; means, since the paper prints means.
# Hollow bars: the paper's Table 1 (1024 rows), which it measured on a Jetson Xavier with its own programs: these are named
# by their role, and have the colour of our variant of that role.
load "plots/style.gp"

eval read_list("panel", "panels.tsv", "height")
eval read_list("panel_n", "panels.tsv", "n")
eval read_list("panel_title", "panels.tsv", "title")
eval read_list("bar_panel", "bars.tsv", "height")
eval read_list("bar_label", "bars.tsv", "label")
eval read_list("bar_rank", "bars.tsv", "rank")
eval range("ms", "bars.tsv", "ms")
row_height = 21.0
panel_gap = 42.0
all_rows = sum [p = 1:n_panel] (panel_n[p] + 0)
eval canvas(900, int(58 + 30 + row_height * all_rows + panel_gap * (n_panel - 1) + 50), note)
eval headline(title, subtitle)
unset key
set logscale x
left_edge = ms_min / 3
set xrange [left_edge : ms_max * 4]
set mxtics 10
set format x "%g"
set border 1
set ytics scale 0
set ytics nomirror
set grid noytics
unset xlabel

in_panel(value) = column("height") == panel[p] ? value : NaN
# Other bars go below the panel, where they are clipped.
bar(printed, dy) = column("height") == panel[p] && column("is_printed") == printed ? column("rank") + dy : -10
top = 58 + 30.0
set multiplot
do for [p = 1:n_panel] {
    eval frame(284, 30, top, H - base - top - row_height * panel_n[p])
    set yrange [0.4 : panel_n[p] + 0.6]
    set label 1 panel_title[p] at screen 10.0 / W, graph 1 offset 0, 0.9 left
    set ytics scale 0 ("" -1)
    do for [i = 1:n_bar_label] { if (bar_panel[i] eq panel[p]) { set ytics add (bar_label[i] bar_rank[i] + 0) } }
    if (p == n_panel) { set xlabel "mean time per frame [ms]" }
    plot "bars.tsv" using (left_edge):(bar(0, 0)):(left_edge):(column("ms")):(bar(0, -0.36)):(bar(0, 0.36)):(colour_of(strcol("impl"))) \
             with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, \
         "bars.tsv" using (left_edge):(bar(1, 0)):(left_edge):(column("ms")):(bar(1, -0.36)):(bar(1, 0.36)):(colour_of(strcol("impl"))) \
             with boxxyerror fillstyle empty linewidth hollow_width linecolor rgb variable, \
         "bars.tsv" using (column("ms")):(in_panel(column("rank"))):(strcol("said")) with labels left offset 0.5, 0 font small
    top = top + row_height * panel_n[p] + panel_gap
    eval undraw
}
unset multiplot
