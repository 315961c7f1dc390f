# som-fig6.gp - spiral searches over the cells of a mesh                                      [SOM] Fig. 6
#
# On the left some searches of one time, on the right the one of them that visits most cells, in its range.
#: images scene:3
#: apply som/openmp $IMAGE -S width=45 -S height=36 -S g=6 -S sigma=2 -S co=3 -S rounds=1 -S ssr=3 -S seed=7 -o list-1.csv --searches searches.csv
#: formats svg png
#: what $NAME at 45 × 36 px after one round, a neuron for 6 × 6 px, cells of 3 × 3 px, range 3; a number: when a search visits the cell
cell = 3.0
cols = 15
rows = 12
ssr = 3
shown = " 0 1 3 14 15 " # points whose searches do not meet

array n_visits[100]; array x_of[100]; array y_of[100]; array distance[100]
n = 0
stats "searches.csv" using (i = int(column("point")) + 1, n = i > n ? i : n, n_visits[i] = column("order"), x_of[i] = column("x"), y_of[i] = column("y"), \
    distance[i] = column("distance_px"), 1) nooutput
most = 1; least = 1
do for [i = 1:n] { most = n_visits[i] > n_visits[most] ? i : most; least = n_visits[i] < n_visits[least] ? i : least }
in_range = (2 * ssr + 1) ** 2
ring_hues = "#0072B3 #5AA5D3 #A5CDE8 #D8E9F4"
hue_of(ring) = hex(word(ring_hues, int(ring) + 1))
unused = entry("the point's own cell", hue_of(0), 5, 0, 1) + entry("ring 1", hue_of(1), 5, 0, 1) + entry("2", hue_of(2), 5, 0, 1) + entry("3", hue_of(3), 5, 0, 1) + \
    entry("beyond the map", hex("#E4E4E4"), 5, 0, 1) + entry("neuron", hex("#B85C95"), 7, 0, 1) + entry("circle: from × through the nearest one", hex("#D55E00"), 6, 0, 1)
cell_h = 400.0
eval sheet(sprintf("SOM mesh: a search visits %d to %d of %d cells, ring by ring, until none can hold a nearer neuron", n_visits[least], n_visits[most], in_range), 62 + 22 + cell_h + 14)
set border 15
set grid front linestyle 100
set tics scale 0 format ""
set xtics cell
set ytics cell

# `eval visits(DOTS)`: the searches of the points that is_one() names, over all neurons
visit(value) = is_one(column("point")) ? value : NaN
point(value) = column("order") == 1 ? visit(value) : NaN
left(c) = cell * (int(c) % cols)
top(c) = cell * (int(c) / cols)
visits(dots) = 'plot "searches.csv" using (visit(left(column("cell")))):(top(column("cell"))):(left(column("cell"))):(left(column("cell")) + cell):(top(column("cell"))):' . \
    '(top(column("cell")) + cell):(hue_of(column("ring"))) with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, ' . \
    '"searches.csv" using (visit(left(column("cell"))) + 0.5 * cell):(top(column("cell")) + 0.76 * cell):(sprintf("%d", column("order"))):(column("ring") > 0 ? 0x111111 : 0xFEFEFE) with labels font small textcolor rgb variable, ' . \
    '"list-1.csv" using "x":"y" with points pointtype 7 pointsize ' . dots . ' linecolor rgb "#B85C95", ' . \
    '"searches.csv" using (point(column("x"))):(column("y")):(distance[int(column("point")) + 1]) with circles fillstyle empty border linewidth 1.4 linecolor rgb "#D55E00", ' . \
    '"searches.csv" using (point(column("x"))):(column("y")) with points pointtype 2 pointsize 0.7 linewidth 1.6 linecolor rgb "#FEFEFE"'
is_one(point) = strstrt(shown, sprintf(" %d ", point)) > 0
eval at(10, 106, cell_h * cols / rows, cell_h, "searches that do not meet, at the same time")
set xrange [0 : cols * cell]
set yrange [rows * cell : 0]
eval visits("0.5")

is_one(point) = point == most - 1
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillstyle solid 1.0 noborder fillcolor rgb "#E4E4E4"
set object 2 rectangle from 0, 0 to cols * cell, rows * cell behind fillstyle solid 1.0 noborder fillcolor rgb "#FFFFFF"
eval at(40 + cell_h * cols / rows, 106, 340, 340, sprintf("one of them in its range: (2 · %d + 1)² = %d cells", ssr, in_range))
from(at) = cell * (int(at / cell) - ssr)
set xrange [from(x_of[most]) : from(x_of[most]) + (2 * ssr + 1) * cell]
set yrange [from(y_of[most]) + (2 * ssr + 1) * cell : from(y_of[most])]
eval visits("0.7")
