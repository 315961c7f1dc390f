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
if ! [ -d "results/$machine" ] || ! [ -d experiments/report ]; then
    skip "results/$machine or experiments/report is not there: the report is not tested"
    finish
fi
home=$tmp/home
mkdir -p "$home/results"
cp -r experiments CITATION.cff "$home/"
# sessions that were measured here since are not what is looked for
if git ls-files --error-unmatch "results/$machine" >/dev/null 2>&1; then
    git ls-files -z results/paper "results/$machine" | xargs -0 cp --parents -t "$home"
else
    cp -r results/paper "results/$machine" "$home/results/"
fi
export DEPTHBENCH_HOME=$home

# refuses WHAT EXIT PATTERN COMMAND...: exactly one line on stderr that matches, and that exit status
refuses() {
    local what=$1 status=$2 pattern=$3 got
    shift 3
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" "$tmp/err" || [ "$(wc -l <"$tmp/err")" != 1 ]; then
        fail "$what: exit $got, expected $status and one line with '$pattern'"
    else
        pass
    fi
}
report() { # PAGE ARGUMENT...: a page without a fault of the program
    local page=$1
    shift
    "$bench" report "$@" -o "$page" >"$tmp/out" 2>"$tmp/err" </dev/null
}

# ---- the page of a machine, with figures ----
page=$tmp/page.html
check "report exits 0" report "$page" "$home/results/$machine" --figures "plots/$machine"
check "nothing is said on stderr" test ! -s "$tmp/err"
figures=no
ls "plots/$machine"/*.svg >/dev/null 2>&1 && figures=yes
if [ $figures = yes ]; then
    check "figures are on it" grep -q '<img [^>]*src="data:image/svg+xml;base64,' "$page"
    check "pictures are on it" grep -q '<img [^>]*src="data:image/png;base64,' "$page"
fi
"$bench" report "$home/results/$machine" --figures "plots/$machine" -o - >"$tmp/again.html" 2>"$tmp/err"
check "it is the same a second time" cmp "$page" "$tmp/again.html"
for heading in Algorithm Program Compilation Transformations Binary 'Data sets' 'Run-time environment' Hardware 'Run-time state' \
    Execution Metrics Output Experiments 'Disk needed' 'Time to prepare' 'Time to complete' 'Publicly available?' Licences \
    'Workflow framework' 'Archived?'; do
    check "the appendix has $heading" grep -qF "<dt>$heading</dt>" "$page"
done
for heading in Description Installation 'Experiment workflow' 'Evaluation and expected results' Customisation; do
    check "the appendix has $heading" grep -qE "<h3 id=\"[a-z]+\">$heading</h3>" "$page"
done
check "a figure without rows has its command" grep -q 'Nothing here yet.*<code>make stx-fig8</code> measures and draws it' "$page"
check "printed values are beside ours" grep -q '<th scope="col" class="printed">.* printed</th>' "$page"

# ---- structure, and verdicts against those of depthbench claims ----
"$bench" claims "$home/results/$machine" --csv "$tmp/claims.csv" >"$tmp/out" 2>"$tmp/err"
have_python=no
command -v python3 >/dev/null && have_python=yes
sound() { python3 tests/report_check.py "$@" >"$tmp/out" 2>"$tmp/err"; }
# caught WHAT SED: the page with this change is found out, and the change did change it
caught() {
    local bad=$tmp/bad.html
    sed -E "$2" "$page" >"$bad"
    if cmp -s "$page" "$bad"; then
        fail "$1: the change did nothing"
    elif sound "$bad" "$tmp/claims.csv" "$machine"; then
        fail "$1: not found"
    else
        pass
    fi
}
if [ $have_python = yes ]; then
    check "the page is sound" sound "$page" "$tmp/claims.csv" "$machine"
    caught "a tag that is not closed" '0,/<\/section>/s///'
    caught "a tag closed twice" '0,/<\/table>/s//<\/table><\/table>/'
    caught "something from the network" '0,/<figure>/s//<figure><img width="1" height="1" alt="a b c d" src="https:\/\/example.org\/x.png">/'
    caught "a script" '0,/<main/s//<script>1<\/script><main/'
    caught "a script in an attribute" '0,/<main/s//<main onclick="x()"/'
    caught "a style sheet from elsewhere" '0,/<style>/s//<style>@import "x.css";/'
    caught "a heading that skips a level" '0,/<h3 id="[^"]*">/s//<h5>x<\/h5>&/'
    caught "a link to nowhere" '0,/href="#claims"/s//href="#nowhere"/'
    caught "an id twice" '0,/id="claims"/s//id="glance"/'
    caught "a head without scope" '0,/<th scope="col"/s//<th/'
    caught "a verdict more" '0,/<tr role="row" data-verdict="REPRODUCED" data-by="paper">/{p}'
    caught "another verdict" '0,/data-verdict="PAPER-INCONSISTENT" data-by="paper"/!s/data-verdict="PAPER-INCONSISTENT" data-by="paper"/data-verdict="REPRODUCED" data-by="paper"/'
    caught "another total" 's/(data-total="REPRODUCED">)[0-9]+/\11/'
    [ $figures = no ] || caught "a figure without words" '0,/alt="[^"]*"/s//alt=""/'
else
    skip "python3 is not installed: the structure of the page is not checked"
fi

# ---- a newer session on one core of a machine that has more ----
cp -r "$home/results/$machine" "$home/results/pinned"
known=$(find "$home/results/pinned" -name '*.env.txt' | sort | tail -n 1)
sed 's/^cores=.*/cores=1/' "$known" >"$home/results/pinned/29991231T000000Z-0000000.env.txt"
sed -i 's/^cores=.*/cores=48/' "$known"
report "$tmp/pinned.html" "$home/results/pinned" --figures "plots/$machine" >"$tmp/pinned.log" 2>&1
check "the machine has the cores of its widest session" grep -q '48 cores' "$tmp/pinned.html"

