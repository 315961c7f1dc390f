# rdp-fig5.gp - rounds (levels of recursion) against the tolerance         [RDP] Fig. 5
#
# A panel for each input, with the same axes; in the first one printed numbers.

eval ranges("points.tsv", "eps", "rounds_max")
ours = curve_colour(1)
unused = entry("mean and deviation", ours, 7, 1.8, 1) + entry("the most of any column", ours, -1, 0.9, 1)
if (n_printed > 0) { unused = entry("printed: most cases", 0, 4, 0, 1) + entry("printed: at most", 0, 8, 0, 1) }

eval grid(n_curve, n_curve < 3 ? n_curve : 3, 320, 52, 40, "tolerance ε [px]", "rounds = levels of recursion")
set logscale x 2
set xrange [x_min / 1.2 : x_max * 1.2]
set yrange [0 : y_max * 1.06 + 1]
if (n_printed > 0) { eval range("e", "printeds.tsv", "eps") }
do for [i = 1:n_curve] {
    eval cell(i, curve_input[i])
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
