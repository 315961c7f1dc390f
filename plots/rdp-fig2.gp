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

# ---- colours: RDP on one core, paler and dotted without the filter; a colour for each block, crosses where the model is flat
is_rdp(k) = curve_look[k] eq "rdp"
hue_of(k) = int(curve_hue[k])
hue(k) = is_rdp(k) ? (hue_of(k) ? colour_of("rdp/serial") : hex("#808080")) : curve_colour(hue_of(k))
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
set label 802 "pixels per segment".(lower ? " or stixel" : "")
set logscale y
set yrange [c_min / 1.3 : c_max * 1.3]
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
eval "plot ".curves("at", "pieces").levels("pieces")

# ---- below: against each other, and the time; texts keep away from marks and from twelve places on each line
unset logscale x
set logscale x 10
highest = e_min > 0 ? (is_share && e_max * 1.3 > 100 ? 100 : e_max * 1.3) : e_max * 1.08
px(x) = cell_w * log(x / x_low) / log(x_high / x_low)
py(y) = cell_h * (e_min > 0 ? log(y * 1.6 / e_min) / log(highest * 1.6 / e_min) : y / highest)
error_along(t, a, b) = e_min > 0 ? a * (b / a) ** t : a + t * (b - a)
x_of(i) = panel == 3 ? point_pieces[i] : point_ms[i]
do for [panel = 3:n_panels] {
    x_text = panel == 3 ? "pixels per segment or stixel" : "mean time per frame [ms]"
    eval cell(panel, panel == 4 ? "and the time, one thread: left and below is better" : n_panels == 3 ? "both: right and low is better" : "one against the other: right and below is better")
    set label 802 error_text
    x_low = panel == 3 ? c_min / 1.9 : t_min / 2.5
    x_high = panel == 3 ? c_max * 1.3 : t_max * 2.2
    set xrange [x_low : x_high]
    if (panel == 3) { set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000) } else { eval powers("x") }
    if (e_min > 0) { set yrange [e_min / 1.6 : highest]; @error_tics } else {
        unset logscale y
        set yrange [0 : highest]
        set ytics autofreq
    }
    eval placing
    do for [i = 1:n_label] { if ((label_place[i] == 6) == (panel == 4)) { unused = tell(label_x[i], label_error[i], label_said[i]) } }
    do for [i = 1:n_point] {
        before = i > 1 && point_curve[i] == point_curve[i > 1 ? i - 1 : 1] ? i - 1 : i
        do for [k = 0:(before < i ? 11 : 0)] { unused = spot(x_of(i) * (x_of(before) / x_of(i)) ** (k / 12.0), error_along(k / 12.0, point_error[i], point_error[before])) }
    }
    load "plots/place.gp"
    among = panel == 3 ? "k in rdp.slanted.flat" : "k in timed"
    eval "plot ".curves(panel == 3 ? "pieces" : "ms", "error")
}
