# canvas.gp - opens the output and writes what stands above and below the figure; for style.gp's canvas()

# Title, subtitle, note and caption in lines, cut behind blanks.
array line_text[80]
n_line = 0
array part_text[4] = [title, subtitle, note, caption]
array part_end[5] = [0, 0, 0, 0, 0]
do for [part = 1:4] {
    rest = part_text[part]
    size = part == 1 ? 14.5 : 11
    widest_px = W - 20.0
    if (part == 1 && text_px(rest, size) > widest_px) { widest_px = text_px(rest, size) / ceil(text_px(rest, size) / widest_px) + 50 } # lines of a title are about as long
    while (strlen(rest) > 0 && n_line < 80) {
        cut = 0; blank = 0; room = widest_px
        while (cut < strlen(rest) && room >= size * em(rest[cut + 1:cut + 1])) {
            cut = cut + 1
            room = room - size * em(rest[cut:cut])
            if (rest[cut:cut] eq " ") { blank = cut }
        }
        if (cut < strlen(rest) && blank > 0) { cut = blank }
        n_line = n_line + 1
        line_text[n_line] = rest[1:cut]
        rest = rest[cut + 1:*]
    }
    part_end[part + 1] = n_line
}
lines_of(part) = part_end[part + 1] - part_end[part]

# The legend: each entry behind the one before while there is room.
array legend_x[60]; array legend_row[60]
legend_rows = n_legend > 0
x_at = 10.0
sample_px(i) = legend_width[i] > 0 ? 30 : 14
do for [i = 1:n_legend] {
    wide = sample_px(i) + 6 + text_px(legend_text[i], 11)
    if (x_at > 10 && x_at + wide > W - 10) { x_at = 10.0; legend_rows = legend_rows + 1 }
    legend_x[i] = x_at
    legend_row[i] = legend_rows
    x_at = x_at + wide + 16
}

title_end = 9.0 + 18 * lines_of(1)
legend_top = title_end + 2 + 15 * lines_of(2)
head = legend_top + 2 + 19 * legend_rows + (legend_rows > 0 ? 4 : 0)
foot = 15 * lines_of(4) + 4
base = foot + 15 * lines_of(3) + 6
H = 1.0 * int(H + head - 46 + base) # (1 / 2 is 0)

if (fmt eq "png") {
    set terminal pngcairo noenhanced size int(dots * W), int(dots * H) font 'sans,10' fontscale dots linewidth dots pointscale dots background '#ffffff'
} else {
    set terminal svg noenhanced size int(W), int(H) dynamic font 'sans-serif,13' linewidth 1.2 background '#ffffff'
}
set output out
line_y(i) = i <= part_end[2] ? 18 * i - 1 : i <= part_end[3] ? title_end + 9 + 15 * (i - part_end[2] - 1) : \
    i <= part_end[4] ? H - foot - 8 - 15 * (part_end[4] - i) : H - 11 - 15 * (n_line - i)
do for [i = 1:n_line] {
    set label 900 + i line_text[i] at screen 10.0 / W, screen 1 - line_y(i) / H left font (i <= part_end[2] ? bold : small) \
        textcolor rgb (i <= part_end[2] ? "#000000" : i <= part_end[3] || i > part_end[4] ? grey : "#222222") noenhanced
}
do for [i = 1:n_legend] {
    at_y = 1 - (legend_top + 12 + 19 * (legend_row[i] - 1)) / H
    if (legend_width[i] > 0) { # (lines that differ in their dashes alone become one path)
        set arrow 1000 + i from screen legend_x[i] / W, screen at_y to screen (legend_x[i] + 30.0) / W, screen at_y nohead \
            linewidth legend_width[i] + 0.001 * i dashtype legend_dash[i] linecolor rgb legend_colour[i]
    }
    if (legend_mark[i] >= 0) {
        set label 1100 + i "" at screen (legend_x[i] + sample_px(i) / 2.0) / W, screen at_y point pointtype legend_mark[i] \
            pointsize 1.1 linewidth hollow_width linecolor rgb legend_colour[i]
    }
    set label 1000 + i legend_text[i] at screen (legend_x[i] + sample_px(i) + 6.0) / W, screen at_y left font small textcolor rgb "#222222" noenhanced
}

# What plots/svg.awk says of the drawing: its title, and where it is without title and caption.
set print "about.txt"
print title
print sprintf("0 %d %d %d", title_end, W, H - foot - title_end)
print caption
unset print
