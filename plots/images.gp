# images.gp - pictures side by side, the panels in them, and surfaces; what style.gp loads for figures that `depthbench apply` makes

# What the I-th call said; the word of it before and after others; found: these are in it.
remark(i) = nth_of(remarks, int(i))
nth_of(t, i) = i > 1 ? nth_of(t[strstrt(t, "|") + 1:*], i - 1) : t[1:strstrt(t."|", "|") - 1]
last_word(t) = word(t, words(t))
before(t, s) = (found = strstrt(t, s) > 1) ? last_word(t[1:strstrt(t, s) - 1]) : ""
after(t, s) = (found = strstrt(t, s) > 0) ? word(t[strstrt(t, s) + strlen(s):*], 1) : ""

# `eval bare`: nothing around them.
bare = "unset tics; unset border; unset grid; unset colorbox"
# `eval sheet(TITLE, H)`: a canvas for several pictures.
sheet(t, h) = (title = t, canvas(h)."; ".bare)

# `eval at(LEFT, TOP, WIDTH, HEIGHT, TEXT)`: a frame of so many pixels, measured from the left and the top of the figure, and the text above
# it.  What is evaluated has no text of data.
at(l, t, w, h, s) = (said = s, frame(l, W - l - w, t - head + 46, H - base - (t + h))."; set label 1 said at graph 0, graph 1 offset 0, 0.6 left")
# `eval draw(FILE)`: the part of a PNG that panel(), rdp_panel() or whole() say; every thin_step-th dot of it.
draw(f) = (file = f, "plot file binary filetype=png every thin_step:thin_step:thin_from:thin_from with rgbimage")
thin_step = 1
thin_from = 0

# `eval show(X, Y, W, H)`: the ranges that show these dots, from the lower left.
show(x, y, w, h) = sprintf("set xrange [%.9g - 0.5 : %.9g - 0.5]; set yrange [%.9g - 0.5 : %.9g - 0.5]", x, x + w, y, y + h)

# `eval picture_size(FILE)`: picture_w and picture_h of a PNG, from its header.
png_word(file, at) = int(system(sprintf("od -An -tu1 -j%d -N4 '%s' | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }'", at, file)))
picture_size(file) = sprintf("picture_w = png_word('%s', 16); picture_h = png_word('%s', 20)", file, file)

# `eval whole(PICTURE)`: the ranges that show all of it.
whole(picture) = picture_size(picture) . "; panel_w = picture_w; panel_h = picture_h; eval show(0, 0, picture_w, picture_h)"

# `depthbench apply -S legend=no --picture` draws three panels of RDP below each other, two of stixels one above the other or side by side, with 8
# white pixels between them; `--input-picture` the disparity of stixels alone, whose shape tells which.
gap = 8

# `eval rdp_panels(PICTURE)`: picture_w and picture_h of it, panel_h of a panel; `eval rdp_panel(I)`: the ranges that show panel 1, 2 or 3.
rdp_panels(picture) = picture_size(picture) . "; panel_h = (picture_h - 2 * gap) / 3"
rdp_panel(i) = show(0, picture_h - (i - 1) * (panel_h + gap) - panel_h, picture_w, panel_h)

# `eval rdp_part(I, W, ZOOM)`: those that show a part of it, W pixels wide where all of it has cell_w, so many times as large.
rdp_part(i, w, zoom) = (part_w = 1.0 * w / cell_w * picture_w / zoom, part_h = panel_h / zoom, part_x = 0.48 * picture_w - part_w / 2, \
    part_y = picture_h - (i - 1) * (panel_h + gap) - 0.58 * panel_h - part_h / 2, show(part_x, part_y, part_w, part_h))
# `eval rdp_legend`: the colours of segments and of points.
rdp_legend = 'unused = entry("ground-like", hex("#009E73"), 5, 0, 1) + entry("upright", hex("#E69F00"), 5, 0, 1) + entry("far", hex("#56B4E9"), 5, 0, 1) + ' . \
    'entry("other", hex("#CC79A7"), 5, 0, 1) + entry("kept points", 0, 5, 0, 1)'

# `eval picture_panels(PICTURE, INPUT)`: picture_w and picture_h of PICTURE, panel_w and panel_h of a panel in it, and
# whether they are stacked.
picture_panels(picture, input) = picture_size(input) . "; input_w = picture_w; aspect = 1.0 * picture_w / picture_h; " . picture_size(picture) . \
    "; stacked = abs(picture_w - aspect * (picture_h - gap) / 2) < abs((picture_w - gap) / 2 - aspect * picture_h); " . \
    "panel_w = stacked ? picture_w : (picture_w - gap) / 2; panel_h = stacked ? (picture_h - gap) / 2 : picture_h"

