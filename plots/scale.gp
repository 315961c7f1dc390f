# scale.gp - frames per second of several ranks or streams over those of one, by their number; of what scale.sql has
#
# A panel for each paper and scope; colour: variant; dashes: strong scaling; in figures: frames per second of one.

eval read("curve", "curve impl* panel* is_strong title* one*")
eval read("panel", "name* title*")
eval read("step", "number*")
eval ranges("points.tsv", "number", "high")
any_weak = 0
any_strong = 0
said = "|"
do for [i = 1:n_curve] {
    any_weak = any_weak + (curve_is_strong[i] == 0)
    any_strong = any_strong + (curve_is_strong[i] == 1)
    if (strstrt(said, "|".curve_title[i]."|") == 0) {
        said = said . curve_title[i] . "|"
        unused = entry(curve_title[i], colour_of(curve_impl[i]), mark_of(curve_impl[i]), 1.8, 1)
    }
}
if (any_weak > 0 && any_strong > 0) { unused = entry("weak: all frames each", grey, -1, 1.8, 1) + entry("strong: frames divided", grey, -1, 1.8, 2) }

eval grid(n_panel, 2, 200, 52, 60, at_x, at_y)
set xtics ()
do for [i = 1:n_step] { set xtics add (step_number[i] step_number[i] + 0) }
set logscale x 2
set xrange [x_min / 1.15 : x_max * 1.15]
set yrange [0 : y_max * 1.08]
array mine[n_curve + 1]   # curves of the panel
beside(j) = column("number") * 2 ** (0.03 * (j - (n_mine + 1) / 2.0)) # bars at one place would hide each other
do for [p = 1:n_panel] {
    n_mine = 0
    do for [k = 1:n_curve] { if (curve_panel[k] eq panel_name[p]) { n_mine = n_mine + 1; mine[n_mine] = k } }
    eval cell(p, panel_title[p])
    n_said = 0
    do for [j = 1:2] { unset label j }
    do for [j = 1:n_mine] { k = mine[j]; if (curve_is_strong[k] == 0 && strlen(curve_one[k]) > 0) { n_said = n_said + 1
        set label n_said "one: ".curve_one[k]."/s" at graph 0.02, 0.06 + 0.11 * (n_said - 1) left font small textcolor rgb colour_of(curve_impl[k]) } }
    plot for [j = 1:n_mine] "points.tsv" using (beside(j)):(of(curve_curve[mine[j]], column("rate"))) \
            with lines linewidth 1.8 linecolor rgb colour_of(curve_impl[mine[j]]) dashtype 1 + int(curve_is_strong[mine[j]]), \
         for [j = 1:n_mine] "points.tsv" using (beside(j)):(of(curve_curve[mine[j]], column("rate"))):(column("low")):(column("high")) \
            with yerrorbars pointtype mark_of(curve_impl[mine[j]]) pointsize 0.9 linewidth 1.2 linecolor rgb colour_of(curve_impl[mine[j]])
}
