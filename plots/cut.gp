# cut.gp - time against the number of multiprocessors that a variant may use; drawn for one paper by PAPER-cut.gp
#
# Colour: variant.  Line: what else differs, a column.  Thin: the time on the fewest multiprocessors, if it fell as their number
# rises.  Hollow: printed, at the number that the paper's GPU has, brought to the clock that was measured here.
# The figure of a paper loads plots/style.gp first and sets: title_text, held_text, variants, kept(x): which rows; group_key: the
# column, group_name(g): its entries in words; board_name, board_sms, board_mhz; is_printed(x) of the printed numbers, and of
# such a one printed_impl(x), printed_group(x), printed_ms(x).
eval choose_series
keep(x) = usable(0) && in_scope(0) && in_series(0) && column("sms") > 0 && strcol("mean_ms") ne "" && kept(0)
eval require("keep(0)", csv)
eval words_of("present", "impl", "keep(0)")
eval words_of("groups", group_key, "keep(0)")
eval words_of("parts", "sms", "keep(0)")
group_index(g) = int(sum [i = 1:words(groups)] (word(groups, i) eq g ? i : 0))
drawn = ""
do for [i in variants] { if (has_word(present, i)) { drawn = drawn." ".i } }

eval extent("x", "sms", "keep(0)", csv)
eval extent("y", "mean_ms", "keep(0)", csv)
# The clock on the fewest multiprocessors, and the times there, a curve for each variant and group.
mhz = 0
stats csv using (keep(0) && column("sms") == x_min && column("gpu_mhz_med") > 0 ? (mhz = column("gpu_mhz_med"), 1) : 0) nooutput
curves = ""
array first_ms[200]
do for [i in drawn] { do for [g in groups] {
    first_one = 0
    n_of_curve = 0
    stats csv using (keep(0) && strcol("impl") eq i && strcol(group_key) eq g ? (n_of_curve = n_of_curve + 1, first_one = column("sms") == x_min ? column("mean_ms") : first_one, 1) : 0) nooutput
    if (n_of_curve > 0) {
        curves = curves." ".i.":".g
        first_ms[words(curves)] = first_one > 0 ? first_one : NaN
    }
} }
impl_of(curve) = curve[1 : strstrt(curve, ":") - 1]
group_of(curve) = curve[strstrt(curve, ":") + 1 : *]
of(curve, value) = keep(0) && strcol("impl") eq impl_of(curve) && strcol(group_key) eq group_of(curve) ? value : NaN

# Printed times, of groups that are drawn, at this card's clock.
printed_here(x) = is_printed(0) && group_index(printed_group(0)) > 0 && has_word(present, printed_impl(0))
at_clock(ms) = ms * board_mhz / mhz
n_printed = 0
printed_impls = ""
note_printed(i) = has_word(printed_impls, i) ? 0 : (printed_impls = printed_impls." ".i, 1)
if (paper ne "" && mhz > 0) { stats paper using (printed_here(0) ? (n_printed = n_printed + 1, note_printed(printed_impl(0)), y_min = at_clock(printed_ms(0)) < y_min ? at_clock(printed_ms(0)) : y_min, y_max = at_clock(printed_ms(0)) > y_max ? at_clock(printed_ms(0)) : y_max, 1) : 0) nooutput }
if (n_printed > 0) { x_min = board_sms < x_min ? board_sms : x_min }
printed_name = n_printed > 0 ? sprintf("printed, %s × %d / %.0f MHz", board_name, board_mhz, mhz) : ""
printed_points = n_printed == 0 ? "" : ', for [i in printed_impls] paper using (printed_here(0) && printed_impl(0) eq i ? board_sms : NaN):(at_clock(printed_ms(0))) with points pointtype mark_of(i) - 1 pointsize 1.9 linewidth hollow_width linecolor rgb colour_of(i) notitle, keyentry with points pointtype 12 pointsize 1.9 linewidth hollow_width linecolor rgb "black" title printed_name'

eval canvas(900, 520, (n_printed == 0 ? "" : sprintf("Hollow: printed for the %d multiprocessors of a %s, at the clock measured here; memory, caches and lanes a multiprocessor do not scale. ", board_sms, board_name)).missing_note(variants, present))
eval headline(title_text, held_text)
eval frame(84, 268, 58, 52)
set xlabel "multiprocessors in use"
set ylabel "mean time [ms]"
set logscale xy
set xtics ()
do for [n in parts] { set xtics add (n n) }
set mytics 10
set format y "%g"
if (y_max / y_min < 100) { do for [e = -5:6] { do for [m in "2 5"] { set ytics add (sprintf("%g", m * 10.0 ** e) m * 10.0 ** e) } } }
set xrange [x_min / 1.15 : x_max * 1.15]
set yrange [y_min / 1.6 : y_max * 1.6]
set key outside right top Left reverse spacing 1.15 samplen 3.0 width -2
set dashtype 2 (10, 5)
set dashtype 3 (2, 4)
set dashtype 4 (14, 4, 2, 4)
set dashtype 5 (6, 3)
set dashtype 6 (14, 4, 2, 4, 2, 4)
dash_of(g) = (group_index(g) - 1) % 6 + 1
fewest = word(parts, 1)
do for [n in parts] { fewest = n < fewest + 0 ? n : fewest }

plot for [k = 1:words(curves)] first_ms[k] * fewest / x with lines linewidth 0.8 linecolor rgb "#BBBBBB" notitle, \
     for [c in curves] csv using (column("sms")):(of(c, column("mean_ms"))) smooth unique \
        with lines linewidth 1.8 linecolor rgb colour_of(impl_of(c)) dashtype dash_of(group_of(c)) notitle, \
     for [c in curves] csv using (column("sms")):(of(c, column("mean_ms"))) \
        with points pointtype mark_of(impl_of(c)) pointsize 1.0 linecolor rgb colour_of(impl_of(c)) notitle, \
     for [i in drawn] keyentry with linespoints linewidth 1.8 pointtype mark_of(i) linecolor rgb colour_of(i) title i, \
     for [g in groups] keyentry with lines linewidth 1.8 linecolor rgb "black" dashtype dash_of(g) title group_name(g), \
     keyentry with lines linewidth 0.8 linecolor rgb "#BBBBBB" title sprintf("from %s on as 1 / N", fewest) @printed_points
