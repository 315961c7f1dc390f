# rdp-fig9.gp - run time against column height                              [RDP] Fig. 9
#
# (a) the paper's kernel, a mark for each kind of frame, named at its last point; (b) all variants.  Means, since the paper prints means.
eval range("x", "points.tsv", "height")

sign(k) = curve_panel[k] == 1 ? int(word("13 9 11 5 7", int(curve_frames[k])) + 0) : mark_of(curve_impl[k])
do for [k = 1:n_curve] { if (curve_is_named[k] > 0 && curve_panel[k] == 2) { unused = entry(curve_name[k], hue(k), sign(k), 1.8, 1) } }

eval grid(2, 2, 330, 52, 58, "column height n [px]", "mean time per frame [ms]")
set logscale xy
px(x) = cell_w * log(x / x_low) / log(x_high / x_low)
py(y) = cell_h * log(y / y_low) / log(y_high / y_low)
among = "k in shown"
printed_point(kind, value) = column("is_printed") == kind ? value : NaN
do for [p = 1:2] {
    eval cell(p, (p == 1 ? "(a) " : "(b) ").panel_title[p])
    x_low = x_min / 1.15; x_high = p == 1 ? 1024 * 2.2 : x_max * 1.15
    y_low = panel_low[p] / (panel_tall[p] > 0 ? 5 : 1.6); y_high = panel_high[p] * 1.6
    set xrange [x_low : x_high]
    set yrange [y_low : y_high]
    eval powers("y")
    if (panel_high[p] / panel_low[p] < 100) { do for [e = -4:3] { do for [m in "2 5"] { set ytics add (sprintf("%g", m * 10.0 ** e) m * 10.0 ** e) } } }
    set xtics (256, 512, 1024)
    if (p == 2) { set xtics add (2048, 4096, 8192, 16384) }
    # the kernel for long columns is another
    if (panel_tall[p] > 0) {
        set arrow 1 from first 1200, graph 0 to first 1200, graph 1 nohead linewidth 1 dashtype 2 linecolor rgb "#777777"
        set label 1 "rdp/gpu-opt takes" at first 1300, graph 0 offset 0, 2.2 left font small textcolor rgb grey
        set label 2 "its kernel for tall columns" at first 1300, graph 0 offset 0, 1.0 left font small textcolor rgb grey
    }
    eval which("shown", "curve", "curve_panel[each] == p")
    # names right of last points, from the highest one down
    name_y = 1e9
    do for [n = 1:n_end] {
        name_y = py(end_ms[n]) < name_y - 14 ? py(end_ms[n]) : name_y - 14
        said = p == 1 ? end_name[n] : ""
        set label 200 + n said at screen (cell_left + px(end_height[n]) + 12) / W, screen 1 - (cell_top + cell_h - name_y) / H left font small textcolor rgb "#222222" noenhanced
    }
    printed_points = p == 1 && n_printed > 0 ? ', for [kind = 0:1] "printeds.tsv" using (column("height")):(printed_point(kind, column("ms"))) with points pointtype 12 pointsize (kind ? 1.3 : 0.9) linewidth hollow_width linecolor rgb colour_of("rdp/gpu-paper")' : ''
    eval "plot ".barred("height", "ms").printed_points
}
