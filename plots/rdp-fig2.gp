# rdp-fig2.gp - accuracy and compression against the tolerance, beside Stixels                    [RDP] Fig. 2
#
# Above as in the paper, against ε; Stixels have no ε and are lines.  Below both methods against each other: an error and the pieces
# that it takes, and the time.  The paper's axes carry no numbers that could be printed beside ours.

eval read("curve", "curve look* hue is_timed name*")
rdp = ""; slanted = ""; flat = ""; timed = ""; timed_rdp = ""
do for [k = 1:n_curve] {
    if (curve_look[k] eq "rdp") { rdp = rdp." ".k } else { if (curve_look[k] eq "slanted") { slanted = slanted." ".k } else { flat = flat." ".k } }
    if (curve_is_timed[k]) { if (curve_look[k] eq "rdp") { timed_rdp = timed_rdp." ".k } else { timed = timed." ".k } }
}
lower = slanted.flat ne ""
is_share = error_is_share + 0 == 1
input_error = exists("input_error") ? input_error + 0.0 : NaN
x_min = 1e300; x_max = -1e300; e_top = -1e300
stats "points.tsv" using (column("is_rdp") == 1 ? (x_min = column("at") < x_min ? column("at") : x_min, x_max = column("at") > x_max ? column("at") : x_max, 1) : 0) nooutput
stats "points.tsv" using (column("is_above") == 1 && column("error") > e_top ? (e_top = column("error"), 1) : 0) nooutput
eval read("label", "place x error said*")
eval read("point", "curve pieces error ms")
eval range("e", "points.tsv", "error")
eval range("c", "points.tsv", "pieces")
eval range("t", "points.tsv", "ms")
if (input_error == input_error) {
    e_min = input_error < e_min ? input_error : e_min
    e_top = input_error > e_top ? input_error : e_top
}

# ---- colours: RDP blue, paler and dotted without the filter; a colour for each block, crosses where the model is flat; hollow marks are
# the papers' alone
key_of(k) = curve_curve[int(k)]
hue_of(k) = int(curve_hue[int(k)])
set dashtype 2 (6, 4)
set dashtype 3 (2, 3)
rdp_dash(k) = hue_of(k) ? 1 : 3
rdp_mark(k) = hue_of(k) ? 7 : 13
rdp_colour(k) = hex(hue_of(k) ? "#0072B2" : "#2E8FCB")
rdp_look = "with linespoints linewidth 2 dashtype rdp_dash(k) pointtype rdp_mark(k) pointsize 0.8 linecolor rgb rdp_colour(k)"
stixel_hue(i) = hex(word("#4D4D4D #D55E00 #B87A00 #008F68 #B85C95", i % 5 + 1))
stixel_colour(k) = stixel_hue(hue_of(k))
stixel_mark(k) = curve_look[int(k)] eq "flat" ? 2 : int(word("7 5 9 11 13", hue_of(k) % 5 + 1))
as_it_is(k, value) = column("at_model") == 1 ? of(key_of(k), value) : NaN

do for [k in rdp] { unused = entry(curve_name[int(k)], rdp_colour(k), rdp_mark(k), 2, rdp_dash(k)) }
do for [k in slanted.flat] { unused = entry(curve_name[int(k)], stixel_colour(k), stixel_mark(k), 0, 1) }
if (slanted ne "") { unused = entry("above: Stixels, which have no ε", hex("#555555"), -1, 1.6, 2) }
if (input_error == input_error) { unused = entry("the input itself", hex("#888888"), -1, 1.2, 1) }

n_panels = lower ? (timed_rdp ne "" ? 4 : 3) : 2
eval grid(n_panels, n_panels == 3 ? 3 : 2, 250, 52, 58, "", "")
x_text = "tolerance ε [px]"

# Stixels have no tolerance: a line for each block, from end to end.
shown = "error"
levels = slanted eq "" ? "" : ', for [k in slanted] "points.tsv" using (as_it_is(k, x_min / 1.15)):(as_it_is(k, column(shown))):(x_max * x_max):(0) with vectors nohead linewidth 1.6 dashtype 2 linecolor rgb stixel_colour(k)'
input_line = input_error == input_error ? ', input_error with lines linewidth 1.2 linecolor rgb "#888888"' : ""

# ---- above: against the tolerance
eval cell(1, "accuracy: lower is better")
set label 802 error_text
set logscale x 2
set xrange [x_min / 1.15 : x_max * 1.15]
set format x "%g"
error_tics = "set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)"
if (is_share && e_min > 0) { set logscale y; set yrange [e_min / 1.3 : (e_top * 1.3 > 100 ? 100 : e_top * 1.3)]; @error_tics } else { set yrange [0 : e_top * 1.08] }
plot for [k in rdp] "points.tsv" using (column("at")):(of(key_of(k), column("error"))) @rdp_look @levels @input_line
eval undraw

