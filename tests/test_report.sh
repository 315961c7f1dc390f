#!/bin/bash
# test_report.sh - the report as a whole: its structure, its verdicts, hostile texts, bad input; in Chromium where that is
#
# Results and descriptors are those of the repository, in a copy of it, where results are the CPU's and a machine made up of
# them whose texts try to break out of the page.  Each check of a page is also given one that is wrong in all ways.
. "$(dirname "$0")/../scripts/start" || exit 5
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh report
bench=$DEPTHBENCH

machine=xeon-2c
home=$tmp/home figures=$tmp/figures few=$tmp/home/experiments
rows=$home/results/$machine evil="$home/results/evil&<i>"
mkdir -p "$home/results/nothing-yet" "$home/scripts" "$figures/$machine"
cp -r experiments "$home/" && cp -r results/paper results/$machine "$home/results/" && cp scripts/{start,places,plot,report} "$home/scripts/" &&
    cp plots/xeon-16c_nvidia-h200/{stixels-fig1.png,stixels-table1.svg} "$figures/$machine/" && cp -r "$figures/$machine" "$figures/${evil##*/}" || exit 1
export DEPTHBENCH_HOME=$home
find "$rows" -name '*.env.txt' | sort >"$tmp/facts" # one session may have been given a few of the cores
sed -i 's/^cores=.*/cores=48/' "$(head -n 1 "$tmp/facts")"
sed -i 's/^cores=.*/cores=1/' "$(tail -n 1 "$tmp/facts")"
cp -r "$rows" "$home/results/other" && cp -r "$figures/$machine" "$figures/other" || exit 1
session=$(basename "$(tail -n 1 "$tmp/facts")" .env.txt)
echo "$session:r000001 another program ran <too>" >"$home/results/other/WITHDRAWN"

run() { "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
report() { run "$bench" report "$@"; }

# ---- pages ----
check "report exits 0, also from within the folder" run env -C "$rows" "$bench" report . --figures "$figures" -o "$tmp/page.html"
check "nothing is said on stderr" test ! -s "$tmp/err"
# the largest page there is, of the committed drawings; it is the same under a sanitizer
full=
case ${B:-} in *asan*) ;; *)
    if command -v gnuplot >/dev/null; then
        cp -r results/xeon-16c_nvidia-h200 "$home/results/" && mkdir "$home/plots" && cp plots/page.awk "$home/plots/" || exit 1
        echo "cp '$PWD'/plots/xeon-16c_nvidia-h200/*.[ps][nv]g \"\$PLOTS\"" >"$home/scripts/plot"
        check "make report draws and writes a page" run env DEPTHBENCH="$bench" B="$tmp/build" "$home/scripts/report" xeon-16c_nvidia-h200
        check "and says first what takes so long" grep -q '^report: drawing the figures of xeon-16c_nvidia-h200, ' "$tmp/err"
        mv "$home/results/xeon-16c_nvidia-h200/report.html" "$tmp/full.html" && rm -r "$home/results/xeon-16c_nvidia-h200"
        full=full
        if command -v pngquant >/dev/null; then check "of at most 5 MB" test "$(wc -c <"$tmp/full.html")" -le 5000000; else skip "the page is larger without pngquant (apt-get install pngquant)"; fi
        check "with how fast its programs are" grep -q '<code>rdp/cpu-simd</code></th><td>16 cores</td>' "$tmp/full.html"
        check "and a picture on its first screen for each of three papers" test "$(grep -c '^<a href="#[a-z]*-fig[0-9]*"><svg .*<image ' "$tmp/full.html")" = 3
    else
        skip "gnuplot is not there: no page with all drawings (apt-get install gnuplot-nox)"
    fi ;;
esac

