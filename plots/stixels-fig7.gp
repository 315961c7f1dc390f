# stixels-fig7.gp - disparity outliers by image, and what eq. 12 changes in each            [STX] Fig. 7
#
# Left and middle: how many images have which share of outliers, with eq. 6 and with eq. 12.  Right: the difference of each
# image, eq. 6 less eq. 12 as in the paper: below 0 eq. 6 is the better.  Images of different inputs are stacked.

eval read("input", "input*")
stats "bins.tsv" using (bin = column("width"), difference_bin = column("difference_width"), most = column("most"), widest = column("widest"), 1) nooutput
eval range("n", "bars.tsv", "high")
n_bins = int(ceil(most / bin)) + 1
n_sides = int(ceil(widest / difference_bin)) + 1

eval canvas(400)
set yrange [0 : n_max * 1.08]
if (n_max < 8) { set ytics 1 }
set grid noxtics back
set tics out
set key at screen 10.0 / W, screen 1 - 48.0 / H left top vertical maxrows 1 Left reverse samplen 1.5

in_panel(i, value) = column("panel") == panel && column("curve") == i ? value : NaN
panel_width = (900 - 78 - 20 - 2 * 46.0) / 3
set multiplot
do for [panel = 1:3] {
    left = 78 + (panel - 1) * (panel_width + 46)
    half = 0.46 * (panel == 3 ? difference_bin : bin)
    eval frame(left, 900 - left - panel_width, 108, 58)
    set label 1 (panel == 1 ? "eq. 6, Slanted Stixels" : panel == 2 ? "eq. 12, constant time" : "difference, eq. 6 less eq. 12") at graph 0.0, graph 1.05 left
    set xlabel (panel == 3 ? "difference [percentage points]" : "disparity outliers [%]")
    if (panel == 1) { set ylabel "images" } else { unset ylabel; unset key }
    if (panel < 3) { set xrange [0 : n_bins * bin] } else { set xrange [-(n_sides + 0.5) * difference_bin : (n_sides + 0.5) * difference_bin] }
    set xtics autofreq
    if (panel == 3) { set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead linewidth 1 dashtype 2 linecolor rgb "#777777" front }
    plot for [i = 1:n_input] "bars.tsv" using (in_panel(i, column("middle"))):(column("low")):(column("middle") - half):(column("middle") + half):(column("low")):(column("high")) \
             with boxxyerror linecolor rgb curve_colour(i) notitle, \
         for [i = 1:n_input] keyentry with boxes fillstyle solid 1.0 linecolor rgb curve_colour(i) title input_input[i]
    eval undraw
}
