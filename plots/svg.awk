# svg.awk - a drawing of gnuplot's as a page wants it; reads about.txt, of canvas.gp, then the SVG
#
# Its title and description are the title and the caption, and its root says where the figure is without them, data-body="x y width
# height", for who prints these himself.  On a dark page it has the colours of 'pair', light:dark, and keeps all others: text on a colour of its own is #111111 or #fefefe.
function hex(rgb, c) {
    split(rgb, c, /[(,)]/)
    return sprintf("#%02x%02x%02x", c[2], c[3], c[4])
}
BEGIN {
    n = split("ffffff:1c1f25 000000:f2f0ec 222222:dddbd6 333333:d0d0ce 555555:a5abb3 777777:8b929b 888888:8b929b e4e4e4:343942 " \
        "4d4d4d:b9bec5 0072b2:4aa3df bbbbbb:5b626c 9a9a9a:767d86 e1def2:2e2a4f d5eced:163c40", pair, " ")
    for (i = 1; i <= n; i++)
        for (k = split("fill stroke color", key, " "); k > 0; k--)
            dark = dark sprintf("[%s='#%s']{%s:#%s}", key[k], substr(pair[i], 1, 6), key[k], substr(pair[i], 8))
}
NR == FNR { about[FNR] = $0; next }
/^ viewBox/ { $0 = $0 " data-body=\"" about[2] "\"" }
function text(said) {
    gsub(/&/, "\\&amp;", said)
    gsub(/</, "\\&lt;", said)
    return said
}
/^<title>/ {
    $0 = "<title>" text(about[1]) "</title>\n<desc>" text(about[3]) "</desc>\n<style>@media (prefers-color-scheme: dark) { " dark " }</style>"
}
/^<desc>/ { next }
/id="gnuplot_plot_/ { sub(/<title>.*<\/title>/, "") } # the words of the plot command, which a browser would show
/<use .* color='#FFFFFF'/ { next } # what gnuplot wipes out below a mark with an error bar
!/<text>/ {
    while (match($0, /rgb\( *[0-9]+, *[0-9]+, *[0-9]+\)/))
        $0 = substr($0, 1, RSTART - 1) hex(substr($0, RSTART, RLENGTH)) substr($0, RSTART + RLENGTH)
    gsub(/ stroke-linecap="butt" stroke-linejoin="miter"/, "") # as SVG has it anyway
    gsub(/="black"/, "=\"#000000\"")
    gsub(/="#FFFFFF"/, "=\"#ffffff\"")
    # gnuplot 5.4 writes a bold font's name as a family, which no browser has
    sub(/font-family="sans-serif:Bold"/, "font-family=\"sans-serif\" font-weight=\"bold\"")
}
# a group without anything in it says nothing
/^<g .*>$/ && !/id=/ { if (held != "") print held; held = $0; next }
held != "" { if ($0 == "</g>") { held = ""; next } print held; held = "" }
{ print }
