#!/bin/bash
# test_claims_names.sh - the cells of the shipped claims name experiments, variants and values that there are
#
# A cell that names nothing is a claim that was not run, and would stay one unseen.
. tests/checks.sh claims_names

# named [SLIP]: what the cells of the claims, ours(...), name, a line each; SLIP: after this change of rdp.ini
named() {
    mkdir -p "$tmp/home/experiments/claims" "$tmp/home/results"
    ln -sfn "$PWD/results/paper" "$tmp/home/results/paper"
    cp experiments/claims/*.ini "$tmp/home/experiments/claims/"
    sed "${1:-}" experiments/claims/rdp.ini >"$tmp/home/experiments/claims/rdp.ini"
    DEPTHBENCH_HOME=$tmp/home "$DEPTHBENCH" claims --explain '*' "$PWD/results/epyc-2c" | tr -s ' \n' ' ' | grep -oE 'ours\([^()]*\)' |
        sed 's/^ours(//; s/)$//; s/, */,/g' | awk -F, '{
            print "experiment " $1
            for (i = 2; i < NF; i++)
                if (sub(/^impl=/, "", $i)) print "variant " $i
            sub(/\[.*/, "", $NF)
            print "value " $NF }' | grep -v '[*[]' | sort -u
}
{
    find experiments -name '*.ini' | sed 's|^experiments/|experiment |; s|\.ini$||'
    grep -ohE '"[a-z]+/[a-z0-9-]+"' harness/registry.c impl_cpu/*/*.c impl_gpu/*/*.cu | sed 's/"//g; s/^/variant /'
    cat results/*/*.values.csv | cut -d '"' -f 4 | sed 's/^/value /'
    grep -ohE 'bench_value\(sink, "[a-z0-9_]+"' harness/problems/*/*.c | sed 's/.*, "/value /; s/"//' # no row may have it yet
    head -qn 1 results/*/[0-9]*Z-*.csv | tr -d '"' | tr , '\n' | sed 's/^/value /'
} | sort -u >"$tmp/known"
unknown() { named "$@" | comm -23 - "$tmp/known"; }

check "there are names to look at" test "$(named | wc -l)" -gt 50
unknown >"$tmp/unknown"
on_failure "$tmp/unknown"
check "all of them are there" test ! -s "$tmp/unknown"
for slip in 's|ours(rdp/fig9,|ours(rdp/fig99,|' 's|impl=rdp/gpu-paper, input=kitti|impl=rdp/gpu-papr, input=kitti|' 's|rounds_max)|rounds_maximum)|'; do
    check "$slip is seen" test "$(unknown "$slip" | wc -l)" = 1
done

# each printed number of a table is one claim
"$DEPTHBENCH" sql --results results/epyc-2c -f csv "SELECT count(c.claim) || ' claims of ' || p.place AS wrong FROM printed AS p
    LEFT JOIN (SELECT DISTINCT claim, place, \"table\" FROM claim_verdict) AS c
    ON c.\"table\" IS NOT NULL AND (c.place = p.place OR substr(c.place, 1, length(p.place) + 2) = p.place || '; ')
    WHERE value IS NOT NULL AND (figure GLOB 'table*' OR figure = 'fig9' AND p.paper = 'stixels') GROUP BY p.rowid HAVING count(c.claim) <> 1" >"$tmp/unknown"
check "no printed cell is left out, or claimed twice" test "$(cat "$tmp/unknown")" = '"wrong"'
finish
