# rdp-cut.gp - RDP's GPU variants on a part of the card
load "plots/cut.gp"
