# stx-fig9.gp - time of each kernel                                                    [STX] Fig. 9
#
# Laps of one run, means; a group for each stage, and for each equation where its work differs.  Hollow: the paper's, by its own
# programs.  Hatched: timed on a part of the columns, drawn for all.  Beside a bar of eq. 12: how many times as fast it is as eq. 6 on the
# same machine.  counters: what scripts/profile_ncu wrote, if it did; its instructions per cycle stand beside the bars, as the
# paper's do.
load "plots/style.gp"
if (!exists("counters")) counters = ""

frame_width = 2048   # of the paper's frames and of ours
eval first_of("input")
eval first_of("classes")
if (!exists("blocks")) { blocks = "8 4" }
# Rows of laps; in_series would look at whole runs.
lap_row(x) = strcol("status") eq "ok" && strcol("lap") ne "" && in_scope(0) && strcol("series") eq (exists("series") ? series : "hot") && \
    strcol("input") eq input && strcol("classes") eq classes && has_word(" ".blocks, strcol("block")) && column("mean_ms") > 0
eval require("lap_row(0)", csv)
eval words_of("present", "impl", "lap_row(0)")
eval words_of("shown_blocks", "block", "lap_row(0)")

# Groups, in the order of the work; a stage's name is its lap's up to a colon.
groups = "'downsample:' 'dynamic programming:b6' 'dynamic programming:b12' 'compact:'"
group_titles = "'down-sampling and transposition' 'dynamic programming, eq. 6 (Slanted Stixels)' 'dynamic programming, eq. 12' 'compaction'"
group_of(lap, model) = int(sum [g = 1:words(groups)] (word(groups, g) eq lap.":" || word(groups, g) eq lap.":".model ? g : 0))

max_bars = 200
array bar_block[max_bars]
array bar_group[max_bars]
array bar_ms[max_bars]
array bar_impl[max_bars]
array bar_label[max_bars]
array bar_kind[max_bars]   # 0 ours, 1 printed, 2 ours, of a part of the columns
array bar_text[max_bars]
n_bars = 0
add_bar(b, g, ms, impl, label, kind, text) = n_bars >= max_bars || g == 0 ? 0 : (n_bars = n_bars + 1, bar_block[n_bars] = b, bar_group[n_bars] = g, \
    bar_ms[n_bars] = ms, bar_impl[n_bars] = impl, bar_label[n_bars] = label, bar_kind[n_bars] = kind, bar_text[n_bars] = text, 1)
block_cols(b) = strstrt(b, "x") > 0 ? b[strstrt(b, "x") + 1 : *] + 0 : b + 0
all_columns(x) = frame_width / block_cols(strcol("block"))
whole_frame(x) = column("columns") > 0 ? all_columns(0) / column("columns") : 1.0
time_number(ms) = ms >= 100 ? sprintf("%.0f", ms) : ms >= 1 ? sprintf("%.2f", ms) : ms >= 0.1 ? sprintf("%.3f", ms) : sprintf("%.1f", 1000 * ms)
time_unit(ms) = ms >= 0.1 ? " ms" : " µs"
time_text(ms) = time_number(ms).time_unit(ms)
# The length of the bar, and what was timed where that is a part of it.
timed_text(ms, whole) = time_number(ms).(time_unit(ms) eq time_unit(whole) ? "" : time_unit(ms))
part_text(x) = whole_frame(0) > 1 ? sprintf(" (%s on %d of %d columns)", timed_text(column("mean_ms"), column("mean_ms") * whole_frame(0)), column("columns"), all_columns(0)) : ""
team_of(t) = (t eq "" || t eq "0" || t eq "1") ? "" : ", ".t." threads"
if (paper ne "") { stats paper using (strcol("figure") eq "fig9" && strcol("name") eq "mean_ms" && has_word(shown_blocks, strcol("block")) ? add_bar(strcol("block"), group_of(strcol("lap"), strcol("model")), column("value"), strcol("impl"), "[STX] ".strcol("hardware"), 1, strcol("printed")." ms") : 0) nooutput }
stats csv using (lap_row(0) ? add_bar(strcol("block"), group_of(strcol("lap"), strcol("model")), column("mean_ms") * whole_frame(0), strcol("impl"), strcol("impl").team_of(strcol("threads")), whole_frame(0) > 1 ? 2 : 0, time_text(column("mean_ms") * whole_frame(0)).part_text(0)) : 0) nooutput

# Beside a bar: its time; of eq. 12 the ratio to eq. 6, on the same kind of machine; instructions per cycle where they are known.
stage_of(g) = g == 1 ? "downsample" : g == 4 ? "compact" : "dynamic programming"
is_model(g, m) = g == 2 ? m eq "b6" : g == 3 ? m eq "b12" : 1
is_gpu(impl) = strstrt(impl, "/gpu-") > 0
on_same(i, j) = bar_kind[i] == 1 || bar_kind[j] == 1 ? bar_kind[i] == bar_kind[j] && bar_label[i] eq bar_label[j] : is_gpu(bar_impl[i]) == is_gpu(bar_impl[j])
times_text(x) = x >= 9.95 ? sprintf("%.1f", x) : sprintf("%.2g", x)
do for [i = 1:n_bars] {
    older = 0.0
    do for [j = 1:n_bars] { if (bar_group[i] == 3 && bar_group[j] == 2 && bar_block[j] eq bar_block[i] && on_same(i, j)) { older = bar_ms[j] } }
    if (older > 0) { bar_text[i] = bar_text[i].sprintf(" · %s × as fast as eq. 6", times_text(older / bar_ms[i])) }
    ipc = 0.0
    if (bar_kind[i] == 1) {
        stats paper using (strcol("figure") eq "fig9" && strcol("name") eq "ipc" && "[STX] ".strcol("hardware") eq bar_label[i] && strcol("block") eq bar_block[i] && strcol("lap") eq stage_of(bar_group[i]) && strcol("impl") eq bar_impl[i] ? (ipc = column("value"), 1) : 0) nooutput
    } else { if (counters ne "") {
        stats counters using (strcol("impl") eq bar_impl[i] && strcol("block") eq bar_block[i] && strcol("stage") eq stage_of(bar_group[i]) && is_model(bar_group[i], strcol("model")) && strcol("classes") eq classes && strcol("input") eq input ? (ipc = column("ipc"), 1) : 0) nooutput
    } }
    if (ipc > 0) { bar_text[i] = bar_text[i].sprintf(" · IPC %.2f", ipc) }
}

