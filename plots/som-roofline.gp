# som-roofline.gp - the mesh's variants beneath the ceilings of the machine
load "plots/roofline.gp"
