# style.gp - one look for every figure of the project
#
# scripts/plot runs gnuplot as
#
#     gnuplot -e "fmt='svg'" plots/style.gp plots/rdp-fig9.gp
#
# in a folder of its own, where `plots` is this folder and out.svg (or out.png, fmt='png') is
# what it draws; its end ends a multiplot.  What a figure shows or says stands in files of that
# folder, which have fixed names: gnuplot executes what stands between backticks in a command,
# so no text of results or users may be part of one, of `eval` or of `system`.  text.tsv (name,
# value) has single texts: titles, choices, names of further files there. Columns are named,
# never numbered.  Where there is nothing to draw it stops with one sentence and status 2.

if (!exists("fmt")) { print "a figure needs fmt='svg' or 'png', and its data in this folder: see scripts/plot"; exit status 2 }
out = "out.".fmt

set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile commentschars ""
set datafile missing NaN   # rows of other curves do not break a line

# The texts that are there become variables.
title = ""; subtitle = ""; note = ""; caption = ""; remarks = ""
texts = "title subtitle note caption remarks fewest error_text error_is_share input_error names at_column at_x at_y"
assign = "0"
do for [k in texts] { assign = sprintf("strcol('name') eq '%s' ? (%s = strcol('value'), 1) : %s", k, k, assign) }
set datafile separator tab
eval "stats 'text.tsv' using (".assign.") nooutput"
if (title eq "") { set datafile separator comma } # what `depthbench apply` wrote; else what `depthbench draw` did

# The tables that are there become arrays: columns of curves.tsv curve_place, curve_impl ..., n_curve of so many.  Those of these names are
# texts, since gnuplot does not take the text "1e+09" for a number.  of(c, value): what belongs to a curve.
text_columns = " impl name title said label input fitted one operation look panel commit_hash axis sms number "
do for [table in system("ls *s.tsv 2>/dev/null")] {
    what = table[1:strlen(table) - 5]
    eval sprintf("n_%s = int(system('wc -l <%s')) - 1", what, table)
    do for [k in system("head -n 1 ".table)] {
        how = strstrt(text_columns, " ".k." ") ? "strcol" : "column"
        eval sprintf("array %s_%s[n_%s + 1]", what, k, what)
        eval sprintf("if (n_%s > 0) { stats '%s' using (%s_%s[int(column(0)) + 1] = %s('%s'), 1) nooutput }", what, table, what, k, how, k)
    }
}
of(c, value) = column("curve") == c ? value : NaN

# `eval range("x", FILE, COLUMN)`: x_min and x_max of the column, widened when called again; range_of(): of an expression.
range_of(v, file, x) = sprintf("if (!exists('%s_min')) { %s_min = 1e300; %s_max = -1e300 }; stats '%s' using (at_row = %s, %s_min = at_row < %s_min ? at_row : %s_min, %s_max = at_row > %s_max ? at_row : %s_max, 1) nooutput", v, v, v, file, x, v, v, v, v, v, v)
range(v, file, k) = range_of(v, file, sprintf("column('%s')", k))
# `eval decades(AXES)`: logarithmic axes with a name at each power of ten; `eval powers(AXIS)`: these alone.  gnuplot 6 would count on in tens.
power_tics = ""
do for [e = -9:15] { do for [m = 1:9] { power_tics = power_tics.sprintf(m == 1 ? "%s%de%d" : "%s'' %de%d 1", power_tics eq "" ? "" : ", ", m, e) } }
powers(axis) = "set ".axis."tics (".power_tics.")"
decades(axes) = "set logscale ".axes.(axes eq "y" ? "" : "; ".powers("x")).(axes eq "x" ? "" : "; ".powers("y"))
# `eval ranges(FILE, X, Y)`: those of x and y.  `eval logs(BY_X, BY_Y)`: logarithmic axes that show these and so many times more at both ends.
ranges(file, x, y) = range("x", file, x)."; ".range("y", file, y)
logs(x, y) = sprintf("set xrange [x_min / %g : x_max * %g]; set yrange [y_min / %g : y_max * %g]; %s", x, x, y, y, decades("xy"))

