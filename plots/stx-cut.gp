# stx-cut.gp - the GPU variants of Slanted Stixels on a part of the card
load "plots/cut.gp"
