# som-fig2.gp - a map as points, its mesh in the plane and in space                       [SOM] Fig. 2
#
# As som-fig14.gp.  Instead of the map: 10 000 pixels drawn by its density.
title_of = "SOM mesh: a map as points, mesh in the plane and in space"
load "plots/som-fig14.gp"
