# som-fig7.gp - two orders of the cells' neurons in memory                                    [SOM] Fig. 7
#
# Above the cells and their lists, below each order as one line of places; a neuron has the colour of its cell, and the number of those
# before it in the cell's list.  Arcs go the way of the thread with the longest list.
#: images input:map-near:13
#: apply som/openmp $IMAGE -S width=36 -S height=24 -S g=6 -S sigma=2 -S co=12 -S rounds=20 -S mnpc=8 --cells cells.csv
#: formats svg png
#: what $NAME at 36 × 24 px after 20 rounds; numbers: the order in which a cell's thread reads its neurons; version 1 has x and y apart
cell = 12
cols = 3

# the longest list, and where its first two neurons stand: that tells how many cells there are, and how much room a list has
longest = -1
stats "cells.csv" using (column("before") > longest ? (longest = column("before"), walk = column("cell")) : 0) nooutput
stats "cells.csv" using (column("cell") == walk && column("before") == 0 ? (first_1 = column("mov1"), first_2 = column("mov2")) : 0) nooutput
stats "cells.csv" using (column("cell") == walk && column("before") == 1 ? (n_cells = int(column("mov1") - first_1), near = int(column("mov2") - first_2)) : 0) nooutput
capacity = int(first_2 / walk)
lines = n_cells / cols
eval sheet(sprintf("SOM mesh: a thread's next neuron stands %d places further in version 1, %d in version 2", n_cells, near), 462)

hue_of(c) = curve_colour(int(c) + 1)
set border 15
set grid front linecolor rgb "#BBBBBB" linewidth 0.6
set tics scale 0 format ""
# `eval boxes(X, Y)`: one for each neuron, from these to the right and down
boxes(x, y) = '"cells.csv" using ('.x.'):('.y.'):('.x.'):('.x.' + 1):('.y.'):('.y.' + 1):(hue_of(column("cell"))) with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, ' . \
    '"cells.csv" using ('.x.' + 0.5):('.y.' + 0.5):(sprintf("%d", column("before"))):(0xFEFEFE) with labels font small textcolor rgb variable'

eval at(10, 84, 270, 180, "the cells of a mesh, and their neurons")
set xrange [0 : cell * cols]
set yrange [cell * lines : 0]
set xtics cell
set ytics cell
plot "cells.csv" using "x":"y":(hue_of(column("cell"))) with points pointtype 7 pointsize 1 linecolor rgb variable

eval at(W - 10 - 60 * capacity, 84, 60 * capacity, 180, "their lists: version 1 stores this column by column, version 2 line by line")
set xrange [0 : capacity]
set yrange [n_cells : 0]
set xtics 1
set ytics 1
eval "plot ".boxes('column("before")', 'column("cell")')

set xrange [0 : n_cells * capacity]
set yrange [1 : 0]
set style circle nowedge noclip
do for [version = 1:2] {
    place = sprintf('column("mov%d")', version)
    step = version == 1 ? n_cells : near
    eval at(10, version == 1 ? 352 : 424, W - 20, 24, version == 1 ? "version 1" : "version 2")
    eval 'plot "cells.csv" using (column("cell") == walk && column("before") > 0 ? '.place.' + 0.5 - 0.5 * step : NaN):(0):(0.5 * step):(0):(180) with circles fillstyle empty border ' . \
        'linewidth 1.4 linecolor rgb hue_of(walk), '.boxes(place, "0")
}
