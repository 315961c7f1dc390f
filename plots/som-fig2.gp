# som-fig2.gp - a map, its mesh in the plane and in space                                 [SOM] Fig. 2
#
#: images input:map-near:10
#: tsukuba needs middlebury/tsukuba.pgm
#: tsukuba images input:tsukuba:1
#: apply som/openmp $IMAGE -S sigma=12 -o list-$NUMBER.csv --input-picture input-$NUMBER.png --ply surface-$NUMBER.ply
#: what 1500 rounds, sigma from 12; the surface from the left and above, without triangles over holes and jumps of depth
title_of = "The mesh of this map has ".after(remark(1), "%cost ")." %cost over ".before(remark(1), " honeycombs")." honeycombs"
if (!found) { title_of = "SOM mesh: a disparity map, its mesh in the plane and in space" }
sights = "input mesh surface"
load "plots/maps.gp"
