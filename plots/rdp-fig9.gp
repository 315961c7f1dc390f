# rdp-fig9.gp - run time against column height                              [RDP] Fig. 9
#
# Colour: variant.  Line: which frames; the corrupt case is the input `noise`.  Means, since the paper prints means.  Only
# the 1.09 ms at 1024 rows are printed in the paper; two more points follow from its "x2.5" and "x6" and are smaller.
load "plots/style.gp"

eval choose_series
eval first_of("eps")
eval first_of("width")
eval first_of("batch")
eval choose_input("usable(0) && in_scope(0)", csv)

curve_case(x) = strcol("input") eq "noise" ? "noise" : strcol("input") eq input ? strcol("case") : ""
keep(x) = usable(0) && in_scope(0) && in_series(0) && strcol("eps") eq eps && strcol("width") eq width && \
    strcol("batch") eq batch && curve_case(0) ne ""
eval require("keep(0) && curve_case(0) ne 'noise'", csv)
eval words_of("present", "impl", "keep(0)")
cases = "all best worst typical noise"
case_names = "'average frame' 'best frame' 'worst frame' 'typical frame' 'full noise'"
case_dashes = "1 3 2 4 5"
case_index(c) = int(sum [i = 1:5] (word(cases, i) eq c ? i : 0))

# Curves that have rows, as words IMPL:CASE, variants in the project's order.
in_table = ""
note_curve(c) = has_word(in_table, c) ? 0 : (in_table = in_table." ".c, 1)
stats csv using (keep(0) ? note_curve(strcol("impl").":".curve_case(0)) : 0) nooutput
curves = ""
drawn = ""
drawn_cases = ""
do for [impl in rdp_variants] { do for [c in cases] { if (has_word(in_table, impl.":".c)) {
    curves = curves." ".impl.":".c
    if (!has_word(drawn, impl)) { drawn = drawn." ".impl }
    if (!has_word(drawn_cases, c)) { drawn_cases = drawn_cases." ".c }
} } }
impl_of(curve) = curve[1 : strstrt(curve, ":") - 1]
case_of(curve) = curve[strstrt(curve, ":") + 1 : *]
width_of(c) = c eq "all" ? 2.4 : 1.4

of(curve, value) = curve_case(0) eq case_of(curve) ? mine(impl_of(curve), value) : NaN
# Printed: the time at 1024 rows (read = table), and what follows from the text's growth by height (read = derived).
is_printed(x) = strcol("figure") eq "fig9" && strcol("name") eq "mean_ms"
printed(read, value) = is_printed(0) && strcol("read") eq read ? value : NaN
printed_kinds = ""
if (paper ne "") { stats paper using (is_printed(0) && !has_word(printed_kinds, strcol("read")) ? (printed_kinds = printed_kinds." ".strcol("read"), 1) : 0) nooutput }
eval extent("x", "height", "keep(0)", csv)
eval extent("y", "mean_ms", "keep(0)", csv)
if (printed_kinds ne "") { eval extent("x", "height", "is_printed(0)", paper); eval extent("y", "value", "is_printed(0)", paper) }

printed_points = printed_kinds eq "" ? "" : ', for [r in printed_kinds] paper using (column("height")):(printed(r, column("value"))) with points pointtype 12 pointsize (r eq "table" ? 1.7 : 1.0) linewidth hollow_width linecolor rgb colour_of("rdp/gpu-paper") title (r eq "table" ? "[RDP] Table 1, Xavier" : "from [RDP] text, ×2.5, ×6")'

# Tall columns may be measured on fewer frames: said below the title.
fewest = 1e9
most = 0
stats csv using (keep(0) && curve_case(0) eq "all" ? (fewest = column("n_inputs") < fewest ? column("n_inputs") : fewest, most = column("n_inputs") > most ? column("n_inputs") : most, 1) : 0) nooutput
frames_note = most < 1 ? "" : fewest == most ? sprintf(most == 1 ? " (%d frame)" : " (%d frames)", most) : sprintf(" (%d frames, tall columns %d)", most, fewest)

eval canvas(900, 500, missing_note("rdp/gpu-paper rdp/gpu-opt", present))
eval headline("RDP column segmentation: run time against column height", sprintf("%s columns, ε = %s px, input %s%s; bars: one standard deviation of the samples, not below the least", width, eps, input, frames_note))
eval frame(78, 250, 58, 52)
set xlabel "column height n [px]"
set ylabel "mean time per frame [ms]"
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


plot for [k in curves] csv using (column("height")):(of(k, column("mean_ms"))) smooth unique \
        with lines linewidth width_of(case_of(k)) linecolor rgb colour_of(impl_of(k)) \
        dashtype int(word(case_dashes, case_index(case_of(k)))) notitle, \
     for [k in curves] csv using (column("height")):(of(k, column("mean_ms"))):(low(0)):(high(0)) \
        with yerrorbars pointtype mark_of(impl_of(k)) pointsize (case_of(k) eq "all" ? 1.0 : 0.6) linewidth 1 \
        linecolor rgb colour_of(impl_of(k)) notitle, \
     for [i in drawn] keyentry with linespoints linewidth 2.4 pointtype mark_of(i) linecolor rgb colour_of(i) title i, \
     for [c in drawn_cases] keyentry with lines linewidth width_of(c) linecolor rgb "black" \
        dashtype int(word(case_dashes, case_index(c))) title word(case_names, case_index(c)) @printed_points