# a few experiments do for the other pages
sed -i -E '/^experiment /{/fig8|table1/!d}' "$few"/*/figures.ini
cp -r "$few" "$tmp/few"
hostile="<script>alert(1)</script>&'\`" no_text=$'\e\xff'
cp -r "$rows" "$evil"
find "$evil" -name '*.csv' -exec sed -i "s|Intel(R) Xeon(R) Processor|${hostile//&/\\&}|g; s|xeon-2c|</td><b>|g" {} +
find "$evil" -name '*.env.txt' -exec sed -i "s|^cpu=.*|cpu=</dd>${hostile//&/\\&}$no_text|" {} +
for day in 1 2 3 4; do # thirteen configurations that became slower on the third
    echo session,row_id,utc,machine,commit,impl,input,scope,series,median_ms,status,verdict,height >"$evil/2026010${day}T000000Z-slow.csv"
    for height in {1..13}; do
        echo "s$day,$height,2026-01-0${day}T00:00:00Z,m,abcdef$day,rdp/serial,scene,kernel,hot,$((day < 3 ? 10 : 11 + height)),ok,exact,$height"
    done >>"$evil/2026010${day}T000000Z-slow.csv"
done
printf 'schema,session\n1,2,3\n' >"$evil/20990101T000000Z-0000000.csv"
sed -i "s|^what  .*|what = ${hostile//&/\\&}|; s|^alt  .*|alt = \"><script>1</script> x y z|" "$few/stixels/figures.ini"
check "hostile texts are reported" report "$evil" --figures "$figures" -o "$tmp/evil.html"
check "a results file that is none is left out and named" grep -qE '^note: .*20990101T000000Z-0000000.csv:[0-9]+: .*; left out$' "$tmp/err"
cp "$tmp/few/stixels/figures.ini" "$few/stixels/"

check "a machine without results has a page" report "$home/results/nothing-yet" -o "$tmp/empty.html"
report "$home/results/nothing-yet" -o -
check "it is the same a second time" cmp "$tmp/empty.html" "$tmp/out"
for which in 1 2; do run env DEPTHBENCH_CACHE="$tmp/cache" "$bench" report "$rows" -o "$tmp/again$which.html"; done
check "rows that are kept have the same page again" cmp "$tmp/again1.html" "$tmp/again2.html"
check "two machines have one page" report "$rows" "$home/results/other" --figures "$figures" -o "$tmp/both.html"
check "make report without gnuplot writes a page" run env GNUPLOT="$tmp/no-gnuplot" DEPTHBENCH="$bench" B="$tmp/build" "$home/scripts/report" $machine
check "and says what is missing" grep -q 'gnuplot is not installed' "$tmp/err"
cp "$rows/report.html" "$tmp/bare.html"

while IFS='|' read -r page what pattern; do
    check "$what is on the page" grep -qE -- "$pattern" "$tmp/$page.html"
done <<'END'
page|a printed value beside ours|<th scope="col" class="printed">.* printed</th>
page|the folder's name|make report MACHINE='xeon-2c'
page|the widest session's cores|48 cores
page|a fact of the newest session|<th scope="row">cores</th><td>1</td>
page|too few verdicts for one on a whole|Too little of it can be judged here: [0-9]+ of [0-9]+ claims
page|a picture on the first screen|<a href="#stixels-fig1"><svg role="img" aria-label="Three panels: .* href="data:image/png;
page|a claim in plain words|<th scope="row">No column needs more than eight rounds</th><td><a class="badge .*" href="#claim-rdp-rounds-most-eps4">
page|what to take|<li><a href="#sgm"><b>SGM</b></a>: On a GPU <code>sgm/gpu-opt</code>
page|a drawing in it, without what the page says|<svg role="img" aria-label="[^"]*" *$
page|how many tables and figures there are|Of its 13 tables and figures [0-9]+ are made again, 
page|a quote that is a part of a sentence|<q>… .* …</q>
page|that nothing is withdrawn|<p>None\. A row that turns out
both|a column for each machine|<th scope="col">other</th>
both|a drawing of the second machine|aria-label="Figure stixels-table1, 
both|a withdrawn row|<th scope="row">another program ran &lt;too&gt;</th><td class="number">1</td>
evil|a hostile text|&lt;script&gt;alert\(1\)&lt;/script&gt;&amp;&#39;
evil|what became slower, first the worst|aria-label="rdp/serial height=13: 10 ms at best, 24 ms now"
evil|since when|<title>abcdef3 of 2026-01-03T00:00:00Z: 24 ms, \+140.0 %</title></circle>
evil|how many more|^<p>13 of [0-9]+ configurations .* The worst 12 are drawn; <code>depthbench history m<
page|that nothing became slower|^<p>None of [0-9]+ configurations .* became slower; 
empty|that there are no rows|Nothing is measured on it yet
empty|the command of a figure without rows|To measure and draw it: <code>make stixels-fig8</code>
empty|the papers' own arithmetic|data-by="paper"
bare|a figure that is not there|<strong>Not measured or drawn here:</strong>.* it is not drawn
bare|a picture that is not there|<strong>Nothing here yet:</strong> it is not drawn
END
check "twelve are drawn, each with its one step" test "$(grep -c '<path class="dots" d="M[^"]' "$tmp/evil.html") $(grep -c '<circle class="since"' "$tmp/evil.html")" = "12 12"
grep -oE '(src|href)="data:image/png;base64,[^"]*' "$tmp/page.html" | while IFS=, read -r _ url; do base64 -d <<<"$url" | md5sum; done | sort >"$tmp/found"
check "pictures are on the page once, byte for byte" diff <(cat "$figures/$machine"/*.png | md5sum) "$tmp/found"
texts() { grep -oE '<text>.*</text>' "$@" | sort; }
check "so are the texts of drawings" diff <(texts "$figures/$machine/stixels-table1.svg") <(texts "$tmp/page.html")

# ---- structure, and verdicts against those of depthbench claims; a page that is wrong in all ways ----
sed -E '0,/<figure>/s//<figure><img alt="" src="x.png"\/>/; 0,/<main>/s//&<script>1<\/script><p onclick="x()" style="width:1600px;max-width:none;color:#888;background:#999">x<\/p><h4>y<\/h4>/
    0,/<style>/s//<style>@import "x.css";/; s/prefers-color-scheme: dark\) \{$/max-width: 1px) {/; 0,/<a href="#claim-/s//<a href="#claims-/
    0,/href="#claims"/s//href="#nowhere"/; 0,/id="again"/s//id="withdrawn"/; 0,/<h2 id="holds"/s//<h2 hidden="" id="holds"/
    0,/<text>/s//<text>one over<\/text>&/; 0,/<h2 id="pick">[^<]*/s//&<i style="margin-left:-2em">on<\/i>/; 0,/<th scope="col"/s//<th/
    s/data-verdict="contradicts itself"/data-verdict="holds"/' "$tmp/page.html" >"$tmp/bad.html"
