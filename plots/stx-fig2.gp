# stx-fig2.gp - accuracy against run time                                              [STX] Fig. 2
#
# A curve for each variant, a point for each block.  As in the paper, errors and times are of different frames: errors are the
# model's (cells without times), times the variant's.  Hollow: the paper's, errors on SYNTHIA-SF, times on a Tegra Xavier.
load "plots/style.gp"

frame_width = 2048   # of the input that is timed; where `columns` are fewer, time stands for the whole frame
if (!exists("error")) { error = "d1_pct" }
timed(x) = usable(0) && in_scope(0) && strcol("mean_ms") ne ""
rated(x) = usable(0) && strcol("scope") eq "" && strcol(error) ne ""
eval require("timed(0)", csv)
eval require("rated(0)", csv)
eval words_of("present", "impl", "timed(0)")

block_cols(b) = strstrt(b, "x") > 0 ? b[strstrt(b, "x") + 1 : *] + 0 : b + 0
whole_frame(x) = column("columns") > 0 ? frame_width / block_cols(strcol("block")) / column("columns") : 1

# The errors, by model and block; inputs of errors and of times.
max_points = 100
array rated_key[max_points]
array rated_pct[max_points]
n_rated = 0
rated_input = ""
timed_input = ""
add_rated(k, value) = n_rated >= max_points ? 0 : (n_rated = n_rated + 1, rated_key[n_rated] = k, rated_pct[n_rated] = value, 1)
stats csv using (rated(0) ? (rated_input eq "" || rated_input eq strcol("input") ? (rated_input = strcol("input"), add_rated(strcol("model").":".strcol("block"), column(error))) : 0) : 0) nooutput
stats csv using (timed(0) && timed_input eq "" ? (timed_input = strcol("input"), 1) : 0) nooutput
error_of(model, block) = sum [i = 1:n_rated] (rated_key[i] eq model.":".block ? rated_pct[i] : 0)

# Points of ours and of the paper: variant, block, ms, %, whether printed, whether scaled.
set print $points
print "impl,block,ms,pct,printed,scaled"
x_min = 1e300
x_max = -1e300
y_max = 0
add_point(impl, block, ms, pct, printed, scaled) = pct <= 0 ? 0 : (x_min = ms < x_min ? ms : x_min, x_max = ms > x_max ? ms : x_max, y_max = pct > y_max ? pct : y_max, \
    point_text = sprintf("%s,%s,%.9g,%.9g,%d,%d", impl, block, ms, pct, printed, scaled), point_lines = point_lines.point_text."\n", 1)
point_lines = ""
stats csv using (timed(0) ? add_point(strcol("impl"), strcol("block"), column("mean_ms") * whole_frame(0), error_of(strcol("model"), strcol("block")), 0, whole_frame(0) > 1) : 0) nooutput
max_printed = 20
array printed_key[max_printed]
array printed_pct[max_printed]
n_printed = 0
add_printed(k, value) = n_printed >= max_printed ? 0 : (n_printed = n_printed + 1, printed_key[n_printed] = k, printed_pct[n_printed] = value, 1)
printed_of(k) = sum [i = 1:n_printed] (printed_key[i] eq k ? printed_pct[i] : 0)
if (paper ne "") {
    stats paper using (strcol("figure") eq "fig2" && strcol("name") eq "d1_pct" ? add_printed(strcol("impl").":".strcol("block"), column("value")) : 0) nooutput
    stats paper using (strcol("figure") eq "fig2" && strcol("name") eq "mean_ms" ? add_point(strcol("impl"), strcol("block"), column("value"), printed_of(strcol("impl").":".strcol("block")), 1, 0) : 0) nooutput
}
print point_lines
set print
if (y_max == 0) { print csv.": no row with status ok that has both an error and a time; measure them first"; exit status 2 }

drawn = ""
printed_impls = ""
any_scaled = 0
do for [i in stx_variants] { if (has_word(present, i)) { drawn = drawn." ".i } }
stats $points using (column("printed") == 1 && !has_word(printed_impls, strcol("impl")) ? (printed_impls = printed_impls." ".strcol("impl"), 1) : 0) nooutput
stats $points using (any_scaled = any_scaled + column("scaled")) nooutput
of(impl, printed, value) = strcol("impl") eq impl && column("printed") == printed ? value : NaN
model_of(impl) = strstrt(impl, "cubic") > 0 ? "b6" : "b12"
printed_points = printed_impls eq "" ? "" : \
    ', for [i in printed_impls] $points using (column("ms")):(of(i, 1, column("pct"))) with linespoints linewidth hollow_width dashtype 2 pointtype mark_of(i) - 1 pointsize 1.6 linecolor rgb colour_of(i) title "[STX], Tegra Xavier, ".equation_of(model_of(i))'
rings = any_scaled == 0 ? "" : ', $points using (column("ms")):(column("scaled") == 1 ? column("pct") : NaN) with points pointtype 6 pointsize 3 linewidth 1 linecolor rgb "#555555" notitle'

eval canvas(900, 480, (any_scaled > 0 ? "Ring: from the time of a part of the columns. " : "").missing_note("stixels/gpu-paper stixels/gpu-opt stixels/gpu-cubic", present))
eval headline("Slanted stixels: accuracy against run time", \
    sprintf("errors: input %s; times: input %s, %d px wide; hollow: [STX], errors on SYNTHIA-SF, times on a Tegra Xavier", rated_input, timed_input, frame_width))
eval frame(78, 292, 58, 52)
set xlabel "mean time per frame [ms]"
set ylabel "disparity outliers [%]"
set logscale x
set format x "%g"
set xrange [x_min / 2 : x_max * 2]
set yrange [0 : y_max * 1.15]
set key at screen 1 - 282.0 / W, screen 1 - 56.0 / H left top Left reverse spacing 1.15 samplen 2.6
set dashtype 2 (6, 4)

plot for [i in drawn] $points using (column("ms")):(of(i, 0, column("pct"))) \
        with linespoints linewidth 1.6 pointtype mark_of(i) pointsize 1.5 linecolor rgb colour_of(i) notitle, \
     $points using (column("ms")):(column("pct")):(block_text(strcol("block"))) with labels left offset 0.9, 0.7 font small textcolor rgb "#333333" notitle, \
     for [i in drawn] keyentry with linespoints linewidth 1.6 pointtype mark_of(i) pointsize 1.3 linecolor rgb colour_of(i) \
        title i.", ".equation_of(model_of(i)) @printed_points @rings
