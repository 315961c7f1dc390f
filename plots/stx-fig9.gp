# stx-fig9.gp - time of each kernel                                                    [STX] Fig. 9
#
# Laps of one run, means; a group for each stage, and for each equation where its work differs.  Hollow: the paper's, by its own
# programs.  Hatched: timed on a part of the columns, drawn for all.
left = 244
row_height = 20.0
axis = "mean time [ms]"
from_zero = 0
load "plots/bars.gp"