# ---- which folder it is ----
(cd "$home/results/$machine" && "$bench" report . -o "$tmp/dot.html" --figures "$OLDPWD/plots/$machine") >"$tmp/out" 2>"$tmp/err"
check "a machine's folder has its name from within, too" grep -q "make report MACHINE=$machine" "$tmp/dot.html"
sed -i.kept 's/SHAPE-ONLY/CONTRADICTED/g' "$home/experiments/claims/expected.csv"
(cd "$home/results/$machine" && "$bench" claims .) >"$tmp/out" 2>"$tmp/err"
check "and its expected verdicts" test $? = 1
mv "$home/experiments/claims/expected.csv.kept" "$home/experiments/claims/expected.csv"
refuses "the papers' tables are no machine" 2 'results/paper: expected sessions of a machine, found [0-9]* tables' \
    "$bench" report "$home/results/paper" -o "$tmp/none.html"
refuses "figures that are not there" 2 'nosuch: expected a folder with figures' \
    "$bench" report "$home/results/$machine" --figures "$tmp/nosuch" -o "$tmp/none.html"
refuses "one folder twice" 2 'are one folder' "$bench" claims "$home/results/$machine" "$home/results/../results/$machine/"

# ---- hostile texts ----
evil="<script>alert(1)</script>&'\`"
cp -r "$home/results/$machine" "$home/results/evil&<i>"
find "$home/results/evil&<i>" -name '*.csv' -exec sed -i "s|Intel(R) Xeon(R) Processor|${evil//&/\\&}|g; s|xeon-2c|</td><b>|g" {} +
find "$home/results/evil&<i>" -name '*.env.txt' -exec sed -i "s|^cpu=.*|cpu=</dd>${evil//&/\\&}|" {} +
sed -i "s|^what  .*|what = ${evil//&/\\&}|; s|^alt  .*|alt = \"><script>1</script> x y z|" "$home/experiments/report/rdp.ini"
check "hostile texts are reported" report "$tmp/evil.html" "$home/results/evil&<i>" --figures "plots/$machine"
check "they are on the page" grep -qF '&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;' "$tmp/evil.html"
check "none of them is a tag" test -z "$(grep -oE '<(script|b|i)>' "$tmp/evil.html" | grep -v '^<b>$' | head -n 1)"
[ $have_python = no ] || check "the page is sound all the same" sound "$tmp/evil.html"
cp experiments/report/rdp.ini "$home/experiments/report/rdp.ini"

# ---- without results, without figures ----
check "a machine without results has a page" report "$tmp/empty.html" "$home/results/nothing-yet"
check "which says so" grep -q 'nothing measured on it yet' "$tmp/empty.html"
check "and has the papers' own arithmetic" grep -q 'data-by="paper"' "$tmp/empty.html"
[ $have_python = no ] || check "and is sound" sound "$tmp/empty.html"
check "a page without figures" report "$tmp/bare.html" "$home/results/$machine"
check "says that the chart is not drawn" grep -q 'the chart is not drawn' "$tmp/bare.html"
check "and where other rows are" grep -q "other machines have rows: .*<code>results/$machine</code>" "$tmp/empty.html"

