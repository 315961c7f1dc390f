# rdp-fig3.gp - one column, refined round by round                          [RDP] Fig. 3
#
#: images scene:1
#: column 592
#: apply rdp/serial $IMAGE -S eps=$EPS --tree tree.csv --column $COLUMN
#: formats svg png
#: caption rdp/serial $IMAGE --tree FILE --column $COLUMN -S eps=$EPS
#: what column $COLUMN of $NAME, vertical distance, ε = $EPS px
tree = "tree.csv"

n_points = 0
last_cut = 0
stats tree using (strcol("kind") eq "kept" ? (last_cut = column("depth") > last_cut ? column("depth") : last_cut, 1) : strcol("kind") eq "point" ? (n_points = n_points + 1) : 0) nooutput
if (n_points == 0) { print tree.": no valid point in this column"; exit status 2 }
eval range("v", tree, "row")
eval range("d", tree, "disparity_px")

# The start, the first rounds and the last one that cuts: six panels at most.
last_cut = int(last_cut)
panels = "0"
do for [r = 1:last_cut] { if (r <= 4 || r == last_cut) { panels = panels." ".r } }
rows = (words(panels) + 2) / 3
kept_until(r, value) = strcol("kind") eq "kept" && column("depth") <= r ? value : NaN
kept_in(r, value) = strcol("kind") eq "kept" && column("depth") == r ? value : NaN
segments_after(r) = sprintf("n_kept = 0; stats tree using (strcol('kind') eq 'kept' && column('depth') <= %d ? (n_kept = n_kept + 1) : 0) nooutput", r)

title = "RDP column segmentation: one column, refined round by round"
eval canvas(110 + 250 * rows)
set key at screen 10.0 / W, screen 1 - 48.0 / H left top vertical maxrows 1 Left reverse samplen 2
set xrange [v_min - 0.02 * (v_max - v_min) - 1 : v_max + 0.02 * (v_max - v_min) + 1]
set yrange [0 : d_max * 1.06 + 1]
panel_w = (900 - 62 - 16 - 2 * 34.0) / 3

set multiplot
do for [i = 1:words(panels)] {
    r = int(word(panels, i))
    column_i = (i - 1) % 3
    row_i = (i - 1) / 3
    left = 62 + column_i * (panel_w + 34)
    eval frame(left, 900 - left - panel_w, 110 + row_i * 250, H - base - (110 + row_i * 250 + 190))
    eval segments_after(r)
    set label 1 (r == 0 ? "start: one line" : r == last_cut ? sprintf("after round %d, the last cut: %d segments", r, n_kept - 1) \
        : sprintf("after round %d: %d segments", r, n_kept - 1)) at graph 0, graph 1.06 left
    if (column_i == 0) { set ylabel "disparity [px]" } else { unset ylabel }
    if (i + 3 > words(panels)) { set xlabel "row v" } else { unset xlabel }
    plot tree using (column("row")):(strcol("kind") eq "point" ? column("disparity_px") : NaN) with points pointtype 7 pointsize 0.25 \
             linecolor rgb "#9A9A9A" notitle, \
         tree using (column("row")):(kept_until(r, column("disparity_px"))) with lines linewidth 1.8 linecolor rgb "#0072B2" title "segments", \
         tree using (column("row")):(kept_until(r > 0 ? r - 1 : 0, column("disparity_px"))) with points pointtype 7 pointsize 0.6 \
             linecolor rgb "#0072B2" notitle, \
         tree using (column("row")):(kept_in(r, column("disparity_px"))) with points pointtype 7 pointsize 0.8 \
             linecolor rgb "#D55E00" title "kept in this round", \
         keyentry with points pointtype 7 pointsize 0.5 linecolor rgb "#9A9A9A" title "measured"
    eval undraw
    unset key
}
