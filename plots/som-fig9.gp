# som-fig9.gp - threads per block, one kernel a round or three                            [SOM] Fig. 9
#
# A panel for each size of the cells.  Stages of the rounds, means: SK is the kernel that does all, MK_E, MK_S and MK_L are the
# three that share its work, MK is their sum, as in the paper.  The dotted line is the same schedule on one core.  The paper
# prints no times here; it names the fastest block sizes, which are ringed.

eval read("panel", "co title* one_core")
eval read("curve", "curve name*")
eval range("y", "points.tsv", "low")."; ".range("y", "points.tsv", "high")
do for [p = 1:n_panel] { if (panel_one_core[p] > 0) {
    y_min = panel_one_core[p] < y_min ? panel_one_core[p] : y_min
    y_max = panel_one_core[p] > y_max ? panel_one_core[p] : y_max
} }
in_panel(c, value) = column("co") == panel_co[p] && column("curve") == c ? value : NaN
hue(c) = hex(word("#0072B2 #222222 #009E73 #D55E00 #B8860B", int(c)))
sign(c) = int(word("13 5 9 11 7", int(c)))
weight(c) = c <= 2 ? 2.2 : 1.4
do for [i = 1:n_curve] { unused = entry(curve_name[i], hue(curve_curve[i]), sign(curve_curve[i]), weight(curve_curve[i]), 1) }
unused = entry("the fastest that the paper names", 0x4D4D4D, 6, 0, 1)
if (panel_one_core[1] > 0) { unused = entry("the same rounds on one core", colour_of("som/rounds"), -1, 1.6, 3) }
set dashtype 3 (2, 4)

eval grid(n_panel, 3, 300, 54, 22, "threads per block", "mean time [ms]")
set logscale x 2
set logscale y 10
set xrange [0.7 : 360]
set yrange [y_min / 1.6 : y_max * 1.6]
set xtics (1, 8, 32, 128)
set xtics add ("" 16 1, "" 64 1, "" 256 1)
set format y "%g"
do for [p = 1:n_panel] {
    eval cell(p, panel_title[p])
    set format y (cell_column ? "" : "%g")
    core(x) = panel_one_core[p] > 0 ? panel_one_core[p] : 1e300 # outside of the panel
    plot core(x) with lines linewidth 1.6 dashtype 3 linecolor rgb colour_of("som/rounds"), \
         for [i = 1:n_curve] "points.tsv" using (column("block_threads")):(in_panel(curve_curve[i], column("ms"))) \
            with linespoints linewidth weight(curve_curve[i]) pointtype sign(curve_curve[i]) pointsize 0.8 linecolor rgb hue(curve_curve[i]), \
         for [i = 1:n_curve] "points.tsv" using (column("block_threads")):(in_panel(curve_curve[i], column("ms"))):(column("low")):(column("high")) \
            with yerrorbars pointtype -1 linewidth 1 linecolor rgb hue(curve_curve[i]), \
         "points.tsv" using (column("block_threads")):(column("is_named") == 1 ? in_panel(column("curve"), column("ms")) : NaN):(hue(int(column("curve")))) \
            with points pointtype 6 pointsize 1.9 linewidth 1.2 linecolor rgb variable
    eval undraw
}
