# som-fig15.gp - a regular and an adapted mesh of as many neurons                         [SOM] Fig. 15
#
# As som-fig14.gp, surfaces alone.
flat = 1
title_of = "SOM mesh: as many neurons, regular and adapted"
load "plots/som-fig14.gp"
