# som-fig15.gp - a regular and an adapted mesh of as many neurons                         [SOM] Fig. 15
#
# As som-fig14.gp, surfaces alone.
#: images input:map-S:1
#: apply som/openmp $IMAGE -S sigma=12 --ply surface-1.ply -S mesh=first
#: apply som/openmp $IMAGE -S sigma=12 --ply surface-2.ply
#: formats png
#: caption som/openmp $IMAGE -S sigma=12 --ply FILE; $REMARK
#: what $NAME, a neuron for 6 x 6 px, 1500 rounds, sigma from 12; from the left and above
flat = 1
titles_of = "regular adapted"
title_of = "SOM mesh: as many neurons, regular and adapted"
load "plots/som-fig14.gp"
