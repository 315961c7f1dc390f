# stixels-fig6.gp - what came in, the stixels of both models, and where they differ       [STX] Fig. 6
#
# The paper has photographs at the left, which generated scenes do not have.
#
#: images scene:1:1024x512 scene:2:1024x512 scene:3:1024x512
#: apply stixels/cubic-openmp $IMAGE -S block=4 -S legend=no --picture older-$NUMBER.png -o older-$NUMBER.csv -S model=b6
#: apply stixels/openmp $IMAGE -S block=4 -S legend=no --picture newer-$NUMBER.png -o newer-$NUMBER.csv --input-picture input-$NUMBER.png -S model=b12
#: what disparity, red near, blue far, pale sky, dark grey unknown; blocks of 4 × 4 px, with classes where the data have some; at the right what eq. 12 changes, pale below 3 px
#: kitti needs kitti2015/sgm
#: kitti images input:kitti-sgm:1 input:kitti-sgm:9 input:kitti-sgm:17
dots = 1.5

n = words(names)
file_of(kind, i) = sprintf("%s-%d.png", kind, i)
unused = entry("eq. 12 is nearer by 3 px or more", hex("#DB2C2B"), 5, 0, 1) + entry("farther", hex("#2863AB"), 5, 0, 1) + \
    entry("one of them has sky or nothing", hex("#7B3F98"), 5, 0, 1)
cell_gap = 8.0
cell_w = (W - 20.0 - 3 * cell_gap) / 4
# each scene in its own shape
array row_top[n]; array row_tall[n]
below = 40.0
do for [i = 1:n] {
    eval picture_size(file_of("input", i))
    row_top[i] = below
    row_tall[i] = cell_w * picture_h / picture_w
    below = below + row_tall[i] + 42
}

array off[n]
do for [i = 1:n] { off[i] = system(sprintf("awk -v BLOCK=4 -f plots/difference.awk older-%d.csv newer-%d.csv 2>&1 >difference-%d.csv", i, i, i)) }
least = off[1] + 0.0; most_off = least
do for [i = 1:n] { least = off[i] < least ? off[i] + 0.0 : least; most_off = off[i] > most_off ? off[i] + 0.0 : most_off }
eval sheet("Eq. 12 changes ".(least < most_off ? sprintf("%.1f to ", least) : "").sprintf("%.1f %% of the blocks by more than 3 px", most_off), 46 + below - 32)
titles = "'what came in' 'Slanted Stixels [12], eq. 6' 'eq. 12' 'difference'"
do for [i = 1:n] {
    said = word(names, i).sprintf(": %s %% of the blocks differ by more than 3 px", off[i])
    set label 802 said at screen 10.0 / W, screen 1 - (head + row_top[i] - 9) / H left font small noenhanced
    do for [k = 1:4] {
        eval at(10 + (k - 1) * (cell_w + cell_gap), head + row_top[i], cell_w, row_tall[i], "")
        set label 801 (i == 1 ? word(titles, k) : "") at screen (10 + (k - 1) * (cell_w + cell_gap)) / W, screen 1 - (head + 8.0) / H left font bold noenhanced
        if (k < 4) {
            file = file_of(word("input older newer", k), i)
            if (k == 1) { eval whole(file) } else { eval picture_panels(file, file_of("input", i)); eval panel(1) }
            eval thin(cell_w)
            eval draw(file)
        } else {
            file = sprintf("difference-%d.csv", i)
            set autoscale x; set autoscale y; set autoscale xfix; set autoscale yfix
            plot file using (column("x")):(column("y")):(column("r")):(column("g")):(column("b")) with rgbimage
        }
        unset label 802
    }
}
