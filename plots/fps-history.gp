# fps-history.gp - frames per second of one variant from commit to commit, by `depthbench history --csv`
#
# A curve for each configuration that fits what was asked for; the line is the level between two steps, the bar the median's interval.

eval read("curve", "name*")
stats "points.tsv" using (named = int(column("named")), column("point")) name "P" nooutput
subtitle = "frames per second by commit, oldest first"
eval canvas(460 + 17 * n_curve)
eval frame(92, 30, 58 + 17 * n_curve, named ? 92 : 52)
set ylabel "frames per second (1000 / median ms)"
set xlabel named ? "" : "session, by the date of its commit"
set xrange [0.5 : P_max + 0.5]
if (named) { set xtics rotate by 60 right font small } else { set xtics 1, int(P_max / 12) + 1 }
set key at graph 0, graph 1 left bottom vertical Left reverse maxrows n_curve samplen 2 font small
tics = named ? '"points.tsv" using (column("point")):(NaN):xticlabels(strcol("commit_hash")) with points notitle, ' : ''

plot @tics for [k = 1:n_curve] "points.tsv" using (of(k, column("point"))):(column("level")) with steps linewidth 1.2 \
        linecolor rgb curve_colour(k) notitle, \
    for [k = 1:n_curve] "points.tsv" using (of(k, column("point"))):(column("fps")):(column("low")):(column("high")) \
        with yerrorbars pointtype curve_mark(k) pointsize 0.8 linecolor rgb curve_colour(k) title curve_name[k]
