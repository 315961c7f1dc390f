# rdp-fig1.gp - a disparity image, its segments and what they keep of it    [RDP] Fig. 1
#
#: images scene:1
#: apply rdp/serial $IMAGE -S eps=$EPS --picture picture.png
#: formats png
#: caption rdp/serial $IMAGE --picture FILE -S eps=$EPS
#: what $NAME, vertical distance, ε = $EPS px; right: the middle of each, enlarged
dots = 2.0
load "plots/images.gp"

# A panel is as wide as two dots of the drawing for each of the image, or less; beside it a part of it, as high.
eval rdp_panels("picture.png")
main_w = 0.66 * W
main_h = main_w * panel_h / picture_w
zoom_w = W - main_w - 32.0
zoom = 2.4 # times as large
unused = entry("ground-like", hex("#009E73"), 5, 0, 1) + entry("upright", hex("#E69F00"), 5, 0, 1) + entry("far", hex("#56B4E9"), 5, 0, 1) + \
    entry("other", hex("#CC79A7"), 5, 0, 1) + entry("kept points", 0, 5, 0, 1)

eval sheet("Column-level segmentation of a disparity image with RDP", 46 + 3 * (main_h + 28) + 12)
titles = "'disparity: violet far, yellow near, dark grey no measurement' 'segments by their slope' 'reconstruction from the kept points alone; dimmed where nothing was measured'"
part_w = zoom_w / main_w * picture_w / zoom
part_h = panel_h / zoom
part_x = 0.48 * picture_w - part_w / 2
part_y = 0.42 * panel_h - part_h / 2

do for [i = 1:3] {
    top = head + 26 + (i - 1) * (main_h + 28)
    bottom = picture_h - (i - 1) * (panel_h + gap) - panel_h
    eval at(10, top, main_w, main_h)
    eval say(word(titles, i))
    eval rdp_panel(i)
    set object 1 rectangle from first part_x, first bottom + part_y to first part_x + part_w, first bottom + part_y + part_h front fillstyle empty border linecolor rgb "#ffffff" linewidth 1.2
    eval draw("picture.png")
    unset object 1
    eval at(22 + main_w, top, zoom_w, main_h)
    unset label 1
    eval show(part_x, bottom + part_y, part_w, part_h)
    eval draw("picture.png")
}
