# rdp-fig5.gp - rounds (levels of recursion) against the tolerance         [RDP] Fig. 5
#
# One input is large, the others are beside it with the same axes.

eval ranges("points.tsv", "eps", "rounds_max")
ours = hex("#0072B2")
unused = entry("mean and deviation", ours, 7, 1.8, 1) + entry("the most of any column", ours, -1, 0.9, 1)
if (n_printed > 0) { unused = entry("printed: most cases", 0, 4, 0, 1) + entry("printed: at most", 0, 8, 0, 1) }

others = n_curve - 1
x_text = "tolerance ε [px]"; y_text = "rounds = levels of recursion"
beside = others > 0 && !narrow
small_h = beside ? (420.0 - 78 * (others - 1)) / others : 170.0
if (small_h < 90) { small_h = 90.0 }
big_h = narrow ? 300.0 : beside ? others * small_h + 78 * (others - 1) : 420.0
eval canvas(46 + 38 + big_h + 54 + (narrow ? others * (small_h + 92) : 0))
set logscale x 2
set xrange [x_min / 1.2 : x_max * 1.2]
set yrange [0 : y_max * 1.06 + 1]
if (n_printed > 0) { eval range("e", "printeds.tsv", "eps") }
do for [i = 1:n_curve] {
    if (i == 1) {
        eval panel_in(52, head + 38, beside ? 0.6 * W - 52 : W - 68, big_h, curve_input[i])
    } else {
        eval panel_in(beside ? 0.6 * W + 52 : 52, head + 38 + (i - 2) * (small_h + (narrow ? 92 : 78)) + (narrow ? big_h + 92 : 0), beside ? 0.4 * W - 68 : W - 68, small_h, curve_input[i])
        if (beside && i < n_curve) { unset label 803 }
    }
    if (n_printed > 0 && i == 1) {
        set object 1 rectangle from first e_min, first printed_usual_from[1] to first e_max, first printed_usual[1] back fillstyle empty border linecolor rgb "#000000" linewidth hollow_width
        set arrow 1 from first e_min, first printed_most[1] to first e_max, first printed_most[1] nohead linecolor rgb "#000000" linewidth 0.8
        do for [k = 1:n_printed] { set label 10 + k "" at first printed_eps[k], first printed_most[k] point pointtype 8 pointsize 1.1 linewidth hollow_width linecolor rgb "#000000" }
    }
    key = curve_curve[i]
    plot "points.tsv" using (column("eps")):(of(key, column("rounds_max"))) with lines linewidth 0.9 linecolor rgb ours, \
         "points.tsv" using (column("eps")):(of(key, column("rounds_mean"))) with lines linewidth 1.8 linecolor rgb ours, \
         "points.tsv" using (column("eps")):(of(key, column("rounds_mean"))):(column("rounds_sd")) with yerrorbars pointtype 7 pointsize 0.9 linewidth 1.4 linecolor rgb ours
    if (n_printed > 0 && i == 1) { unset object 1; unset arrow 1; do for [k = 1:n_printed] { unset label 10 + k } }
}
