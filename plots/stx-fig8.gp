# stx-fig8.gp - frames per second                                                      [STX] Fig. 8
#
# One bar per variant and team size, fastest at the top; fps is that of the mean time.  Hollow bars: the paper's, by its own
# programs, which have the colour of our variant of the same model.  Hatched: timed on a part of the columns, drawn for all.
load "plots/style.gp"

frame_width = 2048   # of the paper's frames and of ours
eval choose_series
eval first_of("input")
eval first_of("classes")
if (!exists("blocks")) { blocks = "8 4" }
keep(x) = usable(0) && in_scope(0) && in_series(0) && strcol("input") eq input && strcol("classes") eq classes && \
    has_word(" ".blocks, strcol("block")) && column("fps") > 0
eval require("keep(0)", csv)
eval words_of("present", "impl", "keep(0)")
eval words_of("shown_blocks", "block", "keep(0)")

# The bars of all panels: filled while the tables are read.
max_bars = 200
array bar_block[max_bars]
array bar_fps[max_bars]
array bar_impl[max_bars]
array bar_label[max_bars]
array bar_kind[max_bars]   # 0 ours, 1 printed, 2 ours, of a part of the columns
array bar_text[max_bars]
n_bars = 0
add_bar(b, fps, impl, label, kind, text) = n_bars >= max_bars ? 0 : (n_bars = n_bars + 1, bar_block[n_bars] = b, bar_fps[n_bars] = fps, \
    bar_impl[n_bars] = impl, bar_label[n_bars] = label, bar_kind[n_bars] = kind, bar_text[n_bars] = text, 1)
block_cols(b) = strstrt(b, "x") > 0 ? b[strstrt(b, "x") + 1 : *] + 0 : b + 0
all_columns(x) = frame_width / block_cols(strcol("block"))
whole_frame(x) = column("columns") > 0 ? column("columns") / all_columns(0) : 1.0
fps_number(v) = v >= 100 ? sprintf("%.0f", v) : v >= 10 ? sprintf("%.1f", v) : sprintf("%.2f", v)
fps_text(v) = fps_number(v)." fps"
# The length of the bar, and what was timed where that is a part of it.
part_text(x) = whole_frame(0) < 1 ? sprintf(" (%s on %d of %d columns)", fps_number(column("fps")), column("columns"), all_columns(0)) : ""
mode_of(m) = (m eq "" || m eq "any") ? "" : ", ".m
team_of(t) = (t eq "" || t eq "0" || t eq "1") ? "" : ", ".t." threads"
stats csv using (keep(0) ? add_bar(strcol("block"), column("fps") * whole_frame(0), strcol("impl"), strcol("impl").", ".equation_of(strcol("model")).team_of(strcol("threads")).mode_of(strcol("mode_name")), whole_frame(0) < 1 ? 2 : 0, fps_text(column("fps") * whole_frame(0)).part_text(0)) : 0) nooutput
printed_text(x) = strcol("read") eq "derived" ? fps_text(column("value"))." (from Fig. 9)" : strcol("printed")." fps"
if (paper ne "") { stats paper using (strcol("figure") eq "fig8" && strcol("name") eq "fps" && has_word(shown_blocks, strcol("block")) ? add_bar(strcol("block"), column("value"), strcol("impl"), "[STX] ".equation_of(strcol("model")).", ".strcol("hardware"), 1, printed_text(0)) : 0) nooutput }

# Rank within the panel: 1 is the slowest, at the bottom.
array bar_rank[max_bars]
n_of(b) = int(sum [i = 1:n_bars] (bar_block[i] eq b ? 1 : 0))
do for [i = 1:n_bars] {
    bar_rank[i] = 1 + int(sum [j = 1:n_bars] (bar_block[j] eq bar_block[i] && (bar_fps[j] < bar_fps[i] || bar_fps[j] == bar_fps[i] && j < i) ? 1 : 0))
}
fps_min = 1e300
fps_max = 0
do for [i = 1:n_bars] {
    fps_min = bar_fps[i] < fps_min ? bar_fps[i] : fps_min
    fps_max = bar_fps[i] > fps_max ? bar_fps[i] : fps_max
}
n_parts = int(sum [i = 1:n_bars] (bar_kind[i] == 2 ? 1 : 0))

set print $bars
print "block,rank,fps,impl,kind,text"
do for [i = 1:n_bars] { print sprintf("%s,%d,%.9g,%s,%d,\"%s\"", bar_block[i], bar_rank[i], bar_fps[i], bar_impl[i], bar_kind[i], bar_text[i]) }
set print

row_height = 21.0
panel_gap = 42.0
all_rows = 0
do for [b in shown_blocks] { all_rows = all_rows + n_of(b) }
eval canvas(900, int(58 + 30 + row_height * all_rows + panel_gap * (words(shown_blocks) - 1) + 50), \
    (n_parts > 0 ? "Hatched: timed on a part of the columns, bar drawn for all of them. " : "").missing_note(stx_variants, present))
eval headline("Slanted stixels: frame rates", \
    sprintf("%d × 1024 px, %s classes, input %s; filled: measured here, hollow: [STX], its own programs and data", frame_width, classes, input))
unset key
set logscale x
left_edge = fps_min / 3
eval room_for(900 - 284 - 30, "bar_fps", "bar_text")
set xrange [left_edge : x_right]
set mxtics 10
set format x "%g"
set border 1
set ytics scale 0
set ytics nomirror
set grid noytics
unset xlabel

# Other bars go below the panel, where they are clipped.
bar(b, kind, value) = strcol("block") eq b && column("kind") == kind ? value : -10
top = 58 + 30.0
set multiplot
do for [b in shown_blocks] {
    n = n_of(b)
    last_panel = b eq word(shown_blocks, words(shown_blocks))
    eval frame(284, 30, top, H - base - top - row_height * n)
    set yrange [0.4 : n + 0.6]
    set label 1 sprintf("stixels of %s px", block_text(b)) at screen 10.0 / W, graph 1 offset 0, 0.9 left
    set ytics scale 0 ("" -1)
    do for [i = 1:n_bars] { if (bar_block[i] eq b) { set ytics add (bar_label[i] bar_rank[i]) } }
    if (last_panel) { set xlabel "frames per second" }
    plot $bars using (left_edge):(bar(b, 0, column("rank"))):(left_edge):(column("fps")):(bar(b, 0, column("rank") - 0.36)):(bar(b, 0, column("rank") + 0.36)):(colour_of(strcol("impl"))) \
             with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, \
         $bars using (left_edge):(bar(b, 1, column("rank"))):(left_edge):(column("fps")):(bar(b, 1, column("rank") - 0.36)):(bar(b, 1, column("rank") + 0.36)):(colour_of(strcol("impl"))) \
             with boxxyerror fillstyle empty linewidth hollow_width linecolor rgb variable, \
         $bars using (left_edge):(bar(b, 2, column("rank"))):(left_edge):(column("fps")):(bar(b, 2, column("rank") - 0.36)):(bar(b, 2, column("rank") + 0.36)):(colour_of(strcol("impl"))) \
             with boxxyerror fillstyle pattern 4 border linewidth 1 linecolor rgb variable, \
         $bars using (column("fps")):(strcol("block") eq b ? column("rank") : NaN):(strcol("text")) with labels left offset 0.5, 0 font small
    top = top + row_height * n + panel_gap
    eval undraw
}
unset multiplot
