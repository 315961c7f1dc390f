# som-fig8.gp - memory organisations of the cells' lists                                 [SOM] Fig. 8
#
# A group of bars for each map.  The paper prints no numbers here; what it says in words stands below the bars.
left = 180
row_height = 18.0
axis = "mean time [ms]"
from_zero = 1
load "plots/bars.gp"
