# style.gp - one look for every figure of the project
#
# scripts/plot runs gnuplot as
#
#     gnuplot -e "fmt='svg'" plots/rdp-fig9.gp
#
# in a folder of its own, where `plots` is this folder and out.svg (or out.png, fmt='png') is what it draws.  Whatever a figure
# shows or says stands in files of that folder, which have fixed names: gnuplot executes what stands between backticks in a
# command, so no text of results or users may be part of one, of `eval` or of `system`.  text.tsv (name, value) has single texts:
# titles, choices, names of further files there.
# Columns are named, never numbered.  Drawing stops with one sentence and status 2 where there is nothing to draw.

if (!exists("fmt")) { print "a figure needs fmt='svg' or 'png', and its data in this folder: see scripts/plot"; exit status 2 }
out = "out.".fmt

set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile commentschars ""
set datafile missing NaN   # rows of other curves do not break a line

# The texts that are there become variables.
read_text(k) = sprintf("found = ''; stats 'text.tsv' using (strcol('name') eq '%s' ? (found = strcol('value'), 1) : 0) nooutput; if (found ne '') { %s = found }", k, k)
set datafile separator tab
csv = ""; title = ""; subtitle = ""; note = ""; caption = ""
do for [k in "csv values fits paper counters ceilings stixels_csv caption title subtitle note printed_name fewest what names titles pictures picture samplings meshes surfaces inputs older newer mesh tree column_data extent_px machine input eps beside error dots u u_width"] { eval read_text(k) }
if (title eq "") { set datafile separator comma } # what apply wrote, or show
if (!exists("values")) values = ""
if (!exists("fits")) fits = ""
if (!exists("paper")) paper = ""

# `eval read_list("v", FILE, COLUMN)`: the column as v[1] ... v[n_v].  of(c, value): what belongs to a curve.
read_list(v, file, k) = sprintf("n_%s = int(system(\"wc -l <%s\")) - 1; array %s[n_%s + 1]; if (n_%s > 0) { stats '%s' using (%s[int(column(0)) + 1] = strcol('%s'), 1) nooutput }", v, file, v, v, v, file, v, k)
of(c, value) = column("curve") == c ? value : NaN

# `eval range("x", FILE, COLUMN)`: x_min and x_max of the column, widened when called again.
range(v, file, k) = sprintf("if (!exists('%s_min')) { %s_min = 1e300; %s_max = -1e300 }; stats '%s' using (column('%s') == column('%s') ? (%s_min = column('%s') < %s_min ? column('%s') : %s_min, %s_max = column('%s') > %s_max ? column('%s') : %s_max, 1) : 0) nooutput", v, v, v, file, k, k, v, k, v, k, v, v, k, v, k, v)

# ---- rows ------------------------------------------------------------------------------------------------

# Rows that may be drawn at all: unverified ones never are, laps belong to other figures.
usable(x) = strcol("status") eq "ok" && strcol("lap") eq ""

# Whether a table has a column; older ones lack some.
has_column(file, name) = int(system(sprintf("head -n 1 '%s' | tr -d '\"' | tr , '\\n' | grep -cx '%s' || true", file, name))) > 0
has_rows(file) = int(system(sprintf("wc -l <'%s'", file))) > 1

# Times of several machines are never mixed: those of one are drawn, of the table's first or of -e machine.
machines = ""
of_machines = csv eq "" ? 0 : has_column(csv, "machine") && has_rows(csv)
if (of_machines) { stats csv using (usable(0) && strcol("mean_ms") ne "" && strstrt(machines, "[".strcol("machine")."]") == 0 ? (machines = machines."[".strcol("machine")."]", 1) : 0) nooutput }
if (!exists("machine")) { machine = machines eq "" ? "" : machines[2 : strstrt(machines, "]") - 1] }
on_machine(x) = machine eq "" || !of_machines || strcol("machine") eq machine
machine_note = strstrt(machines, "][") > 0 ? "Times: of ".machine." alone. " : ""

# `eval first_of("height")`: unless -e gave it, the variable of that name becomes the column's first usable entry.
first_of(k) = sprintf("if (!exists('%s')) { %s = ''; stats csv using (%s eq '' && usable(0) ? (%s = strcol('%s'), 1) : 0) nooutput }", k, k, k, k, k)

# `eval choose_input("usable(0)", csv)`: for a figure of one input: the one that -e names, else real data before
# generated, else the first; noise is a case, no input.  beside = 1 asks for a further figure: status 3 where the main one
# shows this input already.
choose_input(filter, file) = sprintf("inputs = ''; stats '%s' using (%s && strcol('input') ne 'noise' && !has_word(inputs, strcol('input')) ? (inputs = inputs.' '.strcol('input'), 1) : 0) nooutput; main_input = first_choice('kitti-sgm scene', inputs); if (!exists('input')) { input = main_input } else { if (exists('beside') && input eq main_input) { print 'input '.input.' is in the main figure'; exit status 3 } }", file, filter)
first_choice(wanted, there) = words(there) == 0 ? "" : words(wanted) == 0 ? word(there, 1) : \
    has_word(there, word(wanted, 1)) ? word(wanted, 1) : first_choice(rest_of(wanted), there)

