#!/bin/bash
# test_report.sh - the report as a whole: its structure, its verdicts, hostile texts, bad input; in Chromium where that is
#
# Results and descriptors are those of the repository, in a copy of it, where results are the CPU's and a machine made up of
# them whose texts try to break out of the page.  Each check of a page is also given pages that are wrong in one way.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
tmp=$(scratch report) || exit 1
on_failure "$tmp/out" "$tmp/err"
bench=$DEPTHBENCH

machine=xeon-2c
home=$tmp/home rows=$tmp/home/results/$machine
if ! mkdir -p "$home/results/nothing-yet" || ! cp -r experiments CITATION.cff "$home/" || ! cp -r results/paper "results/$machine" "$home/results/"; then
    skip "results/$machine or experiments is not there: the report is not tested"
    finish
fi
export DEPTHBENCH_HOME=$home

# refuses WHAT EXIT PATTERN COMMAND...: exactly one line on stderr that matches, and that exit status
refuses() {
    local what=$1 status=$2 pattern=$3
    shift 3
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    check "$what" test "$? $(wc -l <"$tmp/err") $(grep -cE -- "$pattern" "$tmp/err")" = "$status 1 1"
}
report() { # PAGE ARGUMENT...
    local page=$1
    shift
    "$bench" report "$@" -o "$page" >"$tmp/out" 2>"$tmp/err" </dev/null
}
has() { grep -qE -- "$2" "$tmp/$1.html"; } # PAGE PATTERN

# ---- pages ----
page=$tmp/page.html
check "report exits 0" report "$page" "$rows" --figures "plots/$machine"
check "nothing is said on stderr" test ! -s "$tmp/err"
check "figures are on it" has page '<img [^>]*src="data:image/svg\+xml;base64,'
check "pictures are on it" has page '<img [^>]*src="data:image/png;base64,'
"$bench" report "$rows" --figures "plots/$machine" -o - >"$tmp/again.html" 2>"$tmp/err"
check "it is the same a second time" cmp "$page" "$tmp/again.html"
sed -n '/<h2 id="artifact">/,$p' "$page" | grep -oE '<(dt|h3 id="[a-z]+")>[^<]+' | sed 's/.*>//' | paste -sd, >"$tmp/headings"
check "the appendix has what evaluators look for" diff "$tmp/headings" - >"$tmp/out" <<'END'
Algorithm,Program,Compilation,Transformations,Binary,Data sets,Run-time environment,Hardware,Run-time state,Execution,Metrics,Output,Experiments,Disk needed,Time to prepare,Time to complete,Publicly available?,Licences,Workflow framework,Archived?,Description,Installation,Experiment workflow,Evaluation and expected results,Customisation
END
check "printed values are beside ours" has page '<th scope="col" class="printed">.* printed</th>'

evil="<script>alert(1)</script>&'\`" no_text=$'\e\xff'
cp -r "$rows" "$home/results/evil&<i>"
find "$home/results/evil&<i>" -name '*.csv' -exec sed -i "s|Intel(R) Xeon(R) Processor|${evil//&/\\&}|g; s|xeon-2c|</td><b>|g" {} +
find "$home/results/evil&<i>" -name '*.env.txt' -exec sed -i "s|^cpu=.*|cpu=</dd>${evil//&/\\&}$no_text|" {} +
printf 'schema,session\n1,2,3\n' >"$home/results/evil&<i>/20990101T000000Z-0000000.csv"
sed -i "s|^what  .*|what = ${evil//&/\\&}|; s|^alt  .*|alt = \"><script>1</script> x y z|" "$home/experiments/report/rdp.ini"
check "hostile texts are reported" report "$tmp/evil.html" "$home/results/evil&<i>" --figures "plots/$machine"
check "they are on the page" has evil '&lt;script&gt;alert\(1\)&lt;/script&gt;&amp;&#39;'
check "a results file that is none is left out and named" grep -qE '^note: .*20990101T000000Z-0000000.csv:[0-9]+: .*; left out$' "$tmp/err"
cp experiments/report/rdp.ini "$home/experiments/report/"

