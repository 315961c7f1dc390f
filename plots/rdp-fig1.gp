# rdp-fig1.gp - a disparity image, its segments and what they keep of it    [RDP] Fig. 1
#
#: images scene:1
#: apply rdp/serial $IMAGE -S eps=$EPS --picture picture.png
#: formats png
#: caption rdp/serial $IMAGE --picture FILE -S eps=$EPS
#: what $NAME, vertical distance, ε = $EPS px
dots = 1.0
load "plots/images.gp"

eval rdp_panels("picture.png")
drawn_w = picture_w * 400.0 / panel_h < 820 ? picture_w * 400.0 / panel_h : 820.0
drawn_h = drawn_w * panel_h / picture_w

eval sheet("Column-level segmentation of a disparity image with RDP", 62 + 3 * (drawn_h + 28) + 6)
titles = "'disparity: violet far, yellow near, dark grey no measurement' 'segments' 'reconstruction from the kept points alone; dimmed where nothing was measured'"
look_names = "ground-like upright far other"
look_colours = "#009E73 #E69F00 #56B4E9 #CC79A7"

do for [i = 1:3] {
    eval at(10, 62 + (i - 1) * (drawn_h + 28) + 22, drawn_w, drawn_h)
    eval say(word(titles, i))
    if (i == 2) { do for [k = 1:4] {
        set label 10 + k "■ ".word(look_names, k) at screen (110.0 + 108 * (k - 1) - (k == 3 ? 18 : k == 4 ? 70 : 0)) / W, graph 1 offset 0, 0.6 left textcolor rgb word(look_colours, k)
    }; set label 15 "black: kept points" at screen 440.0 / W, graph 1 offset 0, 0.6 left }
    eval rdp_panel(i)
    eval draw("picture.png")
    do for [k = 11:15] { unset label k }
}
