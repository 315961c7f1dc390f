# rdp-fig1.gp - a disparity image, its segments and what they keep of it    [RDP] Fig. 1
#
#: images scene:1
#: apply rdp/serial $IMAGE -S eps=$EPS -S legend=no --picture picture.png
#: what $NAME, vertical distance, ε = $EPS px; right: the middle of each, enlarged

# A panel is as wide as two dots of the drawing for each of the image, or less; beside it a part of it, as high.
eval rdp_panels("picture.png")
cell_w = 0.66 * W
cell_h = cell_w * panel_h / picture_w
zoom_w = W - cell_w - 32.0
eval rdp_legend

finding = "RDP keeps one of ".before(remark(1), " values for each")." values of this image; the mean error is ".after(remark(1), "mean error ")." px"
eval sheet(found ? finding : "Column-level segmentation of a disparity image with RDP", 46 + 3 * (cell_h + 28) + 12)
titles = "'disparity: violet far, yellow near, dark grey no measurement' 'segments by their slope' 'reconstruction from the kept points alone; dimmed where nothing was measured'"
do for [i = 1:3] {
    top = head + 26 + (i - 1) * (cell_h + 28)
    eval at(10, top, cell_w, cell_h, word(titles, i))
    the_part = rdp_part(i, zoom_w, 2.4)
    eval rdp_panel(i)
    set object 1 rectangle from first part_x, first part_y to first part_x + part_w, first part_y + part_h front fillstyle empty border linecolor rgb "#ffffff" linewidth 1.2
    eval draw("picture.png")
    unset object 1
    eval at(22 + cell_w, top, zoom_w, cell_h, "")
    eval the_part
    eval draw("picture.png")
}
