# rdp-fig10.gp - ranked run times on CPUs and GPUs, by power mode           [RDP] Fig. 10
#
# One bar per variant, mode and team size, slowest at the top as in the paper; means, since the paper prints means.
# Hollow bars: the paper's Table 1 (1024 rows), which it measured on a Jetson Xavier with its own programs: these are named
# by their role, and have the colour of our variant of that role.
left = 284
row_height = 21.0
axis = "mean time per frame [ms]"
from_zero = 0
load "plots/bars.gp"
