# rdp-fig2.gp - accuracy and compression against the tolerance, beside Stixels                    [RDP] Fig. 2
#
# One input a figure.  Above as in the paper, against ε; Stixels have no ε and are lines.  Below both methods against each
# other: an error and the pieces that it takes, and the time.  The error is the share of outliers against the truth where
# the input has one, else (or with error = 'rms') the rms error against what was segmented.  The paper's axes carry no
# numbers that could be printed beside ours.  `stixels_csv` holds rows of stixels; without any the upper two are all.
load "plots/style.gp"

if (!exists("stixels_csv")) { stixels_csv = "" }
rated(x) = usable(0) && strcol("case") eq "all" && strcol("pixels_per_segment") ne ""
eval require("rated(0)", csv)
eval choose_input("rated(0)", csv)
eval first_of("width")
eval first_of("height")
eval first_of("impl")
eval first_of("median")
if (!exists("distance")) { distance = "vertical" }
chosen(x) = strcol("input") eq input && strcol("width") eq width && strcol("height") eq height && strcol("impl") eq impl && \
    strcol("distance") eq distance && column("eps") > 0
timed(x) = usable(0) && strcol("case") eq "all" && strcol("mean_ms") ne "" && in_scope(0) && strcol("series") eq "frames"
eval require("rated(0) && chosen(0) && strcol('median') eq median", csv)

# ---- the error, which both problems name in their own way; older tables lack some ---------------------------

n_true = 0
if (has_column(csv, "d1_pct") && (!exists("error") || error ne "rms")) { stats csv using (rated(0) && chosen(0) && strcol("d1_pct") ne "" ? (n_true = n_true + 1) : 0) nooutput }
rdp_error = n_true > 0 ? "d1_pct" : "rms_error_px"
stixels_error = n_true > 0 ? "d1_pct" : "rms_to_input_px"
error_text = n_true > 0 ? "outliers against the truth [%]" : "rms error against the input [px]"

# ---- both methods as one list of points: curve, eps or beta, error, pixels of a piece, time or nothing ------

time_list = " "   # words KEY=MS
time_of(k) = strstrt(time_list, " ".k."=") > 0 ? time_list[strstrt(time_list, " ".k."=") + strlen(k) + 2 : *] + 0 : NaN
add_time(k, ms) = (time_list = time_list.sprintf("%s=%.9g ", k, ms), 1)
seen = " "
add_point(curve, x, err, pieces, ms) = has_word(seen, sprintf("%s:%g", curve, x)) ? 0 : (seen = seen.sprintf("%s:%g ", curve, x), point_lines = point_lines.sprintf("%s,%.9g,%.9g,%.9g,%s\n", curve, x, err, pieces, ms == ms ? sprintf("%.9g", ms) : "NaN"), \
    e_min = err < e_min ? err : e_min, e_max = err > e_max ? err : e_max, c_min = pieces < c_min ? pieces : c_min, c_max = pieces > c_max ? pieces : c_max, \
    t_min = ms < t_min ? ms : t_min, t_max = ms > t_max ? ms : t_max, \
    timed_curves = ms == ms && !has_word(timed_curves, curve) ? timed_curves." ".curve : timed_curves, 1)
timed_curves = ""
e_min = c_min = t_min = 1e300
e_max = c_max = t_max = -1e300
point_lines = ""
rdp_curves = ""
stixel_curves = ""
flat_curves = ""
blocks = ""
note_curve(k) = has_word(rdp_curves, k) ? 0 : (rdp_curves = rdp_curves." ".k, 1)

rdp_key(x) = "rdp:".strcol("median")
stats csv using (timed(0) && chosen(0) ? add_time(rdp_key(0).":".sprintf("%g", column("eps")), column("mean_ms")) : 0) nooutput
stats csv using (rated(0) && chosen(0) && strcol(rdp_error) ne "" ? \
    (note_curve(rdp_key(0)), add_point(rdp_key(0), column("eps"), column(rdp_error), column("pixels_per_segment"), time_of(rdp_key(0).":".sprintf("%g", column("eps"))))) : 0) nooutput
