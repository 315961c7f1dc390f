# som-fig4.gp - one round with one data point, at two strengths                           [SOM] Fig. 4
#
# Of the first 80 seeds, 75 draws the pixel of map-S that is nearest to its middle.
#: images input:map-S:1
#: apply som/rounds $IMAGE -o list-1.csv -S g=10 -S rounds=1 -S co=1024 -S seed=75 -S alpha=1 -S alpha_final=1 -S sigma=12 -S sigma_final=12 -S mesh=first
#: apply som/rounds $IMAGE -o list-2.csv -S g=10 -S rounds=1 -S co=1024 -S seed=75 -S alpha=0.5 -S alpha_final=0.5 -S sigma=6 -S sigma_final=6
#: apply som/rounds $IMAGE -o list-3.csv -S g=10 -S rounds=1 -S co=1024 -S seed=75 -S alpha=1 -S alpha_final=1 -S sigma=12 -S sigma_final=12
#: what $NAME, a neuron for 10 × 10 px; one round with one cell, so one data point, the same in both
dots = 1.5

titles = "'as it begins' 'alpha 0.5, sigma 6' 'alpha 1, sigma 12'"
n = words(titles)
map_w = 450.0 # px of the map
map_h = 375.0
cell_w = 890.0 / n - 12
cell_h = cell_w * map_h / map_w
eval sheet("With the larger alpha and sigma a data point pulls more neurons, and farther", 62 + cell_h + 40)
do for [i = 1:n] {
    eval at(10 + (i - 1) * (cell_w + 12), 84, cell_w, H - base - 96, word(titles, i))
    set xrange [0 : map_w]
    set yrange [map_h : 0]
    plot sprintf("< awk -f plots/links.awk list-%d.csv", i) using "x":"y" with lines linewidth 0.6 linecolor rgb "#333333"
}
