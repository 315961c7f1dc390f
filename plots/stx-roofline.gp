# stx-roofline.gp - Slanted Stixels' variants beneath the ceilings of the machine
title_text = "Slanted Stixels: operations a second, and what this machine could do"
operation_text = "the cost of a stixel of one kind between two rows; of eq. 6 a row of it"
experiment_name = "stx/roofline"
variants = "stixels/serial stixels/openmp stixels/cubic-openmp stixels/gpu-cubic stixels/gpu-paper stixels/gpu-opt"
cell_text(x) = "block ".block_text(strcol("block"))
cell_left(x) = 0
load "plots/roofline.gp"
