# rdp-fig8.gp - the input cases: full noise, worst, typical and best frame [RDP] Fig. 8
#
#: images input:scene:1
#: apply rdp/serial input:noise:typical -S eps=$EPS -S width=1242 -S height=375 --picture noise.png
#: apply rdp/serial input:scene:worst -S eps=$EPS --picture worst.png
#: apply rdp/serial input:scene:typical -S eps=$EPS --picture typical.png
#: apply rdp/serial input:scene:best -S eps=$EPS --picture best.png
#: formats png
#: caption rdp/serial input:scene:CASE --picture FILE -S eps=$EPS
#: what frames of input scene by the work that they make, and noise; ε = $EPS px
dots = 1.0
load "plots/images.gp"

names = "noise worst typical best"
n = words(names)
eval rdp_panels("best.png")
cell_w = 284.0
cell_h = cell_w * panel_h / picture_w
if (cell_h > 240) { cell_h = 240.0 }

eval sheet("RDP column segmentation: the input cases", 84 + n * (cell_h + 26))
titles = "'disparity' 'segments (black: kept points)' 'reconstruction'"

do for [i = 1:n] {
    eval rdp_panels(word(names, i).".png")
    do for [k = 1:3] {
        eval at(10 + (k - 1) * (cell_w + 14), 84 + (i - 1) * (cell_h + 26), cell_w, cell_h)
        if (k == 1) { set label 1 word(names, i).(i == 1 ? ": disparity" : "") at graph 0, graph 1 offset 0, 0.55 left font bold } else { unset label 1 }
        if (i == 1 && k > 1) { set label 2 word(titles, k) at graph 0, graph 1 offset 0, 0.55 left } else { unset label 2 }
        eval rdp_panel(k)
        eval draw(word(names, i).".png")
    }
}
