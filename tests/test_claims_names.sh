#!/bin/bash
# test_claims_names.sh - the cells of the shipped claims name experiments, variants and values that there are
#
# A cell that names nothing is a claim that was not run, and would stay one unseen.
set -u
. tests/checks.sh
tmp=$(scratch claims_names) || exit 1

# cells FILE...: ours(...) without the brackets, a line each
cells() {
    cat "$@" | grep -v '^;' | sed -z 's/,\n[ \t]*/, /g' | grep -oE 'ours\([^()]*\)' | sed 's/^ours(//; s/)$//; s/, */,/g'
}
# known: columns of sessions and names of values, of all machines
for file in results/*/[0-9]*Z-*.csv; do
    case $file in
    *.values.csv) tail -n +2 "$file" | cut -d '"' -f 4 ;;
    *) head -n 1 "$file" | tr -d '"' | tr , '\n' ;;
    esac
done | sort -u >"$tmp/known"
"$DEPTHBENCH" list 2>&1 | grep -oE '\b(rdp|stixels|som|probe)/[a-z0-9-]+' | sort -u >"$tmp/impls"
grep -ohE '"(rdp|stixels|som|probe)/[a-z0-9-]+"' harness/registry.c impl_cpu/*/*.c impl_gpu/*/*.cu | tr -d '"' | sort -u >>"$tmp/impls"

# unknown FILE...: what its cells name that is not there
unknown() {
    cells "$@" | while IFS= read -r cell; do
        experiment=${cell%%,*} value=${cell##*,} impl=
        case ",$cell," in *,impl=*) impl=${cell#*impl=} impl=${impl%%,*} ;; esac
        case $experiment in *[*'{']*) ;; *) [ -f "experiments/$experiment.ini" ] || echo "no experiment $experiment: $cell" ;; esac
        case $impl in '' | *[*'{']*) ;; *)
            for one in ${impl//|/ }; do grep -qxF "$one" "$tmp/impls" || echo "no variant $one: $cell"; done
            ;;
        esac
        case $value in *'{'*) ;; *) grep -qxF "${value%%[*}" "$tmp/known" || echo "no value $value: $cell" ;; esac
    done
}
check "there are cells to look at" test "$(cells experiments/claims/*.ini | wc -l)" -gt 300
unknown experiments/claims/*.ini >"$tmp/unknown"
on_failure "$tmp/unknown"
check "all of them name what there is" test ! -s "$tmp/unknown"

# and it would be seen
wrong() { # WHAT SED-EXPRESSION
    sed "$2" experiments/claims/rdp.ini >"$tmp/wrong.ini"
    check "$1 is seen" test "$(unknown "$tmp/wrong.ini" | wc -l)" -gt 0
}
wrong "an experiment" 's|ours(rdp/fig9,|ours(rdp/fig99,|'
wrong "a variant" 's|impl=rdp/gpu-paper, input=kitti|impl=rdp/gpu-papr, input=kitti|'
wrong "a value" 's|series=frames, mean_ms)|series=frames, mean_mss)|'
finish
