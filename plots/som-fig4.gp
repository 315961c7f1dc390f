# som-fig4.gp - one round with one data point, at two strengths                           [SOM] Fig. 4
#
# meshes: tables of the links of a mesh (x, y, a polyline each), as words; titles: of the meshes, separated by /; extent_px: width
# and height of the map in px, as words; what: what was held fixed.
load "plots/style.gp"
load "plots/images.gp"

n = words(meshes)
map_w = word(extent_px, 1) + 0.0
map_h = word(extent_px, 2) + 0.0
title_part(i, s) = i == 1 ? (strstrt(s, "/") > 0 ? s[1 : strstrt(s, "/") - 1] : s) : title_part(i - 1, s[strstrt(s, "/") + 1 : *])
cell_w = 890.0 / n - 12
cell_h = cell_w * map_h / map_w
eval canvas(900, int(62 + cell_h + 40), "")
eval headline("SOM mesh: one data point pulls", what)
eval bare
set multiplot
do for [i = 1:n] {
    eval at(10 + (i - 1) * (cell_w + 12), 84, cell_w, H - base - 96)
    eval say(title_part(i, titles))
    set xrange [0 : map_w]
    set yrange [map_h : 0]
    plot word(meshes, i) using "x":"y" with lines linewidth 0.6 linecolor rgb "#333333"
    eval undraw
}
unset multiplot
