# canvas.gp - opens the output and writes what stands above and below the figure; for style.gp's canvas()
#
# Lines of so many characters, cut behind blanks.
line_width = int(W / 6.15)
array caption_line[40]
n_caption = 0
array caption_part[2] = [caption, note]
do for [caption_i = 1:2] {
    rest = caption_part[caption_i]
    while (strlen(rest) > 0 && n_caption < 40) {
        cut = strlen(rest)
        if (cut > line_width) {
            cut = line_width
            while (cut > 1 && rest[cut:cut] ne " ") { cut = cut - 1 }
            if (rest[cut:cut] ne " ") { cut = line_width }
        }
        n_caption = n_caption + 1
        caption_line[n_caption] = rest[1:cut]
        rest = rest[cut + 1:*]
    }
}
base = 15 * n_caption + 8
H = H + base
if (fmt eq "png") {
    set terminal pngcairo noenhanced size int(dots * W), int(dots * H) font 'sans,10' fontscale dots linewidth dots pointscale dots background '#ffffff'
} else {
    set terminal svg noenhanced size W, H dynamic font 'sans-serif,13' linewidth 1.2 background '#ffffff'
}
set output out
do for [caption_i = 1:n_caption] {
    set label 900 + caption_i caption_line[caption_i] at screen 10.0 / W, screen (15.0 * (n_caption - caption_i) + 11) / H left font small textcolor rgb grey noenhanced
}
set label 998 title at screen 10.0 / W, screen 1 - 17.0 / H left font bold noenhanced
set label 999 subtitle at screen 10.0 / W, screen 1 - 36.0 / H left font small textcolor rgb grey noenhanced