# `eval words_of("inputs", "input", "keep(0)")`: the different entries of a column, in order, as a list of words.
words_of(list, k, filter) = sprintf("%s = ''; stats csv using (%s ? (has_word(%s, strcol('%s')) ? 0 : (%s = %s . ' ' . strcol('%s'), 1)) : 0) nooutput", list, filter, list, k, list, list, k)
has_word(list, w) = strstrt(list . " ", " " . w . " ") > 0

# `eval require("keep(0)", csv)`: stop where no row passes the filter.
require(filter, file) = sprintf("n_rows = 0; stats '%s' using (%s ? (n_rows = n_rows + 1) : 0) nooutput; if (n_rows == 0) { print '%s: no row with status ok for this figure; measure it first'; exit status 2 }", file, filter, file)

# The series of a row: frames for a whole input, hot for a single frame; cold only where there is nothing else.
# `eval choose_series` once, then in_series(0).
choose_series = "n_frames = 0; n_hot = 0; stats csv using (usable(0) ? (n_frames = n_frames + (strcol('series') eq 'frames'), n_hot = n_hot + (strcol('series') eq 'hot')) : 0) nooutput"
in_series(x) = exists("series") ? strcol("series") eq series \
    : strcol("case") eq "all" && n_frames > 0 ? strcol("series") eq "frames" \
    : n_frames + n_hot > 0 ? (strcol("series") eq "hot" || strcol("case") ne "all" && strcol("series") eq "frames") : 1
in_scope(x) = strcol("scope") eq (exists("scope") ? scope : "kernel") && on_machine(0)

# Bars around a mean: one standard deviation of the samples; on a logarithmic axis not below the least of them.
spread_of(x) = strcol("sd_ms") ne "" ? column("sd_ms") : 0
low(x) = column("mean_ms") - spread_of(0) > column("min_ms") ? column("mean_ms") - spread_of(0) : column("min_ms")
high(x) = column("mean_ms") + spread_of(0)

# Rows of one implementation.  A figure defines keep(x), the rest of its choice.
mine(name, value) = (strcol("impl") eq name && keep(0)) ? value : NaN

# How frames were made ready, in words.
prepared(w, h, m) = (h eq "0" && w eq "0" ? "frames at their own size" : sprintf("frames brought to %s × %s px", w, h)) . \
    (m eq "0" || m eq "" ? "" : sprintf(", %s × %s median filter", m, m))

# ---- one colour and mark per kind of variant --------------------------------------------------------------

# Okabe and Ito's colours; even marks are the hollow form of the odd one after them.
kinds        = "serial omp-columns omp-tasks cpu-simd gpu-paper gpu-opt openmp rounds cubic-serial cubic-openmp gpu-cubic"
kind_colours = "#4D4D4D #E69F00 #CC79A7 #009E73 #0072B2 #D55E00 #E69F00 #CC79A7 #999999 #F0C75E #56B4E9"
kind_marks   = "5 7 9 11 13 15 7 7 5 7 13"

kind_of(impl) = impl[strstrt(impl, "/") + 1 : *]
kind_index(impl) = int(sum [i = 1:words(kinds)] (word(kinds, i) eq kind_of(impl) ? i : 0))
hex(c) = int(sum [i = 2:7] ((strstrt("0123456789ABCDEF", c[i:i]) - 1) * 16 ** (7 - i)))
colour_of(impl) = kind_index(impl) > 0 ? hex(word(kind_colours, kind_index(impl))) : 0x000000
mark_of(impl) = kind_index(impl) > 0 ? int(word(kind_marks, kind_index(impl)) + 0) : 3

rdp_variants = "rdp/serial rdp/omp-columns rdp/omp-tasks rdp/cpu-simd rdp/gpu-paper rdp/gpu-opt"
stx_variants = "stixels/serial stixels/openmp stixels/gpu-paper stixels/gpu-opt stixels/cubic-serial stixels/cubic-openmp stixels/gpu-cubic"

som_variants = "som/serial som/rounds som/openmp som/gpu-paper som/gpu-opt"

# Stixels: a model by its equation in [STX], and a block (rows, or rows x columns) in px.
equation_of(model) = model eq "b12" ? "eq. 12" : model eq "b6" ? "eq. 6" : model eq "dh" ? "flat" : model
block_text(b) = strstrt(b, "x") > 0 ? b[1 : strstrt(b, "x") - 1] . " × " . b[strstrt(b, "x") + 1 : *] : b . " × " . b

