# rdp-fig2.gp - accuracy and compression against the tolerance             [RDP] Fig. 2
#
# One curve per input.  The paper's axes carry no numbers that could be printed beside ours.
load "plots/style.gp"

eval first_of("width")
eval first_of("height")
eval first_of("impl")
eval first_of("median")
if (!exists("distance")) { distance = "vertical" }
keep(x) = usable(0) && strcol("width") eq width && strcol("height") eq height && strcol("impl") eq impl && strcol("median") eq median && \
    strcol("distance") eq distance && strcol("case") eq "all" && strcol("rms_error_px") ne ""
eval require("keep(0)", csv)
eval words_of("inputs", "input", "keep(0)")
eval extent("x", "eps", "keep(0) && column('eps') > 0", csv)
eval extent("e", "rms_error_px", "keep(0)", csv)
eval extent("c", "pixels_per_segment", "keep(0)", csv)
of(name, value) = keep(0) && strcol("input") eq name && column("eps") > 0 ? value : NaN

eval canvas(900, 425, "")
eval headline("RDP column segmentation: accuracy and compression against the tolerance ε", \
    sprintf("%s distance; %s", distance, prepared(width, height, median)))
set xlabel "tolerance ε [px]"
set logscale x 2
set xrange [x_min / 1.15 : x_max * 1.15]
set format x "%g"
set key at screen 10.0 / W, screen 1 - 48.0 / H left top vertical maxrows 1 Left reverse

set multiplot
eval frame(78, 490, 108, 52)
set label 1 "accuracy: lower is better" at graph 0.0, graph 1.05 left
set ylabel "rms error [px]"
set yrange [0 : e_max * 1.08]
plot for [i = 1:words(inputs)] csv using (column("eps")):(of(word(inputs, i), column("rms_error_px"))) smooth unique \
    with linespoints linewidth 2 pointtype curve_mark(i) pointsize 1 linecolor rgb curve_colour(i) title word(inputs, i)

# The caption and the headline are drawn once.
eval undraw
unset key
eval frame(530, 30, 108, 52)
set label 1 "compression: higher is better" at graph 0.0, graph 1.05 left
set ylabel "pixels per segment"
set logscale y
set yrange [c_min / 1.3 : c_max * 1.3]
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
set format y "%g"
plot for [i = 1:words(inputs)] csv using (column("eps")):(of(word(inputs, i), column("pixels_per_segment"))) smooth unique \
    with linespoints linewidth 2 pointtype curve_mark(i) pointsize 1 linecolor rgb curve_colour(i) notitle
unset multiplot
