# rdp-fig3.gp - one column, refined round by round                          [RDP] Fig. 3
#
#: images scene:1
#: column 592
#: apply rdp/serial $IMAGE -S eps=$EPS --tree tree.csv --column $COLUMN
#: formats svg png
#: what column $COLUMN of $NAME, vertical distance, ε = $EPS px; the round after the last finds nothing to cut
tree = "tree.csv"

n_points = 0
last_cut = 0
stats tree using (strcol("kind") eq "kept" ? (last_cut = column("depth") > last_cut ? column("depth") : last_cut, 1) : strcol("kind") eq "point" ? (n_points = n_points + 1) : 0) nooutput
if (n_points == 0) { print tree.": no valid point in this column"; exit status 2 }
eval range("v", tree, "row")
eval range("d", tree, "disparity_px")

# The start and each round that cuts; of many the last two.
last_cut = int(last_cut)
panels = "0"
do for [r = 1:last_cut] { if (r <= 6 || r >= last_cut - 1) { panels = panels." ".r } }
kept_until(r, value) = strcol("kind") eq "kept" && column("depth") <= r ? value : NaN
kept_in(r, value) = strcol("kind") eq "kept" && column("depth") == r ? value : NaN
segments_after(r) = sprintf("n_kept = 0; stats tree using (strcol('kind') eq 'kept' && column('depth') <= %d ? (n_kept = n_kept + 1) : 0) nooutput", r)

eval segments_after(last_cut)
title = sprintf("In %d rounds one line becomes %d segments", last_cut, n_kept - 1)
unused = entry("measured", hex("#9A9A9A"), 7, 0, 1) + entry("segments", curve_colour(1), 7, 1.8, 1) + entry("kept in this round", curve_colour(2), 7, 0, 1)
eval grid(words(panels), words(panels) > 6 ? 4 : 3, 170, 46, 36, "row v", "disparity [px]")
set xrange [v_min - 0.02 * (v_max - v_min) - 1 : v_max + 0.02 * (v_max - v_min) + 1]
set yrange [0 : d_max * 1.06 + 1]
do for [i = 1:words(panels)] {
    r = int(word(panels, i))
    eval segments_after(r)
    eval cell(i, r == 0 ? "start: one line" : sprintf("round %d: %d segments", r, n_kept - 1).(r == last_cut ? ", the last" : ""))
    now_kept = r > 0 ? ', tree using (column("row")):(kept_in(r, column("disparity_px"))) with points pointtype 7 pointsize 0.8 linecolor rgb curve_colour(2)' : ""
    eval 'plot tree using (column("row")):(strcol("kind") eq "point" ? column("disparity_px") : NaN) with points pointtype 7 pointsize 0.25 linecolor rgb "#9A9A9A", tree using (column("row")):(kept_until(r, column("disparity_px"))) with lines linewidth 1.8 linecolor rgb curve_colour(1), tree using (column("row")):(kept_until(r > 0 ? r - 1 : 0, column("disparity_px"))) with points pointtype 7 pointsize 0.6 linecolor rgb curve_colour(1)'.now_kept
}
