# stx_panels.gp - the panels in a picture of stixels, for the figures that show them; loaded after style.gp
#
# `depthbench apply --picture` draws two panels with 8 white pixels between them, one above the other or side by side;
# `--input-picture` the disparity alone, whose shape tells which.

stx_gap = 8

# `eval picture_panels(PICTURE, INPUT)`: picture_w and picture_h of PICTURE, panel_w and panel_h of a panel in it, and
# whether they are stacked.
picture_panels(picture, input) = picture_size(input) . "; aspect = 1.0 * picture_w / picture_h; " . picture_size(picture) . \
    "; stacked = abs(picture_w - aspect * (picture_h - stx_gap) / 2) < abs((picture_w - stx_gap) / 2 - aspect * picture_h); " . \
    "panel_w = stacked ? picture_w : (picture_w - stx_gap) / 2; panel_h = stacked ? (picture_h - stx_gap) / 2 : picture_h"

# `eval panel(I)`: the ranges that show panel 1 or 2 of it.
panel(i) = sprintf("panel_x = stacked ? 0 : %d * (panel_w + stx_gap); panel_y = stacked ? picture_h - panel_h - %d * (panel_h + stx_gap) : 0; ", i - 1, i - 1) . \
    "set xrange [panel_x - 0.5 : panel_x + panel_w - 0.5]; set yrange [panel_y - 0.5 : panel_y + panel_h - 0.5]"

# `eval whole(PICTURE)`: the ranges that show all of it.
whole(picture) = picture_size(picture) . "; panel_w = picture_w; panel_h = picture_h; set xrange [-0.5 : picture_w - 0.5]; set yrange [-0.5 : picture_h - 0.5]"

# `eval thin(CELL_W)`: `every` for a panel that is drawn so wide, in pixels of the drawing.  Of a panel with many more dots
# only each second, fourth ... is taken, from between the lines, which are drawn at the left and upper ends of blocks: some
# of them without the others would be a pattern that is not there.
thin(cell_w) = sprintf("thin_step = 1; while (thin_step * %f * dots < 0.75 * panel_w) { thin_step = 2 * thin_step }; thin_from = thin_step / 2", cell_w)

# Classes of Cityscapes by their train ids; others by number.
class_names = "road sidewalk building wall fence pole traffic-light traffic-sign vegetation terrain sky person rider car truck bus train motorcycle bicycle"
class_name(semantic, geometry) = semantic eq "" ? geometry : int(semantic) < words(class_names) ? word(class_names, int(semantic) + 1) : "class " . semantic