# Of each row of a table, its number is `each`.  `eval most(V, WHAT, X)`: V is the largest X, 0 or more; `eval widest(V, WHAT, NAME)`:
# the width of the widest text; `eval which(V, WHAT, X)`: the rows where X holds, as words.
most(v, t, x) = sprintf("%s = 0.0; do for [each = 1:n_%s] { each_x = %s; %s = each_x > %s ? each_x : %s }", v, t, x, v, v, v)
widest(v, t, k) = most(v, t, sprintf("text_px(%s_%s[each], 11)", t, k))
which(v, t, x) = sprintf("%s = ''; do for [each = 1:n_%s] { if (%s) { %s = %s.' '.each } }", v, t, x, v, v)
# `eval named(WHAT, NAME, PLACE)`: rows from the top, each with a name in place of a number.
named(t, k, at) = sprintf("set border 1; set grid noytics; set ytics scale 0 ('' 1); do for [each = 1:n_%s] { set ytics add (%s_%s[each] -%s_%s[each]) }", t, t, k, t, at)

# ---- one colour and mark per kind of variant ----

# After Okabe and Ito, so dark that lines are seen on white (3 : 1 and more) and on a dark page; even marks are the hollow form of the odd
# one after them.  Kinds that are not here have the colours and marks of curves, by their letters.
kinds        = "serial omp-columns omp-tasks cpu-simd gpu-paper gpu-opt openmp rounds cubic-serial cubic-openmp gpu-cubic geos opencv boost grid greedy cuts cuts-cubic gpu-cuts-cubic rtin gpu-rtin"
kind_colours = "#4D4D4D #B87A00 #B85C95 #008F68 #0072B2 #D55E00 #B87A00 #B85C95 #808080 #9A8A00 #008F68 #2E8FCB #2E8FCB #2E8FCB #808080 #008F68 #6B5BB5 #007F86 #96591F #9A8A00 #2E8FCB"
kind_marks   = "5 7 9 11 13 15 7 7 5 7 9 5 5 5 5 11 11 11 11 13 13"

kind_of(impl) = impl[strstrt(impl, "/") + 1 : *]
# gnuplot 5.4.1 leaves the letter of a sum changed: no loop has one of these.
kind_index(impl) = int(sum [s_i = 1:words(kinds)] (word(kinds, s_i) eq kind_of(impl) ? s_i : 0))
hex(c) = int(sum [s_i = 2:7] ((strstrt("0123456789ABCDEF", c[s_i:s_i]) - 1) * 16 ** (7 - s_i)))
letters(text) = int(sum [s_i = 1:strlen(text)] strstrt("abcdefghijklmnopqrstuvwxyz-0123456789", text[s_i:s_i]))
colour_of(impl) = kind_index(impl) > 0 ? hex(word(kind_colours, kind_index(impl))) : curve_colour(letters(kind_of(impl)))
mark_of(impl) = kind_index(impl) > 0 ? int(word(kind_marks, kind_index(impl)) + 0) : curve_mark(letters(kind_of(impl)))

# What is no variant (inputs, blocks, stages) has colours, by order, that no variant of its paper has.
curve_colours = "#6B5BB5 #96591F #007F86 #54748F #A04E52 #5E7A1F #222222"
curve_colour(i) = hex(word(curve_colours, (i - 1) % 7 + 1))
curve_mark(i) = int(word("7 5 9 13 11 15 7", (i - 1) % 7 + 1) + 0)

