# som-fig13.gp - run time against the size of the map                                    [SOM] Fig. 13
#
# Means, since the paper prints means.  Hollow: the averages of the paper's four sets of maps (Table 2), which are other maps than ours.

eval ranges("points.tsv", "pixels", "ms")
# kind: 0 a variant, 1 its fastest setting, 2 printed
dash_of(k) = curve_kind[k] > 0 ? 2 : 1
weight(k) = curve_kind[k] > 0 ? 1.4 : 1.8
sign(k) = mark_of(curve_impl[k]) - (curve_kind[k] == 2)
size_of(k) = curve_kind[k] == 1 ? 0.8 : 1.2
do for [k = 1:n_curve] { unused = entry(curve_name[k], hue(k), sign(k), weight(k), dash_of(k)) }

eval chart(480, 62, 20, "pixels of the map", "mean time per map [ms]")
eval logs(1.4, 1.8)
set xtics ("0.1 M" 1e5, "0.2 M" 2e5, "0.5 M" 5e5, "1 M" 1e6, "2 M" 2e6, "5 M" 5e6, "10 M" 1e7, "20 M" 2e7, "50 M" 5e7)
eval "plot ".barred("pixels", "ms")