sound() { run python3 tests/report_check.py "$@"; }
run "$bench" claims "$rows" --csv "$tmp/claims.csv"
if command -v python3 >/dev/null; then
    for page in page evil empty both; do check "the page $page is sound" sound "$tmp/$page.html"; done
    check "with the verdicts of claims" sound "$tmp/page.html" "$tmp/claims.csv"
    sound "$tmp/bad.html" "$tmp/claims.csv"
    check "a wrong one is not" diff <(sed 's/^verdicts .*/verdicts/' "$tmp/out") - <<'END'
id withdrawn given 2 times
<style > has no place here
<a >: no #nowhere is there
<a >: no #again is there
<script > has no place here
<p > loads something or has a script: onclick=x()
<th > without a scope
<a >: no #claims-rdp-order-of-magnitude-10w is there
<img > loads something or has a script: src=x.png
a picture without words: alt=''
<img > outside of a scroll box with a name that keys reach
<section >: no #again is there
verdicts
END
    sed '0,/<\/section>/s///' "$tmp/empty.html" >"$tmp/open.html"
    sound "$tmp/open.html"
    check "nor one with a tag that is not closed" grep -q 'mismatched tag' "$tmp/out"
else
    skip "python3 is not there: the structure of the page is not checked (apt-get install python3)"
fi

