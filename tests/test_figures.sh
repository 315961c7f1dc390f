#!/bin/bash
# test_figures.sh - the committed drawings as a browser draws them, with the fonts of two systems: no text beyond the edge, on another or on
# a mark; narrow ones for print, in which no text is too small; and one that is wrong in each of these ways
. "$(dirname "$0")/../scripts/start" || exit 5
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh figures
on_failure "$tmp/faults"

browser=$(command -v chromium chromium-browser google-chrome | head -n 1)
only "no Chromium (apt-get install chromium): the figures are not looked at in a browser" test -n "$browser"

# look NAME.svg...: what tests/figures_look.js says of them
look() {
    {
        echo '<!DOCTYPE html><meta charset="utf-8"><body>'
        for file; do
            echo "<template id='${file%.svg}'>"
            sed '1{/^<?xml/d}' "$file"
            echo '</template>'
        done
        echo '<script>' && cat tests/figures_look.js && echo '</script></body>'
    } >"$tmp/look.html"
    "$browser" --headless --no-sandbox --disable-gpu --dump-dom "file://$tmp/look.html" 2>"$tmp/err" | sed -n '/<pre>/,/<\/pre>/p' | grep -v '<.*pre>' | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}

text() { echo "<g transform='translate($1,$2)' font-family='sans-serif' font-size='11' text-anchor='${4:-start}'><text>$3</text></g>"; }
{
    echo '<svg viewBox="0 0 200 100" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    echo "<defs><circle id='dot' r='1'/></defs>"
    text 150 20 'a text beyond'
    text 20 40 'one and'
    text 40 44 'another'
    text 20 80 'with a mark'
    echo "<use xlink:href='#dot' transform='translate(40,77)'/>"
    text 20 60 'a good one'
    text 100 60 small | sed "s/'11'/'4'/"
    echo '</svg>'
} >"$tmp/bad.svg"
legible() { [ ! -s "$tmp/faults" ] && grep -qx "seen $1" "$tmp/said"; }
figures=(plots/*/*.svg)
if command -v gnuplot >/dev/null; then
    export PLOTS=$tmp WIDTH=450 MACHINE=xeon-16c_nvidia-h200
    {
        DRAW_EPS=4 scripts/plot rdp-fig2 rdp-fig9 rdp-fig10
        scripts/plot stixels-roofline som-roofline
    } >"$tmp/faults" 2>&1
    figures+=("$tmp"/rdp-fig{2,9,10}-eps4.svg "$tmp"/{stixels,som}-roofline.svg)
fi
look "$tmp/bad.svg" "${figures[@]}" >"$tmp/said"
for font in 'Liberation Sans' 'DejaVu Sans'; do printf "$tmp/bad, $font: %s\n" 'below 5.5 points at 88 mm: 4 px' 'beyond the edge: a text beyond' 'one and lies on another' 'a mark is in with a mark'; done >"$tmp/expected"
only "no Chromium that starts: the figures are not looked at in a browser" grep -q "^seen $tmp/bad$" "$tmp/said"
check "each of the faults is seen" diff "$tmp/expected" <(grep "^$tmp/bad, " "$tmp/said")
for file in "${figures[@]}"; do
    grep "^${file%.svg}, " "$tmp/said" >"$tmp/faults"
    check "$file is legible with both fonts" legible "${file%.svg}"
done
finish