eval extent("x", "eps", "rated(0) && chosen(0)", csv)

# Stixels: exact values and float times, joined by model and block; beta only moves the values.
beta_of(x) = strcol("beta_mc") eq "model" ? 0 : column("beta_mc")
stixels_key(x) = "stixels:".strcol("model").":".strcol("block")
note_stixels(k, b, moved) = (has_word(blocks, b) ? 0 : (blocks = blocks." ".b, 1), moved == 0 || has_word(stixel_curves, k) ? 0 : (stixel_curves = stixel_curves." ".k, 1))
note_flat(k) = has_word(stixel_curves, k) || has_word(flat_curves, k) ? 0 : (flat_curves = flat_curves." ".k, 1)
input_error = NaN
if (stixels_csv ne "" && has_column(stixels_csv, stixels_error) && has_rows(stixels_csv)) {
    stats stixels_csv using (timed(0) && strcol("input") eq input && beta_of(0) == 0 ? add_time(stixels_key(0), column("mean_ms")) : 0) nooutput
    stixels_rated(x) = usable(0) && strcol("case") eq "all" && strcol("input") eq input && strcol(stixels_error) ne "" && strcol("pixels_per_stixel") ne ""
    stats stixels_csv using (stixels_rated(0) ? note_stixels(stixels_key(0), strcol("block"), beta_of(0) > 0) : 0) nooutput
    stats stixels_csv using (stixels_rated(0) ? note_flat(stixels_key(0)) : 0) nooutput
    stats stixels_csv using (stixels_rated(0) ? add_point(stixels_key(0), beta_of(0), column(stixels_error), column("pixels_per_stixel"), beta_of(0) == 0 ? time_of(stixels_key(0)) : NaN) : 0) nooutput
    if (n_true > 0) { stats stixels_csv using (stixels_rated(0) && input_error != input_error ? (input_error = column("input_d1_all_pct"), 1) : 0) nooutput }
}
if (n_true > 0 && input_error == input_error) { e_min = input_error < e_min ? input_error : e_min }
set print $points
print "curve,at,error,pieces,ms"
print point_lines
set print
last_curve = words(stixel_curves) > 0 ? word(stixel_curves, words(stixel_curves)) : ""
lower = blocks ne ""
of(k, value) = strcol("curve") eq k ? value : NaN
as_it_is(k, value) = strcol("curve") eq k && column("at") == 0 ? value : NaN

# ---- colours and names: RDP blue, paler and dotted without the filter; a colour for each block, crosses where the model
# is flat; hollow marks are the papers' alone

median_of(k) = k[5 : *]
rdp_name(k) = median_of(k) eq "0" || median_of(k) eq "" ? "RDP, no filter" : sprintf("RDP, %s × %s median", median_of(k), median_of(k))
rdp_dash(k) = median_of(k) eq median ? 1 : 3
rdp_colour(k) = hex(median_of(k) eq median ? "#0072B2" : "#56B4E9")
rdp_mark(k) = median_of(k) eq median ? 7 : 13
block_of(k) = k[strlen(k) - strstrt(reversed(k), ":") + 2 : *]
reversed(s) = strlen(s) == 0 ? "" : reversed(s[2 : *]).s[1 : 1]
model_of(k) = k[9 : strlen(k) - strlen(block_of(k)) - 1]
index_in(list, w) = int(sum [j = 1:words(list)] (word(list, j) eq w ? j : 0))
stixel_colour(k) = hex(word("#4D4D4D #D55E00 #E69F00 #009E73 #CC79A7", index_in(blocks, block_of(k)) % 5 + 1))
stixel_mark(k) = int(word("7 5 9 11 13", index_in(blocks, block_of(k)) % 5 + 1) + 0)
mark_of_curve(k) = has_word(flat_curves, k) ? 2 : stixel_mark(k)
stixel_name(k) = (model_of(k) eq "b12" ? "Stixels " : model_of(k) eq "dh" ? "flat Stixels " : "Stixels ".model_of(k)." ").block_text(block_of(k))." px"

