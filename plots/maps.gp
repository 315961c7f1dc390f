# maps.gp - pictures of maps and of their meshes, a row for each map; loaded by a figure that says which
#
# sights: words of view, input, sampling, mesh and surface, of files view-1.png, input-1.png, sampling-1.png, list-1.csv and
# surface-1.ply for the first map.

map_of(name) = name[1:6] eq "input:" ? name[7:*] : name
said_of(sight) = sight eq "view" ? "colours" : sight eq "input" ? "disparity" : sight eq "sampling" ? "10 000 points drawn" : sight eq "mesh" ? "mesh" : "surface in space"
n = words(names)
n_sights = words(sights)
eval picture_size("input-1.png")
# a picture is magnified by a whole number, which the surface's remark tells
map_px = int("0".system("sed -n 's/^comment .* map of \\([0-9]*\\) x .*/\\1/p' surface-1.ply").".")
zoom = map_px > 0 ? 1.0 * picture_w / map_px : 1
cell_w = (880.0 - 8 * (n_sights - 1)) / n_sights
cell_h = cell_w * picture_h / picture_w
eval sheet(title_of, 62 + n * (cell_h + 30) - 6)

do for [i = 1:n] {
    do for [k = 1:n_sights] {
        eval at(10 + (k - 1) * (cell_w + 8), 82 + (i - 1) * (cell_h + 30), cell_w, cell_h, (k == 1 ? map_of(word(names, i)).": " : "").said_of(word(sights, k)))
        if (word(sights, k) eq "surface") {
            eval read_surface(i)."; ".look_at
            eval all_of(cell_w, cell_h)
            eval draw_surface
        } else {
            file = sprintf("%s-%d.png", word(sights, k) eq "mesh" ? "input" : word(sights, k), i)
            eval whole(file)
            eval thin(cell_w)
            if (word(sights, k) eq "mesh") {
                plot file binary filetype=png every thin_step:thin_step:thin_from:thin_from with rgbimage, \
                     "+" every ::0::0 using (0.5 * picture_w):(0.5 * picture_h):(-0.5):(picture_w - 0.5):(-0.5):(picture_h - 0.5) \
                     with boxxyerror fillstyle transparent solid 0.4 noborder linecolor rgb "black", \
                     sprintf("< awk -f plots/links.awk list-%d.csv", i) using (zoom * $1):(picture_h - zoom * $2) with lines linewidth 0.35 linecolor rgb "#E69F00"
            } else {
                eval draw(file)
            }
        }
    }
}
