# som-fig10.gp - the fastest single kernel against the fastest three                     [SOM] Fig. 10
#
# Bars for each size of the cells: SK, and the sum MK of MK_E, MK_S and MK_L, as in the paper.  Laps of the rounds, means.  The paper
# prints no times here; what it says in words stands below.
left = 180
row_height = 21.0
axis = "mean time of all rounds [ms]"
from_zero = 1
load "plots/bars.gp"