# ---- bad input, and a page that is there stays ----
cd "$home/results" || exit 1
cp "$tmp/page.html" "$tmp/kept.html"
refuses "make report MACHINE=a path" 2 "expected the name of a folder in results/, found '../x'" "$home/scripts/report" ../x
refuses "make report of a machine without results" 2 'there is no results/xeon-16' env DEPTHBENCH="$bench" "$home/scripts/report" xeon-16
refuses "make report without the program" 5 'nowhere is not there; run make first' env DEPTHBENCH="$tmp/nowhere" "$home/scripts/report" $machine
refuses "two folders of one name" 2 'are of one name' "$bench" report xeon-2c ../results/xeon-2c/
refuses "one folder twice" 2 'are of one name' "$bench" claims xeon-2c ../results/xeon-2c/
refuses "a misspelt folder" 2 'did you mean' "$bench" report xeon-16
check "which is not made" test ! -e xeon-16
refuses "figures that are not there" 2 'nosuch: expected a folder with figures' "$bench" report nothing-yet --figures nosuch
refuses "a folder that is not there" 5 'cannot be written\|No such file' "$bench" report nothing-yet -o no/such/page.html
while IFS='|' read -r change pattern; do # a descriptor with this change is refused
    sed -i "$change" "$few/som/figures.ini"
    refuses "$change" 2 "som/figures.ini:[0-9]*: $pattern" "$bench" report nothing-yet -o "$tmp/kept.html"
    cp "$tmp/few/som/figures.ini" "$few/som/"
done <<'END'
$a frobnicate = 1|unknown key 'frobnicate'
/^alt /,/^[a-z]/{/^alt /d; /^ /d}|expected 'alt'
$a [figx]\nwhat = y|expected a title
/^picture .*som-fig5/d|expected an experiment, a figure, or 'why' there is none
s/^hero .*/hero = som-fig3a/|expected one of its figures, found 'som-fig3a'
s/^words .*/words = som-mov3: x/|expected a claim, found 'som-mov3'
s/^order .*/order = first/|expected order (a number)
/^\[paper\]/,/^$/d|expected a section \[paper\]
END
rm "$few"/*/figures.ini
refuses "no descriptors of the report" 2 'figures.ini: expected' "$bench" report nothing-yet -o "$tmp/kept.html"
check "the old page is still there, and nothing beside it" cmp -s "$tmp/page.html" "$(echo "$tmp"/kept.html*)"
cd "$OLDPWD" || exit 1

# ---- in a browser: once, the page is the same under a sanitizer ----
case ${B:-} in *asan*) finish ;; esac
browser=$(command -v chromium chromium-browser google-chrome | head -n 1)
echo '<!DOCTYPE html><body><script>onmessage = e => { document.body.append(e.data, "\n") }</script>' >"$tmp/frames.html"
for page in page evil bad empty $full; do
    { sed '/^<\/body>/d; /Content-Security-Policy/d' "$tmp/$page.html" && echo '<script>' && cat tests/report_look.js && echo '</script></body></html>'; } >"$tmp/$page.look.html"
    for width in 360 1440; do
        for scheme in dark light; do
            [ $page-$scheme != full-dark ] || continue # nothing that the page has not
            echo "<iframe src='$page.look.html' width='$width' height='900' style='color-scheme:$scheme'></iframe>" >>"$tmp/frames.html"
            faults=()
            [ $page = bad ] && faults=('a picture did not load: ' 'all unfolded: N px wide: P.#' 'H4 after h2: y' 'contrast N of P.')
            [ $page-$scheme = bad-dark ] && faults+=('the page does not follow the colour scheme')
            [ $page-$scheme = bad-light ] && faults+=('a link leads to nothing that is seen: #holds' 'a link leads to nothing that is seen: #nowhere' \
                'a link leads to nothing that is seen: #again' 'a link leads to nothing that is seen: #claims-rdp-order-of-magnitude-10w' \
                '↑ contents lies on What would you pick today?' 'on lies on What would you pick today?' '0.0001 lies on one over')
            printf "$page, $width px, $scheme: %s\n" "${faults[@]}" seen
        done
    done
done | sort >"$tmp/expected"
if [ -z "$browser" ] || ! run timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking \
    --user-data-dir="$tmp/profile" --window-size=1900,1000 --virtual-time-budget=400000 --dump-dom "file://$tmp/frames.html"; then
    skip "no Chromium that starts (apt-get install chromium): the page is not looked at in a browser"
    finish
fi
grep ' px, ' "$tmp/out" | sed -E 's/<.*>//; s/: (all unfolded:|contrast) [0-9.]+ /: \1 N /; s/(: P\.#),.*/\1/' | sort >"$tmp/seen"
on_failure # what the browser says of itself is no help, the difference is
check "pages look right at 360 and 1440 px, light and dark, also with hostile texts, and the wrong one does not" diff "$tmp/expected" "$tmp/seen"
finish
