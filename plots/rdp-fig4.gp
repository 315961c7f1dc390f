# rdp-fig4.gp - the recursion tree of one column                            [RDP] Fig. 4
#
# Above, the column and its segments; below, a box per call of Algorithm 1, as wide as the rows that it looks at, with the number of
# points in them: what a round costs.
#: images scene:1
#: column 592
#: apply rdp/serial $IMAGE -S eps=$EPS --tree tree.csv --column $COLUMN
#: formats svg png
#: what column $COLUMN of $NAME, vertical distance, ε = $EPS px; numbers: measured points that a call looks at
tree = "tree.csv"

n_nodes = 0; n_points = 0; depth = 0
stats tree using (strcol("kind") eq "node" ? (n_nodes = n_nodes + 1, depth = column("depth") > depth ? column("depth") : depth, 1) : strcol("kind") eq "point" ? (n_points = n_points + 1) : 0) nooutput
if (n_nodes == 0) { print tree.": no segment in this column"; exit status 2 }
depth = int(depth)
eval range("v", tree, "row")
eval range("d", tree, "disparity_px")
array node_first[n_nodes]; array node_last[n_nodes]; array node_depth[n_nodes]; array node_points[n_nodes]; array point_row[n_points]
k = 0; i = 0
stats tree using (strcol("kind") eq "node" ? (k = k + 1, node_first[k] = column("first"), node_last[k] = column("last"), node_depth[k] = column("depth"), 1) : strcol("kind") eq "point" ? (i = i + 1, point_row[i] = column("row"), 1) : 0) nooutput
do for [k = 1:n_nodes] { node_points[k] = int(sum [s_i = 1:n_points] (point_row[s_i] >= node_first[k] && point_row[s_i] <= node_last[k])) }
points_in(d) = int(sum [s_k = 1:n_nodes] (node_depth[s_k] == d ? node_points[s_k] : 0))

level = 42.0
right = 84.0
title = sprintf("%d rounds look at %d points in all, of a column of %d", depth, int(sum [s_d = 1:depth] (points_in(s_d))), n_points)
unused = entry("measured", hex("#9A9A9A"), 7, 0, 1) + entry("kept points and segments", curve_colour(1), 7, 1.6, 1) + \
    entry("cut, at the notch", curve_colour(1), 5, 0, 1) + entry("leaf = segment", curve_colour(3), 5, 0, 1)
eval canvas(46 + 34 + 160 + 26 + level * depth + 52)
set xrange [v_min - 1 : v_max + 1]
plot_w = W - 62 - right
px_of(rows) = rows * plot_w / (v_max - v_min + 2)

x_text = ""; y_text = "disparity [px]"
eval panel_in(62, head + 34, plot_w, 160, "")
set yrange [0 : d_max * 1.06 + 1]
set format x ""
plot tree using (column("row")):(strcol("kind") eq "point" ? column("disparity_px") : NaN) with points pointtype 7 pointsize 0.3 linecolor rgb "#9A9A9A", \
     tree using (column("row")):(strcol("kind") eq "kept" ? column("disparity_px") : NaN) with linespoints linewidth 1.6 pointtype 7 pointsize 0.6 linecolor rgb curve_colour(1)

x_text = "row v"; y_text = ""
eval panel_in(62, head + 34 + 160 + 26, plot_w, level * depth, "")
set format x "%g"
set yrange [-depth - 0.5 : -0.5]
unset ytics
set ytics scale 0 ("" 1) font small textcolor rgb "#222222"
do for [i = 1:depth] {
    set ytics add (sprintf("round %d", i) -i)
    set label 10 + i sprintf("%d points", points_in(i)) at screen (W - right + 6) / W, first -i left font small textcolor rgb grey
}
set grid noytics
half = 0.35
outside = -1e6   # where nothing is seen of what is not to be drawn
is_node(leaf) = strcol("kind") eq "node" && (strcol("cut") eq "") == leaf
box(leaf, dy) = (is_node(leaf) ? -column("depth") : outside) + dy
mid(a, b) = 0.5 * (a + b)
points_of(x) = sum [s_k = 1:n_nodes] (node_first[s_k] == column("first") && node_last[s_k] == column("last") ? node_points[s_k] : 0)
number(x) = sprintf("%d", points_of(0))
fits(x) = px_of(column("last") - column("first")) >= text_px(number(0), 11) + 2
text_if(condition) = strcol("kind") eq "node" && condition ? mid(column("first"), column("last")) : outside
plot tree using (is_node(0) ? column("cut") : outside):(-column("depth") - half):(mid(column("first"), column("cut")) - column("cut")):(2 * half - 1) \
         with vectors nohead linewidth 1 linecolor rgb "#777777", \
     tree using (is_node(0) ? column("cut") : outside):(-column("depth") - half):(mid(column("last"), column("cut")) - column("cut")):(2 * half - 1) \
         with vectors nohead linewidth 1 linecolor rgb "#777777", \
     tree using (mid(column("first"), column("last"))):(box(0, 0)):(column("first")):(column("last")):(box(0, -half)):(box(0, half)) \
         with boxxyerror fillstyle solid 1.0 border linecolor rgb curve_colour(1) fillcolor rgb "#E1DEF2", \
     tree using (mid(column("first"), column("last"))):(box(1, 0)):(column("first")):(column("last")):(box(1, -half)):(box(1, half)) \
         with boxxyerror fillstyle solid 1.0 border linecolor rgb curve_colour(3) fillcolor rgb "#D5ECED", \
     tree using (is_node(0) ? column("cut") : outside):(-column("depth") - half):(0):(0.35 * half) with vectors nohead linewidth 1.6 linecolor rgb curve_colour(1), \
     tree using (text_if(fits(0))):(-column("depth")):(number(0)) with labels center font small textcolor rgb "#222222"
