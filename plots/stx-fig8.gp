# stx-fig8.gp - frames per second                                                      [STX] Fig. 8
#
# One bar per variant and team size, slowest at the bottom.  Hollow bars: the paper's, by its own programs, which have the colour of our
# variant of the same model.  Hatched: timed on a part of the columns, drawn for all.
left = 284
row_height = 21.0
axis = "frames per second"
from_zero = 0
load "plots/bars.gp"
