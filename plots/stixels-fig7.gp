# stixels-fig7.gp - disparity outliers by image, and what eq. 12 changes in each            [STX] Fig. 7
#
# (c) the relative difference of each image, as in the paper: below 0 eq. 6 is the better.

eval range("n", "bars.tsv", "high")
bin = bin_width[1]
n_bins = int(ceil(bin_most[1] / bin)) + 1
difference_bin = bin_difference_width[1]
do for [i = 1:(n_input > 1 ? n_input : 0)] { unused = entry(input_input[i], curve_colour(i), 5, 0, 1) }

eval grid(3, 3, 230, 44, 40, "", "images")
set yrange [0 : n_max * 1.16]
if (n_max < 8) { set ytics 1 }
set grid noxtics back
in_panel(i, value) = column("panel") == panel && column("curve") == i ? value : NaN
array panel_title[3] = ["(a) eq. 6, Slanted Stixels [12]", "(b) eq. 12", "(c) change by eq. 12"]
do for [panel = 1:3] {
    half = 0.46 * (panel == 3 ? difference_bin : bin)
    x_text = panel == 3 ? "(eq. 6 − eq. 12) / eq. 6 [%]" : "disparity outliers [%]"
    eval cell(panel, panel_title[panel])
    if (panel < 3) { set xrange [0 : n_bins * bin] } else { set xrange [difference_bin * (floor(bin_lowest[1] / difference_bin) - 1) : difference_bin * (ceil(bin_highest[1] / difference_bin) + 1)] }
    set xtics autofreq
    if (panel == 3) {
        set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead linewidth 1 dashtype 2 linecolor rgb "#777777" front
        set label 2 sprintf("eq. 6 is better in %d, eq. 12 in %d", bin_better_6[1], bin_better_12[1]) at graph 0.02, graph 0.95 left font small textcolor rgb "#222222"
    }
    plot for [i = 1:n_input] "bars.tsv" using (in_panel(i, column("middle"))):(column("low")):(column("middle") - half):(column("middle") + half):(column("low")):(column("high")) \
         with boxxyerror linecolor rgb curve_colour(i)
}
