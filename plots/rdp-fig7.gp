# rdp-fig7.gp - useful share of the work, round by round                   [RDP] Fig. 7
#
# As in the paper, blue is useful computation; the rest are rows whose segment was finished in an earlier round.

eval read("panel", "eps title*")
eval range("r", "rounds.tsv", "round")
in_panel(value) = column("eps") == panel_eps[i] ? value : NaN

eval canvas(415)
set xlabel "round"
set xrange [0.4 : r_max + 0.6]
set xtics 1, r_max > 48 ? 8 : r_max > 24 ? 4 : r_max > 12 ? 2 : 1
set yrange [0 : 100]
set ytics 0, 20, 100
set boxwidth 0.86
set grid noxtics back
set tics out
set style fill solid 1.0 noborder
set key at screen 10.0 / W, screen 1 - 48.0 / H left top vertical maxrows 1 Left reverse samplen 1.5

panel_width = (900 - 78 - 30 - 62.0 * (n_panel - 1)) / n_panel
set multiplot
do for [i = 1:n_panel] {
    left = 78 + (i - 1) * (panel_width + 62)
    eval frame(left, 900 - left - panel_width, 108, 52)
    set label 1 panel_title[i] at graph 0.0, graph 1.05 left
    if (i == 1) { set ylabel "share of the threads [%]" } else { unset ylabel; unset key }
    plot "rounds.tsv" using (column("round")):(in_panel(100)) with boxes linecolor rgb "#A6D8C2" title "segment already finished", \
         "rounds.tsv" using (column("round")):(in_panel(column("useful"))) with boxes linecolor rgb "#0072B2" title "useful computation"
    eval undraw
}