# β is written on the side of its curve where RDP's curve is not: below it where that one, as near as it comes, is above.
beta_at = NaN
nearest = 1e300
stats $points using (strcol("curve") eq last_curve && column("at") > 0 && beta_at != beta_at ? (beta_at = column("pieces"), beta_error = column("error"), 1) : 0) nooutput
rdp_there = NaN
stats $points using (beta_at == beta_at && strcol("curve") eq "rdp:".median && abs(log(column("pieces") / beta_at)) < nearest ? (nearest = abs(log(column("pieces") / beta_at)), rdp_there = column("error"), 1) : 0) nooutput
beta_below = beta_at == beta_at && rdp_there > beta_error
beta_most = 0
stats $points using (strcol("curve") eq last_curve && column("at") > beta_most ? (beta_most = column("at"), 1) : 0) nooutput
is_beta(end) = strcol("curve") eq last_curve && column("at") > 0 && (beta_below && column("at") == beta_most) == end

stixels_note = "Stixels: unfiltered, without classes. ".(stixel_curves eq "" ? "" : "Dashed: at the β of the model, as they have no ε. β: price of a stixel, leftmost the one of the model. ")."A stixel is as wide as its block, a segment 1 px. "
times_note = t_max > 0 ? "Times: segmentation alone; the median filter and the transposition are not in those of RDP, down-sampling is in those of Stixels." : ""
eval canvas(900, (lower ? 764 : 425), lower ? stixels_note.times_note : "No rows yet of stixels.")
eval headline("RDP column segmentation".(lower ? " and Stixels" : "").": accuracy and compression", \
    sprintf("input %s; %s distance; %s", input, distance, prepared(width, height, "0")))
set key at screen 10.0 / W, screen 1 - 46.0 / H left top vertical maxrows 2 Left reverse samplen 2.6 width 1
set dashtype 2 (6, 4)
set dashtype 3 (2, 3)
set border 3

# Stixels have no tolerance: a line for each block, from end to end.
shown = "error"
levels = stixel_curves eq "" ? "" : ', for [k in stixel_curves] $points using (as_it_is(k, x_min / 1.15)):(as_it_is(k, column(shown))):(x_max * x_max):(0) with vectors nohead linewidth 1.6 dashtype 2 linecolor rgb stixel_colour(k) notitle'
names = (stixel_curves eq "" ? "" : ', for [k in stixel_curves] keyentry with linespoints linewidth 1.6 pointtype stixel_mark(k) pointsize 1 linecolor rgb stixel_colour(k) title stixel_name(k)') . \
    (flat_curves eq "" ? "" : ', for [k in flat_curves] keyentry with points pointtype mark_of_curve(k) pointsize 1 linewidth 2.4 linecolor rgb stixel_colour(k) title stixel_name(k)')
input_line = input_error == input_error ? ', input_error with lines linewidth 1.2 linecolor rgb "#888888" title "the input itself"' : ""

set multiplot
lower_h = lower ? 340 : 0

# ---- above: against the tolerance
eval frame(78, 490, 126, 52 + lower_h)
e_top = -1e300   # flat stixels, and other β, are below alone
stats $points using (has_word(flat_curves, strcol("curve")) || (strcol("curve")[1:3] ne "rdp" && column("at") > 0) ? 0 : (e_top = column("error") > e_top ? column("error") : e_top, 1)) nooutput
if (input_error == input_error) { e_top = input_error > e_top ? input_error : e_top }
set label 1 "accuracy: lower is better" at graph 0.0, graph 1.05 left
set xlabel "tolerance ε [px]"
set ylabel error_text
set logscale x 2
set xrange [x_min / 1.15 : x_max * 1.15]
set format x "%g"
error_tics = "set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)"
if (n_true > 0 && e_min > 0) { set logscale y; set yrange [e_min / 1.3 : (e_top * 1.3 > 100 ? 100 : e_top * 1.3)]; @error_tics } else { set yrange [0 : e_top * 1.08] }
plot for [k in rdp_curves] $points using (column("at")):(of(k, column("error"))) smooth unique \
        with linespoints linewidth 2 dashtype rdp_dash(k) pointtype rdp_mark(k) pointsize 0.9 linecolor rgb rdp_colour(k) title rdp_name(k) @levels @names @input_line

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
plot for [k in rdp_curves] $points using (column("at")):(of(k, column("pieces"))) smooth unique \
        with linespoints linewidth 2 dashtype rdp_dash(k) pointtype rdp_mark(k) pointsize 0.9 linecolor rgb rdp_colour(k) notitle @levels