check "a machine without results has a page" report "$tmp/empty.html" "$home/results/nothing-yet"
check "which says so" has empty 'nothing measured on it yet'
check "a figure without rows has its command" has empty 'To measure and draw it: <code>make stx-fig8</code>'
check "and has the papers' own arithmetic" has empty 'data-by="paper"'
known=$(find "$rows" -name '*.env.txt' | sort | tail -n 1)
sed 's/^cores=.*/cores=1/' "$known" >"$rows/29991231T000000Z-0000000.env.txt"
sed -i.kept 's/^cores=.*/cores=48/' "$known"
check "a page without figures, from within the folder" env -C "$rows" "$bench" report . -o "$tmp/bare.html" >"$tmp/out"
check "says that the chart is not drawn" has bare 'the chart is not drawn'
check "has the folder's name" has bare "make report MACHINE=$machine"
check "and the cores of the widest session" has bare '48 cores'
mv "$known.kept" "$known" && rm "$rows/29991231T000000Z-0000000.env.txt"

# ---- structure, and verdicts against those of depthbench claims ----
"$bench" claims "$rows" --csv "$tmp/claims.csv" >"$tmp/out" 2>"$tmp/err"
sound() { python3 tests/report_check.py "$@" >"$tmp/out" 2>"$tmp/err"; }
# caught WHAT SED: the page with this change is found out, and the change did change it
caught() {
    sed -E "$2" "$page" >"$tmp/bad.html"
    ! cmp -s "$page" "$tmp/bad.html" && ! sound "$tmp/bad.html" "$tmp/claims.csv" "$machine"
    check "$1" test $? = 0
}
if command -v python3 >/dev/null; then
    check "the page is sound" sound "$page" "$tmp/claims.csv" "$machine"
    check "so is the one with hostile texts" sound "$tmp/evil.html"
    check "and the one without results" sound "$tmp/empty.html"
    caught "a tag that is not closed" '0,/<\/section>/s///'
    caught "something from the network" '0,/<figure>/s//<figure><img alt="a b c d" src="https:\/\/example.org\/x.png"\/>/'
    caught "a script" '0,/<main/s//<script>1<\/script><main/'
    caught "a script in an attribute" '0,/<main/s//<main onclick="x()"/'
    caught "a style sheet from elsewhere" '0,/<style>/s//<style>@import "x.css";/'
    caught "a link to nowhere" '0,/href="#claims"/s//href="#nowhere"/'
    caught "an id twice" '0,/id="claims"/s//id="glance"/'
    caught "a head without scope" '0,/<th scope="col"/s//<th/'
    caught "a verdict more" '0,/<tr role="row" data-verdict="REPRODUCED" data-by="paper">.*/s//&<tr data-verdict="REPRODUCED" data-by="paper"\/>/'
    caught "another verdict" 's/data-verdict="PAPER-INCONSISTENT" data-by="paper"/data-verdict="REPRODUCED" data-by="paper"/'
    caught "another total" 's/(data-total="REPRODUCED">)[0-9]+/\11/'
    caught "a figure without words" '0,/alt="[^"]*"/s//alt=""/'
else
    skip "python3 is not installed: the structure of the page is not checked"
fi

# ---- bad input, and a page that is there stays ----
refuses "two folders" 2 'expected one results folder, found 2' "$bench" report a b
refuses "a misspelt folder" 2 'expected a folder with results, found none' "$bench" report "$home/results/xeon-16"
check "which is not made" test ! -e "$home/results/xeon-16"
refuses "figures that are not there" 2 'nosuch: expected a folder with figures' report "$tmp/x.html" "$rows" --figures "$tmp/nosuch"
refuses "--figures of another verb" 2 'an option of report' "$bench" list --figures x
refuses "a folder that is not there" 5 'cannot be written|No such file' "$bench" report "$rows" -o "$tmp/no/such/page.html"
refuses "one folder twice" 2 'are one folder' "$bench" claims "$rows" "$home/results/../results/$machine/"
# wrong WHAT PATTERN SED: a descriptor with this change is refused
wrong() {
    sed -i "$3" "$home/experiments/report/som.ini"
    refuses "$1" 2 "$2" "$bench" report "$rows" -o "$tmp/kept.html"
    cp experiments/report/som.ini "$home/experiments/report/"
}
cp "$page" "$tmp/kept.html"
wrong "an unknown key" "som.ini:[0-9]+: unknown key 'frobnicate'" '$a frobnicate = 1'
wrong "a figure without words for it" "som.ini:[0-9]+: expected 'alt'" 's/^alt  .*//'
wrong "words for no claim" "som.ini:[0-9]+: expected the id of a claim, found 'som-mov2-clones'" 's/^som-mov2-cones /som-mov2-clones /'
wrong "a figure without a title" "som.ini:[0-9]+: expected a title" '$a [figx]\nwhat = y'
wrong "an order that is none" 'som.ini:[0-9]+: expected order \(a number\)' 's/^order .*/order = first/'
wrong "a file without a paper" "som.ini:[0-9]+: expected a section \[paper\]" '/^\[paper\]/,/^$/d'
check "the old page is still there" cmp -s "$page" "$tmp/kept.html"
check "and nothing beside it" test "$(echo "$tmp"/kept.html*)" = "$tmp/kept.html"

