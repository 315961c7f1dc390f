# stx-roofline.gp - Slanted Stixels' variants beneath the ceilings of the machine
load "plots/roofline.gp"
