# stixels-fig6.gp - what came in and the stixels of both models, side by side       [STX] Fig. 6
#
#: images scene:1:1024x512 scene:2:1024x512 scene:3:1024x512
#: apply stixels/cubic-openmp $IMAGE -S block=4 -S semantic=auto --picture older-$NUMBER.png -S model=b6
#: apply stixels/openmp $IMAGE -S block=4 -S semantic=auto --picture newer-$NUMBER.png --input-picture input-$NUMBER.png -S model=b12
#: formats png
#: caption stixels/cubic-openmp IMAGE -S model=b6, and stixels/openmp IMAGE -S model=b12, -S block=4 -S semantic=auto --picture FILE
#: what disparity of the stixels, red near, blue far, pale sky, dark grey unknown; blocks of 4 × 4 px, with classes
#
# Data that have no classes:
#: kitti needs kitti2015/sgm
#: kitti images input:kitti-sgm:1 input:kitti-sgm:9 input:kitti-sgm:17
#: kitti apply stixels/cubic-openmp $IMAGE -S block=4 -S semantic=off --picture older-$NUMBER.png -S model=b6
#: kitti apply stixels/openmp $IMAGE -S block=4 -S semantic=off --picture newer-$NUMBER.png --input-picture input-$NUMBER.png -S model=b12
#: kitti caption stixels/cubic-openmp IMAGE -S model=b6, and stixels/openmp IMAGE -S model=b12, -S block=4 -S semantic=off --picture FILE
#: kitti what disparity of the stixels, red near, blue far, pale sky, dark grey unknown; blocks of 4 × 4 px, without classes
dots = 1.5
load "plots/images.gp"

n = words(names)
file_of(kind, i) = sprintf("%s-%d.png", kind, i)
cell_w = 288.0
# each scene in its own shape
below = 84.0
eval whole(file_of("input", 1))
tops = sprintf("%.1f", below)
heights = ""
do for [i = 1:n] {
    eval picture_size(file_of("input", i))
    heights = heights.sprintf(" %.1f", cell_w * picture_h / picture_w)
    below = below + cell_w * picture_h / picture_w + 26
    tops = tops.sprintf(" %.1f", below)
}

eval sheet("Slanted stixels: the older and the newer model", below - 14)
titles = "': disparity that came in' 'older model (eq. 6)' 'newer model (eq. 12)'"

do for [i = 1:n] {
    do for [k = 1:3] {
        file = file_of(word("input older newer", k), i)
        eval at(10 + (k - 1) * (cell_w + 8), word(tops, i) + 0.0, cell_w, word(heights, i) + 0.0)
        title_here = k == 1 ? word(names, i).(i == 1 ? word(titles, 1) : "") : i == 1 ? word(titles, k) : ""
        set label 1 title_here at graph 0, graph 1 offset 0, 0.55 left
        if (k == 1) { eval whole(file) } else { eval picture_panels(file, file_of("input", i)); eval panel(1) }
        eval thin(cell_w)
        eval draw(file)
    }
}
