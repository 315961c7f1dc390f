# som-fig8.gp - memory organisations, each as a share of the first one's time             [SOM] Fig. 8
#
# Points and not bars: the axis begins near 1.  What one core takes is a text, since its bar would leave no room for what is compared.

sign(i) = int(word("5 7 9", int(i)))
eval range("x", "points.tsv", "low") . "; " . range("x", "points.tsv", "high")
n_rows = n_point + n_map
eval widest("said_px", "point", "said")

eval chart(118 + 20 * n_rows, 108, 16 + said_px + 8, "time over that of MOV1", "")
set xrange [x_min - 0.02 : x_max + 0.02]
set yrange [-n_rows - 0.5 : -0.5]
set format x "%.2f"
eval named("point", "label", "y")
do for [i = 1:n_point] { set label 1200 + i point_said[i] at graph 1, first -point_y[i] left offset 1, 0 font small textcolor rgb "#222222" noenhanced }
do for [i = 1:n_map] {
    set label 1300 + i map_name[i] at screen 14.0 / W, first -map_y[i] left font bold noenhanced
    set label 1400 + i map_said[i] at graph 1, first -map_y[i] left offset 1, 0 font small textcolor rgb grey noenhanced
}
set arrow 1 from 1, graph 0 to 1, graph 1 nohead back linewidth 1 linecolor rgb "#888888"
ours = colour_of("som/gpu-paper")
plot "points.tsv" using (column("low")):(-column("y")):(column("high") - column("low")):(0) with vectors nohead linewidth 2.4 linecolor rgb ours, \
     "points.tsv" using (column("x")):(-column("y")):(sign(column("place"))) with points pointtype variable pointsize 1.1 linecolor rgb ours
