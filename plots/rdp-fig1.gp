# rdp-fig1.gp - a disparity image, its segments and what they keep of it    [RDP] Fig. 1
#
# picture: the PNG of `depthbench apply --picture`, three panels with 8 white rows between them; what: its name.
load "plots/style.gp"

if (!exists("what")) { what = picture }
eval picture_size(picture)
panel = (picture_h - 2 * 8) / 3
drawn_w = picture_w * 400.0 / panel < 820 ? picture_w * 400.0 / panel : 820.0
drawn_h = drawn_w * panel / picture_w

eval canvas(900, int(62 + 3 * (drawn_h + 28) + 6), "")
eval headline("Column-level segmentation of a disparity image with RDP", what)
unset tics
unset border
unset key
unset grid
titles = "'disparity: violet far, yellow near, dark grey no measurement' 'segments' 'reconstruction from the kept points alone; dimmed where nothing was measured'"
look_names = "ground-like upright far other"
look_colours = "#009E73 #E69F00 #56B4E9 #CC79A7"
set xrange [-0.5 : picture_w - 0.5]

set multiplot
do for [i = 1:3] {
    eval frame(10, 890 - drawn_w, 62 + (i - 1) * (drawn_h + 28) + 22, H - base - (62 + i * (drawn_h + 28) - 6))
    set label 1 word(titles, i) at graph 0, graph 1 offset 0, 0.6 left
    if (i == 2) { do for [k = 1:4] {
        set label 10 + k "■ ".word(look_names, k) at screen (110.0 + 108 * (k - 1) - (k == 3 ? 18 : k == 4 ? 70 : 0)) / W, graph 1 offset 0, 0.6 left textcolor rgb word(look_colours, k)
    }; set label 15 "black: kept points" at screen 440.0 / W, graph 1 offset 0, 0.6 left }
    set yrange [picture_h - (i - 1) * (panel + 8) - panel - 0.5 : picture_h - (i - 1) * (panel + 8) - 0.5]
    plot picture binary filetype=png with rgbimage
    eval undraw
    do for [k = 11:15] { unset label k }
}
unset multiplot
