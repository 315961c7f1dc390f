# som-fig4.gp - one round with one data point, at two strengths                           [SOM] Fig. 4
#
# links-1.csv ...: the links of a mesh (x, y, a polyline each); what: what was held fixed.
dots = 1.5
load "plots/style.gp"
load "plots/images.gp"

titles = "'as it begins' 'alpha 0.5, sigma 6' 'alpha 1, sigma 12'"
n = words(titles)
map_w = 450.0 # px of the map
map_h = 375.0
cell_w = 890.0 / n - 12
cell_h = cell_w * map_h / map_w
eval canvas(900, int(62 + cell_h + 40), "")
eval headline("SOM mesh: one data point pulls", what)
eval bare
set multiplot
do for [i = 1:n] {
    eval at(10 + (i - 1) * (cell_w + 12), 84, cell_w, H - base - 96)
    eval say(word(titles, i))
    set xrange [0 : map_w]
    set yrange [map_h : 0]
    plot sprintf("links-%d.csv", i) using "x":"y" with lines linewidth 0.6 linecolor rgb "#333333"
    eval undraw
}
unset multiplot
