# rdp-fig10.gp - ranked run times on CPUs and GPUs, by power mode           [RDP] Fig. 10
#
# One bar per variant, mode and team size, slowest at the top as in the paper; means, since the paper prints means.
# Hollow bars: the paper's Table 1 (1024 rows), which it measured on a Jetson Xavier with its own programs: these are named
# by their role, and have the colour of our variant of that role.
load "plots/style.gp"

eval choose_series
eval choose_input("usable(0) && in_scope(0)", csv)
eval first_of("eps")
eval first_of("width")
eval first_of("batch")
if (!exists("heights")) { heights = "256 1024" }
keep(x) = usable(0) && in_scope(0) && in_series(0) && strcol("input") eq input && strcol("case") eq "all" && \
    strcol("eps") eq eps && strcol("width") eq width && strcol("batch") eq batch && has_word(" ".heights, strcol("height"))
eval require("keep(0)", csv)
eval words_of("present", "impl", "keep(0)")
eval words_of("shown_heights", "height", "keep(0)")

# The bars of all panels: filled while the tables are read.
max_bars = 200
array bar_height[max_bars]
array bar_ms[max_bars]
array bar_impl[max_bars]
array bar_label[max_bars]
array bar_hollow[max_bars]
array bar_text[max_bars]
n_bars = 0
add_bar(h, ms, impl, label, hollow, text) = n_bars >= max_bars ? 0 : (n_bars = n_bars + 1, bar_height[n_bars] = h, bar_ms[n_bars] = ms, \
    bar_impl[n_bars] = impl, bar_label[n_bars] = label, bar_hollow[n_bars] = hollow, bar_text[n_bars] = text, 1)
time_text(ms) = ms >= 100 ? sprintf("%.0f ms", ms) : ms >= 1 ? sprintf("%.2f ms", ms) : ms >= 0.1 ? sprintf("%.3f ms", ms) : sprintf("%.1f µs", 1000 * ms)
has_energy = has_column(csv, "mj_frame")
n_energy = 0
if (has_energy) { stats csv using (keep(0) && strcol("mj_frame") ne "" ? (n_energy = n_energy + 1) : 0) nooutput }
energy_text(dummy) = has_energy && strcol("mj_frame") ne "" ? sprintf("; %.3g mJ", column("mj_frame")) : ""
mode_of(m) = (m eq "" || m eq "any") ? "" : ", ".m
team_of(t) = (t eq "" || t eq "0" || t eq "1") ? "" : ", ".t." threads"
role_of(impl) = impl eq "rdp/gpu-paper" ? "GPU" : impl eq "rdp/serial" ? "CPU 1 core" : impl eq "rdp/omp-columns" ? "CPU multi-core" : impl
stats csv using (keep(0) ? add_bar(strcol("height"), column("mean_ms"), strcol("impl"), strcol("impl").team_of(strcol("threads")).mode_of(strcol("mode_name")), 0, time_text(column("mean_ms")).energy_text(0)) : 0) nooutput
if (paper ne "") { stats paper using (strcol("figure") eq "table1" && strcol("name") eq "mean_ms" && has_word(shown_heights, strcol("height")) ? add_bar(strcol("height"), column("value"), strcol("impl"), "[RDP] ".role_of(strcol("impl")).mode_of(strcol("mode_name")), 1, strcol("printed")." ms") : 0) nooutput }

# Rank within the panel: 1 is the fastest, at the bottom.
array bar_rank[max_bars]
n_of(h) = int(sum [i = 1:n_bars] (bar_height[i] eq h ? 1 : 0))
do for [i = 1:n_bars] {
    bar_rank[i] = 1 + int(sum [j = 1:n_bars] (bar_height[j] eq bar_height[i] && (bar_ms[j] < bar_ms[i] || bar_ms[j] == bar_ms[i] && j < i) ? 1 : 0))
}
ms_min = 1e300
ms_max = 0
do for [i = 1:n_bars] {
    ms_min = bar_ms[i] < ms_min ? bar_ms[i] : ms_min
    ms_max = bar_ms[i] > ms_max ? bar_ms[i] : ms_max
}

set print $bars
print "height,rank,ms,impl,hollow,text"
do for [i = 1:n_bars] { print sprintf("%s,%d,%.9g,%s,%d,%s", bar_height[i], bar_rank[i], bar_ms[i], bar_impl[i], bar_hollow[i], bar_text[i]) }
set print

row_height = 21.0
panel_gap = 42.0
all_rows = 0
do for [h in shown_heights] { all_rows = all_rows + n_of(h) }
eval canvas(900, int(58 + 30 + row_height * all_rows + panel_gap * (words(shown_heights) - 1) + 50), missing_note(rdp_variants, present))
eval headline("RDP column segmentation: ranked run times", \
    sprintf("%s columns, ε = %s px, input %s, mean time%s per frame; filled: measured here, hollow: printed in [RDP] Table 1 (Jetson Xavier)", width, eps, input, n_energy > 0 ? " and energy" : ""))
unset key
set logscale x
set xrange [ms_min / 3 : ms_max * 4]
set mxtics 10
set format x "%g"
set border 1
set ytics scale 0
set ytics nomirror
set grid noytics
unset xlabel

# Other bars go below the panel, where they are clipped.
bar(h, hollow, value) = strcol("height") eq h && column("hollow") == hollow ? value : -10
left_edge = ms_min / 3
top = 58 + 30.0
set multiplot
do for [h in shown_heights] {
    n = n_of(h)
    last_panel = h eq word(shown_heights, words(shown_heights))
    eval frame(284, 30, top, H - base - top - row_height * n)
    set yrange [0.4 : n + 0.6]
    set label 1 sprintf("%s × %s px", width, h) at screen 10.0 / W, graph 1 offset 0, 0.9 left
    set ytics scale 0 ("" -1)
    do for [i = 1:n_bars] { if (bar_height[i] eq h) { set ytics add (bar_label[i] bar_rank[i]) } }
    if (last_panel) { set xlabel "mean time per frame [ms]" }
    plot $bars using (left_edge):(bar(h, 0, column("rank"))):(left_edge):(column("ms")):(bar(h, 0, column("rank") - 0.36)):(bar(h, 0, column("rank") + 0.36)):(colour_of(strcol("impl"))) \
             with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, \
         $bars using (left_edge):(bar(h, 1, column("rank"))):(left_edge):(column("ms")):(bar(h, 1, column("rank") - 0.36)):(bar(h, 1, column("rank") + 0.36)):(colour_of(strcol("impl"))) \
             with boxxyerror fillstyle empty linewidth hollow_width linecolor rgb variable, \
         $bars using (column("ms")):(strcol("height") eq h ? column("rank") : NaN):(strcol("text")) with labels left offset 0.5, 0 font small
    top = top + row_height * n + panel_gap
    eval undraw
}
unset multiplot
