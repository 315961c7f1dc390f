# surface.gp - the triangles of a mesh in space as seen from the left and above; loaded after images.gp
#
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
# `eval draw_surface`: the triangles in it, with their edges where edge is above 0.
edge = 0
draw_surface = "set view map; set xrange [seen_u : seen_u + seen_w]; set yrange [seen_v : seen_v + seen_h]; set zrange [-1 : 1]; set cbrange [0 : 1]; " . \
    "if (edge > 0) { set pm3d scansforward corners2color c1 border linecolor rgb '#80000000' linewidth 0.4 } else { set pm3d scansforward corners2color c1 noborder }; " . \
    "splot surface using (view_u($1, $2, $3)):(view_v($1, $2, $3)):(0):($4) " . \
    "with pm3d fillcolor rgb variable; unset view"
