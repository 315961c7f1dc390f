# rdp-fig2.gp - accuracy and compression against the tolerance, beside Stixels                    [RDP] Fig. 2
#
# Above as in the paper, against ε; Stixels have no ε and are lines.  Below both methods against each other: an error and the pieces
# that it takes, and the time.  The paper's axes carry no numbers that could be printed beside ours.

do for [look in "rdp slanted flat"] { eval which(look, "curve", "curve_look[each] eq look") }
eval which("timed", "curve", "curve_is_timed[each]")."; ".which("timed_rdp", "curve", "curve_is_timed[each] > 0 && curve_look[each] eq 'rdp'")
lower = slanted.flat ne ""
is_share = error_is_share + 0 == 1
input_error = exists("input_error") ? input_error + 0.0 : NaN
eval range_of("x", "points.tsv", "column('is_rdp') == 1 ? column('at') : NaN")
eval most("e_top", "point", "point_is_above[each] == 1 ? point_error[each] : 0")
eval range("e", "points.tsv", "error")."; ".range("c", "points.tsv", "pieces")."; ".range("t", "points.tsv", "ms")
if (input_error == input_error) {
    e_min = input_error < e_min ? input_error : e_min
    e_top = input_error > e_top ? input_error : e_top
}

# ---- colours: RDP blue, paler and dotted without the filter; a colour for each block, crosses where the model is flat
is_rdp(k) = curve_look[k] eq "rdp"
hue_of(k) = int(curve_hue[k])
hue(k) = hex(is_rdp(k) ? (hue_of(k) ? "#0072B2" : "#2E8FCB") : word("#4D4D4D #D55E00 #B87A00 #008F68 #B85C95", hue_of(k) % 5 + 1))
sign(k) = is_rdp(k) ? (hue_of(k) ? 7 : 13) : curve_look[k] eq "flat" ? 2 : int(word("7 5 9 11 13", hue_of(k) % 5 + 1))
dash_of(k) = is_rdp(k) && !hue_of(k) ? 3 : 1
weight(k) = is_rdp(k) ? 2 : 1.6
size_of(k) = is_rdp(k) ? 0.8 : 1
do for [k in rdp.slanted.flat] { unused = entry(curve_name[int(k)], hue(int(k)), sign(int(k)), is_rdp(int(k)) ? 2 : 0, dash_of(int(k))) }
if (slanted ne "") { unused = entry("above: Stixels, which have no ε", hex("#555555"), -1, 1.6, 2) }
if (input_error == input_error) { unused = entry("the input itself", hex("#888888"), -1, 1.2, 1) }

n_panels = lower ? (timed_rdp ne "" ? 4 : 3) : 2
eval grid(n_panels, n_panels == 3 ? 3 : 2, 250, 52, 58, "", "")
x_text = "tolerance ε [px]"

# Stixels have no tolerance: a line for each block, from end to end.
as_it_is(k, value) = column("at_model") == 1 ? mine(int(k), value) : NaN
levels(y) = slanted eq "" ? "" : sprintf(", for [k in slanted] 'points.tsv' using (as_it_is(k, x_min / 1.15)):(as_it_is(k, column('%s'))):(x_max * x_max):(0)", y) . \
    " with vectors nohead linewidth 1.6 dashtype 2 linecolor rgb hue(int(k))"
input_line = input_error == input_error ? ', input_error with lines linewidth 1.2 linecolor rgb "#888888"' : ""

# ---- above: against the tolerance
among = "k in rdp"
eval cell(1, "accuracy: lower is better")
set label 802 error_text
set logscale x 2
set xrange [x_min / 1.15 : x_max * 1.15]
error_tics = "set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)"
if (is_share && e_min > 0) { set logscale y; set yrange [e_min / 1.3 : (e_top * 1.3 > 100 ? 100 : e_top * 1.3)]; @error_tics } else { set yrange [0 : e_top * 1.08] }
eval "plot ".curves("at", "error").levels("error").input_line

eval cell(2, "compression: higher is better")
set label 802 "pixels per segment".(lower ? " or stixel" : "") at screen cell_left / W, screen 1 - (cell_top - 12) / H left font small
set logscale y
set yrange [c_min / 1.3 : c_max * 1.3]
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
eval "plot ".curves("at", "pieces").levels("pieces")

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
if (lower) {
    unset logscale x
    set logscale x 10
    x_text = "pixels per segment or stixel"
    eval cell(3, n_panels == 3 ? "both: right and low is better" : "one against the other: right and below is better")
    set label 802 error_text
    set xrange [c_min / 1.9 : c_max * 1.3]
    set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
    highest = e_min > 0 ? (is_share && e_max * 1.3 > 100 ? 100 : e_max * 1.3) : e_max * 1.08
    if (e_min > 0) { set yrange [e_min / 1.6 : highest]; @error_tics } else {
        unset logscale y
        set yrange [0 : highest]
        set ytics autofreq
    }
    px(x) = cell_w * share(x, c_min / 1.9, c_max * 1.3)
    py(y) = cell_h * (e_min > 0 ? share(y, e_min / 1.6, highest) : y / highest)
    x_of(i) = point_pieces[i]
    is_here(place) = place != 6
    eval tell
    load "plots/place.gp"
    among = "k in rdp.slanted.flat"
    eval "plot ".curves("pieces", "error")

    if (timed_rdp ne "") {
        x_text = "mean time per frame [ms]"
        eval cell(4, "and the time, one thread: left and below is better")
        set label 802 error_text at screen cell_left / W, screen 1 - (cell_top - 12) / H left font small
        set xtics auto
        set xrange [t_min / 2.5 : t_max * 2.2]
        px(x) = cell_w * share(x, t_min / 2.5, t_max * 2.2)
        x_of(i) = point_ms[i]
        is_here(place) = place == 6
        do for [i = 1:n_told] { unset label 200 + i }
        eval tell
        load "plots/place.gp"
        among = "k in timed"
        eval "plot ".curves("ms", "error")
    }
}
