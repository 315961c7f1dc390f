# stx-fig7.gp - disparity outliers by image, and what eq. 12 changes in each            [STX] Fig. 7
#
# Left and middle: how many images have which share of outliers, with eq. 6 and with eq. 12.  Right: the difference of each
# image, eq. 6 less eq. 12 as in the paper: below 0 eq. 6 is the better.  Images of different inputs are stacked.
load "plots/style.gp"

if (values eq "") { values = csv }
if (!exists("block")) { block = "4" }
if (!exists("error")) { error = "d1_image_pct" }
shown(x) = strcol("name") eq error && strcol("block") eq block && strcol("case") eq "all" && \
    (strcol("model") eq "b6" || strcol("model") eq "b12")
eval require("shown(0)", values)
inputs = ""
stats values using (shown(0) && !has_word(inputs, strcol("input")) ? (inputs = inputs." ".strcol("input"), 1) : 0) nooutput
place(list, w) = int(sum [i = 1:words(list)] (word(list, i) eq w ? i : 0))

# Image i of input k is at (k - 1) * room + i + 1.
room = 400
n_places = room * words(inputs)
array with_6[n_places]
array with_12[n_places]
array difference[n_places]
do for [i = 1:n_places] { with_6[i] = NaN; with_12[i] = NaN }
n_dropped = 0
put_6(i, value) = (with_6[i] = value, 1)
put_12(i, value) = (with_12[i] = value, 1)
put(k, i) = i >= room ? (n_dropped = n_dropped + 1, 0) : strcol("model") eq "b6" ? put_6((k - 1) * room + i + 1, column("value")) : put_12((k - 1) * room + i + 1, column("value"))
stats values using (shown(0) ? put(place(inputs, strcol("input")), int(column("index"))) : 0) nooutput
is_number(x) = x == x

n_6 = 0
n_12 = 0
n_both = 0
most = 0
widest = 0
do for [i = 1:n_places] {
    difference[i] = with_6[i] - with_12[i]
    if (is_number(with_6[i])) { n_6 = n_6 + 1; most = with_6[i] > most ? with_6[i] : most }
    if (is_number(with_12[i])) { n_12 = n_12 + 1; most = with_12[i] > most ? with_12[i] : most }
    if (is_number(difference[i])) { n_both = n_both + 1; widest = abs(difference[i]) > widest ? abs(difference[i]) : widest }
}

# Some 20 to 30 bins of a round width; the difference has one around 0.
round_up(x) = x <= 0 ? 1 : (p = 10 ** floor(log10(x)), x <= p ? p : x <= 2 * p ? 2 * p : x <= 5 * p ? 5 * p : 10 * p)
bin = round_up(most / 30)
difference_bin = round_up(2 * widest / 30)
n_bins = int(ceil(most / bin)) + 1
n_sides = int(ceil(widest / difference_bin)) + 1

# Rows of a table of bars: panel, input, middle of the bin, images below the bar, images up to its top.
array count[3 * (n_bins + 2 * n_sides + 1) * words(inputs)]
bins_of(panel) = panel == 3 ? 2 * n_sides + 1 : n_bins
bin_of(panel, x) = panel == 3 ? int(floor(x / difference_bin + 0.5)) + n_sides + 1 : int(floor(x / bin)) + 1
middle_of(panel, j) = panel == 3 ? (j - n_sides - 1) * difference_bin : (j - 0.5) * bin
value_of(panel, i) = panel == 1 ? with_6[i] : panel == 2 ? with_12[i] : difference[i]
n_most = 0
array drawn[3]   # inputs that have a bar in the panel
set print $bars
print "panel,input,middle,low,high"
do for [panel = 1:3] {
    n_of_panel = bins_of(panel)
    array height[n_of_panel]
    do for [j = 1:n_of_panel] { height[j] = 0 }
    drawn[panel] = ""
    do for [k = 1:words(inputs)] {
        array of_input[n_of_panel]
        do for [j = 1:n_of_panel] { of_input[j] = 0 }
        do for [i = (k - 1) * room + 1:k * room] {
            x = value_of(panel, i)
            if (is_number(x)) { j = bin_of(panel, x); of_input[j] = of_input[j] + 1 }
        }
        do for [j = 1:n_of_panel] {
            if (of_input[j] > 0 && !has_word(drawn[panel], word(inputs, k))) { drawn[panel] = drawn[panel]." ".word(inputs, k) }
            if (of_input[j] > 0) { print sprintf("%d,%s,%.9g,%d,%d", panel, word(inputs, k), middle_of(panel, j), height[j], height[j] + of_input[j]) }
            height[j] = height[j] + of_input[j]
            n_most = height[j] > n_most ? height[j] : n_most
        }
    }
}
set print

uneven = n_both < n_6 || n_both < n_12 ? sprintf("Images with a result: %d of eq. 6, %d of eq. 12, %d of both. ", n_6, n_12, n_both) : ""
dropped = n_dropped > 0 ? sprintf("%d values of images beyond the %dth of an input are not drawn.", n_dropped, room) : ""
eval canvas(900, 400, uneven.dropped)
eval headline("Slanted stixels: disparity outliers by image", \
    sprintf("blocks of %s px; %d images of generated scenes; an outlier is above 3 px and above 5 %%", block_text(block), n_6 > n_12 ? n_6 : n_12))
set yrange [0 : n_most * 1.08]
if (n_most < 8) { set ytics 1 }
set grid noxtics back
set tics out
set key at screen 10.0 / W, screen 1 - 48.0 / H left top vertical maxrows 1 Left reverse samplen 1.5

in_panel(panel, input, value) = column("panel") == panel && strcol("input") eq input ? value : NaN
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
    plot for [input in drawn[panel]] $bars using (in_panel(panel, input, column("middle"))):(column("low")):(column("middle") - half):(column("middle") + half):(column("low")):(column("high")) \
             with boxxyerror linecolor rgb curve_colour(place(inputs, input)) notitle, \
         for [k = 1:words(inputs)] keyentry with boxes fillstyle solid 1.0 linecolor rgb curve_colour(k) title word(inputs, k)
    eval undraw
}
unset multiplot
