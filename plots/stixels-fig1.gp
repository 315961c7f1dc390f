# stixels-fig1.gp - geometry, classes and a view of the stixels of one scene      [STX] Fig. 1
#
#: images scene:1:2048x1024
#: apply stixels/openmp $IMAGE -S block=8 --picture stixels.png --input-picture input.png --ply out.ply -S model=b12
#: formats png ply
#: caption stixels/openmp $IMAGE -S block=8 --picture FILE --ply FILE; $REMARK
#: what $NAME, model b12, blocks of 8 × 8 px
dots = 1.0
load "plots/images.gp"
system("awk -f plots/ply.awk out.ply >mesh.csv")

eval picture_panels("stixels.png", "input.png")
cell_w = 435.0
cell_h = cell_w * panel_h / panel_w
eval thin(cell_w)
view_h = 430.0
top = 62.0

# From behind the camera, to its left and above it; metres.
view_x = -3.0
view_y = -3.5
view_z = -3.0
yaw = 7 * pi / 180
pitch = 12 * pi / 180
farthest = 70
turned_x(x, z) = (x - view_x) * cos(yaw) - (z - view_z) * sin(yaw)
turned_z(x, z) = (x - view_x) * sin(yaw) + (z - view_z) * cos(yaw)
down(x, y, z) = (y - view_y) * cos(pitch) - turned_z(x, z) * sin(pitch)
ahead(x, y, z) = (y - view_y) * sin(pitch) + turned_z(x, z) * cos(pitch)
view_u(x, y, z) = turned_x(x, z) / ahead(x, y, z)
view_v(x, y, z) = -down(x, y, z) / ahead(x, y, z)
near_enough(x, y, z) = ahead(x, y, z) > 0.5 && z < farthest
n_seen = 0
stats "mesh.csv" using (near_enough(column("x"), column("y"), column("z")) ? (n_seen = n_seen + 1) : 0) nooutput

eval sheet("Slanted stixels: geometry, semantic classes and a 3D view", top + 22 + cell_h + 28 + 22 + view_h)

titles = "'disparity: red near, blue far, dark grey unknown' 'semantic class in the colours of Cityscapes, else geometry'"
do for [i = 1:2] {
    eval at(10 + (i - 1) * (cell_w + 10), top + 22, cell_w, cell_h)
    eval say(word(titles, i))
    eval panel(i)
    eval draw("stixels.png")
}
eval at(10, top + 22 + cell_h + 28, 880, view_h)
eval say(sprintf(n_seen > 0 ? "the same stixels in space, up to %d m, from behind the camera and above it; white where none is seen" : \
    "none of these stixels is within %d m", farthest))
set view map
set xrange [-0.86 : 0.80]
set yrange [-0.51 : -0.51 + 1.66 * view_h / 880]
set zrange [-1 : 1]
set pm3d scansforward corners2color c1 border linecolor rgb "#A0000000" linewidth 0.3
if (n_seen > 0) { splot "mesh.csv" using (view_u(column("x"), column("y"), column("z"))):(view_v(column("x"), column("y"), column("z"))):(0) \
    :(near_enough(column("x"), column("y"), column("z")) ? column("colour") : NaN) with pm3d fillcolor rgb variable
} else { plot NaN notitle }
