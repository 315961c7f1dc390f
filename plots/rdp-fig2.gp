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
beta_hue = exists("beta_hue") ? beta_hue + 0 : 1
x_min = 1e300; x_max = -1e300; e_top = -1e300
stats "points.tsv" using (column("is_rdp") == 1 ? (x_min = column("at") < x_min ? column("at") : x_min, x_max = column("at") > x_max ? column("at") : x_max, 1) : 0) nooutput
stats "points.tsv" using (column("is_above") == 1 && column("error") > e_top ? (e_top = column("error"), 1) : 0) nooutput
array n_place[6] = [0, 0, 0, 0, 0, 0]
if (lower) { stats "labels.tsv" using (n_place[int(column("place"))] = 1, 1) nooutput }
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
rdp_dash(k) = hue_of(k) ? 1 : 3
rdp_mark(k) = hue_of(k) ? 7 : 13
rdp_colour(k) = hex(hue_of(k) ? "#0072B2" : "#56B4E9")
rdp_look = "with linespoints linewidth 2 dashtype rdp_dash(k) pointtype rdp_mark(k) pointsize 0.9 linecolor rgb rdp_colour(k)"
stixel_hue(i) = hex(word("#4D4D4D #D55E00 #E69F00 #009E73 #CC79A7", i % 5 + 1))
stixel_colour(k) = stixel_hue(hue_of(k))
stixel_mark(k) = curve_look[int(k)] eq "flat" ? 2 : int(word("7 5 9 11 13", hue_of(k) % 5 + 1))
as_it_is(k, value) = column("at_model") == 1 ? of(key_of(k), value) : NaN

eval canvas(lower ? 764 : 425)
set key at screen 10.0 / W, screen 1 - 46.0 / H left top vertical maxrows 2 Left reverse samplen 2.6 width 1
set dashtype 2 (6, 4)
set dashtype 3 (2, 3)
set border 3

# Stixels have no tolerance: a line for each block, from end to end.
shown = "error"
levels = slanted eq "" ? "" : ', for [k in slanted] "points.tsv" using (as_it_is(k, x_min / 1.15)):(as_it_is(k, column(shown))):(x_max * x_max):(0) with vectors nohead linewidth 1.6 dashtype 2 linecolor rgb stixel_colour(k) notitle'
names = (slanted eq "" ? "" : ', for [k in slanted] keyentry with linespoints linewidth 1.6 pointtype stixel_mark(k) pointsize 1 linecolor rgb stixel_colour(k) title curve_name[int(k)]') . \
    (flat eq "" ? "" : ', for [k in flat] keyentry with points pointtype stixel_mark(k) pointsize 1 linewidth 2.4 linecolor rgb stixel_colour(k) title curve_name[int(k)]')
input_line = input_error == input_error ? ', input_error with lines linewidth 1.2 linecolor rgb "#888888" title "the input itself"' : ""

set multiplot
lower_h = lower ? 340 : 0

# ---- above: against the tolerance
eval frame(78, 490, 126, 52 + lower_h)
set label 1 "accuracy: lower is better" at graph 0.0, graph 1.05 left
set xlabel "tolerance ε [px]"
set ylabel error_text
set logscale x 2
set xrange [x_min / 1.15 : x_max * 1.15]
set format x "%g"
error_tics = "set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)"
if (is_share && e_min > 0) { set logscale y; set yrange [e_min / 1.3 : (e_top * 1.3 > 100 ? 100 : e_top * 1.3)]; @error_tics } else { set yrange [0 : e_top * 1.08] }
plot for [k in rdp] "points.tsv" using (column("at")):(of(key_of(k), column("error"))) @rdp_look title curve_name[int(k)] @levels @names @input_line

eval undraw
unset key
eval frame(530, 30, 126, 52 + lower_h)
shown = "pieces"
set label 1 "compression: higher is better" at graph 0.0, graph 1.05 left
set ylabel "pixels per segment".(lower ? " or stixel" : "")
set logscale y
set yrange [c_min / 1.3 : c_max * 1.3]
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
set format y "%g"
plot for [k in rdp] "points.tsv" using (column("at")):(of(key_of(k), column("pieces"))) @rdp_look notitle @levels

# ---- below: against each other
label_x(at) = column("place") == at ? column("x") : NaN
labels_at(at, how) = n_place[at] == 0 ? "" : sprintf(', "labels.tsv" using (label_x(%d)):(column("error")):(strcol("said")) with labels %s font small textcolor rgb %s notitle', at, how, at == 1 || at == 2 || at == 6 ? '"#0072B2"' : 'stixel_hue(beta_hue)')
labels = labels_at(1, "center offset 0.6, -0.75").labels_at(2, "left offset 0.8, -0.3").labels_at(3, "center offset 0, 0.8"). \
    labels_at(4, "center offset 0, -0.9").labels_at(5, "left offset 0.8, -0.2")
rdp_times = timed_rdp eq "" ? "" : ', for [k in timed_rdp] "points.tsv" using (of(key_of(k), column("ms"))):(of(key_of(k), column("error"))) with linespoints linewidth 2 pointtype 7 pointsize 0.9 linecolor rgb rdp_colour(k) notitle'
stixel_times = timed eq "" ? "" : ', for [k in timed] "points.tsv" using (of(key_of(k), column("ms"))):(of(key_of(k), column("error"))) with points pointtype stixel_mark(k) pointsize 1 linewidth 2.4 linecolor rgb stixel_colour(k) notitle'
time_labels = labels_at(6, "right offset -0.7, -0.3")
if (lower) {
    unset logscale x
    set logscale x 10
    eval frame(78, (t_max > 0 ? 490 : 30), 490, 52)
    set label 1 "one against the other: right and below is better" at graph 0.0, graph 1.05 left
    set xlabel "pixels per segment or stixel"
    set ylabel error_text
    set xrange [c_min / 1.9 : c_max * 1.3]
    set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
    if (e_min > 0) { set yrange [e_min / 1.6 : (is_share && e_max * 1.3 > 100 ? 100 : e_max * 1.3)]; @error_tics } else {
        unset logscale y
        set yrange [0 : e_max * 1.08]
        set ytics autofreq
    }
    plot for [k in rdp] "points.tsv" using (column("pieces")):(of(key_of(k), column("error"))) @rdp_look notitle, \
        for [k in slanted.flat] "points.tsv" using (of(key_of(k), column("pieces"))):(column("error")) \
            with linespoints linewidth 1.6 pointtype stixel_mark(k) pointsize 1 linecolor rgb stixel_colour(k) notitle @labels

    if (t_max > 0) {
        eval frame(530, 30, 490, 52)
        set label 1 "and the time, one thread: left and below is better" at graph 0.0, graph 1.05 left
        set xlabel "mean time per frame [ms]"
        set xtics auto
        set format x "%g"
        set xrange [t_min / 2.5 : t_max * 2.2]
        plot NaN notitle @rdp_times @stixel_times @time_labels
    }
}