# ---- below: against each other
if (lower) {
    unset logscale x
    set logscale x 10
    eval frame(78, (t_max > 0 ? 490 : 30), 490, 52)
    set label 1 "one against the other: right and below is better" at graph 0.0, graph 1.05 left
    set xlabel "pixels per segment or stixel"
    set ylabel error_text
    set xrange [c_min / 1.9 : c_max * 1.3]
    set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
    if (e_min > 0) { set yrange [e_min / 1.6 : (n_true > 0 && e_max * 1.3 > 100 ? 100 : e_max * 1.3)]; @error_tics } else {
        unset logscale y
        set yrange [0 : e_max * 1.08]
        set ytics autofreq
    }
    plot for [k in rdp_curves] $points using (column("pieces")):(of(k, column("error"))) \
            with linespoints linewidth 2 dashtype rdp_dash(k) pointtype rdp_mark(k) pointsize 0.9 linecolor rgb rdp_colour(k) notitle, \
        for [k in stixel_curves.flat_curves] $points using (of(k, column("pieces"))):(column("error")) \
            with linespoints linewidth 1.6 pointtype mark_of_curve(k) pointsize 1 linecolor rgb stixel_colour(k) notitle, \
        $points using (strcol("curve") eq "rdp:".median && has_word(" 1 4", sprintf("%g", column("at"))) ? column("pieces") : NaN):(column("error")):(sprintf("ε %g", column("at"))) with labels center offset 0.6, -0.75 font small textcolor rgb "#0072B2" notitle, \
        $points using (strcol("curve") eq "rdp:".median && has_word(" 8 16 32", sprintf("%g", column("at"))) ? column("pieces") : NaN):(column("error")):(sprintf("ε %g", column("at"))) with labels left offset 0.8, -0.3 font small textcolor rgb "#0072B2" notitle, \
        $points using (is_beta(0) ? column("pieces") : NaN):(column("error")):(sprintf("β %g", column("at"))) with labels center offset 0, (beta_below ? -0.9 : 0.8) font small textcolor rgb stixel_colour(last_curve) notitle, \
        $points using (is_beta(1) ? column("pieces") : NaN):(column("error")):(sprintf("β %g", column("at"))) with labels left offset 0.8, -0.2 font small textcolor rgb stixel_colour(last_curve) notitle

    if (t_max > 0) {
        eval frame(530, 30, 490, 52)
        set label 1 "and the time, one thread: left and below is better" at graph 0.0, graph 1.05 left
        set xlabel "mean time per frame [ms]"
        set xtics auto
        set format x "%g"
        set xrange [t_min / 2.5 : t_max * 2.2]
        timed_rdp = has_word(timed_curves, "rdp:".median) ? "rdp:".median : ""
        plot for [k in timed_rdp] $points using (of(k, column("ms"))):(of(k, column("error"))) \
                with linespoints linewidth 2 pointtype 7 pointsize 0.9 linecolor rgb rdp_colour(k) notitle, \
            for [k in (timed_rdp eq "" ? timed_curves : rest_of(timed_curves))] $points using (of(k, column("ms"))):(of(k, column("error"))) \
                with points pointtype mark_of_curve(k) pointsize 1 linewidth 2.4 linecolor rgb stixel_colour(k) notitle, \
            $points using (strcol("curve")[1:3] eq "rdp" && column("ms") > 0 ? column("ms") : NaN):(column("error")):(sprintf("ε %g", column("at"))) with labels right offset -0.7, -0.3 font small textcolor rgb "#0072B2" notitle
    }
}
unset multiplot
