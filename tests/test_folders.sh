#!/bin/bash
# test_folders.sh - reports of each committed folder and of each experiment alone, as far as rows of it are committed; and whose folder is whose
#
# ALL_PAGES=yes makes those of each experiment, in a minute: what one has is shown by the tables and figures of its own paper alone.
. "$(dirname "$0")/../scripts/start" || exit 1
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh folders
bench=$(realpath "$DEPTHBENCH")
export DEPTHBENCH_CACHE=
run() { "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
says() { grep -q -- "$1" "$tmp/out"; }

# ---- a folder of its own for what is measured on a machine whose name is taken ----
home=$tmp/home own=$("$bench" env | sed -n 's/^machine=//p')
mkdir -p "$home/results/paper" "$home/results/other" && cp -r experiments "$home/" && printf '# those\nother\n' >"$home/results/MACHINES" || exit 1
check "a name that nobody has is the folder's" test "$(DEPTHBENCH_HOME=$home "$bench" env --machine)" = "$own"
echo "$own" >>"$home/results/MACHINES"
check "one that is taken is not" test "$(DEPTHBENCH_HOME=$home "$bench" env --host fedcba98 --machine)" = "$own-fedc"
check "a run of it" run env DEPTHBENCH_HOME="$home" "$bench" run rdp/regress --quick --host fedcba98 -i rdp/serial
check "has a folder of its own" test "$(cd "$home/results" && ls)" = "$(printf '%s\n' MACHINES other "$own-fedc" paper | LC_ALL=C sort)"
check "of which it tells" grep -q "^note: the name is taken: rows go to .*results/$own-fedc\$" "$tmp/err"
# (on the real machine rows of two hosts would stand in one table)
run env DEPTHBENCH_HOME="$home" "$bench" sql "SELECT DISTINCT results, machine, host FROM measurement" -f csv
check "and rows with the machine's name" says "^\"$own-fedc\",\"$own\",\"fedcba98\"$"
if tracked=$(git ls-files 'results/*/*.csv' 2>/dev/null) && [ -n "$tracked" ]; then
    check "results/MACHINES has each folder that is committed" diff <(cut -d / -f 2 <<<"$tracked" | sort -u | grep -vx paper) <(sed 1d results/MACHINES)
else
    skip "git does not tell which results are committed"
fi

check "claims of what papers print alone" run "$bench" claims results/paper
case ${B:-} in *asan*) finish ;; esac

# ---- pages ----
# page FOLDER NAME [PAPER]
page() {
    [ -z "${3:-}" ] || [ ! -d "$tmp/of-$3" ] || local -x DEPTHBENCH_HOME=$tmp/of-$3
    run "$bench" report "$1" -o "$tmp/$2.html" && tail -n 1 "$tmp/$2.html" | grep -qx '</html>'
}
for ini in experiments/*/figures.ini; do
    paper=$(basename "${ini%/*}")
    mkdir "$tmp/of-$paper" && cp -r experiments "$tmp/of-$paper/" && ln -s "$PWD/results" "$tmp/of-$paper/" && rm "$tmp/of-$paper/experiments"/*/figures.ini &&
        cp "$ini" "$tmp/of-$paper/$ini" || exit 1
done
for folder in results/*-*/; do
    folder=${folder%/}
    check "a page of $folder" page "$folder" "${folder##*/}"
done
n=0
[ -n "${ALL_PAGES:-}" ] || skip "ALL_PAGES=yes makes pages of each experiment alone, a minute"
[ -z "${ALL_PAGES:-}" ] || for ini in experiments/*/*.ini; do
    name=${ini#experiments/} name=${name%.ini}
    file=$(grep -lF "\"$name\"" results/*-*/*Z-*.csv 2>/dev/null | grep -v -m 1 '\.values\.csv$') || continue
    alone=$tmp/${name/\//-}
    mkdir "$alone" && { head -n 1 "$file" && grep -F "\"$name\"" "$file"; } >"$alone/${file##*/}"
    for more in values.csv env.txt; do [ ! -f "${file%csv}$more" ] || cp "${file%csv}$more" "$alone/"; done
    check "a page of $name alone" page "$alone" "${name/\//-}" "${name%/*}"
    n=$((n + 1))
done
[ -z "${ALL_PAGES:-}" ] || check "that is many ($n)" test $n -ge 50
check "a page of a quick run alone" page "$home/results/$own-fedc" quick
check "a column that nobody measured is not here" grep -q '; not measured: equal_pct' "$tmp/quick.html"
check "nor is it of several machines" test "$(grep -c 'Perhaps not all of one computer' "$tmp/quick.html")" = 0
check "as others are" grep -q 'Perhaps not all of one computer: xeon-16c_nvidia-h200 is 1 host and unknown ones, [0-9]* GPUs\.' "$tmp/xeon-16c_nvidia-h200.html"
# once an edition has its commit, what figures show is of it, or says otherwise
if grep -q '^commit *=' results/EDITION; then
    expect "figures show rows of the edition" 0 '' "${DEPTHBENCH:-build/release/depthbench}" edition check
else
    skip "results/EDITION has no commit: it is not measured yet"
fi
finish
