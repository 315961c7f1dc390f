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
title = ""; subtitle = ""; note = ""; caption = ""
texts = "title subtitle note caption printed_name fewest error_text error_is_share input_error beta_hue names at_column"
assign = "0"
do for [k in texts] { assign = sprintf("strcol('name') eq '%s' ? (%s = strcol('value'), 1) : %s", k, k, assign) }
set datafile separator tab
eval "stats 'text.tsv' using (".assign.") nooutput"
if (title eq "") { set datafile separator comma } # what `depthbench apply` wrote; else what `depthbench draw` did

# `eval read("curve", "place impl* name*")`: columns of curves.tsv as arrays curve_place,
# curve_impl ..., texts where a star stands behind the name (gnuplot does not take the text
# "1e+09" for a number); n_curve: of so many.  of(c, value): what belongs to a curve.
line_counts = system("wc -l *.tsv")
rows_of(file) = sum [i = 1:words(line_counts) / 2] (word(line_counts, 2 * i) eq file ? int(word(line_counts, 2 * i - 1)) - 1 : 0)
is_text(k) = k[strlen(k):*] eq "*"
read_as(t, k, how) = sprintf("array %s_%s[n_%s + 1]; if (n_%s > 0) { stats '%ss.tsv' using (%s_%s[int(column(0)) + 1] = %s('%s'), 1) nooutput }; ", t, k, t, t, t, t, k, how, k)
read_rest(t, ks, i) = i > words(ks) ? "" : (is_text(word(ks, i)) ? read_as(t, word(ks, i)[1:strlen(word(ks, i)) - 1], "strcol") : read_as(t, word(ks, i), "column")) . read_rest(t, ks, i + 1)
read(t, ks) = sprintf("n_%s = int(rows_of('%ss.tsv')); ", t, t) . read_rest(t, ks, 1)
of(c, value) = column("curve") == c ? value : NaN

# `eval range("x", FILE, COLUMN)`: x_min and x_max of the column, widened when called again.
range(v, file, k) = sprintf("if (!exists('%s_min')) { %s_min = 1e300; %s_max = -1e300 }; stats '%s' using (column('%s') == column('%s') ? (%s_min = column('%s') < %s_min ? column('%s') : %s_min, %s_max = column('%s') > %s_max ? column('%s') : %s_max, 1) : 0) nooutput", v, v, v, file, k, k, v, k, v, k, v, v, k, v, k, v)
# `eval ranges(FILE, X, Y)`: those of x and y.
ranges(file, x, y) = range("x", file, x)."; ".range("y", file, y)

# ---- one colour and mark per kind of variant ----

# Okabe and Ito's colours; even marks are the hollow form of the odd one after them.
kinds        = "serial omp-columns omp-tasks cpu-simd gpu-paper gpu-opt openmp rounds cubic-serial cubic-openmp gpu-cubic"
kind_colours = "#4D4D4D #E69F00 #CC79A7 #009E73 #0072B2 #D55E00 #E69F00 #CC79A7 #999999 #F0C75E #56B4E9"
kind_marks   = "5 7 9 11 13 15 7 7 5 7 13"

kind_of(impl) = impl[strstrt(impl, "/") + 1 : *]
kind_index(impl) = int(sum [i = 1:words(kinds)] (word(kinds, i) eq kind_of(impl) ? i : 0))
hex(c) = int(sum [i = 2:7] ((strstrt("0123456789ABCDEF", c[i:i]) - 1) * 16 ** (7 - i)))
colour_of(impl) = kind_index(impl) > 0 ? hex(word(kind_colours, kind_index(impl))) : 0x000000
mark_of(impl) = kind_index(impl) > 0 ? int(word(kind_marks, kind_index(impl)) + 0) : 3

# Curves that are no variants (inputs, tolerances): by order.
curve_colours = "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #4D4D4D"
curve_colour(i) = hex(word(curve_colours, (i - 1) % 7 + 1))
curve_mark(i) = int(word("7 5 9 13 11 15 7", (i - 1) % 7 + 1) + 0)

# ---- canvas ----

# Dots of a PNG for each pixel of the drawing: 2, so that text is sharp; pictures say less.
dots = 2.0

# `eval canvas(H)`: opens the output, 900 x H pixels (a PNG has `dots` for each), and writes
# title and subtitle at the top, caption and note at the bottom.  `base` is then the height in
# pixels that these take.  What is evaluated has no text of data.
small = fmt eq "png" ? "sans,8.5" : "sans-serif,11"
bold = fmt eq "png" ? "sans:Bold,10" : "sans-serif:Bold,13"
grey = "#555555"
canvas(h) = (W = 900, H = int(h), "load 'plots/canvas.gp'")

# `eval frame(left, right, top, bottom)`: margins in pixels, above the caption.
frame(l, r, t, b) = sprintf("set lmargin at screen %.1f / W; set rmargin at screen 1 - %.1f / W; set tmargin at screen 1 - %.1f / H; set bmargin at screen (%.1f + base) / H", 1.0 * l, 1.0 * r, 1.0 * t, 1.0 * b)

# `eval chart(H, LEFT, RIGHT, X, Y)`: a canvas and in it one frame whose axes are called so.
chart(h, l, r, x, y) = (x_text = x, y_text = y, canvas(h)."; ".frame(l, r, 58, 52)."; set xlabel x_text; set ylabel y_text")

# `eval panels(H, N, LEFT, WIDTH, GAP, TOP, X, Y)`: a canvas for N panels side by side, whose
# axes are called so, LEFT pixels before the first and GAP between two.  `eval panel_at(I,
# TITLE)`: the I-th; the first has the name of Y and the key.
panels(h, n, l, w, gap, t, x, y) = (panel_left = l, panel_width = 1.0 * w / n, panel_gap = gap, panel_top = 1.0 * t, x_text = x, y_text = y, \
    canvas(h)."; set multiplot; set xlabel x_text; set bmargin at screen (52.0 + base) / H; set tmargin at screen 1 - panel_top / H")
panel_at(i, t) = (panel_i = i, said = t, "set lmargin at screen (panel_left + panel_width * (panel_i - 1)) / W; " . \
    "set rmargin at screen (panel_left + panel_width * panel_i - panel_gap) / W; set title said font small offset 0, -0.6 noenhanced; " . \
    "if (panel_i == 1) { set ylabel y_text } else { unset ylabel; unset key }")

set style line 100 linecolor rgb "#E4E4E4" linewidth 0.8
set grid linestyle 100
set border 3 linecolor rgb "#777777"
set tics nomirror textcolor rgb "#222222"
set key noenhanced
set errorbars small
set style fill solid 1.0 noborder
hollow_width = 1.6

# In a multiplot: the caption and the headline are drawn with the first panel only.
undraw = "do for [undrawn = 901:900 + n_caption] { unset label undrawn }; unset label 998; unset label 999"
