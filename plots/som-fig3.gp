# som-fig3.gp - some pixels of a map and their shares of the wheel                        [SOM] Fig. 3, eq. 5
#
# Of a map brought to 45 × 38 px, 4 × 3 pixels at the edge of something near.
#: images input:map-near:13
#: apply som/openmp $IMAGE -S width=45 -S height=38 -S rounds=1 --input-picture input-1.png
#: what 4 × 3 pixels of $NAME at 45 × 38 px, at the edge of a car; numbers are grey levels, white is nearest
dots = 1.5

n_columns = 4
n_lines = 3
first = 4 # column and line, from the lower left
lowest = 17
cell_h = 290.0
eval sheet("The more disparity a pixel has, the more of the wheel, and the more often it is drawn", 62 + 22 + cell_h + 14)
eval picture_size("input-1.png")
zoom = picture_w / 45.0
set table $picture
plot "input-1.png" binary filetype=png with rgbimage
unset table

# the levels in order, line by line from the top
n_pixels = n_columns * n_lines
array level[n_pixels]
column_of(x) = floor(x / zoom) - first
line_of(y) = floor(y / zoom) - lowest
set datafile separator whitespace # of the table
unset datafile columnheaders
is_one(x, y) = x >= 0 && x < n_columns && y >= 0 && y < n_lines
stats $picture using (is_one(column_of($1), line_of($2)) ? (level[int(1 + column_of($1) + n_columns * (n_lines - 1 - line_of($2)))] = $3, 1) : 0) nooutput
all = sum [s_i = 1:n_pixels] (level[s_i])
from(i) = i > 1 ? from(i - 1) + (all > 0 ? 360.0 * level[int(i - 1)] / all : 0) : 0
middle(i) = 0.5 * (from(i) + from(i + 1)) * pi / 180
hue_of(level) = 65793 * int(level)
ink(level) = level > 120 ? 0x111111 : 0xFEFEFE
x_of(i) = (int(i) - 1) % n_columns
y_of(i) = (int(i) - 1) / n_columns
share(i) = from(i + 1) - from(i) > 9 ? sprintf("%.0f %%", 100.0 * level[int(i)] / all) : ""

eval at(30, 84, 340, cell_h, "pixels of the map")
set xrange [0 : n_columns]
set yrange [n_lines : 0]
plot level using (x_of($1) + 0.5):(y_of($1) + 0.5):(x_of($1)):(x_of($1) + 1):(y_of($1)):(y_of($1) + 1):(hue_of($2)) \
         with boxxyerror fillstyle solid 1.0 border linecolor rgb "#D55E00" fillcolor rgb variable, \
     level using (x_of($1) + 0.5):(y_of($1) + 0.5):(sprintf("%d", $2)):(ink($2)) with labels textcolor rgb variable

eval at(480, 84, 400, cell_h, "the wheel that draws one: levels outside, shares inside")
set xrange [-1.2 * 400 / cell_h : 1.2 * 400 / cell_h]
set yrange [-1.2 : 1.2]
plot level using (0):(0):(1):(from($1)):(from($1 + 1)):(hue_of($2)) with circles fillstyle solid 1.0 border linecolor rgb "#D55E00" fillcolor rgb variable, \
     level using (0.78 * cos(middle($1))):(0.78 * sin(middle($1))):(share($1)):(ink($2)) with labels font small textcolor rgb variable, \
     level using (1.11 * cos(middle($1))):(1.11 * sin(middle($1))):(sprintf("%d", $2)) with labels font small
