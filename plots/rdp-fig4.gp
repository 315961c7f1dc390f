# rdp-fig4.gp - the recursion tree of one column                            [RDP] Fig. 4
#
# Above, the column and its segments; below, a box per call of Algorithm 1, as wide as the rows that it looks at.
#: images scene:1
#: column 592
#: apply rdp/serial $IMAGE -S eps=$EPS --tree tree.csv --column $COLUMN
#: formats svg png
#: caption rdp/serial $IMAGE --tree FILE --column $COLUMN -S eps=$EPS
#: what column $COLUMN of $NAME, vertical distance, ε = $EPS px
tree = "tree.csv"

n_nodes = 0
depth = 0
stats tree using (strcol("kind") eq "node" ? (n_nodes = n_nodes + 1, depth = column("depth") > depth ? column("depth") : depth, 1) : 0) nooutput
if (n_nodes == 0) { print tree.": no segment in this column"; exit status 2 }
depth = int(depth)
eval range("v", tree, "row")
eval range("d", tree, "disparity_px")

level = 94
plot_w = 900.0 - 70 - 20
px_of(rows) = rows * plot_w / (v_max - v_min + 2)
title = "RDP column segmentation: the recursion tree of one column"
eval canvas(88 + 170 + 26 + level * depth + 52)
set xrange [v_min - 1 : v_max + 1]

set multiplot
eval frame(70, 20, 88, H - base - (88 + 160))
set yrange [0 : d_max * 1.06 + 1]
set ylabel "disparity [px]"
set format x ""
set key at screen 10.0 / W, screen 1 - 48.0 / H left top vertical maxrows 1 Left reverse samplen 2
plot tree using (column("row")):(strcol("kind") eq "point" ? column("disparity_px") : NaN) with points pointtype 7 pointsize 0.3 \
         linecolor rgb "#9A9A9A" notitle, \
     tree using (column("row")):(strcol("kind") eq "kept" ? column("disparity_px") : NaN) with linespoints linewidth 1.6 pointtype 7 pointsize 0.6 \
         linecolor rgb "#0072B2" title "kept points and segments", \
     keyentry with boxes fillstyle solid 1.0 border linecolor rgb "#0072B2" fillcolor rgb "#CFE3F1" title "cut", \
     keyentry with boxes fillstyle solid 1.0 border linecolor rgb "#009E73" fillcolor rgb "#D3EEE3" title "leaf = segment", \
     keyentry with points pointtype 7 pointsize 0.5 linecolor rgb "#9A9A9A" title "measured"
eval undraw
unset key

eval frame(70, 20, 88 + 170 + 26, 52)
set format x "%g"
set xlabel "row v"
set ylabel "round"
set yrange [-depth - 0.5 : -0.5]
unset ytics
set ytics scale 0 ("" 1)
do for [i = 1:depth] { set ytics add (sprintf("%d", i) -i) }
set grid noytics
half = 0.35
outside = -1e6   # where nothing is seen of what is not to be drawn
is_node(leaf) = strcol("kind") eq "node" && (strcol("cut") eq "") == leaf
box(leaf, dy) = (is_node(leaf) ? -column("depth") : outside) + dy
mid(a, b) = 0.5 * (a + b)
interval(x) = sprintf("[%s, %s]", strcol("first"), strcol("last"))
wide(x) = px_of(column("last") - column("first")) >= 8.2 * strlen(interval(0))
tall(x) = !wide(0) && px_of(column("last") - column("first")) >= 15
text_if(condition) = strcol("kind") eq "node" && condition ? mid(column("first"), column("last")) : outside
plot tree using (is_node(0) ? column("cut") : outside):(-column("depth") - half):(mid(column("first"), column("cut")) - column("cut")):(2 * half - 1) \
         with vectors nohead linewidth 1 linecolor rgb "#777777" notitle, \
     tree using (is_node(0) ? column("cut") : outside):(-column("depth") - half):(mid(column("last"), column("cut")) - column("cut")):(2 * half - 1) \
         with vectors nohead linewidth 1 linecolor rgb "#777777" notitle, \
     tree using (mid(column("first"), column("last"))):(box(0, 0)):(column("first")):(column("last")):(box(0, -half)):(box(0, half)) \
         with boxxyerror fillstyle solid 1.0 border linecolor rgb "#0072B2" fillcolor rgb "#CFE3F1" notitle, \
     tree using (mid(column("first"), column("last"))):(box(1, 0)):(column("first")):(column("last")):(box(1, -half)):(box(1, half)) \
         with boxxyerror fillstyle solid 1.0 border linecolor rgb "#009E73" fillcolor rgb "#D3EEE3" notitle, \
     tree using (is_node(0) ? column("cut") : outside):(-column("depth") - half):(0):(2 * half) with vectors nohead linewidth 1 dashtype 3 linecolor rgb "#0072B2" notitle, \
     tree using (text_if(wide(0))):(-column("depth")):(interval(0)) with labels center font small notitle, \
     tree using (text_if(tall(0))):(-column("depth")):(interval(0)) with labels center rotate by 90 font small notitle
