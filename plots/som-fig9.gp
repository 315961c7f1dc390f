# som-fig9.gp - threads per block, one kernel a round or three                            [SOM] Fig. 9
#
# A panel for each size of the cells.  SK is the kernel that does all, MK_E, MK_S and MK_L are the three that share its work, MK is their
# sum, as in the paper.

eval range("y", "points.tsv", "low")."; ".range("y", "points.tsv", "high")
eval range_of("y", "panels.tsv", "column('one_core') > 0 ? column('one_core') : NaN")
mine(k, value) = column("co") == panel_co[p] ? of(curve_curve[k], value) : NaN
hue_of(c) = c == 1 ? colour_of("som/gpu-paper") : c == 2 ? 0x777777 : curve_colour(int(c) - 2)
hue(k) = hue_of(curve_curve[k])
sign(k) = int(word("13 5 9 11 7", int(curve_curve[k])))
weight(k) = curve_curve[k] <= 2 ? 2.2 : 1.4
do for [k = 1:n_curve] { unused = entry(curve_name[k], hue(k), sign(k), weight(k), 1) }
unused = entry("the fastest that the paper names", 0x4D4D4D, 6, 0, 1)
if (panel_one_core[1] > 0) { unused = entry("the same rounds on one core", colour_of("som/rounds"), -1, 1.6, 3) }

eval grid(n_panel, 3, 300, 54, 22, "threads per block", "mean time [ms]")
set logscale x 2
eval decades("y")
set xrange [0.7 : 360]
set yrange [y_min / 1.6 : y_max * 1.6]
set xtics (1, 8, 32, 128)
set xtics add ("" 16 1, "" 64 1, "" 256 1)
do for [p = 1:n_panel] {
    eval cell(p, panel_title[p])
    set format y (cell_column ? "" : "%g")
    core(x) = panel_one_core[p] > 0 ? panel_one_core[p] : 1e300 # outside of the panel
    eval 'plot core(x) with lines linewidth 1.6 dashtype 3 linecolor rgb colour_of("som/rounds"), '.barred("block_threads", "ms").', '. \
         '"points.tsv" using (column("block_threads")):(column("is_named") == 1 && column("co") == panel_co[p] ? column("ms") : NaN):(hue_of(column("curve")))'. \
         ' with points pointtype 6 pointsize 1.9 linewidth 1.2 linecolor rgb variable'
}
