# place.gp - texts beside points of a panel of style.gp's, each on the first side where it covers no mark, line or other text
#
# A figure says which, by spot() and tell() of style.gp.  They become labels from 200 on.
array box_x[n_told + 1]; array box_y[n_told + 1]; array box_w[n_told + 1]
sides = 12
side_x(side, w) = word("8 -8 0 0 6 -6 6 -6 14 -14 0 0", side) + (word("0 -1 -0.5 -0.5 0 -1 0 -1 0 -1 -0.5 -0.5", side) * w)
side_y(side) = word("-6 -6 6 -18 3 3 -15 -15 -22 10 -31 19", side) + 0
do for [told_i = 1:n_told] {
    told_w = text_px(told_said[told_i], 11)
    best = 1e300
    do for [side = 1:sides] {
        at_x = told_x[told_i] + side_x(side, told_w)
        at_y = told_y[told_i] + side_y(side)
        hits = at_x < 2 || at_x + told_w > cell_w || at_y < 2 || at_y + 12 > cell_h ? 50 : 0
        hits = hits + sum [s_i = 1:n_spot] (spot_x[s_i] > at_x - 3 && spot_x[s_i] < at_x + told_w + 3 && spot_y[s_i] > at_y - 3 && spot_y[s_i] < at_y + 15)
        if (told_i > 1) { hits = hits + 20 * sum [s_i = 1:told_i - 1] (box_x[s_i] < at_x + told_w + 3 && at_x < box_x[s_i] + box_w[s_i] + 3 && box_y[s_i] < at_y + 12 && at_y < box_y[s_i] + 12) }
        if (hits < best) { best = hits; box_x[told_i] = at_x; box_y[told_i] = at_y; box_w[told_i] = told_w }
    }
    set label 200 + told_i told_said[told_i] at screen (cell_left + box_x[told_i] + told_w / 2) / W, screen 1 - (cell_top + cell_h - box_y[told_i] - 6) / H center font small textcolor rgb "#222222" front noenhanced
}