# What a curve k of curves.tsv has, where a figure does not say it anew; mine(k, value): what belongs to it in the panel.
hue(k) = colour_of(curve_impl[k])
sign(k) = mark_of(curve_impl[k])
weight(k) = 1.8
dash_of(k) = 1
size_of(k) = 0.8
mine(k, value) = of(curve_curve[k], value)
# `eval "plot ".curves(X, Y)`: those `among` them, by columns of points.tsv; barred(X, Y): above bars from low to high, which wipe out what
# is below them.
among = "k = 1:n_curve"
points_of(x, y) = sprintf("for [%s] 'points.tsv' using (column('%s')):(mine(k + 0, column('%s')))", among, x, y)
curves(x, y) = points_of(x, y)." with linespoints dashtype dash_of(k + 0) linewidth weight(k + 0) pointtype sign(k + 0) pointsize size_of(k + 0) linecolor rgb hue(k + 0)"
barred(x, y) = points_of(x, y).":(column('low')):(column('high')) with yerrorbars pointtype -1 linewidth 1 linecolor rgb hue(k + 0), ".curves(x, y)

# ---- canvas ----

# 900 px wide; scripts/plot's WIDTH=450 is the column of a journal, in which no text is below 6 points.
W = exists("W") ? 1.0 * W : 900.0
narrow = W < 700

# Dots of a PNG for each pixel of the drawing: 2, so that text is sharp; pictures say less.
dots = 2.0

# Nothing asks a font how wide a text is, and readers have different ones: text_px(TEXT, SIZE) is what the widest of the usual
# ones, DejaVu Sans, needs at most.
em(c) = strstrt("ijl'|I", c) ? 0.34 : strstrt(" .,:;!()[]/-ftr", c) ? 0.42 : strstrt("mwMW%@…", c) ? 0.99 : \
    strstrt("ABCDEFGHKNOPQRSTUVXYZ×=+<>~&±", c) ? 0.8 : 0.64
text_px(text, size) = size * sum [s_i = 1:strlen(text)] (em(text[s_i:s_i]))

# The legend, in lines of its own below the subtitle: entry(TEXT, COLOUR, MARK, WIDTH, DASH) before the canvas is opened; MARK -1: none,
# 5: as bars and areas have it; WIDTH 0: no line.  Each TEXT stands there once.
n_legend = 0
legend_all = "|"
array legend_text[60]; array legend_colour[60]; array legend_mark[60]; array legend_width[60]; array legend_dash[60]
entry(text, colour, mark, width, dash) = strstrt(legend_all, "|".text."|") ? 0 : (legend_all = legend_all.text."|", n_legend = n_legend + 1, \
    legend_text[n_legend] = text, legend_colour[n_legend] = colour, legend_mark[n_legend] = mark, legend_width[n_legend] = width, legend_dash[n_legend] = dash)

# `eval canvas(H)`: opens the output, W x H pixels (a PNG has `dots` for each), and writes title, subtitle and legend at the top,
# note and caption at the bottom.  `base` is then the height in pixels of those below, `head` of those above, of which H has 46.
small = fmt eq "png" ? "sans,8.5" : "sans-serif,11"
bold = fmt eq "png" ? "sans:Bold,10" : "sans-serif:Bold,13"
grey = "#555555"
canvas(h) = (H = int(h), "load 'plots/canvas.gp'; set multiplot; n_frames = 0")

# `eval frame(left, right, top, bottom)`: margins in pixels, above the caption; top is from where a head of 46 would be.  What stands
# around the panels is drawn with the first one only.
undraw = "do for [undrawn = 901:900 + n_line] { unset label undrawn }; do for [undrawn = 1:n_legend] { unset label 1000 + undrawn; unset label 1100 + undrawn; unset arrow 1000 + undrawn }"
frame(l, r, t, b) = sprintf("if (n_frames == 1) { eval undraw }; n_frames = n_frames + 1; set lmargin at screen %.1f / W; set rmargin at screen 1 - %.1f / W; set tmargin at screen 1 - (%.1f + head - 46) / H; set bmargin at screen (%.1f + base) / H", 1.0 * l, 1.0 * r, 1.0 * t, 1.0 * b)

