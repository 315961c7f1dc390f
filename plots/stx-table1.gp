# stx-table1.gp - time against the number of block rows                     [STX] Table 1, Complexity
#
# Medians for one column, since the number of columns w only multiplies and is smaller where time is cubic.  fits: the
# exponents, as `depthbench show` computes them.  Thin lines: the powers that the paper states, through the last point of the
# serial variants, or where they have no rows of the paper's GPU variants.
load "plots/style.gp"

keep(x) = usable(0) && in_scope(0) && strcol("median_ms") ne "" && column("height") > 0 && column("columns") > 0
eval require("keep(0)", csv)
eval first_of("block")
eval first_of("input")
# A curve is a variant and, where the model is the flat one, which variants of eq. 12 compute as well, "@dh".
curve(x) = strcol("impl").(strcol("model") eq "dh" ? "@dh" : "")
mine(name, value) = (curve(0) eq name && keep(0)) ? value : NaN
present = ""
stats csv using (keep(0) && !has_word(present, curve(0)) ? (present = present." ".curve(0), 1) : 0) nooutput
drawn = ""
do for [impl in stx_variants] {
    if (has_word(present, impl)) { drawn = drawn." ".impl }
    if (has_word(present, impl."@dh")) { drawn = drawn." ".impl."@dh" }
}
is_flat(i) = strstrt(i, "@dh") > 0
variant_of(i) = is_flat(i) ? i[1 : strlen(i) - 3] : i
curve_hue(i) = is_flat(i) ? hex("#CC79A7") : colour_of(i)
curve_sign(i) = is_flat(i) ? 9 : mark_of(i)   # a mark of no variant of stixels
per_column(name) = column(name) / column("columns")
eval extent("x", "height", "keep(0)", csv)
y_min = 1e300
y_max = -1e300
stats csv using (keep(0) ? (y_min = per_column("median_ms") < y_min ? per_column("median_ms") : y_min, y_max = per_column("median_ms") > y_max ? per_column("median_ms") : y_max, 1) : 0) nooutput

# What the key says of each variant: [IMPL|text] lists.
abouts = ""
exponents = ""
blocks_noted = ""
stats csv using (keep(0) && !has_word(blocks_noted, strcol("block")) ? (blocks_noted = blocks_noted." ".strcol("block"), 1) : 0) nooutput
one_block = words(blocks_noted) == 1
note_about(i) = strstrt(abouts, "[".i."|") > 0 ? 0 : (abouts = abouts."[".i."|".equation_of(strcol("model")).", w = ".strcol("columns").(one_block ? "" : ", ".block_text(strcol("block"))." px")."]", 1)
stats csv using (keep(0) ? note_about(curve(0)) : 0) nooutput
note_exponent(i) = (exponents = exponents."[".i."|".sprintf("exponent %.2f (%.2f … %.2f), last step %.2f", column("exponent"), column("exponent_lo"), column("exponent_hi"), column("exponent_last"))."]", 1)
if (fits ne "" && has_rows(fits)) {
    of_this = of_machines && has_column(fits, "machine")
    stats fits using (strcol("exponent_lo") ne "" && (!of_this || strcol("machine") eq machine) ? note_exponent(curve(0)) : 0) nooutput
}
behind(list, i) = list[strstrt(list, "[".i."|") + strlen(i) + 2 : *]
said_of(list, i) = strstrt(list, "[".i."|") == 0 ? "" : behind(list, i)[1 : strstrt(behind(list, i), "]") - 1]
key_lines = ""
do for [i in drawn] { key_lines = key_lines." ".i.(said_of(exponents, i) eq "" ? "" : " ".i."|") }
is_second(line) = line[strlen(line) : *] eq "|"
impl_of(line) = is_second(line) ? line[1 : strlen(line) - 1] : line
text_of(line) = is_second(line) ? said_of(exponents, impl_of(line)) : variant_of(line).", ".said_of(abouts, line)

# The powers that the paper states.
h_12 = 0
h_6 = 0
through_12 = has_word(present, "stixels/serial") ? "stixels/serial" : "stixels/gpu-paper"
through_6 = has_word(present, "stixels/cubic-serial") ? "stixels/cubic-serial" : "stixels/gpu-cubic"
stats csv using (keep(0) && curve(0) eq through_12 && column("height") > h_12 ? (h_12 = column("height"), t_12 = per_column("median_ms"), 1) : 0) nooutput
stats csv using (keep(0) && curve(0) eq through_6 && column("height") > h_6 ? (h_6 = column("height"), t_6 = per_column("median_ms"), 1) : 0) nooutput
power_12(x) = h_12 > 0 ? t_12 * (x / h_12) ** 2 : NaN
power_6(x) = h_6 > 0 ? t_6 * (x / h_6) ** 3 : NaN

h_text = "h² as [STX] states for eq. 12".(strstrt(present, "@dh") > 0 ? " and flat" : "")
eval canvas(900, 480, missing_note("stixels/gpu-paper stixels/gpu-opt stixels/gpu-cubic", present))
eval headline("Slanted stixels: time against block rows", \
    sprintf("%sinput %s; bars: 95 %% interval of the median; exponents: least squares of the logarithms, with 95 %% interval", (one_block ? "blocks of ".block_text(block)." px, " : ""), input))
eval frame(84, 372, 58, 52)
set xlabel "block rows h"
set ylabel "median time / w [ms]"
set logscale xy
set xtics (16, 32, 64, 128, 256, 512, 1024)
set format y "%g"
set xrange [x_min / 1.12 : x_max * 1.12]
set yrange [y_min / 2 : y_max * 2]
set key at screen 1 - 362.0 / W, screen 1 - 56.0 / H left top Left reverse spacing 1.15 samplen 2.6
set dashtype 2 (10, 5)
set dashtype 3 (2, 4)

plot for [i in drawn] csv using (column("height")):(mine(i, per_column("median_ms"))) smooth unique \
        with lines linewidth 2 linecolor rgb curve_hue(i) notitle, \
     for [i in drawn] csv using (column("height")):(mine(i, per_column("median_ms"))):(per_column("ci_lo_ms")):(per_column("ci_hi_ms")) \
        with yerrorbars pointtype curve_sign(i) pointsize 1 linewidth 1 linecolor rgb curve_hue(i) notitle, \
     for [line in key_lines] keyentry with linespoints linewidth 2 pointtype (is_second(line) ? 0 : curve_sign(line)) \
        linecolor rgb (is_second(line) ? 0xFFFFFF : curve_hue(line)) title text_of(line), \
     power_12(x) with lines linewidth 1 dashtype 2 linecolor rgb "#555555" title h_text, \
     power_6(x) with lines linewidth 1 dashtype 3 linecolor rgb "#555555" title "h³ as [STX] states for eq. 6"