# `eval panel(I)`: the ranges that show panel 1 or 2 of it.
panel(i) = sprintf("panel_x = stacked ? 0 : %d * (panel_w + gap); panel_y = stacked ? picture_h - panel_h - %d * (panel_h + gap) : 0; ", i - 1, i - 1) . \
    "eval show(panel_x, panel_y, panel_w, panel_h)"

# `eval thin(CELL_W)`: `every` for a panel that is drawn so wide, in pixels of the drawing.  Of a panel with many more dots
# only each second, fourth ... is taken, from between the lines, which are drawn at the left and upper ends of blocks: some
# of them without the others would be a pattern that is not there.
thin(cell_w) = sprintf("thin_step = 1; while (thin_step * %f * dots < 0.75 * panel_w) { thin_step = 2 * thin_step }; thin_from = thin_step / 2", cell_w)

# Classes of Cityscapes by their train ids; others by number.
class_names = "road sidewalk building wall fence pole traffic-light traffic-sign vegetation terrain sky person rider car truck bus train motorcycle bicycle"
class_name(semantic, geometry) = semantic eq "" ? geometry : int(semantic) < words(class_names) ? word(class_names, int(semantic) + 1) : "class " . semantic

# ---- the triangles of a mesh in space as seen from the left and above ----

# It stands still at its median depth; the eye is where the camera was, turned about that point, `away` behind it.  Triangles are painted
# from the farthest on.

yaw = 16 * pi / 180
pitch = 14 * pi / 180
turned_x(x, z) = (x - middle_x) * cos(yaw) + (z - middle_z) * sin(yaw)
turned_z(x, z) = -(x - middle_x) * sin(yaw) + (z - middle_z) * cos(yaw)
ahead(x, y, z) = (y - middle_y) * sin(pitch) + turned_z(x, z) * cos(pitch) + away
view_u(x, y, z) = turned_x(x, z) / ahead(x, y, z)
view_v(x, y, z) = (turned_z(x, z) * sin(pitch) - (y - middle_y) * cos(pitch)) / ahead(x, y, z)

# `eval read_surface(I)`: surface-I.ply as a table; `eval look_at`: where it lies.
read_surface(i) = sprintf("surface = 'surface-%d.csv'; system('awk -v light=1 -f plots/ply.awk surface-%d.ply >surface-%d.csv')", i, i, i)
look_at = "set autoscale xy; stats surface using 1 name \"X\" nooutput; stats surface using 2 name \"Y\" nooutput; " . \
    "stats surface using 3 name \"Z\" nooutput; middle_x = X_median; middle_y = Y_median; middle_z = Z_median; away = middle_z; " . \
    "stats surface using (view_u($1, $2, $3)) name \"U\" nooutput; " . \
    "stats surface using (view_v($1, $2, $3)) name \"V\" nooutput"
# `eval all_of(W, H)`: so that all of it lies in a frame of so many pixels, the same scale both ways; `eval part_of(U, V, SHARE)`: then a
# part of this frame, about a place in it, 0 to 1 from the lower left.
all_of(w, h) = sprintf("per_px = (U_max - U_min) / %f > (V_max - V_min) / %f ? (U_max - U_min) / %f : (V_max - V_min) / %f; seen_w = per_px * %f; seen_h = per_px * %f; " . \
    "seen_u = 0.5 * (U_max + U_min) - 0.5 * seen_w; seen_v = 0.5 * (V_max + V_min) - 0.5 * seen_h", w, h, w, h, w, h)
part_of(u, v, share) = sprintf("seen_u = seen_u + (%f - 0.5 * %f) * seen_w; seen_v = seen_v + (%f - 0.5 * %f) * seen_h; seen_w = %f * seen_w; seen_h = %f * seen_h", \
    u, share, v, share, share, share)
# `eval draw_surface`: the triangles in it, with their edges where edge is above 0.  gnuplot reserves `samples` points for each; gnuplot 6
# would take a header off each, too, which leaves none, and 15 GB.
edge = 0
draw_surface = "unset datafile columnheaders; set view map; set samples 2; set xrange [seen_u : seen_u + seen_w]; set yrange [seen_v : seen_v + seen_h]; set zrange [-1 : 1]; set cbrange [0 : 1]; " . \
    "if (edge > 0) { set pm3d scansforward corners2color c1 border linecolor rgb '#80000000' linewidth 0.4 } else { set pm3d scansforward corners2color c1 noborder }; " . \
    "splot surface using (view_u($1, $2, $3)):(view_v($1, $2, $3)):(0):($4) " . \
    "with pm3d fillcolor rgb variable; unset view; set datafile columnheaders"
