# roofline.gp - variants beneath the ceilings of the machine; of what roofline.sql has

eval read("panel", "panel memory top cache kib cache_kib operation* core_memory core_top n_in_l2")
eval read("variant", "impl* panel")

short(x) = x >= 999.5e9 ? sprintf("%.3g T", x / 1e12) : x >= 999.5e6 ? sprintf("%.3g G", x / 1e9) : sprintf("%.3g M", x / 1e6)
size_of(kib) = kib >= 1048576 ? sprintf("%g GiB", kib / 1048576) : kib >= 1024 ? sprintf("%g MiB", kib / 1024) : sprintf("%g KiB", kib)

panel_h = 290.0
eval canvas(62 + n_panel * (panel_h + 34))
set multiplot
set format x "%g"
set key at screen 1 - 270.0 / W, screen 0.9 left top Left reverse spacing 1.2 samplen 2.6 maxrows 14

in_panel(value) = column("panel") == here ? value : NaN
point(i, value) = strcol("impl") eq i ? in_panel(value) : NaN
of_dram(value) = here == 2 && column("in_l2") == 1 ? NaN : value
label_x(is_left) = column("is_left") == is_left ? in_panel(column("x")) : NaN
least(a, b) = a < b ? a : b
roof(x, slope, limit) = slope > 0 && limit > 0 ? least(slope * x, limit) : NaN

do for [p = 1:n_panel] {
    here = panel_panel[p]
    slope = panel_memory[p]; limit = panel_top[p]; cache_slope = panel_cache[p]
    y_low = 1e300; y_high = limit; x_low = limit > 0 ? limit / slope : 1e300; x_high = limit > 0 ? limit / slope : 0
    n_left = 0; n_right = 0; with_l2 = 0
    unset logscale
    set autoscale xy # the ranges of the panel before would leave points out
    stats "points.tsv" using (column("panel") == here ? (column("is_left") == 1 ? (n_left = n_left + 1) : (n_right = n_right + 1), y_low = least(y_low, column("y")), y_high = -least(-y_high, -column("y")), x_low = least(x_low, column("x")), x_high = -least(-x_high, -column("x")), 1) : 0) nooutput
    if (here == 2) { stats "points.tsv" using (column("panel") == 2 && column("l2_x") > 0 ? (with_l2 = 1, x_low = least(x_low, column("l2_x")), x_high = -least(-x_high, -column("l2_x"))) : 0) nooutput }
    x_low = x_low / 3; x_high = x_high * 3; y_low = y_low / 3; y_high = y_high * 2
    set logscale xy
    from_top = 62 + (p - 1) * (panel_h + 34)
    set tmargin at screen 1 - (from_top + 18.0) / H
    set bmargin at screen 1 - (from_top + panel_h - 26.0) / H
    set lmargin at screen 84.0 / W
    set rmargin at screen 1 - 300.0 / W
    set key at screen 1 - 286.0 / W, screen 1 - (from_top + 18.0) / H
    set title (here == 1 ? "GPU, by the problem's count" : here == 3 ? "CPU, by the problem's count" : "GPU, instructions as counted") font small offset 0, -0.6 noenhanced
    set xlabel (here == 2 ? "instructions of warps per byte" : "operations per byte that must be read or written") offset 0, 0.4
    set ylabel (here == 2 ? "instructions of warps a second" : "operations a second")
    set xrange [x_low : x_high]
    set yrange [y_low : y_high]
    set format y "%.0s %c"
    roof_title = sprintf("copy of %s: %sB/s", size_of(panel_kib[p]), short(slope))
    cache_title = sprintf("copy of %s: %sB/s", size_of(panel_cache_kib[p]), short(cache_slope))
    chain_title = panel_operation[p]." chains: ".short(limit)."/s"
    core_title = sprintf("one core: %sB/s, %s/s", short(panel_core_memory[p]), short(panel_core_top[p]))
    ceilings = limit > 0 ? 'roof(x, slope, limit) with lines linewidth 2 linecolor rgb "black" title roof_title, keyentry with lines linewidth 2 linecolor rgb "black" title chain_title, ' : ""
    if (cache_slope > 0 && limit > 0) { ceilings = 'roof(x, cache_slope, limit) with lines linewidth 1.4 dashtype 2 linecolor rgb "black" title cache_title, '.ceilings }
    if (panel_core_top[p] > 0) { ceilings = ceilings.'roof(x, panel_core_memory[p], panel_core_top[p]) with lines linewidth 1.2 dashtype 3 linecolor rgb grey title core_title, ' }
    first = 0; last = 0
    do for [i = 1:n_variant] { if (variant_panel[i] == here) { first = first == 0 ? i : first; last = i } }
    l2_points = with_l2 ? ', for [i = first:last] "points.tsv" using (point(variant_impl[i], column("l2_x"))):(column("y")) with points pointtype mark_of(variant_impl[i]) - 1 pointsize 1.2 linewidth hollow_width linecolor rgb colour_of(variant_impl[i]) title i == first ? "bytes of L2 in place of DRAM" : ""'.(panel_n_in_l2[p] > 0 ? ', keyentry with points pointtype 0 linecolor rgb "white" title "(alone: DRAM has below 1 %)"' : '') : ""
    # a macro would be read with the loop, before its first turn
    eval "plot ".ceilings.'for [i = first:last] "points.tsv" using (point(variant_impl[i], of_dram(column("x")))):(column("y")) with points pointtype mark_of(variant_impl[i]) pointsize 1.2 linecolor rgb colour_of(variant_impl[i]) title variant_impl[i], NaN notitle'. \
        (n_right > 0 ? ', "points.tsv" using (label_x(0)):(column("y")):(strcol("said")) with labels left offset 0.8, 0 font small textcolor rgb grey noenhanced notitle' : ''). \
        (n_left > 0 ? ', "points.tsv" using (label_x(1)):(column("y")):(strcol("said")) with labels right offset -0.8, 0 font small textcolor rgb grey noenhanced notitle' : '').l2_points
    eval undraw
}
