# rdp-roofline.gp - RDP's variants beneath the ceilings of the machine
title_text = "RDP: operations a second, and what this machine could do"
operation_text = "the distance of a point to a chord, as the recursion has them"
experiment_name = "rdp/roofline"
variants = "rdp/serial rdp/omp-columns rdp/cpu-simd rdp/gpu-paper rdp/gpu-opt"
cell_text(x) = strcol("batch") eq "1" ? "1 frame" : "batch of ".strcol("batch")
cell_left(x) = strcol("batch") eq "1"
load "plots/roofline.gp"
