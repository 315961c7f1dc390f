# som-fig1.gp - the honeycombs of a mesh, and one of them over its pixels with its weight  [SOM] Fig. 1
#
# Every third neuron of a row, shifted from row to row, is the middle of a honeycomb of six triangles.
#: images input:map-near:13
#: apply som/openmp $IMAGE -S width=45 -S height=38 -S g=4 -S sigma=2 -S co=5 -o list-1.csv --input-picture input-1.png
#: what $NAME at 45 × 38 px, a neuron for 4 × 4 px; numbers are grey levels, white is nearest
dots = 1.5

map_w = 45.0
map_h = 38.0
near_x = 20 # the honeycomb on the right is the one that is nearest to this place
near_y = 30
cell_h = 330.0
cell_w = cell_h * map_w / map_h
eval picture_size("input-1.png")
zoom = picture_w / map_w
set table "levels.txt"
plot "input-1.png" binary filetype=png with rgbimage
unset table
weight = system(sprintf("awk -v zoom=%d -v height=%d -v u=%d -v v=%d -f plots/honeycombs.awk list-1.csv levels.txt", zoom, map_h, near_x, near_y))
eval sheet("The weight of a honeycomb is the sum of the levels that it covers, here ".weight, 62 + 22 + cell_h + 14)
stats "comb.csv" using "x":"y" name "C" nooutput
span = 1.2 * (C_max_x - C_min_x > C_max_y - C_min_y ? C_max_x - C_min_x : C_max_y - C_min_y)
middle_x = 0.5 * (C_max_x + C_min_x)
middle_y = 0.5 * (C_max_y + C_min_y)
grey_of(level) = 65793 * int(level)
pixels = '"pixels.csv" using (column("x")):(column("y")):(column("x") - 0.5):(column("x") + 0.5):(column("y") - 0.5):(column("y") + 0.5):(grey_of(column("level")))'. \
    ' with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, "comb.csv" using "x":"y" with lines linewidth 3 linecolor rgb "#D55E00", '
mesh = '"< awk -f plots/links.awk list-1.csv" using "x":"y" with lines linewidth 0.6 linecolor rgb "#56B4E9", "combs.csv" using "x":"y" with lines linewidth 1.6 linecolor rgb "#E69F00"'
numbers = '"pixels.csv" using (column("inside") > 0 ? column("x") : NaN):(column("y")):(sprintf("%d", column("level"))):(column("level") > 120 ? 0x111111 : 0xFEFEFE)'. \
    ' with labels font small textcolor rgb variable'

set object 1 rectangle from graph 0, 0 to graph 1, 1 fillstyle empty border linecolor rgb "#999999" front
set xrange [0 : map_w]
set yrange [map_h : 0]
eval at(10, 84, cell_w, cell_h, "the mesh over the map: triangles, and honeycombs in orange")
eval "plot ".pixels.mesh

eval at(cell_w + 60, 84, cell_h, cell_h, "the thick one, W_k = ".weight)
set xrange [middle_x - 0.5 * span : middle_x + 0.5 * span]
set yrange [middle_y + 0.5 * span : middle_y - 0.5 * span]
eval "plot ".pixels.numbers