eval cell(2, "compression: higher is better")
shown = "pieces"
set label 802 "pixels per segment".(lower ? " or stixel" : "") at screen cell_left / W, screen 1 - (cell_top - 12) / H left font small
set logscale y
set yrange [c_min / 1.3 : c_max * 1.3]
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
set format y "%g"
plot for [k in rdp] "points.tsv" using (column("at")):(of(key_of(k), column("pieces"))) @rdp_look @levels

# ---- below: against each other
array spot_x[12 * n_point]; array spot_y[12 * n_point]
share(v, low, high) = log(v / low) / log(high / low)
# Texts of the panel: those of labels.tsv with these places; marks and lines are in the way of them.
tell = 'n_told = 0; n_spot = 0; ' . \
    'do for [i = 1:n_label] { if (is_here(label_place[i])) { n_told = n_told + 1; told_x[n_told] = px(label_x[i]); told_y[n_told] = py(label_error[i]); told_said[n_told] = label_said[i] } }; ' . \
    'do for [i = 1:n_point] { ' . \
    '    is_line = i > 1 && point_curve[i] == point_curve[i > 1 ? i - 1 : 1]; ' . \
    '    do for [k = 0:(is_line ? 11 : 0)] { n_spot = n_spot + 1; spot_x[n_spot] = px(x_of(i)) + (is_line ? k / 12.0 * (px(x_of(i - 1)) - px(x_of(i))) : 0); ' . \
    '        spot_y[n_spot] = py(point_error[i]) + (is_line ? k / 12.0 * (py(point_error[i - 1]) - py(point_error[i])) : 0) } }'
array told_x[n_label + 1]; array told_y[n_label + 1]; array told_said[n_label + 1]
rdp_times = timed_rdp eq "" ? "" : ', for [k in timed_rdp] "points.tsv" using (of(key_of(k), column("ms"))):(of(key_of(k), column("error"))) with linespoints linewidth 2 pointtype 7 pointsize 0.8 linecolor rgb rdp_colour(k)'
stixel_times = timed eq "" ? "" : ', for [k in timed] "points.tsv" using (of(key_of(k), column("ms"))):(of(key_of(k), column("error"))) with points pointtype stixel_mark(k) pointsize 1 linewidth 2.4 linecolor rgb stixel_colour(k)'
if (lower) {
    unset logscale x
    set logscale x 10
    x_text = "pixels per segment or stixel"
    eval cell(3, n_panels == 3 ? "both: right and low is better" : "one against the other: right and below is better")
    set label 802 error_text
    set xrange [c_min / 1.9 : c_max * 1.3]
    set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
    if (e_min > 0) { set yrange [e_min / 1.6 : (is_share && e_max * 1.3 > 100 ? 100 : e_max * 1.3)]; @error_tics } else {
        unset logscale y
        set yrange [0 : e_max * 1.08]
        set ytics autofreq
    }
    px(x) = cell_w * share(x, c_min / 1.9, c_max * 1.3)
    py(y) = cell_h * (e_min > 0 ? share(y, e_min / 1.6, e_max * 1.3 > 100 && is_share ? 100 : e_max * 1.3) : y / (e_max * 1.08))
    x_of(i) = point_pieces[i]
    is_here(place) = place != 6
    eval tell
    load "plots/place.gp"
    plot for [k in rdp] "points.tsv" using (column("pieces")):(of(key_of(k), column("error"))) @rdp_look, \
        for [k in slanted.flat] "points.tsv" using (of(key_of(k), column("pieces"))):(column("error")) \
            with linespoints linewidth 1.6 pointtype stixel_mark(k) pointsize 1 linecolor rgb stixel_colour(k)

    if (timed_rdp ne "") {
        x_text = "mean time per frame [ms]"
        eval cell(4, "and the time, one thread: left and below is better")
        set label 802 error_text at screen cell_left / W, screen 1 - (cell_top - 12) / H left font small
        set xtics auto
        set format x "%g"
        set xrange [t_min / 2.5 : t_max * 2.2]
        px(x) = cell_w * share(x, t_min / 2.5, t_max * 2.2)
        x_of(i) = point_ms[i]
        is_here(place) = place == 6
        do for [i = 1:n_told] { unset label 200 + i }
        eval tell
        load "plots/place.gp"
        plot NaN notitle @rdp_times @stixel_times
    }
}
