# som-fig14.gp - sampling, mesh and surface of maps                                       [SOM] Fig. 14
#
# Where flat is set the surfaces stand side by side.
#: images input:map-S:1
#: maps needs middlebury/teddy.pgm
#: maps images input:aloe:1 input:cones:1 input:teddy:1
#: apply som/openmp $IMAGE -S sigma=12 --picture mesh-$NUMBER.png --sampling sampling-$NUMBER.png --ply surface-$NUMBER.ply
#: formats png
#: caption som/openmp IMAGE -S sigma=12 --picture FILE --sampling FILE --ply FILE; $REMARK
#: what 1500 rounds, sigma from 12; surfaces by the grey levels under the neurons
dots = 1.5
load "plots/images.gp"

if (!exists("title_of")) { title_of = "SOM mesh: density, mesh and surface" }
if (!exists("flat")) { flat = 0 }
map_of(name) = name[1:6] eq "input:" ? name[7:6 + strstrt(name[7:*].":", ":") - 1] : name
if (flat) { names = titles_of }
n = words(names)
n_rows = flat ? 1 : n
n_columns = flat ? n : 3
cell_w = 890.0 / n_columns - 12
if (flat) { picture_w = 4; picture_h = 3 } else { eval picture_size("mesh-1.png") }
cell_h = cell_w * picture_h / picture_w

# From the left and above, turned about the middle of the surface.
yaw = 18 * pi / 180
pitch = 14 * pi / 180

eval sheet(title_of, 62 + n_rows * (cell_h + 34))

do for [i = 1:n] {
    top = 84 + (flat ? 0 : i - 1) * (cell_h + 34)
    if (!flat) {
        do for [k = 1:2] {
            eval at(10 + (k - 1) * (cell_w + 12), top, cell_w, cell_h)
            eval say(k == 1 ? map_of(word(names, i)).": 10 000 points drawn" : "mesh")
            picture = sprintf("%s-%d.png", k == 1 ? "sampling" : "mesh", i)
            eval whole(picture)
            eval draw(picture)
        }
    }
    eval at(10 + ((flat ? i : 3) - 1) * (cell_w + 12), top, cell_w, cell_h)
    eval say(flat ? word(names, i) : "surface in space, from its left and above")
    system(sprintf("awk -f plots/ply.awk surface-%d.ply >surface-%d.csv", i, i))
    surface = sprintf("surface-%d.csv", i)
    set autoscale xy # those of the panel before would leave points out
    stats surface using "z" name "Z" nooutput
    middle = Z_median
    turned_x(x, z) = x * cos(yaw) + (z - middle) * sin(yaw)
    turned_z(x, z) = -x * sin(yaw) + (z - middle) * cos(yaw)
    up(x, y, z) = -y * cos(pitch) + turned_z(x, z) * sin(pitch)
    stats surface using (turned_x(column("x"), column("z"))):(up(column("x"), column("y"), column("z"))) name "P" nooutput
    # the same scale both ways
    span = (P_max_x - P_min_x) / cell_w > (P_max_y - P_min_y) / cell_h ? (P_max_x - P_min_x) / cell_w : (P_max_y - P_min_y) / cell_h
    centre_x = (P_max_x + P_min_x) / 2
    centre_y = (P_max_y + P_min_y) / 2
    set xrange [centre_x - span * cell_w / 2 : centre_x + span * cell_w / 2]
    set yrange [centre_y - span * cell_h / 2 : centre_y + span * cell_h / 2]
    plot surface using (turned_x(column("x"), column("z"))):(up(column("x"), column("y"), column("z"))):(column("colour")) \
        with lines linewidth 0.5 linecolor rgb variable
    eval undraw
}
