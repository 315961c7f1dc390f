# som-fig11.gp - time and quality by search range and refresh rate                       [SOM] Fig. 11
#
# A panel for each map, small, medium and large from the left; a curve for each search range, whose points are the refresh rates 1
# (ringed), 10 ... 50 and 100.  Of one variant: the paper's, or the same schedule on one core where no card has run it.
load "plots/style.gp"

keep_all(x) = usable(0) && in_scope(0) && column("mean_ms") > 0 && strcol("cost_pct") ne ""
eval require("keep_all(0)", csv)
eval words_of("present", "impl", "keep_all(0)")
if (!exists("impl")) { impl = has_word(present, "som/gpu-paper") ? "som/gpu-paper" : word(present, 1) }
keep(x) = keep_all(0) && strcol("impl") eq impl
eval words_of("all_maps", "input", "keep(0)")
eval words_of("ranges", "ssr", "keep(0)")
eval first_of("sigma")
# generated maps only where there are no others
maps = ""
do for [m in all_maps] { if (strstrt(m, "map-") != 1) { maps = maps." ".m } }
if (maps eq "") { maps = all_maps }
# small, medium, large
size_of(map) = strstrt("ML", map[strlen(map) : strlen(map)])
by_size = ""
do for [i = 0:2] { do for [m in maps] { if (size_of(m) == i) { by_size = by_size." ".m } } }
maps = by_size
# the paper's order
ranges = ""
do for [s in "2 3 4 5 10 -1"] { n_rows = 0; stats csv using (keep(0) && strcol("ssr") eq s ? (n_rows = n_rows + 1) : 0) nooutput; if (n_rows > 0) { ranges = ranges." ".s } }
range_text(s) = "SSR ".(s eq "-1" ? "∞" : s)
of(s, map, value) = keep(0) && strcol("ssr") eq s && strcol("input") eq map ? value : NaN
n_maps = words(maps)
# a round number for some four tics on so long an axis
decade(x) = 10 ** floor(log10(x))
rounded_up(x) = x <= decade(x) ? decade(x) : x <= 2 * decade(x) ? 2 * decade(x) : x <= 5 * decade(x) ? 5 * decade(x) : 10 * decade(x)

panel = 760.0 / n_maps
eval canvas(900, 420, "Ring: refresh in every round; along a curve to every 100th. [SOM] sect. 6.3, in words: refresh rates matter less than search ranges (SSR); beyond 4 (small map), 3 (medium) and 5 (large) quality gains nothing more. It prints no numbers and names no maps. ". \
    missing_note("som/gpu-paper", present))
eval headline("SOM mesh: search range and refresh rate", sprintf("%s, 1500 rounds, sigma from %s, cells of 20 × 20 px, live updates; means over seeds", impl, sigma))
set multiplot
set xlabel "mean time [ms]"
set bmargin at screen (52.0 + base) / H
set tmargin at screen 1 - 80.0 / H
set key at screen 1 - 102.0 / W, screen 1 - 74.0 / H left top Left reverse spacing 1.2 samplen 2.4
set format "%g"
do for [k = 1:n_maps] {
    map = word(maps, k)
    set lmargin at screen (66 + panel * (k - 1)) / W
    set rmargin at screen (66 + panel * k - 56) / W
    set title map font small offset 0, -0.6 noenhanced
    set autoscale xy # those of the panel before would leave points out
    x_min = 1e300; x_max = -1e300; y_min = 1e300; y_max = -1e300
    stats csv using (keep(0) && strcol("input") eq map ? (x_min = column("mean_ms") < x_min ? column("mean_ms") : x_min, x_max = column("mean_ms") > x_max ? column("mean_ms") : x_max, y_min = column("cost_pct") < y_min ? column("cost_pct") : y_min, y_max = column("cost_pct") > y_max ? column("cost_pct") : y_max, 1) : 0) nooutput
    x_margin = 0.08 * (x_max - x_min) + 0.05 * x_min
    set xrange [x_min - x_margin : x_max + x_margin]
    set yrange [y_min - 0.06 * (y_max - y_min) - 0.1 : y_max + 0.06 * (y_max - y_min) + 0.1]
    set xtics rounded_up((x_max - x_min + 2 * x_margin) / 5) font small
    set ytics autofreq font small
    if (k == 1) { set ylabel "%cost" } else { unset ylabel; unset key }
    plot for [i = 1:words(ranges)] csv using (of(word(ranges, i), map, column("mean_ms"))):(column("cost_pct")) \
            with linespoints linewidth 1.4 pointtype curve_mark(i) pointsize 0.7 linecolor rgb curve_colour(i) notitle, \
         for [i = 1:words(ranges)] keyentry with linespoints linewidth 1.4 pointtype curve_mark(i) pointsize 0.7 linecolor rgb curve_colour(i) title range_text(word(ranges, i)), \
         for [i = 1:words(ranges)] csv using (strcol("crr") eq "1" ? of(word(ranges, i), map, column("mean_ms")) : NaN):(column("cost_pct")) \
            with points pointtype 6 pointsize 1.8 linewidth 1.2 linecolor rgb curve_colour(i) notitle
    if (k == 1) { eval undraw }
}
unset multiplot
