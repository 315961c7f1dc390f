# som-fig4.gp - one round with one data point, at two strengths                           [SOM] Fig. 4
#
# meshes: tables of the links of a mesh (x, y, a polyline each), as words; titles: of the meshes, separated by /; extent_px: width
# and height of the map in px, as words; what: what was held fixed.
load "plots/style.gp"

if (!exists("what")) { what = "" }
n = words(meshes)
map_w = word(extent_px, 1) + 0.0
map_h = word(extent_px, 2) + 0.0
title_part(i, s) = i == 1 ? (strstrt(s, "/") > 0 ? s[1 : strstrt(s, "/") - 1] : s) : title_part(i - 1, s[strstrt(s, "/") + 1 : *])
total_w = 900.0
cell_w = (total_w - 10) / n - 12
cell_h = cell_w * map_h / map_w
eval canvas(total_w, int(62 + cell_h + 40), "")
eval headline("SOM mesh: one data point pulls", what)
unset tics
unset border
unset key
unset grid
set multiplot
do for [i = 1:n] {
    left = 10 + (i - 1) * (cell_w + 12)
    eval frame(left, total_w - left - cell_w, 84, 12)
    set label 1 title_part(i, titles) at graph 0, graph 1 offset 0, 0.6 left
    set xrange [0 : map_w]
    set yrange [map_h : 0]
    plot word(meshes, i) using "x":"y" with lines linewidth 0.6 linecolor rgb "#333333"
    eval undraw
}
unset multiplot
