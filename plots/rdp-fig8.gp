# rdp-fig8.gp - the input cases: full noise, worst, typical and best frame [RDP] Fig. 8
#
#: images input:scene:1
#: apply rdp/serial input:noise:typical -S eps=$EPS -S width=1242 -S height=375 -S legend=no --picture noise.png
#: apply rdp/serial input:scene:worst -S eps=$EPS -S legend=no --picture worst.png
#: apply rdp/serial input:scene:typical -S eps=$EPS -S legend=no --picture typical.png
#: apply rdp/serial input:scene:best -S eps=$EPS -S legend=no --picture best.png
#: what frames of input scene by the points that rdp/serial visits in them, and noise; ε = $EPS px. Other variants may find another frame the easiest or the hardest. Right: a part of the segments, enlarged; in noise nearly every point is kept

names = "noise worst typical best"
n = words(names)
eval rdp_panels("best.png")
cell_w = (W - 20.0 - 2 * 10) * 0.38
cell_h = cell_w * panel_h / picture_w
if (cell_h > 240) { cell_h = 240.0 }
zoom_w = W - 20.0 - 2 * 10 - 2 * cell_w
eval rdp_legend

finding = "RDP keeps one of " . before(remark(1), " values for each") . " values in noise, of " . before(remark(2), " values for each") . " in the worst frame, of " . before(remark(4), " values for each") . " in the best"
eval sheet(found ? finding : "RDP column segmentation: the input cases", 46 + n * (cell_h + 26) + 16)
do for [i = 1:n] {
    eval rdp_panels(word(names, i).".png")
    top = head + 26 + (i - 1) * (cell_h + 26)
    zoom = i == 1 ? 12.0 : 3.5 # times as large
    do for [k = 1:3] {
        eval at(10 + (k - 1) * (cell_w + 10), top, k == 3 ? zoom_w : cell_w, cell_h, k == 1 ? word(names, i).(i == 1 ? "" : " frame").": disparity" : k == 2 ? "segments" : sprintf("%g × larger", zoom))
        if (k < 3) { eval rdp_panel(k) } else { eval rdp_part(2, zoom_w, zoom) }
        eval draw(word(names, i).".png")
    }
}
