# som-fig10.gp - the fastest single kernel against the fastest three                     [SOM] Fig. 10
#
# Bars for each size of the cells: SK at its fastest block size, and the sum of MK_E, MK_S and MK_L, each at its own, as in the
# paper.  Laps of the rounds, means.  The paper prints no times here; what it says in words stands below.
load "plots/style.gp"

eval words_of("maps", "input", "usable(0)")
if (!exists("input")) { input = has_word(maps, "conesM") ? "conesM" : word(maps, 1) }
of_input(x) = strcol("status") eq "ok" && in_scope(0) && strcol("input") eq input && column("mean_ms") > 0
is_lap(x) = of_input(0) && strcol("lap") ne "" && strcol("impl") eq "som/gpu-paper"
is_whole(x) = of_input(0) && strcol("lap") eq "" && strcol("impl") eq "som/rounds"
eval require("is_lap(0) || is_whole(0)", csv)
eval words_of("present", "impl", "is_lap(0) || is_whole(0)")
eval words_of("cells", "co", "is_lap(0) || is_whole(0)")
eval first_of("sigma")
eval first_of("ssr")
part_of(lap) = strstrt(lap, ": ") > 0 ? lap[strstrt(lap, ": ") + 2 : *] : lap

# The fastest of a part, and its block size; 0: there is none.
fast_ms = 0.0
fast_block = ""
take(ms, block) = fast_ms == 0 || ms < fast_ms ? (fast_ms = ms, fast_block = block, 1) : 0
find = "fast_ms = 0.0; fast_block = ''; stats csv using (is_lap(0) && part_of(strcol('lap')) eq part && strcol('co') eq co ? take(column('mean_ms'), strcol('block_threads')) : 0) nooutput"

max_bars = 60
array bar_ms[max_bars]
array bar_co[max_bars]
array bar_label[max_bars]
array bar_colour[max_bars]
array bar_text[max_bars]
n_bars = 0
add_bar(co, ms, label, colour, text) = n_bars >= max_bars ? 0 : (n_bars = n_bars + 1, bar_co[n_bars] = co, bar_ms[n_bars] = ms, \
    bar_label[n_bars] = label, bar_colour[n_bars] = colour, bar_text[n_bars] = text, 1)
time_text(ms) = ms >= 100 ? sprintf("%.0f ms", ms) : ms >= 10 ? sprintf("%.1f ms", ms) : sprintf("%.2f ms", ms)
do for [co in cells] {
    part = "som"
    eval find
    single = fast_ms
    if (single > 0) { dummy = add_bar(co, single, "SK", colour_of("som/gpu-paper"), time_text(single)." · ".fast_block." threads a block") }
    total = 0.0
    n_found = 0
    blocks = ""
    do for [part in "extraction search learning"] {
        eval find
        if (fast_ms > 0) { total = total + fast_ms; n_found = n_found + 1; blocks = blocks.(blocks eq "" ? "" : " + ").fast_block }
    }
    if (n_found == 3) { dummy = add_bar(co, total, "MK", hex("#4D4D4D"), time_text(total)." · ".blocks." threads a block".(single > 0 ? sprintf(" · %.2f × SK", total / single) : "")) }
    stats csv using (is_whole(0) && strcol("co") eq co ? add_bar(co, column("mean_ms"), "som/rounds, one core", colour_of("som/rounds"), time_text(column("mean_ms"))) : 0) nooutput
}

array bar_row[max_bars]
co_index(c) = int(sum [k = 1:words(cells)] (word(cells, k) eq c ? k : 0))
n_in(c) = int(sum [i = 1:n_bars] (bar_co[i] eq c ? 1 : 0))
title_row(c) = 1 + int(sum [k = 1:words(cells)] (k < co_index(c) ? n_in(word(cells, k)) + 1 : 0))
do for [i = 1:n_bars] { bar_row[i] = title_row(bar_co[i]) + int(sum [j = 1:i] (bar_co[j] eq bar_co[i] ? 1 : 0)) }
x_most = 0
do for [i = 1:n_bars] { x_most = bar_ms[i] > x_most ? bar_ms[i] : x_most }
set print $bars
print "row,ms,colour,text"
do for [i = 1:n_bars] { print sprintf("%d,%.9g,%d,\"%s\"", bar_row[i], bar_ms[i], bar_colour[i], bar_text[i]) }
set print

n_rows = n_bars + words(cells)
row_height = 21.0
eval canvas(900, int(72 + row_height * n_rows + 52), \
    "[SOM] sect. 6.2, in words: three kernels are slower than one with each size of the cells, and cells of 20 px are the fastest. ".missing_note("som/gpu-paper", present))
eval headline("SOM mesh: one kernel a round or three", sprintf("input %s, 1500 rounds, sigma from %s, search range %s, MOV2; the fastest block size of each kernel, means of laps", input, sigma, ssr))
eval frame(180, 30, 58, 52)
unset key
eval room_from_zero(900 - 180 - 30, "bar_ms", "bar_text")
set xrange [0 : x_right]
set format x "%g"
set border 1
set ytics scale 0 ("" 1)
set grid noytics
set yrange [-n_rows - 0.6 : -0.4]
do for [i = 1:n_bars] { set ytics add (bar_label[i] -bar_row[i]) }
do for [k = 1:words(cells)] { set label 10 + k sprintf("cells of %s × %s px", word(cells, k), word(cells, k)) at screen 188.0 / W, first -title_row(word(cells, k)) left font small textcolor rgb "#222222" front }
set xlabel "mean time of all rounds [ms]"
plot $bars using (0):(-column("row")):(0):(column("ms")):(-column("row") - 0.36):(-column("row") + 0.36):(column("colour")) \
         with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, \
     $bars using (column("ms")):(-column("row")):(strcol("text")) with labels left offset 0.5, 0 font small
