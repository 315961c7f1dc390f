# scale.gp - frames per second of several ranks or streams over those of one, by their number; of what scale.sql has
#
# A panel for each paper and scope; colour: variant; dashes: strong scaling; in figures: frames per second of one.

eval ranges("points.tsv", "number", "high")
eval which("weak", "curve", "curve_is_strong[each] == 0")."; ".which("strong", "curve", "curve_is_strong[each] == 1")
do for [k = 1:n_curve] { unused = entry(curve_title[k], hue(k), sign(k), 1.8, 1) }
if (strlen(weak) && strlen(strong)) { unused = entry("weak: all frames each", grey, -1, 1.8, 1) + entry("strong: frames divided", grey, -1, 1.8, 2) }

eval grid(n_panel, 2, 130, 52, 60, at_x, at_y)
set xtics ()
do for [i = 1:n_step] { set xtics add (step_number[i] step_number[i] + 0) }
set logscale x 2
set xrange [x_min / 1.15 : x_max * 1.15]
set yrange [0 : y_max * 1.08]
dash_of(k) = 1 + int(curve_is_strong[k])
its(j) = int(word(shown, j))
beside(j) = column("number") * 2 ** (0.03 * (j - (words(shown) + 1) / 2.0)) # bars at one place would hide each other
do for [p = 1:n_panel] {
    eval which("shown", "curve", "curve_panel[each] eq panel_name[p]")
    eval which("told", "curve", "curve_panel[each] eq panel_name[p] && curve_is_strong[each] == 0 && strlen(curve_one[each])")
    eval cell(p, panel_title[p])
    do for [j = 1:2] { unset label j }
    do for [j = 1:words(told)] { k = int(word(told, j)); set label j "one: ".curve_one[k]."/s" at graph 0.02, 0.06 + 0.11 * (j - 1) left font small textcolor rgb hue(k) }
    plot for [j = 1:words(shown)] "points.tsv" using (beside(j)):(mine(its(j), column("rate"))) with lines linewidth 1.8 linecolor rgb hue(its(j)) dashtype dash_of(its(j)), \
         for [j = 1:words(shown)] "points.tsv" using (beside(j)):(mine(its(j), column("rate"))):(column("low")):(column("high")) \
            with yerrorbars pointtype sign(its(j)) pointsize 0.9 linewidth 1.2 linecolor rgb hue(its(j))
}
