# rdp-fig9.gp - run time against column height                              [RDP] Fig. 9
#
# Colour: variant.  Line: which frames.  Means, since the paper prints means.  Only the 1.09 ms at 1024 rows are printed in the
# paper; two more points follow from its "x2.5" and "x6" and are smaller.

eval read("curve", "curve impl* frames")
eval read("variant", "impl*")
eval read("frame", "frames name*")
eval read("printed", "is_printed")
dash_of_frames(i) = int(word("1 3 2 4 5", int(i)))
width_of_frames(i) = i == 1 ? 2.4 : 1.4
eval ranges("points.tsv", "height", "ms")
if (n_printed > 0) { eval ranges("printeds.tsv", "height", "ms") }
printed_point(kind, value) = column("is_printed") == kind ? value : NaN
printed_points = n_printed == 0 ? "" : ', for [kind = 1:0:-1] "printeds.tsv" using (column("height")):(printed_point(kind, column("ms"))) with points pointtype 12 pointsize (kind ? 1.7 : 1.0) linewidth hollow_width linecolor rgb colour_of("rdp/gpu-paper") title (kind ? "[RDP] Table 1, Xavier" : "from [RDP] text, ×2.5, ×6")'

eval chart(500, 78, 250, "column height n [px]", "mean time per frame [ms]")
set logscale xy
set xtics (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
set mytics 10
set format y "%g"
set xrange [x_min / 1.12 : x_max * 1.12]
set yrange [y_min / 1.5 : y_max * 1.5]
set key outside right top Left reverse spacing 1.15 samplen 3.4 width -2
set dashtype 2 (10, 5)
set dashtype 3 (2, 4)
set dashtype 4 (5, 3)
set dashtype 5 (14, 4, 2, 4, 2, 4)

plot for [k = 1:n_curve] "points.tsv" using (column("height")):(of(curve_curve[k], column("ms"))) \
        with lines linewidth width_of_frames(curve_frames[k]) linecolor rgb colour_of(curve_impl[k]) dashtype dash_of_frames(curve_frames[k]) notitle, \
     for [k = 1:n_curve] "points.tsv" using (column("height")):(of(curve_curve[k], column("ms"))):(column("low")):(column("high")) \
        with yerrorbars pointtype mark_of(curve_impl[k]) pointsize (curve_frames[k] == 1 ? 1.0 : 0.6) linewidth 1 \
        linecolor rgb colour_of(curve_impl[k]) notitle, \
     for [i = 1:n_variant] keyentry with linespoints linewidth 2.4 pointtype mark_of(variant_impl[i]) linecolor rgb colour_of(variant_impl[i]) title variant_impl[i], \
     for [i = 1:n_frame] keyentry with lines linewidth width_of_frames(frame_frames[i]) linecolor rgb "black" \
        dashtype dash_of_frames(frame_frames[i]) title frame_name[i] @printed_points