# Rows of a panel, from the top: the title of a group, its bars, the next.  A bar of row r is at -r.
array bar_row[max_bars]
n_rows_of(b) = int(sum [i = 1:n_bars] (bar_block[i] eq b ? 1 : 0)) + int(sum [g = 1:words(groups)] (n_in(b, g) > 0 ? 1 : 0))
n_in(b, g) = int(sum [i = 1:n_bars] (bar_block[i] eq b && bar_group[i] == g ? 1 : 0))
title_row(b, g) = 1 + int(sum [h = 1:g - 1] (n_in(b, h) > 0 ? n_in(b, h) + 1 : 0))
do for [i = 1:n_bars] {
    bar_row[i] = title_row(bar_block[i], bar_group[i]) + int(sum [j = 1:i] (bar_block[j] eq bar_block[i] && bar_group[j] == bar_group[i] ? 1 : 0))
}
ms_min = 1e300
ms_max = 0
do for [i = 1:n_bars] {
    ms_min = bar_ms[i] < ms_min ? bar_ms[i] : ms_min
    ms_max = bar_ms[i] > ms_max ? bar_ms[i] : ms_max
}
n_parts = int(sum [i = 1:n_bars] (bar_kind[i] == 2 ? 1 : 0))

# The printed stage that both equations share has no variant: it is grey.
bar_colour(impl) = impl eq "" ? hex("#777777") : colour_of(impl)
set print $bars
print "block,row,ms,impl,kind,text"
do for [i = 1:n_bars] { print sprintf("%s,%d,%.9g,%s,%d,\"%s\"", bar_block[i], bar_row[i], bar_ms[i], bar_impl[i], bar_kind[i], bar_text[i]) }
set print

row_height = 20.0
panel_gap = 50.0
all_rows = 0
do for [b in shown_blocks] { all_rows = all_rows + n_rows_of(b) }
eval canvas(900, int(58 + 30 + row_height * all_rows + panel_gap * (words(shown_blocks) - 1) + 50), \
    (n_parts > 0 ? "Hatched: timed on a part of the columns, bar drawn for all of them. " : "").missing_note("stixels/gpu-paper stixels/gpu-opt stixels/gpu-cubic", present))
eval headline("Slanted stixels: time of each kernel", \
    sprintf("%d × 1024 px, %s classes, input %s, mean of laps; filled: measured here, hollow: [STX], its own programs and data", frame_width, classes, input))
unset key
set logscale x
left_edge = ms_min / 3
eval room_for(900 - 244 - 30, "bar_ms", "bar_text")
set xrange [left_edge : x_right]
set mxtics 10
set format x "%g"
set border 1
set ytics scale 0
set ytics nomirror
set grid noytics
unset xlabel

# Other bars go below the panel, where they are clipped.
bar(b, kind, value) = strcol("block") eq b && column("kind") == kind ? value : -1000
top = 58 + 30.0
set multiplot
do for [b in shown_blocks] {
    n = n_rows_of(b)
    last_panel = b eq word(shown_blocks, words(shown_blocks))
    eval frame(244, 30, top, H - base - top - row_height * n)
    set yrange [-n - 0.6 : -0.4]
    set label 1 sprintf("stixels of %s px", block_text(b)) at screen 10.0 / W, graph 1 offset 0, 0.9 left
    set ytics scale 0 ("" 1)
    do for [i = 1:n_bars] { if (bar_block[i] eq b) { set ytics add (bar_label[i] -bar_row[i]) } }
    do for [g = 1:words(groups)] {
        unset label 10 + g
        if (n_in(b, g) > 0) { set label 10 + g word(group_titles, g) at screen 254.0 / W, first -title_row(b, g) left font small textcolor rgb "#222222" front }
    }
    if (last_panel) { set xlabel "mean time [ms]" }
    plot $bars using (left_edge):(bar(b, 0, -column("row"))):(left_edge):(column("ms")):(bar(b, 0, -column("row") - 0.36)):(bar(b, 0, -column("row") + 0.36)):(bar_colour(strcol("impl"))) \
             with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, \
         $bars using (left_edge):(bar(b, 1, -column("row"))):(left_edge):(column("ms")):(bar(b, 1, -column("row") - 0.36)):(bar(b, 1, -column("row") + 0.36)):(bar_colour(strcol("impl"))) \
             with boxxyerror fillstyle empty linewidth hollow_width linecolor rgb variable, \
         $bars using (left_edge):(bar(b, 2, -column("row"))):(left_edge):(column("ms")):(bar(b, 2, -column("row") - 0.36)):(bar(b, 2, -column("row") + 0.36)):(bar_colour(strcol("impl"))) \
             with boxxyerror fillstyle pattern 4 border linewidth 1 linecolor rgb variable, \
         $bars using (column("ms")):(strcol("block") eq b ? -column("row") : NaN):(strcol("text")) with labels left offset 0.5, 0 font small
    top = top + row_height * n + panel_gap
    eval undraw
}
unset multiplot
