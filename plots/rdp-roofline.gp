# rdp-roofline.gp - RDP's variants beneath the ceilings of the machine
load "plots/roofline.gp"