# Curves that are no variants (inputs, tolerances): by order.
curve_colours = "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #4D4D4D"
curve_colour(i) = hex(word(curve_colours, (i - 1) % 7 + 1))
curve_mark(i) = int(word("7 5 9 13 11 15 7", (i - 1) % 7 + 1) + 0)

# `eval extent("x", "height", "keep(0)", csv)`: x_min and x_max of a column, widened when called again.
extent(v, k, filter, file) = sprintf("if (!exists('%s_min')) { %s_min = 1e300; %s_max = -1e300 }; stats '%s' using (%s && column('%s') == column('%s') ? (%s_min = column('%s') < %s_min ? column('%s') : %s_min, %s_max = column('%s') > %s_max ? column('%s') : %s_max, 1) : 0) nooutput", v, v, v, file, filter, k, k, v, k, v, k, v, v, k, v, k, v)

# Words of `list` that are not among `present`, as "a, b"; "" when all are.
absent_words(list, present) = trim_comma(absent_from(list, present))
absent_from(list, present) = \
    (words(list) == 0) ? "" : \
    (has_word(" " . present, word(list, 1)) ? "" : word(list, 1) . ", ") . absent_from(rest_of(list), present)
rest_of(list) = words(list) > 1 ? list[strlen(word(list, 1)) + 2 : *] : ""
trim_comma(s) = strlen(s) > 2 ? s[1 : strlen(s) - 2] : ""
missing_note(list, present) = absent_words(list, present) eq "" ? "" : "No rows yet for " . absent_words(list, present) . "."

# ---- canvas ----------------------------------------------------------------------------------------------

# Dots of a PNG for each pixel of the drawing: 2, so that text is sharp; less for pictures, whose dots are many colours.
dots = exists("dots") ? dots + 0.0 : 2.0

# `eval canvas(W, H, note)`: opens the output, W x H pixels (a PNG has `dots` for each), and writes the caption and the
# note at the bottom.  `base` is then the height in pixels that the caption takes.  What is evaluated has no text of data.
small = fmt eq "png" ? "sans,8.5" : "sans-serif,11"
bold = fmt eq "png" ? "sans:Bold,10" : "sans-serif:Bold,13"
grey = "#555555"
canvas(w, h, note) = (W = w, H = h, figure_note = machine_note.note, "load 'plots/canvas.gp'")

# `eval frame(left, right, top, bottom)`: margins in pixels, above the caption.
frame(l, r, t, b) = sprintf("set lmargin at screen %.1f / W; set rmargin at screen 1 - %.1f / W; set tmargin at screen 1 - %.1f / H; set bmargin at screen (%.1f + base) / H", 1.0 * l, 1.0 * r, 1.0 * t, 1.0 * b)

# `eval headline(title, subtitle)`: at the left, with a line that says what was held fixed.
headline(title, subtitle) = (title_text = title, subtitle_text = subtitle, draw_headline)
draw_headline = "set label 998 title_text at screen 10.0 / W, screen 1 - 17.0 / H left font bold noenhanced; set label 999 subtitle_text at screen 10.0 / W, screen 1 - 36.0 / H left font small textcolor rgb grey noenhanced"

set style line 100 linecolor rgb "#E4E4E4" linewidth 0.8
set grid linestyle 100
set border 3 linecolor rgb "#777777"
set tics nomirror textcolor rgb "#222222"
set key noenhanced
set errorbars small
set style fill solid 1.0 noborder
hollow_width = 1.6

# Bars with a text at their right end: `eval room_for(PX, "x", "s")` makes x_right, the end of a logarithmic axis of so many
# pixels that starts at left_edge, such that each of the n_bars texts s[i] beside x[i] ends before it.
text_px(s) = 6.1 * strlen(s) + 8
share_left(s, px) = text_px(s) < 0.8 * px ? 1 - text_px(s) / px : 0.2
room_for(px, x, s) = sprintf("decades = 0.1; do for [i = 1:n_bars] { needed = log10(%s[i] / left_edge) / share_left(%s[i], %g); decades = needed > decades ? needed : decades }; x_right = left_edge * 10 ** decades", x, s, px)
# The same for an axis that begins at 0.
room_from_zero(px, x, s) = sprintf("x_right = 1e-9; do for [i = 1:n_bars] { needed = %s[i] / share_left(%s[i], %g); x_right = needed > x_right ? needed : x_right }", x, s, px)

# In a multiplot: the caption and the headline are drawn with the first panel only.
undraw = "do for [undrawn = 901:900 + n_caption] { unset label undrawn }; unset label 998; unset label 999"

# `eval picture_size(FILE)`: picture_w and picture_h of a PNG, from its header.
png_word(file, at) = int(system(sprintf("od -An -tu1 -j%d -N4 '%s' | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }'", at, file)))
picture_size(file) = sprintf("picture_w = png_word('%s', 16); picture_h = png_word('%s', 20)", file, file)
