#!/bin/bash
# test_edition.sh - depthbench edition run: what it begins, what it goes on with, and references that are kept in files
. tests/checks.sh edition
DEPTHBENCH=$(realpath "${DEPTHBENCH:-build/release/depthbench}")
mkdir -p "$tmp/home/experiments/rdp" "$tmp/home/results"
cp -r experiments/inputs "$tmp/home/experiments/"
printf '[global]\ntitle = t\nimpl = rdp/omp-columns, rdp/cpu-simd\ninput = scene\nwidth = 40\nframes = 2\ntimes = 0\n[a]\nheight = 50\n[b]\nheight = 60\n' \
    >"$tmp/home/experiments/rdp/t.ini"
printf '[edition]\nname = 1\nset = precision=3%%\n[%s]\nrdp/t a = 2\nrdp/t b = 1 timeout=0.7 min_time=0.1\n' "$("$DEPTHBENCH" env -q 2>/dev/null | sed -n 's/^machine=//p')" >"$tmp/home/results/EDITION"
on_failure "$tmp/out" "$tmp/err"
# shellcheck disable=SC2317 # expect calls it
edition() { DEPTHBENCH_HOME=$tmp/home "$DEPTHBENCH" edition "$@" --host h --results "$tmp/m"; }
# count FIELD: how many rows have each of its values
count() { "$DEPTHBENCH" sql -q -f csv --results "$tmp/m" "SELECT count(*) || '*' || $1 AS n FROM measurement GROUP BY $1" | sed 1d | tr -d '"' | paste -sd ' '; }
files() { find "$tmp/m" "$tmp/references" -type f -name "$1" | wc -l; }

expect "all parts are measured" 0 'nothing is left here' edition run --quick --references "$tmp/references"
check "each part by as many processes as EDITION says: $(count run)" test "$(count run)" = '4*1 2*2'
check "of one group: $(count run_group)" test "$(count run_group | wc -w)" = 1
check "in a session for each process" test "$(files '*[0-9].csv')" = 2
check "with the keys of all parts: $(count "(plan LIKE '%precision=0.03%')"), and those of one" \
    test "$(count "(plan LIKE '%precision=0.03%')") $(count "(plan LIKE '%min_time=0.1;timeout=0.7%')")" = '6*1 4*0 2*1'
check "with a reference for each input of each height" test "$(files '*.reference')" = 4
expect "once more it has nothing to do" 0 'nothing is left here' edition run --quick --references "$tmp/references"
check "and adds nothing: $(count run)" test "$(count run)" = '4*1 2*2'

# a kill: the second process has lost its last row, one reference its last byte, and another has one that is wrong
session=$("$DEPTHBENCH" sql -q -f csv --results "$tmp/m" 'SELECT session FROM measurement WHERE run = 2 LIMIT 1' | sed '1d; s/"//g')
sed -i '$d' "$tmp/m/$session.csv"
mapfile -t damaged < <(grep -l -a 'height=50;' "$tmp"/references/*)
truncate -s -1 "${damaged[0]}"
printf '\125' | dd of="${damaged[1]}" bs=1 seek=$(($(stat -c %s "${damaged[1]}") - 12)) conv=notrunc 2>/dev/null
before=$(find "$tmp/references" -type f -printf '%f %i %s\n' | sort)
expect "it goes on" 0 'rdp/t a, process 2' edition run --quick --references "$tmp/references"
check "with what is lacking: $(count run)" test "$(count run)" = '4*1 2*2'
check "in the same session" test "$(files '*[0-9].csv')" = 2
check "rows are verified: $(count verdict)" test "$(count verdict)" = '6*exact'
check "of the references only those two were made anew" test "$(find "$tmp/references" -type f -printf '%f %i %s\n' | sort | comm -3 - <(echo "$before") | wc -l)" = 4

# another figure asks for the same configurations, and more, with other samples, of one process
sed 's/height = 50/&, 70/' "$tmp/home/experiments/rdp/t.ini" >"$tmp/home/experiments/rdp/u.ini"
echo 'rdp/u a = 1 samples=7..9' >>"$tmp/home/results/EDITION"
expect "another figure measures them once more" 0 'rdp/u a, process 1' edition run --quick
check "and the processes of the first count" test "$("$DEPTHBENCH" sql -q -f csv --results "$tmp/m" "SELECT count(DISTINCT process.run) FROM current JOIN process ON measurement = id WHERE experiment = 'rdp/u' GROUP BY id ORDER BY 1" | sed '1d; s/"//g' | paste -sd ' ')" = '1 1 2 2'

# a reference that takes a minute and more, and no time for it
mkdir "$tmp/home/experiments/stixels"
printf '[global]\ntitle = v\nimpl = stixels/cubic-openmp\nmodel = b6\nblock = 4\ninput = city-hard\ntimes = 0\n[a]\nclasses = 19\n' >"$tmp/home/experiments/stixels/v.ini"
echo 'stixels/v = 1' >>"$tmp/home/results/EDITION"
n_rows=$(count 1)
expect "preparing stops at once, and nothing begins behind it" 124 'time is up' \
    env DEPTHBENCH_HOME="$tmp/home" timeout -s INT -k 30 2 "$DEPTHBENCH" edition run --quick --host h --results "$tmp/m" --references "$tmp/halves"
check "there is no reference, and no row" test -z "$(find "$tmp/halves" -type f ! -name '*.tmp*')" -a "$(count 1)" = "$n_rows"
sed -i '/stixels/d' "$tmp/home/results/EDITION"

expect "what is not the edition's is found" 1 'fewer than 2 processes\|other commits\|not committed' \
    env -C "$tmp/home" sh -c "sed -i 's/^name.*/&\ncommit = 1234567/' results/EDITION; mv ../m results/\$(sed -n 's/^\[\(.*[0-9]c.*\)\]/\1/p' results/EDITION); DEPTHBENCH_HOME=. '$DEPTHBENCH' edition check"
expect "and a build of another commit does not measure it" 2 'the edition is of commit 1234567, this build of ' edition run --quick
sed -i 's/ timeout=0.7/ timeout/' "$tmp/home/results/EDITION"
expect "a key without a value is refused" 2 'EDITION:.: rdp/t b: expected KEY=VALUE, found .timeout.' edition plan
expect "references are made alone" 0 '' env DEPTHBENCH_HOME="$tmp/home" "$DEPTHBENCH" run rdp/t --prepare --references "$tmp/alone" --results "$tmp/none"
check "one for each input of each height, and no row" test "$(find "$tmp/alone" "$tmp/none" -type f 2>/dev/null | wc -l)" = 4
expect "preparing without a folder is refused" 2 'prepare: expected --references DIR' "$DEPTHBENCH" run rdp/fig5 --prepare
finish
