# som-fig14.gp - colours, disparity, sampling, mesh and surface of three maps             [SOM] Fig. 14
#
# Of generated streets, whose colours are those of their classes; of the paper's maps where they are at hand, with their left views.
#: images input:map-near:1 input:map-near:9 input:map-near:13
#: maps needs middlebury/teddy_left.ppm
#: maps images input:aloe:1 input:cones:1 input:teddy:1
#: apply som/openmp $IMAGE -S sigma=12 -o list-$NUMBER.csv --view view-$NUMBER.png --input-picture input-$NUMBER.png --sampling sampling-$NUMBER.png --ply surface-$NUMBER.ply
#: maps apply som/openmp $IMAGE --left $LEFT -S sigma=12 -o list-$NUMBER.csv --view view-$NUMBER.png --input-picture input-$NUMBER.png --sampling sampling-$NUMBER.png --ply surface-$NUMBER.ply
#: what 1500 rounds, sigma from 12; surfaces from the left and above, without triangles over holes and jumps of depth
title_of = "Where disparity is large more points are drawn, and the mesh is finer"
sights = "view input sampling mesh surface"
load "plots/maps.gp"
