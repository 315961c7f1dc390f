# rdp-fig7.gp - what the threads do, round by round                       [RDP] Fig. 7
#
# As in the paper, blue is useful computation, here of the paper's kernel.  The rest is idle for one of two reasons, which the paper's figure does not part.
in_panel(value) = column("eps") == panel_eps[p] ? value : NaN
useful = "#0072B2"; waiting = "#9CC5E3"; gone = "#BBBBBB"
unused = entry("useful computation", hex(useful), 5, 0, 1) + entry("segment already finished", hex(waiting), 5, 0, 1) + entry("column done, its block has left", hex(gone), 5, 0, 1)

eval grid(n_panel, 2, 270, 52, 58, "round", "share of the threads [%]")
set boxwidth 0.86
set xrange [0.4 : 12.2]
set yrange [0 : 100]
set ytics 0, 20, 100
set grid noxtics back
set tics out
do for [p = 1:n_panel] {
    eval cell(p, panel_title[p])
    set xtics scale 0 ("" 1)
    do for [i = 1:n_round] { if (round_eps[i] == panel_eps[p]) { set xtics add (round_said[i] round_place[i] + (round_place[i] > 10 ? 0.4 : 0)) } }
    at(x) = x + (x > 10 ? 0.4 : 0)
    plot "rounds.tsv" using (at(column("place"))):(in_panel(100)) with boxes linecolor rgb gone, \
         "rounds.tsv" using (at(column("place"))):(in_panel(column("running"))) with boxes linecolor rgb waiting, \
         "rounds.tsv" using (at(column("place"))):(in_panel(column("useful"))) with boxes linecolor rgb useful
}
