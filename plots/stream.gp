# stream.gp - frames on a clock: the tail of latencies at 30 a second, the highest rate that is kept, energy by rate; of what stream.sql has
#
# Colour: variant; dashes: how its input comes.

if (n_best > 0) { eval range("rate", "bests.tsv", "rate") }
dash_of(k) = int(curve_dash[k])
do for [k = 1:n_curve] { unused = entry(curve_title[k], hue(k), sign(k), 1.8, dash_of(k)) }

row_h = 24.0
best_h = n_best > 0 ? row_h * n_best + 8 : 60.0
energy_h = n_energy > 0 ? 190.0 : 0
tail_h = narrow ? 260.0 : best_h + (n_energy > 0 ? 92 + energy_h : 0)
if (tail_h < 260) { tail_h = 260.0 }
eval canvas(46 + 38 + tail_h + 60 + (narrow ? best_h + 92 + (n_energy > 0 ? energy_h + 92 : 0) : 0))
tail_w = narrow ? W - 84 : 0.5 * W - 84
right = narrow ? 68 : 0.5 * W + 52
right_w = W - right - 16

# Where an axis has not two powers of ten: 1, 2, 5.
tics_of(axis, low, high) = log10(high / low) > 1.6 ? powers(axis) : "set ".axis."tics (".tics_from(low, high, floor(log10(low)), 1).")"
tics_from(low, high, e, m) = 10.0 ** e > high ? sprintf("%g", low / 10) : (m * 10.0 ** e >= low && m * 10.0 ** e <= high ? sprintf("%g, ", m * 10.0 ** e) : "").tics_from(low, high, m == 5 ? e + 1 : e, m == 1 ? 2 : m == 2 ? 5 : 1)
eval decades("xy")
if (n_tail > 0) {
    eval ranges("tails.tsv", "ms", "share")
    eval range("x", "longests.tsv", "ms")
    eval range("y", "longests.tsv", "share")
    set xrange [x_min / 2.0 : x_max * 2.0]
    set yrange [y_min / 1.5 : 1.2]
    eval tics_of("x", x_min / 2.0, x_max * 2.0)
} else { set xrange [0.1 : 100]; set yrange [1e-4 : 1] }
x_text = "latency [ms]"; y_text = "share of frames that take longer"
eval panel_in(68, head + 38, tail_w, tail_h, n_tail > 0 ? "30 frames a second" : "30 frames a second: no rows")
if (n_tail > 0) {
    plot for [k = 1:n_curve] "tails.tsv" using (column("ms")):(mine(k, column("share"))) with fsteps linewidth 1.8 linecolor rgb hue(k) dashtype dash_of(k), \
         for [k = 1:n_curve] "longests.tsv" using (column("ms")):(mine(k, column("share"))) with points pointtype sign(k) pointsize 1.0 linecolor rgb hue(k)
} else { plot NaN }

if (n_energy > 0) {
    top = narrow ? head + 38 + tail_h + 92 + best_h + 92 : head + 38 + best_h + 92
    x_min = 1e300; x_max = 0; y_min = 1e300; y_max = 0
    eval ranges("energys.tsv", "rate", "mj")
    eval logs(1.4, 1.5)
    eval tics_of("x", x_min / 1.4, x_max * 1.4)
    eval tics_of("y", y_min / 1.5, y_max * 1.5)
    x_text = "frames a second"; y_text = "mJ a frame"
    eval panel_in(right, top, right_w, energy_h, "energy")
    its(is_max, k) = column("is_max") == is_max ? mine(k, column("mj")) : NaN
    plot for [k = 1:n_curve] "energys.tsv" using (column("rate")):(mine(k, column("mj"))) with lines linewidth 1.4 linecolor rgb hue(k) dashtype dash_of(k), \
         for [is_max = 0:1] for [k = 1:n_curve] "energys.tsv" using (column("rate")):(its(is_max, k)) with points pointtype sign(k) - is_max pointsize 0.9 linewidth hollow_width linecolor rgb hue(k)
}
if (n_best > 0) {
    top = head + 38 + (narrow ? tail_h + 92 : 0)
    x_text = "frames a second"; y_text = ""
    eval panel_in(right, top, right_w, best_h, "highest rate with under 0.1 % misses")
    unset logscale y
    set xrange [rate_min / 3.0 : rate_max * 3.0]
    eval tics_of("x", rate_min / 3.0, rate_max * 3.0)
    set yrange [-n_best - 0.5 : -0.5]
    unset ytics
    do for [i = 1:n_best] {
        set label 200 + i best_said[i] at best_rate[i] * 1.25, -i left font small textcolor rgb "#222222" front noenhanced
        if (best_rate[i] * best_rate[i] > rate_min * rate_max) { set label 200 + i at best_rate[i] / 1.25, -i right }
    }
    plot for [k = 1:n_curve] "bests.tsv" using (column("rate")):(mine(k, -column(0) - 1)) with points pointtype sign(k) pointsize 1.3 linecolor rgb hue(k)
}
