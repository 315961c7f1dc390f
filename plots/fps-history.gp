# fps-history.gp - speed from commit to commit, by `depthbench history --csv`
#
# A curve for each configuration that fits what was asked for, an index of its first point; its name stands at its end.

eval ranges("points.tsv", "place", "speed")
if (n_curve <= 7) { eval ranges("points.tsv", "place", "low"); eval ranges("points.tsv", "place", "high") }
y_low = y_min < 1 ? y_min : 1.0
y_high = y_max > 1 ? y_max : 1.0
room = 0.08 * (y_high - y_low) + 0.02
y_low = y_low - room > 0 ? y_low - room : 0
y_high = y_high + room

# Names are cut where they would take more than two fifths.
do for [k = 1:n_curve] {
    said = curve_name[k]
    while (text_px(said, 11) > 0.46 * W) { said = said[1:strlen(said) - 2]."…" }
    curve_name[k] = said
}
eval widest("right", "curve", "name")
plot_h = 14 * n_curve > 300 ? 14.0 * n_curve : 300.0
x_text = ""; y_text = "speed, the first = 1"
eval canvas(46 + 38 + plot_h + 62)
eval panel_in(46, head + 38, W - 46 - right - 26, plot_h, "")
set xrange [0.5 : x_max + 0.5]
set yrange [y_low : y_high]
every = int(n_commit * 16.0 / cell_w) + 1
set xtics rotate by 55 right font small offset 0, -0.2
set xtics ("" 1)
do for [i = 1:n_commit:every] { set xtics add (commit_commit_hash[i] commit_place[i]) }

# The names from above, each below the one before.
name_y = plot_h + 14
do for [k = 1:n_curve] {
    wanted = plot_h * (curve_end[k] - y_low) / (y_high - y_low)
    below = 14.0 * (n_curve - k) # room for those that follow
    name_y = wanted < name_y - 14 ? wanted : name_y - 14
    name_y = name_y > below ? name_y : below
    at_y = 1 - (cell_top + cell_h - name_y) / H
    set label 200 + k curve_name[k] at screen (cell_left + cell_w + 16) / W, screen at_y left font small textcolor rgb "#222222" noenhanced
    set arrow 200 + k from graph 1, first curve_end[k] to screen (cell_left + cell_w + 13) / W, screen at_y nohead linewidth 1.4 linecolor rgb curve_colour(k)
}
dash(k) = (k - 1) / 7 % 3 + 1
bars = n_curve > 7 ? "" : ', for [k = 1:n_curve] "points.tsv" using (column("place")):(of(k, column("speed"))):(column("low")):(column("high")) with yerrorbars pointtype curve_mark(k) pointsize 0.7 linewidth 1 linecolor rgb curve_colour(k)'
eval 'plot 1 with lines linewidth 0.8 linecolor rgb "#777777", for [k = 1:n_curve] "points.tsv" using (column("place")):(of(k, column("level"))) with lines linewidth 1.6 dashtype dash(k) linecolor rgb curve_colour(k), for [k = 1:n_curve] "points.tsv" using (column("place")):(of(k, column("speed"))) with points pointtype curve_mark(k) pointsize 0.6 linecolor rgb curve_colour(k)'.bars
