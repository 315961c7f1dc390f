# som-fig15.gp - the surface of all pixels, of the adapted mesh and of a regular one as small  [SOM] Fig. 15
#
# Below each a part of it: something near.
#: images input:map-near:13
#: maps needs middlebury/cones.pgm
#: maps images input:cones:1
#: apply som/openmp $IMAGE -S g=1 -S mesh=first --ply surface-1.ply
#: apply som/openmp $IMAGE -S mesh=first --ply surface-3.ply
#: apply som/openmp $IMAGE -S sigma=12 --ply surface-2.ply
#: what $NAME from the left and above, without triangles over holes and jumps of depth; below, the part in the frame, near the camera

titles = "'regular, a vertex for each pixel' 'adapted, one for 6 × 6 px' 'regular, one for 6 × 6 px'"
cell_w = 288.0
cell_h = 232.0
# of the frame, from its lower left
near_u = 0.25
near_v = 0.37
share = 0.30
eval sheet("Of as many vertices the adapted mesh has more of them where it is near", 62 + 22 + 2 * (cell_h + 12))
do for [i = 1:3] {
    left = 10 + (i - 1) * (cell_w + 8)
    edge = i > 1
    do for [k = 0:1] {
        eval at(left, 84 + k * (cell_h + 12), cell_w, cell_h, k == 0 ? word(titles, i) : "")
        if (k == 0) {
            eval read_surface(i)
            if (i == 1) { eval look_at } # of all three what the first one shows
            eval all_of(cell_w, cell_h)
            set object 1 rectangle center graph near_u, graph near_v size graph share, graph share front fillstyle empty border linecolor rgb "#D55E00" linewidth 1.2
        } else {
            unset object 1
            eval part_of(near_u, near_v, share)
            set border 15 linecolor rgb "#D55E00"
        }
        eval draw_surface
        unset border
    }
}