# ---- bad input, and a page that is there stays ----
refuses "two folders" 2 'expected one results folder, found 2' "$bench" report a b
refuses "a misspelt folder" 2 'expected a folder with results, found none' "$bench" report "$home/results/xeon-16"
check "which is not made" test ! -e "$home/results/xeon-16"
refuses "--figures of another verb" 2 'an option of report' "$bench" list --figures x
refuses "a folder that is not there" 5 'cannot be written|No such file' "$bench" report "$home/results/$machine" -o "$tmp/no/such/page.html"
cp "$page" "$tmp/kept.html"
printf '[figx]\ntitle = x\nfrobnicate = 1\n' >>"$home/experiments/report/som.ini"
refuses "an unknown key" 2 "som.ini:[0-9]+: unknown key 'frobnicate'" "$bench" report "$home/results/$machine" -o "$tmp/kept.html"
check "the old page is still there" cmp -s "$page" "$tmp/kept.html"
check "and nothing beside it" test -z "$(find "$tmp" -maxdepth 1 -name 'kept.html*' ! -name kept.html)"
cp experiments/report/som.ini "$home/experiments/report/som.ini"
sed -i 's/^alt  .*//' "$home/experiments/report/som.ini"
refuses "a figure without words for it" 2 "som.ini:[0-9]+: expected 'alt'" "$bench" report "$home/results/$machine" -o "$tmp/x.html"
cp experiments/report/som.ini "$home/experiments/report/som.ini"
sed -i 's/^som-mov2-cones /som-mov2-clones /' "$home/experiments/report/som.ini"
refuses "words for no claim" 2 "som.ini:[0-9]+: expected the id of a claim, found 'som-mov2-clones'" "$bench" report "$home/results/$machine" -o "$tmp/x.html"
cp experiments/report/som.ini "$home/experiments/report/som.ini"
printf 'schema,session\n1,2,3\n' >"$home/results/evil&<i>/20990101T000000Z-0000000.csv"
check "a results file that is none is left out" "$bench" report "$home/results/evil&<i>" -o "$tmp/x.html" >"$tmp/out" 2>"$tmp/err"
check "and named" grep -qE '^note: .*20990101T000000Z-0000000.csv:[0-9]+: .*; left out$' "$tmp/err"
# scripts/report in the copy, without gnuplot
mkdir -p "$home/scripts"
cp scripts/report scripts/plot "$home/scripts/"
GNUPLOT=$tmp/no-gnuplot DEPTHBENCH=$bench B=$tmp/build "$home/scripts/report" $machine >"$tmp/out" 2>"$tmp/err" </dev/null
check "make report without gnuplot writes a page" test $? = 0 -a -s "$home/results/$machine/report.html"
check "and says what is missing" grep -q 'gnuplot is not installed' "$tmp/err"
refuses "make report MACHINE=a path" 2 "expected the name of a folder in results/, found '../x'" "$home/scripts/report" ../x
refuses "make report of a machine without results" 2 'there is no results/xeon-16' env DEPTHBENCH="$bench" "$home/scripts/report" xeon-16
refuses "make report without the program" 5 'nowhere is not there; run make first' env DEPTHBENCH="$tmp/nowhere" "$home/scripts/report" $machine

rm -r "$home/experiments/report"
refuses "no descriptors of the report" 2 'experiments/report: expected' "$bench" report "$home/results/$machine" -o "$tmp/x.html"

# ---- in a browser: once, the page is the same under a sanitizer ----
case ${B:-} in *asan*) finish ;; esac
browser=
for program in chromium chromium-browser google-chrome; do
    command -v $program >/dev/null && browser=$program && break
done
if [ -z "$browser" ] || [ $have_python = no ]; then
    skip "no Chromium (apt-get install chromium) or no python3: the page is not looked at in a browser"
    finish
fi
looks_right() { timeout 300 python3 tests/report_browser.py $browser "$1" >"$tmp/out" 2>"$tmp/err"; }
looks_right "$page"
status=$?
if [ $status = 77 ]; then
    skip "$browser does not start here: the page is not looked at in a browser"
    finish
fi
check "the page looks right at 360 and 1440 px, light and dark, and prints" test $status = 0
check "hostile texts do not change how it looks" looks_right "$tmp/evil.html"
# each of these is wrong in one way that is to be seen
found_out() { # WHAT SED PATTERN
    sed -E "$2" "$tmp/bare.html" >"$tmp/bad.html"
    if looks_right "$tmp/bad.html" || ! grep -q "$3" "$tmp/out"; then fail "$1: not seen"; else pass; fi
}
found_out "too wide, grey on grey, a picture that is none, headings out of order" \
    's|<main id="main"|<p style="width:1600px;max-width:none;color:#888;background:#999">x</p><h4>y</h4><img alt="z" src="data:image/png;base64,AAAA">&|' \
    'contrast'
check "the width was seen" grep -q '360 px, light: as it opens: 1[0-9]* px in a window of 360' "$tmp/out"
check "at the other width, too" grep -q '1440 px, dark: as it opens' "$tmp/out"
check "the picture was seen" grep -q 'a picture did not load: z' "$tmp/out"
check "the heading was seen" grep -q 'H4 after h2: y' "$tmp/out"
found_out "no skip link, and a scheme that stays light" \
    's|<a class="skip".*||; s|prefers-color-scheme: dark|prefers-color-scheme: gloomy|' 'does not follow the colour scheme'
check "the missing skip link was seen" grep -q 'the skip link is not' "$tmp/out"
finish
