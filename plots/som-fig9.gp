# som-fig9.gp - threads per block, one kernel a round or three                            [SOM] Fig. 9
#
# A panel for each size of the cells.  Stages of the rounds, means: SK is the kernel that does all, MK_E, MK_S and MK_L are the
# three that share its work, MK is their sum, as in the paper.  The dotted line is the same schedule on one core.  The paper
# prints no times here; it names the fastest block sizes, which are ringed.

eval read("panel", "co title* one_core")
eval read("curve", "curve name*")
if (n_curve > 0) { eval range("y", "points.tsv", "ms") } else { y_min = 1e300; y_max = -1e300 }
do for [p = 1:n_panel] { if (panel_one_core[p] > 0) {
    y_min = panel_one_core[p] < y_min ? panel_one_core[p] : y_min
    y_max = panel_one_core[p] > y_max ? panel_one_core[p] : y_max
} }
in_panel(c, value) = column("co") == panel_co[p] && column("curve") == c ? value : NaN
hue(c) = hex(word("#0072B2 #000000 #009E73 #D55E00 #CC79A7", int(c)))
sign(c) = int(word("13 5 9 11 7", int(c)))

eval panels(420, n_panel, 66, 650, 16, 80, "threads per block", "mean time [ms]")
set logscale x 2
set logscale y 10
set xrange [0.7 : 360]
set yrange [y_min / 1.6 : y_max * 1.6]
set xtics (1, 8, 32, 128) font small
set xtics add ("" 16 1, "" 64 1, "" 256 1)
set format y "%g"
set key at screen 1 - 196.0 / W, screen 1 - 74.0 / H left top Left reverse spacing 1.2 samplen 2.4
set dashtype 3 (2, 4)
kernels = n_curve == 0 ? "" : \
    ', for [i = 1:n_curve] "points.tsv" using (column("block_threads")):(in_panel(curve_curve[i], column("ms"))) with linespoints linewidth (curve_curve[i] <= 2 ? 2.2 : 1.4) pointtype sign(curve_curve[i]) pointsize 0.8 linecolor rgb hue(curve_curve[i]) title curve_name[i]'. \
    ', "points.tsv" using (column("block_threads")):(column("is_named") == 1 ? in_panel(column("curve"), column("ms")) : NaN):(hue(int(column("curve")))) with points pointtype 6 pointsize 1.9 linewidth 1.2 linecolor rgb variable notitle'
do for [p = 1:n_panel] {
    eval panel_at(p, panel_title[p])
    if (p > 1) { set format y "" }
    core(x) = panel_one_core[p] > 0 ? panel_one_core[p] : 1e300 # outside of the panel
    plot core(x) with lines linewidth 1.6 dashtype 3 linecolor rgb colour_of("som/rounds") title panel_one_core[1] > 0 ? "som/rounds, one core" : "" @kernels
    if (p == 1) { eval undraw }
}