# `eval grid(N, ACROSS, HEIGHT, LEFT, GAP, X, Y)`: a canvas for N panels of that HEIGHT, ACROSS of them side by side (narrow: one), whose
# axes are called so, with LEFT pixels for the numbers of the first and GAP between two.  `eval cell(I, TITLE)`: the I-th.
# The name of Y stands above its axis.  `cell_w`: how wide a panel is.
grid(n, across, h, l, gap, x, y) = (grid_across = narrow ? 1 : across, cell_h = 1.0 * h, grid_left = l, grid_gap = gap, x_text = x, y_text = y, \
    cell_w = (W - l - 16.0 - (grid_across - 1) * gap) / grid_across, canvas(46 + (cell_h + 92) * ((int(n) - 1) / grid_across + 1)))
cell(i, t) = (cell_title = t, cell_column = (int(i) - 1) % grid_across, cell_left = grid_left + cell_column * (cell_w + grid_gap), \
    cell_top = head - 46 + 84 + (cell_h + 92) * ((int(i) - 1) / grid_across), cell_axes)
# `eval panel_in(LEFT, TOP, WIDTH, HEIGHT, TITLE)`: one anywhere, in pixels; its title and the name of Y are above it, 32 pixels.
panel_in(l, t, w, h, title) = (cell_title = title, cell_column = 0, cell_left = 1.0 * l, cell_top = 1.0 * t, cell_w = 1.0 * w, cell_h = 1.0 * h, cell_axes)
cell_axes = "eval frame(cell_left, W - cell_left - cell_w, cell_top - head + 46, H - base - cell_top - cell_h); " . \
    "set label 801 cell_title at screen (cell_left + 0.0) / W, screen 1 - (cell_top - 29) / H left font bold noenhanced; " . \
    "set label 802 (cell_column ? '' : y_text) at screen (cell_left > 200 ? cell_left : 10.0) / W, screen 1 - (cell_top - 12) / H left font small noenhanced; " . \
    "set label 803 x_text at screen (cell_left + cell_w / 2) / W, screen 1 - (cell_top + cell_h + 34) / H center font small noenhanced"

# `eval chart(H, LEFT, RIGHT, X, Y)`: a canvas and in it one frame whose axes are called so.
chart(h, l, r, x, y) = (x_text = x, y_text = y, cell_title = "", cell_column = 0, cell_left = 1.0 * l, cell_w = 1.0 * W - l - r, cell_h = h - 118.0, \
    canvas(h)."; cell_top = head + 18; ".cell_axes)

# What plots/place.gp places, in pixels from the panel's lower left, by a figure's px() and py(): `eval placing` forgets all; spot(X, Y): a mark
# or a place on a line, where no text may lie, of a NaN nothing; tell(X, Y, TEXT): a text and its point.
n_told = 0; n_spot = 0
array spot_x[3000]; array spot_y[3000]; array told_x[300]; array told_y[300]; array told_said[300]
placing = "do for [undrawn = 1:n_told] { unset label 200 + undrawn }; n_told = 0; n_spot = 0"
spot(x, y) = y != y ? 0 : (n_spot = n_spot + 1, spot_x[n_spot] = px(x), spot_y[n_spot] = py(y))
tell(x, y, text) = (n_told = n_told + 1, told_x[n_told] = px(x), told_y[n_told] = py(y), told_said[n_told] = text)

set style line 100 linecolor rgb "#E4E4E4" linewidth 0.8
set grid linestyle 100
set border 3 linecolor rgb "#777777"
set tics nomirror textcolor rgb "#222222" font small
set format xy "%g"
set dashtype 2 (8, 4)
set dashtype 3 (2, 3)
unset key
set errorbars small
set style fill solid 1.0 noborder
hollow_width = 1.6

nowhere = 1e-99   # of a logarithmic axis; gnuplot complains of data that have no point at all
if (title eq "") { load "plots/images.gp" }
