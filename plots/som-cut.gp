# som-cut.gp - the mesh's GPU variants on a part of the card
load "plots/cut.gp"
