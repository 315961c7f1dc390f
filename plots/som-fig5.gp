# som-fig5.gp - the map, the matrix of its cells and the network, above each other            [SOM] Fig. 5
#
# A cell of the matrix stands for a part of the map below it and for the neurons of the mesh above it that it lists.
#: images input:map-near:13
#: apply som/openmp $IMAGE -S width=36 -S height=30 -S g=3 -S sigma=2 -S co=6 -o list-1.csv --cells cells.csv --input-picture input-1.png
#: formats svg png
#: what $NAME at 36 × 30 px, a neuron for 3 × 3 px; a cell has 6 × 6 px, and one is followed through all three
map_w = 36
map_h = 30
cell = 6
followed = 21 # the cell
n_cells = (map_w / cell) * (map_h / cell)

array n_in[n_cells]
do for [c = 1:n_cells] { n_in[c] = 0 }
stats "cells.csv" using (c = int(column("cell")) + 1, n_in[c] = n_in[c] + 1, 1) nooutput
n_neurons = int(sum [s_i = 1:n_cells] (n_in[s_i]))
most = 0; fewest_in = n_neurons
do for [c = 1:n_cells] { most = n_in[c] > most ? n_in[c] : most; fewest_in = n_in[c] < fewest_in ? n_in[c] : fewest_in }

# a layer is seen from its lower edge: its upper edge stands higher and to the right
lift = 0.34
lean = 0.5
u_of(x, y) = x + lean * (map_h - y)
v_of(layer, y) = layer * 13.0 + lift * (map_h - y)
px = 12.2
all_h = v_of(2, 0) + 0.8
eval sheet(sprintf("SOM mesh: each of %d cells has a thread, %d pixels of the map and %d to %d of the %d neurons", n_cells, cell * cell, fewest_in, most, n_neurons), 62 + px * all_h + 14)
shade(level) = 65793 * (int(level) / 16 * 16 + 7) + 1 # so that neighbours join; no colour that a dark page changes
ramp(share) = int(255 - 42 * share) * 65536 + int(244 - 150 * share) * 256 + int(232 - 232 * share)
corner(layer, x, y) = sprintf("%.2f, %.2f", u_of(x, y), v_of(layer, y))
around(layer, x, y, w, h) = sprintf("polygon from %s to %s to %s to %s to %s", corner(layer, x, y), corner(layer, x + w, y), corner(layer, x + w, y + h), corner(layer, x, y + h), corner(layer, x, y))
tile(number, layer, x, y, w, h, colour) = sprintf("set object %d %s fillstyle solid 1.0 noborder fillcolor rgb %d", number, around(layer, x, y, w, h), colour)

eval picture_size("input-1.png")
zoom = picture_w / map_w
set table $picture
plot "input-1.png" binary filetype=png with rgbimage
unset table
array level[map_w * map_h + 1] # by row, from the top
set datafile separator whitespace # of the table
set datafile commentschars "#"
unset datafile columnheaders
stats $picture using (level[int(1 + floor($1 / zoom) + map_w * (map_h - 1 - floor($2 / zoom)))] = $3, 1) nooutput
set datafile separator comma
set datafile columnheaders

from = 0
do for [k = 0:map_w * map_h - 1] {
    if (k % map_w == map_w - 1 || shade(level[k + 1]) != shade(level[k + 2])) {
        eval tile(1000 + k, 0, from % map_w, from / map_w, k - from + 1, 1, shade(level[k + 1]))
        from = k + 1
    }
}
cols = map_w / cell
do for [c = 0:n_cells - 1] {
    x = c % cols * cell
    y = c / cols * cell
    eval tile(3000 + c, 1, x, y, cell, cell, ramp(1.0 * n_in[c + 1] / most))
    set label 3000 + c sprintf("%d", n_in[c + 1]) at u_of(x + 0.5 * cell, y + 0.5 * cell), v_of(1, y + 0.5 * cell) center font small textcolor rgb (n_in[c + 1] > 0.6 * most ? "#FEFEFE" : "#111111")
    if (c == followed) {
        do for [k = 0:2] { eval sprintf("set object %d %s fillstyle empty border linecolor rgb '#D55E00' linewidth 1.6 front", 4000 + k, around(k, x, y, cell, cell)) }
        do for [k = 0:3] { eval sprintf("set arrow %d from %s to %s nohead front dashtype 3 linewidth 1 linecolor rgb '#D55E00'", 4000 + k, corner(0, x + k % 2 * cell, y + k / 2 * cell), corner(2, x + k % 2 * cell, y + k / 2 * cell)) }
    }
}
do for [k = 0:2] { eval sprintf("set object %d %s fillstyle empty border linecolor rgb '#9A9A9A'", 5000 + k, around(k, 0, 0, map_w, map_h)) }
said_of(k, first, second) = sprintf("set label %d '%s' at %.2f, %.2f left; set label %d '%s' at %.2f, %.2f left font small", 4000 + k, first, map_w + 6.5, v_of(k, map_h) + 2.4, 4010 + k, second, map_w + 6.5, v_of(k, map_h) + 0.9)
eval said_of(2, sprintf("network: %d neurons", n_neurons), sprintf("in orange the %d that the cell lists", n_in[followed + 1]))
eval said_of(1, sprintf("matrix: %d cells", n_cells), "a number: how many neurons it lists")
eval said_of(0, sprintf("map: %d pixels, white is nearest", map_w * map_h), sprintf("of the cell''s %d it may draw one a round", cell * cell))
eval at(10, 70, W - 20, px * all_h, "")
set xrange [0 : (W - 20) / px]
set yrange [-0.2 : all_h - 0.2]
in_space = '(u_of(column("x"), column("y"))):(v_of(2, column("y")))'
eval 'plot "< awk -f plots/links.awk list-1.csv" using '.in_space.' with lines linewidth 0.8 linecolor rgb "#0072B2", "cells.csv" using '.in_space. \
    ' with points pointtype 7 pointsize 0.35 linecolor rgb "#0072B2", "cells.csv" using (column("cell") == followed ? u_of(column("x"), column("y")) : NaN):(v_of(2, column("y")))'. \
    ' with points pointtype 7 pointsize 0.8 linecolor rgb "#D55E00"'
