# som-fig2.gp - a map as points, its mesh in the plane and in space                       [SOM] Fig. 2
#
# As som-fig14.gp.  Instead of the map: 10 000 pixels drawn by its density.
#: images input:map-S:1
#: tsukuba needs middlebury/tsukuba.pgm
#: tsukuba images input:tsukuba:1
#: apply som/openmp $IMAGE -S sigma=12 --picture mesh-$NUMBER.png --sampling sampling-$NUMBER.png --ply surface-$NUMBER.ply
#: formats png
#: caption som/openmp IMAGE -S sigma=12 --picture FILE --sampling FILE --ply FILE; $REMARK
#: what 1500 rounds, sigma from 12; surfaces by the grey levels under the neurons
title_of = "SOM mesh: a map as points, mesh in the plane and in space"
load "plots/som-fig14.gp"
