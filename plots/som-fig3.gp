# som-fig3.gp - some pixels of a map and their shares of the wheel                        [SOM] Fig. 3, eq. 5
#
# Of a map brought to 45 × 38 px, 4 × 3 pixels at the edge of something near.
#: images input:map-near:13
#: apply som/openmp $IMAGE -S width=45 -S height=38 -S rounds=1 --input-picture input-1.png
#: formats png
#: caption som/openmp $IMAGE -S width=45 -S height=38 --input-picture FILE
#: what 4 × 3 pixels of $NAME at 45 × 38 px, at the edge of a car; numbers are grey levels, white is nearest
dots = 1.5
load "plots/images.gp"

n_columns = 4
n_lines = 3
first = 4 # column and line, from the lower left
lowest = 17
cell_h = 290.0
eval sheet("SOM mesh: the more disparity, the more of the wheel", 62 + 22 + cell_h + 14)
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
grey_of(i) = 65793 * int(level[i])
ink(i) = level[i] > 120 ? "#111111" : "#fefefe"

array from[n_pixels + 1]
from[1] = 0
do for [i = 1:n_pixels] { from[i + 1] = from[i] + (all > 0 ? 360.0 * level[i] / all : 0) }
do for [panel = 1:2] {
    eval at(panel == 1 ? 30 : 480, 84, panel == 1 ? 340 : 400, cell_h)
    eval say(panel == 1 ? "pixels of the map" : "the wheel that draws one: levels outside, shares inside")
    do for [i = 1:n_pixels] { unset label 100 + i; unset label 200 + i; unset object 100 + i }
    if (panel == 1) {
        set xrange [0 : n_columns]
        set yrange [n_lines : 0]
        do for [i = 1:n_pixels] {
            set object 100 + i rectangle from (i - 1) % n_columns, (i - 1) / n_columns to (i - 1) % n_columns + 1, (i - 1) / n_columns + 1 \
                fillcolor rgb grey_of(i) fillstyle solid 1.0 border linecolor rgb "#D55E00"
            set label 100 + i sprintf("%d", level[i]) at (i - 1) % n_columns + 0.5, (i - 1) / n_columns + 0.5 center textcolor rgb ink(i) front
        }
    } else {
        set xrange [-1.2 * 400 / cell_h : 1.2 * 400 / cell_h]
        set yrange [-1.2 : 1.2]
        do for [i = 1:n_pixels] {
            set object 100 + i circle at 0, 0 size 1 arc [from[i] : from[i + 1]] fillcolor rgb grey_of(i) fillstyle solid 1.0 border linecolor rgb "#D55E00"
            middle = 0.5 * (from[i] + from[i + 1]) * pi / 180
            if (from[i + 1] - from[i] > 9) { set label 100 + i sprintf("%.0f %%", 100.0 * level[i] / all) at 0.78 * cos(middle), 0.78 * sin(middle) center textcolor rgb ink(i) font small front }
            set label 200 + i sprintf("%d", level[i]) at 1.11 * cos(middle), 1.11 * sin(middle) center font small front
        }
    }
    plot NaN notitle
}
