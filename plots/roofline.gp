# roofline.gp - variants beneath the ceilings of the machine; of what roofline.sql has
#
# On top what was counted of the GPU: an instruction of a warp is one for each of its 32 lanes, as in the chains that make the roof.  Below
# what a problem counts of its own, which is the same for all variants, with one axis for GPU and CPU.

short(x) = x >= 999.5e9 ? sprintf("%.3g T", x / 1e12) : x >= 999.5e6 ? sprintf("%.3g G", x / 1e9) : sprintf("%.3g M", x / 1e6)
size_of(kib) = kib >= 1048576 ? sprintf("%g GiB", kib / 1048576) : kib >= 1024 ? sprintf("%g MiB", kib / 1024) : sprintf("%g KiB", kib)
lower(a, b) = a < b ? a : b
higher(a, b) = a > b ? a : b
roof(x, slope, limit) = slope > 0 && limit > 0 ? lower(slope * x, limit) : NaN
in_panel(value) = column("panel") == here ? value : nowhere
of_dram(value) = column("in_l2") == 1 ? nowhere : value
of_l2(value) = column("l2_x") > 0 ? value : nowhere
hue(x) = colour_of(strcol("impl"))
mark(x) = mark_of(strcol("impl"))
px(x) = cell_w * log(x / x_left) / log(x_right / x_left)
py(y) = cell_h * log(y / y_foot) / log(y_head / y_foot)
do for [i = 1:n_name] { unused = entry(name_title[i], colour_of(name_impl[i]), mark_of(name_impl[i]), 0, 1) }

# A panel has a title and two lines on its roofs above it, and below it the name of its axis.
above = 69.0
below = 54.0
left = 58.0
gap = 52.0
has_counted = int(panel_panel[1]) == 1
n_below = n_panel - has_counted
side_by_side = !narrow && n_below > 1
tall = 250.0
whole_h = (has_counted + (n_below > 1 && !side_by_side ? 2 : n_below > 0)) * (above + tall + below)
eval canvas(46 + whole_h)
set format y "%.0s %c"