# ---- scripts/report, in the copy ----
mkdir "$home/scripts"
cp scripts/report scripts/plot "$home/scripts/"
GNUPLOT=$tmp/no-gnuplot DEPTHBENCH=$bench B=$tmp/build "$home/scripts/report" $machine >"$tmp/out" 2>"$tmp/err" </dev/null
check "make report without gnuplot writes a page" test $? = 0 -a -s "$rows/report.html"
check "and says what is missing" grep -q 'gnuplot is not installed' "$tmp/err"
refuses "make report MACHINE=a path" 2 "expected the name of a folder in results/, found '../x'" "$home/scripts/report" ../x
refuses "make report of a machine without results" 2 'there is no results/xeon-16' env DEPTHBENCH="$bench" "$home/scripts/report" xeon-16
refuses "make report without the program" 5 'nowhere is not there; run make first' env DEPTHBENCH="$tmp/nowhere" "$home/scripts/report" $machine
rm -r "$home/experiments/report"
refuses "no descriptors of the report" 2 'experiments/report: expected' "$bench" report "$rows" -o "$tmp/x.html"

# ---- in a browser: once, the page is the same under a sanitizer ----
case ${B:-} in *asan*) finish ;; esac
for browser in chromium chromium-browser google-chrome ''; do
    command -v "$browser" >/dev/null && break
done
browse() {
    timeout 100 $browser --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking \
        --user-data-dir="$tmp/profile" --window-size=1900,1000 --virtual-time-budget=20000 "$@" 2>"$tmp/err"
}
if [ -z "$browser" ] || ! browse --dump-dom about:blank >"$tmp/out"; then
    skip "no Chromium that starts (apt-get install chromium): the page is not looked at in a browser"
    finish
fi
cat >"$tmp/frames.html" <<'END'
<!DOCTYPE html><meta name="color-scheme" content="light dark"/><body>
<script>onmessage = e => { document.body.append(e.data, '\n') }</script>
<iframe src="look.html" width="360" height="900"></iframe><iframe src="look.html" width="1440" height="900"></iframe></body>
END
# seen PAGE: what is seen of it at two widths, light and dark
seen() {
    { sed '/^<\/body>/d' "$1" && echo '<script>' && cat tests/report_look.js && echo '</script></body></html>'; } >"$tmp/look.html"
    for scheme in 1 0; do
        browse --blink-settings=preferredColorScheme=$scheme --dump-dom "file://$tmp/frames.html"
    done | grep ' px, ' | sort
}
right=$'1440 px, dark: seen\n1440 px, light: seen\n360 px, dark: seen\n360 px, light: seen'
seen "$page" >"$tmp/out"
check "the page looks right at 360 and 1440 px, light and dark" test "$(cat "$tmp/out")" = "$right"
seen "$tmp/evil.html" >"$tmp/out"
check "hostile texts do not change how it looks" test "$(cat "$tmp/out")" = "$right"
check "it can be printed" browse --print-to-pdf="$tmp/page.pdf" "file://$page"
check "as PDF" test "$(head -c 4 "$tmp/page.pdf")" = %PDF
sed -E 's|<main id="main"|<p style="width:1600px;max-width:none;color:#888;background:#999">x</p><h4>y</h4><img alt="z" src="data:image/png;base64,AAAA"/>&|
    s|<a class="skip".*||; s|prefers-color-scheme: dark|prefers-color-scheme: gloomy|' "$tmp/bare.html" >"$tmp/bad.html"
seen "$tmp/bad.html" >"$tmp/out"
for fault in '360 px, light: all unfolded: 1[0-9]* px wide: P' '1440 px, dark: all unfolded' 'contrast 1.* of P' 'a picture did not load: z' \
    'H4 after h2: y' '1440 px, light: the skip link is not' 'dark: the page does not follow the colour scheme'; do
    check "a page that is wrong in all ways: $fault" grep -q "$fault" "$tmp/out"
done
finish
