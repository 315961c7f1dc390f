# rdp-fig5.gp - rounds (levels of recursion) against the tolerance         [RDP] Fig. 5
#
# Mean over all columns with bars of one standard deviation; the most that any column needs as a dash.
load "plots/style.gp"

eval first_of("width")
eval first_of("height")
eval first_of("impl")
eval first_of("median")
if (!exists("distance")) { distance = "vertical" }
keep(x) = usable(0) && strcol("width") eq width && strcol("height") eq height && strcol("impl") eq impl && strcol("median") eq median && \
    strcol("distance") eq distance && strcol("case") eq "all" && strcol("rounds_mean") ne "" && column("eps") > 0
eval require("keep(0)", csv)
eval words_of("inputs", "input", "keep(0)")
eval extent("x", "eps", "keep(0)", csv)
eval extent("y", "rounds_max", "keep(0)", csv)
of(name, value) = keep(0) && strcol("input") eq name ? value : NaN
# Inputs stand side by side around each tolerance, so that their bars do not cover each other.
aside(i) = 1.045 ** (i - (words(inputs) + 1) / 2.0)

# What the text says of eps from 4 to 8.
printed(name, value) = strcol("figure") eq "fig5" && strcol("name") eq name ? value : NaN
has_paper = 0
if (paper ne "") { stats paper using (strcol("figure") eq "fig5" ? (has_paper = 1) : 0) nooutput }

text_values = has_paper ? ', paper using (column("eps")):(printed("rounds_usual", column("value"))) with lines linewidth 7 linecolor rgb "#AA000000" title "[RDP] text: most cases"' . \
    ', paper using (column("eps")):(printed("rounds_most", column("value"))) with lines linewidth 1.6 dashtype 2 linecolor rgb "black" title "[RDP] text: at most"' : ''

eval canvas(900, 470, "")
eval headline("RDP column segmentation: rounds against the tolerance ε", \
    sprintf("%s distance; %s; bars: one standard deviation over the columns", distance, prepared(width, height, median)))
eval frame(70, 250, 58, 52)
set xlabel "tolerance ε [px]"
set ylabel "rounds = levels of recursion"
set logscale x 2
set xrange [x_min / 1.2 : x_max * 1.2]
set format x "%g"
set yrange [0 : y_max * 1.06 + 1]
set key outside right top Left reverse spacing 1.15 samplen 2.6 width -2

plot for [i = 1:words(inputs)] csv using (column("eps") * aside(i)):(of(word(inputs, i), column("rounds_mean"))) smooth unique \
        with lines linewidth 1.6 linecolor rgb curve_colour(i) notitle, \
     for [i = 1:words(inputs)] csv using (column("eps") * aside(i)):(of(word(inputs, i), column("rounds_mean"))):(column("rounds_sd")) \
        with yerrorbars pointtype curve_mark(i) pointsize 1 linewidth 1.4 linecolor rgb curve_colour(i) notitle, \
     for [i = 1:words(inputs)] csv using (column("eps") * aside(i)):(of(word(inputs, i), column("rounds_max"))):(column("eps") * aside(i - 0.4)):(column("eps") * aside(i + 0.4)) \
        with xerrorbars pointtype 0 linewidth 2.4 linecolor rgb curve_colour(i) notitle, \
     for [i = 1:words(inputs)] keyentry with linespoints linewidth 1.6 pointtype curve_mark(i) pointsize 1 \
        linecolor rgb curve_colour(i) title word(inputs, i).", mean", \
     for [i = 1:words(inputs)] keyentry with lines linewidth 2.4 \
        linecolor rgb curve_colour(i) title word(inputs, i).", most (dash)" @text_values
