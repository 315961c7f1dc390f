# stixels-fig3.gp - one column: what was measured and its stixels, beside the picture that it is of     [STX] Fig. 3
#
#: images scene:1:2048x1024
#: column 1160
#: apply stixels/openmp $IMAGE -S block=8 -S legend=no --picture stixels.png --input-picture input.png --column-data column.csv --column $COLUMN -S model=b12
#: what pixel column $COLUMN of $NAME, the paper's new model (eq. 12), blocks of 8 × 8 px; measured: paler where less sure

stats "column.csv" using (column("row")) name "blocks" nooutput
if (blocks_records == 0) { print "no row in this column"; exit status 2 }
row_step = blocks_records > 1 ? (blocks_max - blocks_min) / (blocks_records - 1) : 2 * blocks_min + 1
n_rows = blocks_max + row_step / 2.0 + 0.5
d_min = 0; d_max = 1
eval range("d", "column.csv", "disparity_px")."; ".range("d", "column.csv", "stixel_px")
n_stixels = 0
stats "column.csv" using (n_stixels = column("stixel") + 1, entry(class_name(strcol("semantic"), strcol("class")), int(column("colour")), 5, 0, 1), 1) nooutput

eval picture_panels("stixels.png", "input.png")
left = 48.0
plot_w = 0.5 * (W - left) - 20
plot_h = narrow ? 250.0 : 400.0
drawn_w = W - left - plot_w - 40
drawn_h = drawn_w * panel_h / panel_w
if (drawn_h > 0.5 * (plot_h - 22)) { drawn_h = 0.5 * (plot_h - 22); drawn_w = drawn_h * panel_w / panel_h }

unused = entry("measured", 0, 7, 0, 1) + entry("expected ground", hex("#777777"), -1, 1, 3)
title = sprintf("%d stixels stand for this column of %d blocks", n_stixels, blocks_records)
eval canvas(46 + 30 + plot_h + 56)

top = head + 30
x_text = "disparity [px]"; y_text = "row of the image"
eval panel_in(left, top, plot_w, plot_h, "")
set xrange [-0.03 * d_max : d_max * 1.04]
set yrange [n_rows - 0.5 : -0.5]
# a line goes from middle to middle of blocks; an upright stixel reaches half a block further, and one of a single block has
# no line at all
half(x) = (strcol("class") eq "ground" ? 0.1 : 0.5) * row_step
shade(confidence) = 200 - 200 * confidence / 255
grey_of(c) = 65536 * int(shade(c)) + 256 * int(shade(c)) + int(shade(c))
measured(x) = strcol("disparity_px") ne "" ? column("disparity_px") : NaN
expected(x) = strcol("ground_px") ne "" ? column("ground_px") : NaN
plot "column.csv" using (expected(0)):(column("row")) with lines linewidth 1 dashtype 3 linecolor rgb "#777777", \
     for [k = 0 : n_stixels - 1] "column.csv" using (column("stixel") == k ? column("stixel_px") : NaN):(column("row")):(column("colour")) \
         with lines linewidth 7 linecolor rgb variable, \
     "column.csv" using (column("stixel_px")):(column("row") + half(0)):(0):(-2 * half(0)):(column("colour")) with vectors nohead linewidth 7 linecolor rgb variable, \
     "column.csv" using (measured(0)):(column("row")) with points pointtype 7 pointsize 0.5 linecolor rgb "#FFFFFF", \
     "column.csv" using (measured(0)):(column("row")):(grey_of(column("confidence"))) with points pointtype 7 pointsize 0.3 linecolor rgb variable
unset label 802; unset label 803

eval bare
eval thin(drawn_w)
around = 3 * panel_w / drawn_w # so that the column itself stays to be seen
u_width = 8
u = u_width * int(at_column / u_width)
mark_from = u * 1.0 * panel_w / input_w - 0.5 - around
mark_to = (u + u_width) * 1.0 * panel_w / input_w - 0.5 + around
titles = "'disparity of the stixels, and the column' 'semantic class of the stixels'"
do for [i = 1:2] {
    eval at(W - 10 - drawn_w, top + (i - 1) * (drawn_h + 22), drawn_w, drawn_h, word(titles, i))
    eval panel(i)
    do for [k = 1:2] {
        set object k rectangle from panel_x + mark_from, graph 0 to panel_x + mark_to, graph 1 front \
            fillstyle empty border linecolor rgb k == 1 ? 0x000000 : 0xFFFFFF linewidth k == 1 ? 3 : 1.2
    }
    eval draw("stixels.png")
}
