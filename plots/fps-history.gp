# fps-history.gp - frames per second of one variant from commit to commit, by `depthbench history --csv`
#
# A curve for each cell that fits what was asked for; the line is the level between two steps, the bar the median's interval.
load "plots/style.gp"

n_cells = 0
wanted = ""
where = ""
stats csv using (n_cells = column("cell_number") > n_cells ? column("cell_number") : n_cells, \
    wanted = strcol("wanted"), where = strcol("machine_name"), 1) nooutput
if (n_cells == 0) { print csv.": no point to draw"; exit status 2 }
# the first cells that have more than one point, else the first
array points_of[n_cells]
n_points = 0
most = 7
do for [i = 1:n_cells] { points_of[i] = 0 }
stats csv using (points_of[int(column("cell_number"))] = column("point"), \
    n_points = column("point") > n_points ? column("point") : n_points, 1) nooutput
chosen = ""
do for [i = 1:n_cells] { if (words(chosen) < most && (points_of[i] > 1 || n_points == 1)) { chosen = chosen." ".i } }
label_of(i) = found eq "" ? wanted : found
labels = ""
do for [i in chosen] {
    found = ""
    stats csv using (column("cell_number") == int(i) ? (found = strcol("cell"), 1) : 0) nooutput
    labels = labels." '".label_of(i)."'"
}
left_out = words(chosen) < n_cells ? sprintf(" %d more cells fit: name more keys to see them.", n_cells - words(chosen)) : ""
# points are numbered in the order of their commits; with more than one cell they have no common axis of commits
named = n_cells == 1 && n_points <= 60
tics = ""
if (named) { stats csv using (tics = tics.sprintf("%s'%s' %d", tics eq "" ? "" : ", ", strcol("commit")[1:7], column("point")), 1) nooutput }

eval canvas(900, 460 + 17 * words(chosen), "Lines: levels between steps of the fit. Bars: 95 % interval of the median. Sessions of ".where.".".left_out)
eval headline("History of ".wanted, "frames per second by commit, oldest first")
eval frame(92, 30, 58 + 17 * words(chosen), named ? 92 : 52)
set ylabel "frames per second (1000 / median ms)"
set xlabel named ? "" : "session, by the date of its commit"
set xrange [0.5 : n_points + 0.5]
if (named) { eval "set xtics (".tics.") rotate by 60 right font small" } else { set xtics 1, int(n_points / 12) + 1 }
set key at graph 0, graph 1 left bottom vertical Left reverse maxrows words(chosen) samplen 2 font small
cell_of(k) = int(word(chosen, k))
of(k, value) = column("cell_number") == cell_of(k) ? value : NaN

plot for [k = 1:words(chosen)] csv using (of(k, column("point"))):(1000 / column("level_ms")) with steps linewidth 1.2 \
        linecolor rgb curve_colour(k) notitle, \
    for [k = 1:words(chosen)] csv using (of(k, column("point"))):(column("fps")):(1000 / column("ci_hi_ms")):(1000 / column("ci_lo_ms")) \
        with yerrorbars pointtype curve_mark(k) pointsize 0.8 linecolor rgb curve_colour(k) title word(labels, k)
