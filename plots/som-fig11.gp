# som-fig11.gp - time and quality by search range and refresh rate                       [SOM] Fig. 11
#
# Maps are small, medium and large from the left: %cost above, time below.

eval grid(n_panel, 3, 27 * n_ssr, 36, 34, "refresh rate (CRR) [rounds]", "search range (SSR)")
mix(a, b, t) = int(a + t * (b - a) + 0.5)
between(r1, g1, b1, r2, g2, b2, t) = 65536 * mix(r1, r2, t) + 256 * mix(g1, g2, t) + mix(b1, b2, t)
fill(t) = panel_quantity[p] == 1 ? between(233, 242, 250, 8, 64, 129, t) : between(253, 241, 227, 166, 86, 0, t)
ink(t) = t > 0.55 ? 0xFEFEFE : 0x111111
is_here(x) = strcol("input") eq panel_input[p] && column("quantity") == panel_quantity[p]
here(value) = is_here(0) ? value : NaN
crossed(how, value) = is_here(0) && column("cross") == how ? value : -1000 # outside, where it is clipped
cells = '"points.tsv" using (here(column("x"))):(column("y")):(column("x") - 0.48):(column("x") + 0.48):(column("y") - 0.47):(column("y") + 0.47)'. \
    ':(column("cross") == 2 ? unfilled : fill(column("shade"))) with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, '. \
    '"points.tsv" using (crossed(1, column("x") + 0.2)):(column("y") + 0.47):(0.28):(-0.28) with vectors nohead linewidth 2 linecolor rgb "#D55E00", '. \
    'for [k in "-1 1"] "points.tsv" using (crossed(2, column("x") - 0.48)):(column("y") - 0.47 * k):(0.96):(0.94 * k) with vectors nohead linewidth 1.2 linecolor rgb "#777777", '. \
    '"points.tsv" using (here(column("x"))):(column("y") + (strcol("more") eq "" ? 0 : 0.22)):(strcol("said")):(column("cross") == 2 ? 0x111111 : ink(column("shade")))'. \
    ' with labels font small textcolor rgb variable'
seconds = ', "points.tsv" using (strcol("more") eq "" ? NaN : here(column("x"))):(column("y") - 0.22):(strcol("more")):(ink(column("shade"))) with labels font small textcolor rgb variable'
unfilled = 0xE4E4E4
set border 0
set grid noxtics noytics
set tics scale 0
set xrange [0.5 : n_crr + 0.5]
set yrange [0.5 : n_ssr + 0.5]
do for [p = 1:n_panel] {
    eval cell(p, panel_title[p])
    set xtics ("" 1); do for [i = 1:n_crr] { set xtics add (sprintf("%g", crr_value[i]) crr_at[i]) }
    set ytics ("" 1); do for [i = 1:n_ssr] { set ytics add (ssr_said[i] ssr_at[i]) }
    # (a plot without a valid point says so)
    eval "plot ".cells.(panel_n_seconds[p] > 0 ? seconds : "")
}
