# rdp-fig7.gp - useful share of the work, round by round                   [RDP] Fig. 7
#
# As in the paper, blue is useful computation; the rest are rows whose segment was finished in an earlier round.
load "plots/style.gp"

if (values eq "") { values = csv }
pick(k) = sprintf("if (!exists('%s')) { %s = ''; stats values using (%s eq '' && strcol('name') eq 'useful_pct' ? (%s = strcol('%s'), 1) : 0) nooutput }", k, k, k, k, k)
eval choose_input("strcol('name') eq 'useful_pct'", values)
eval pick("height")
eval pick("width")
eval pick("impl")
eval pick("median")
if (!exists("distance")) { distance = "vertical" }
if (!exists("eps")) { eps = "4 8" }
shown(x) = strcol("name") eq "useful_pct" && strcol("input") eq input && strcol("height") eq height && \
    strcol("width") eq width && strcol("impl") eq impl && strcol("median") eq median && strcol("distance") eq distance && strcol("case") eq "all"
eval require("shown(0)", values)
panels = ""
stats values using (shown(0) && has_word(" ".eps, strcol("eps")) && !has_word(panels, strcol("eps")) ? (panels = panels." ".strcol("eps"), 1) : 0) nooutput
if (words(panels) == 0) { print values.": no row for eps ".eps; exit status 2 }
eval extent("r", "index", "shown(0) && has_word(panels, strcol('eps'))", values)
of(e, value) = shown(0) && strcol("eps") eq e ? value : NaN

eval canvas(900, 415, missing_note(eps, panels) eq "" ? "" : "No rows yet for ε = ".absent_words(eps, panels)." px.")
eval headline("RDP column segmentation: useful computation as the rounds go on", \
    sprintf("input %s, %s distance; %s", input, distance, prepared(width, height, median)))
set xlabel "round"
set xrange [0.4 : r_max + 0.6]
set xtics 1, r_max > 48 ? 8 : r_max > 24 ? 4 : r_max > 12 ? 2 : 1
set yrange [0 : 100]
set ytics 0, 20, 100
set boxwidth 0.86
useful = "#0072B2"
finished = "#A6D8C2"
set grid noxtics back
set tics out
set style fill solid 1.0 noborder
set key at screen 10.0 / W, screen 1 - 48.0 / H left top vertical maxrows 1 Left reverse samplen 1.5

n_panels = words(panels)
panel_width = (900 - 78 - 30 - 62.0 * (n_panels - 1)) / n_panels
set multiplot
do for [i = 1:n_panels] {
    left = 78 + (i - 1) * (panel_width + 62)
    eval frame(left, 900 - left - panel_width, 108, 52)
    set label 1 "ε = ".word(panels, i)." px" at graph 0.0, graph 1.05 left
    if (i == 1) { set ylabel "share of the threads [%]" } else { unset ylabel; unset key }
    plot values using (column("index")):(of(word(panels, i), 100)) with boxes linecolor rgb finished \
             title "segment already finished", \
         values using (column("index")):(of(word(panels, i), column("value"))) with boxes linecolor rgb useful \
             title "useful computation"
    eval undraw
}
unset multiplot
