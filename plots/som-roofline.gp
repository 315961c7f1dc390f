# som-roofline.gp - the mesh's variants beneath the ceilings of the machine
title_text = "SOM mesh: operations a second, and what this machine could do"
operation_text = "one neuron pulled by one data point"
experiment_name = "som/roofline"
variants = "som/rounds som/openmp som/gpu-paper som/gpu-opt"
cell_text(x) = strcol("width")." px"
cell_left(x) = strcol("width") eq "450"
load "plots/roofline.gp"
