# stixels-fig1.gp - geometry, classes and a view of the stixels of one scene      [STX] Fig. 1
#
#: images scene:1:2048x1024
#: apply stixels/openmp $IMAGE -S block=8 -S legend=no --picture stixels.png --input-picture input.png --ply out.ply -S model=b12
#: formats png ply
#: what $NAME, the paper's new model (eq. 12), blocks of 8 × 8 px; colours of classes are those of Cityscapes
dots = 1.25
system("awk -f plots/ply.awk out.ply >mesh.csv")
# what its colours mean, as the mesh says: class 13: 0 0 142, or sky: 86 180 233
system("sed -n 's/^comment class \\([0-9]*\\): \\(.*\\)/\\1 object \\2/p; s/^comment \\([a-z]*\\): \\(.*\\)/- \\1 \\2/p' out.ply | tr ' ' , | sed 's/^-//' | sed '1i semantic,geometry,r,g,b' >looks.csv")
stats "looks.csv" using (unused = entry(class_name(strcol("semantic"), strcol("geometry")), int(65536 * column("r") + 256 * column("g") + column("b")), 5, 0, 1), 1) nooutput

eval picture_panels("stixels.png", "input.png")
cell_w = (W - 30.0) / 2
cell_h = cell_w * panel_h / panel_w
eval thin(cell_w)
view_h = 0.5 * W

# From behind the camera, to its left and above it; metres.
middle_x = -3.0; middle_y = -3.5; middle_z = -3.0; away = 0
yaw = -7 * pi / 180
pitch = 12 * pi / 180
farthest = 70
near_enough(x, y, z) = ahead(x, y, z) > 0.5 && z < farthest

n_seen = 0
# gnuplot 6.0 takes the first line behind two blank ones for names: these are x, y, z and colour.
unset datafile columnheaders
stats "mesh.csv" skip 1 using (near_enough($1, $2, $3) ? (n_seen = n_seen + 1) : 0) nooutput
set datafile columnheaders

finding = before(remark(1), " stixels, ")." slanted stixels: ".before(remark(1), " % of the pixels in objects")." % of the pixels in objects, ".before(remark(1), " % ground")." % ground, ".before(remark(1), " % sky")." % sky"
eval sheet(found ? finding : "Slanted Stixels: geometry, semantic classes and a 3D view", 46 + 24 + cell_h + 30 + view_h)
titles = "'disparity: red near, blue far, pale sky, dark grey unknown' 'semantic class'"
do for [i = 1:2] {
    eval at(10 + (i - 1) * (cell_w + 10), head + 22, cell_w, cell_h, word(titles, i))
    eval panel(i)
    eval draw("stixels.png")
}
eval at(10, head + 22 + cell_h + 28, W - 20, view_h, n_seen > 0 ? sprintf("the same stixels in space, up to %d m, from behind the camera and above it; farther ones are paler", farthest) : \
    sprintf("none of these stixels is within %d m", farthest))
set view map
set xrange [-0.86 : 0.80]
set yrange [-0.51 : -0.51 + 1.66 * view_h / (W - 20)]
set zrange [-1 : 1]
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillstyle solid 1.0 noborder fillcolor rgb "#F2F4F7"

# Farther away a colour is nearer to that of haze, so that dark ones stay to be told apart.
haze(part, z) = int(part + (0xE8 - part) * 0.5 * (z < farthest ? z : farthest) / farthest)
seen_as(c, z) = 65536 * haze(int(c / 65536), z) + 256 * haze(int(c / 256) % 256, z) + haze(int(c) % 256, z)
colour(x) = near_enough(column(1), column(2), column(3)) ? seen_as(column(4), column(3)) : NaN
unset datafile columnheaders
if (n_seen > 0) {
    set pm3d scansforward corners2color c3 # of a road the near end
    splot "mesh.csv" skip 1 using (view_u($1, $2, $3)):(view_v($1, $2, $3)):(0):(colour(0)) with pm3d fillcolor rgb variable
} else { plot NaN notitle }
