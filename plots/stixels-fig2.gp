# stixels-fig2.gp - errors against times of both models                              [STX] Fig. 2
#
# Hollow: printed in the paper, in a panel of its own; filled: measured here.  Colour: model; shape: size of blocks, as in the paper.

eval range("error", "points.tsv", "error")

array hue[3]
do for [i = 1:n_kind] { hue[int(kind_kind[i])] = colour_of(kind_impl[i]) }
mark(block) = block == 8 ? 5 : 9   # a square, a triangle
do for [i = 1:n_kind] { unused = entry(kind_said[i], hue[int(kind_kind[i])], -1, 1.8, 1) }
do for [i = 1:n_block] { unused = entry("blocks of ".block_said[i], grey, mark(block_block[i]), 0, 1) }
unused = entry("hollow: printed in the paper", grey, mark(8) - 1, 0, 1)
do for [i = 1:n_place] { unused = entry(place_said[i], grey, -1, 1.8, int(place_place[i])) }

eval grid(n_panel, 2, 290, 40, 46, "mean time of a frame [ms]", "disparity outliers [%]")
eval decades("x")
set yrange [0 : error_max * 1.1]
of_block(b, value) = column("block") == block_block[b] && column("panel") == here ? value : nowhere
do for [p = 1:n_panel] {
    here = int(panel_panel[p])
    eval cell(p, panel_title[p])
    set xrange [panel_low[p] / 2 : panel_high[p] * 2.5]
    eval which("curves", "curve", "curve_panel[each] == here")
    added = ""
    do for [i = 1:n_pair] {
        if (pair_panel[i] == here) {
            half = pair_n[i] > 0 ? sprintf(" ± %.2f", 1.96 * sqrt(pair_variance[i] / (pair_n[i] - 1))) : ""
            added = added . (added eq "" ? "eq. 12 adds " : ", ") . sprintf("%.2f", pair_mean[i]) . half . (added eq "" ? " points" : "") . sprintf(" (%d × %d)", pair_block[i], pair_block[i])
        }
    }
    set label 1 added at graph 0.03, graph 0.06 left font small textcolor rgb "#222222" noenhanced
    plot for [k in curves] "points.tsv" using (of(curve_curve[int(k)], column("ms"))):(column("error")) \
             with lines linewidth 1.6 dashtype int(curve_place[int(k)]) linecolor rgb hue[int(curve_kind[int(k)])], \
         for [b = 1:n_block] "points.tsv" using (of_block(b, column("ms"))):(column("error")):(hue[int(column("kind"))]) \
             with points pointtype mark(block_block[b]) - (here == 1) pointsize 1.2 linewidth hollow_width linecolor rgb variable, \
         "points.tsv" using (column("panel") == here && strcol("said") ne "-" ? column("ms") : nowhere):(column("error")):(strcol("said")) \
             with labels right offset 1, -1 font small textcolor rgb grey noenhanced
}
