# rdp-fig5.gp - rounds (levels of recursion) against the tolerance         [RDP] Fig. 5
#
# Mean over all columns with bars of one standard deviation; the most that any column needs as a dash.

eval read("curve", "curve input*")
eval read("printed", "eps")
eval ranges("points.tsv", "eps", "rounds_max")
# Inputs stand side by side around each tolerance, so that their bars do not cover each other.
aside(i) = 1.045 ** (i - (n_curve + 1) / 2.0)
text_values = n_printed == 0 ? '' : ', "printeds.tsv" using (column("eps")):(column("usual")) with lines linewidth 7 linecolor rgb "#AA000000" title "[RDP] text: most cases"' . \
    ', "printeds.tsv" using (column("eps")):(column("most")) with lines linewidth 1.6 dashtype 2 linecolor rgb "black" title "[RDP] text: at most"'

eval chart(470, 70, 250, "tolerance ε [px]", "rounds = levels of recursion")
set logscale x 2
set xrange [x_min / 1.2 : x_max * 1.2]
set format x "%g"
set yrange [0 : y_max * 1.06 + 1]
set key outside right top Left reverse spacing 1.15 samplen 2.6 width -2

plot for [i = 1:n_curve] "points.tsv" using (column("eps") * aside(i)):(of(curve_curve[i], column("rounds_mean"))) \
        with lines linewidth 1.6 linecolor rgb curve_colour(i) notitle, \
     for [i = 1:n_curve] "points.tsv" using (column("eps") * aside(i)):(of(curve_curve[i], column("rounds_mean"))):(column("rounds_sd")) \
        with yerrorbars pointtype curve_mark(i) pointsize 1 linewidth 1.4 linecolor rgb curve_colour(i) notitle, \
     for [i = 1:n_curve] "points.tsv" using (column("eps") * aside(i)):(of(curve_curve[i], column("rounds_max"))):(column("eps") * aside(i - 0.4)):(column("eps") * aside(i + 0.4)) \
        with xerrorbars pointtype 0 linewidth 2.4 linecolor rgb curve_colour(i) notitle, \
     for [i = 1:n_curve] keyentry with linespoints linewidth 1.6 pointtype curve_mark(i) pointsize 1 \
        linecolor rgb curve_colour(i) title curve_input[i].", mean", \
     for [i = 1:n_curve] keyentry with lines linewidth 2.4 \
        linecolor rgb curve_colour(i) title curve_input[i].", most (dash)" @text_values
