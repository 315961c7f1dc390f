# rdp-fig8.gp - the input cases: full noise, worst, typical and best frame [RDP] Fig. 8
#
# pictures: four PNGs of `depthbench apply --picture`, as words; names: theirs, one word each; what: what was held fixed.
load "plots/style.gp"

if (!exists("names")) { names = "noise worst typical best" }
if (!exists("what")) { what = "" }
n = words(pictures)
eval picture_size(word(pictures, n))
panel = (picture_h - 2 * 8) / 3
cell_w = 284.0
cell_h = cell_w * panel / picture_w
if (cell_h > 240) { cell_h = 240.0 }

eval canvas(900, int(84 + n * (cell_h + 26)), "")
eval headline("RDP column segmentation: the input cases", what)
unset tics
unset border
unset key
unset grid
titles = "'disparity' 'segments (black: kept points)' 'reconstruction'"

set multiplot
do for [i = 1:n] {
    eval picture_size(word(pictures, i))
    panel = (picture_h - 2 * 8) / 3
    set xrange [-0.5 : picture_w - 0.5]
    do for [k = 1:3] {
        left = 10 + (k - 1) * (cell_w + 14)
        eval frame(left, 900 - left - cell_w, 84 + (i - 1) * (cell_h + 26), H - base - (84 + (i - 1) * (cell_h + 26) + cell_h))
        if (k == 1) { set label 1 word(names, i) at graph 0, graph 1 offset 0, 0.55 left font bold } else { unset label 1 }
        if (i == 1 && k > 1) { set label 2 word(titles, k) at graph 0, graph 1 offset 0, 0.55 left } else { unset label 2 }
        if (i == 1 && k == 1) { set label 1 word(names, i).": disparity" }
        set yrange [picture_h - (k - 1) * (panel + 8) - panel - 0.5 : picture_h - (k - 1) * (panel + 8) - 0.5]
        plot word(pictures, i) binary filetype=png with rgbimage
        eval undraw
    }
}
unset multiplot