top = 46.0
do for [p = 1:n_panel] {
    here = int(panel_panel[p])
    slope = panel_memory[p]; limit = panel_top[p]; cache_slope = panel_cache[p]
    has_roof = limit > 0
    unset logscale
    set autoscale xy # the ranges of the panel before would leave points out
    if (here <= 2 || p == 1) {
        undefine y_m*
        eval range_of("y", "points.tsv", "(column('panel') == 1) == (here == 1) ? column('y') : NaN")
        do for [q = p:n_panel] { if (here > 1 || q == p) { y_max = higher(y_max, panel_top[q]) } }
    }
    x_min = has_roof ? limit / slope : 1e300; x_max = has_roof ? limit / slope : -1e300
    eval range_of("x", "points.tsv", "column('panel') == here ? column('x') : NaN")
    stats "points.tsv" using (column("panel") == here && column("l2_x") > 0 ? (x_min = lower(x_min, column("l2_x")), 1) : 0) nooutput
    eval decades("xy")
    x_left = x_min / (narrow ? 8 : 4); x_right = x_max * 8
    y_foot = y_min / (n_foot > 0 && here > 1 ? 40 : 2.5); y_head = y_max * 1.8
    set xrange [x_left : x_right]
    set yrange [y_foot : y_head]
    if (y_max / y_min < 60) { do for [e = 6:14] { do for [m in "2 5"] { set ytics add (short(m * 10.0 ** e) m * 10.0 ** e) } } }
    second = here == 3 && side_by_side
    w = side_by_side && here > 1 ? (W - left - gap - 16) / 2 : W - left - 16
    x = second ? left + w + gap : left
    if (second) { top = top - above - tall - below }
    eval frame(x, W - x - w, top + above, H - base - head + 46 - top - above - tall)
    set label 801 (here == 1 ? (narrow ? "GPU: instructions × 32 lanes, as counted" : "GPU: instructions as counted, one of a warp for each of its 32 lanes") : here == 2 ? "GPU: operations of the problem" : "CPU: operations of the problem") \
        at screen x / W, screen 1 - (head - 46 + top + 14) / H left font bold noenhanced
    said = has_roof ? sprintf("solid: copy of %s, %sB/s; %s chains, %s/s", size_of(panel_kib[p]), short(slope), panel_operation[p], short(limit)) : "no ceilings are measured"
    set label 802 said at screen x / W, screen 1 - (head - 46 + top + 31) / H left font small textcolor rgb grey noenhanced
    said = cache_slope > 0 && has_roof ? sprintf("dashed: in a cache, %s, %sB/s", size_of(panel_cache_kib[p]), short(cache_slope)) : ""
    of_memory = sum [s_i = 1:n_point] (point_panel[s_i] == 1 && point_in_l2[s_i] == 0)
    if (here == 1 && cache_slope > 0) { said = said.(!of_memory ? "; all marks: by bytes of L2" : narrow ? "; small: by bytes of L2" : "; large: by bytes of memory, small: of L2") }
    if (panel_core_top[p] > 0) { said = sprintf("dashed: in a cache, %sB/s; dotted: one core, %sB/s, %s/s", short(cache_slope), short(panel_core_memory[p]), short(panel_core_top[p])) }
    set label 803 said at screen x / W, screen 1 - (head - 46 + top + 46) / H left font small textcolor rgb grey noenhanced
    set label 804 (here == 1 ? "instructions a second" : second ? "" : "operations a second") at screen 10.0 / W, screen 1 - (head - 46 + top + 62) / H left font small noenhanced
    set label 805 (here == 1 ? "instructions per byte that was moved" : "operations per byte that must be moved") \
        at screen (x + w / 2) / W, screen 1 - (head - 46 + top + above + tall + 34) / H center font small noenhanced
    do for [i = 1:n_foot] { unset label 100 + i }
    eval which("feet", "foot", "foot_panel[each] == here")
    do for [w in feet] { i = int(w); set label 100 + i foot_said[i] at first foot_x[i], first y_min / (foot_level[i] > 0 ? 7 : 16) center font small textcolor rgb grey noenhanced }
    # texts keep away from marks, from what joins them and from roofs
    cell_left = x; cell_top = head - 46 + top + above; cell_w = w; cell_h = tall
    eval placing
    do for [i = 1:n_point] {
        if (point_panel[i] == here) {
            spots_to = here == 1 && point_l2_x[i] > 0 && point_in_l2[i] == 0 ? 8 : 0
            do for [k = 0:spots_to] { unused = spot(point_x[i] * (spots_to ? (point_l2_x[i] / point_x[i]) ** (k / 8.0) : 1), point_y[i]) }
            if (strlen(point_said[i])) { unused = tell(point_x[i], point_y[i], point_said[i]) }
        }
    }
    do for [k = 0:int(cell_w / 5)] {
        on_roof = x_left * (x_right / x_left) ** (5.0 * k / cell_w)
        unused = spot(on_roof, roof(on_roof, slope, limit)) + spot(on_roof, roof(on_roof, cache_slope, limit)) + spot(on_roof, roof(on_roof, panel_core_memory[p], panel_core_top[p]))
    }
    load "plots/place.gp"
    plot (has_roof ? roof(x, slope, limit) : NaN) with lines linewidth 2 linecolor rgb "#222222" notitle, \
         (has_roof ? roof(x, cache_slope, limit) : NaN) with lines linewidth 1.2 dashtype 2 linecolor rgb "#222222" notitle, \
         roof(x, panel_core_memory[p], panel_core_top[p]) with lines linewidth 1.2 dashtype 3 linecolor rgb grey notitle, \
         "points.tsv" using (of_l2(of_dram(in_panel(column("l2_x"))))):(column("y")):(of_l2(of_dram(in_panel(column("x") - column("l2_x"))))):(0):(hue(0)) with vectors nohead linewidth 1 linecolor rgb variable notitle, \
         "points.tsv" using (of_l2(in_panel(column("l2_x")))):(column("y")):(mark(0)):(hue(0)) with points pointtype variable pointsize 0.6 linecolor rgb variable notitle, \
         "points.tsv" using (of_dram(in_panel(column("x")))):(column("y")):(mark(0)):(hue(0)) with points pointtype variable pointsize 1.1 linecolor rgb variable notitle
    top = top + above + tall + below
}
