#!/bin/bash
# test_recipes.sh - CONTRIBUTING's recipes for a variant and a figure, followed to the letter in a copy of the tree; with ADDING=yes
# those of docs/ADDING.md too, in minutes
#
# What is run is what stands indented below the headings; file names beside it are read from the text.
. tests/checks.sh recipes
tree=$tmp/tree
on_failure "$tmp/out"
only "this is no working tree" git rev-parse --is-inside-work-tree
needs make gnuplot
# nobody's settings; a build for the CPU that says little, of as few tests as a recipe may ask for
built=${B:-build/release}
unset MAKEFLAGS MAKELEVEL B DEPTHBENCH DEPTHBENCH_DATA MACHINE RESULTS PLOTS
MAKEFLAGS="-s -j$(nproc)"
export CUDA=no MAKEFLAGS NAMES='test_registry test_config' TEST_TMP=build/test-tmp
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test

# the files of the tree but for measurements and figures, as a repository of its own
mkdir "$tree"
git ls-files -co --exclude-standard -- ':!results' ':!plots/*/*' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done |
    tar -c -T - | tar -x -C "$tree"
git ls-files -- results/paper results/expected.csv | tar -c -T - | tar -x -C "$tree"
git -C "$tree" init -q && git -C "$tree" add -A && git -C "$tree" commit -qm tree || exit 1
sed -i 's/^eps .*/eps = 2, 4/' "$tree/experiments/rdp/fig5.ini" # which recipes copy: a few rows do
# what this build has compiled is not compiled again: the same flags, objects, and sources that are older
if [ "$built" = build/release ] && grep -q -- '-DHAVE_CUDA=0' $built/flags; then
    mkdir -p "$tree/$built/tests" && cp -rp $built/{flags,*.h,harness,impl_cpu,impl_gpu} "$tree/$built/" && cp -p $built/tests/*.c.[do] "$tree/$built/tests/"
    [ -z "${ADDING:-}" ] || [ ! -d $built/emulated ] || cp -rp $built/emulated "$tree/$built/"
    find "$tree" -path "$tree/build" -prune -o -type f -exec touch -d 2000-01-01 {} +
    MAKEFLAGS+=" -- PREFIX_MAP=$(grep -oE -m 1 -e '-ffile-prefix-map=[^ ]+' $built/flags | head -n 1)"
    ! grep -q -- '-Werror' $built/flags || MAKEFLAGS+=" WERROR=yes"
fi

# section HEADING: what CONTRIBUTING.md, or docs/ADDING.md, has below it
section() { awk -v heading="$1" '/^#/ { on = $0 ~ "^#+ " heading "$"; next } on' CONTRIBUTING.md docs/ADDING.md; }
# follow HEADING: its indented lines are run, and all of them succeed; what they say is in $tmp/out
follow() {
    section "$1" | sed -n 's/^    //p' >"$tmp/recipe"
    check "$1: there is a recipe" test -s "$tmp/recipe"
    (cd "$tree" && bash -eu "$tmp/recipe") >"$tmp/out" 2>&1
    check "$1: its commands succeed" test $? = 0
}
# named HEADING PATTERN: the first file of that pattern that the page names there
named() { section "$1" | grep -oE -- "$2" | head -n 1; }
bench() { (cd "$tree" && build/release/depthbench "$@"); }

# who follows the pages still measures the commit: what they write beside the Makefile is no change of the tree
written=$(sed -n 's/^    //p' README.md CONTRIBUTING.md docs/APPLY.md | grep -oE -- '(-o|--[a-z]+) [a-z-]+\.[a-z]+' | cut -d ' ' -f 2 | sort -u)
check "commands of the pages write files" test -n "$written"
for file in $written; do check "$file is ignored" git -C "$tree" check-ignore -q "$file"; done

follow "A new variant"
check "the new variant is verified" grep -q '^verified: equal to rdp/serial$' "$tmp/out"
variant=$(named "A new variant" 'apply rdp/[a-z0-9-]+' | cut -d ' ' -f 2)
check "it is timed beside its reference" test "$(grep -cE '^rdp/(serial|early) +scene' "$tmp/out")" = 4
check "it is listed ($variant)" grep -q "^  rdp .*${variant#*/}" <(bench list)

# a variant for GPUs: the file that the page names, made of the one that it names, and a line as that of the first
gpu=$(named "A new variant" 'impl_gpu/rdp/NAME\.cu')
like=impl_gpu/rdp/$(named "A new variant" '[a-z]+\.cu' | grep -v NAME)
check "the page says where a GPU variant is, and what it is like" test -n "$gpu" -a -f "$like"
(
    cd "$tree" || exit
    sed 's/gpu-paper/gpu-mine/; s/rdp_gpu_paper/rdp_gpu_mine/' "$like" >"${gpu/NAME/mine}"
    sed -i 's/^    IMPL(rdp_serial).*/&\n    IMPL(rdp_gpu_mine)                 \\/' harness/registry.c
    make
) >"$tmp/out" 2>&1
check "a GPU variant compiles as C" test $? = 0
check "it is listed, as not in this build" grep -q '^  rdp .*gpu-mine\*' <(bench list)
exits=$(bench apply rdp/gpu-mine scene -o x.csv >"$tmp/out" 2>&1; echo $?)
check "and says so when it is asked for" test "$exits" = 77

follow "A new figure"
picture=$(named "A new figure" '[a-z/]+/[a-z]+-[a-z]+\.svg')
check "the figure is where the page says ($picture)" test -n "$picture" -a -s "$tree/${picture:-none}"

# ---- a paper ----

# what fits no compiler any more is seen at once, the rest by those who follow the page
mapfile -t code < <(find template -name '*.[ch]' -o -name '*.cu')
mapfile -t flags < <(sed 's/ | .*//; s/ /\n/g' "$built/flags" | grep .)
for file in "${code[@]}"; do
    check "$file compiles" "${CC:-cc}" -Itemplate "${flags[@]}" -Werror -Wno-unused-parameter -Wno-unused-function -fsyntax-only -x c "$file"
done
on_failure "$tmp/out" "$tmp/err"
before=$(git -C "$tree" status --porcelain)
for name in '' A 'two words' long-name rdp scale pair; do
    expect "a paper cannot be called '$name'" 2 '^new_paper: ' "$tree/scripts/new_paper" "$name"
done
check "nothing is left of one that is refused" test "$(git -C "$tree" status --porcelain)" = "$before"
[ -n "${ADDING:-}" ] || { skip "ADDING=yes adds a paper, 5 minutes" && finish; }

cp -r results/*/ "$tree/results/" && cp -r plots/*/ "$tree/plots/"
git -C "$tree" add -A && git -C "$tree" add -f plots && git -C "$tree" commit -qm 'before a paper' && before=$(git -C "$tree" rev-parse HEAD)
unset NAMES
follow "A paper is added by adding"
check "its tests pass, those of the GPU variant too" test "$(grep -c '^[1-9][0-9]* passed, 0 failed' "$tmp/out")" = 2
check "it has a trial" grep -q '^emulated/sm90/test_emulated:census ' "$tmp/out"
check "its figure is drawn" test -s "$(echo "$tree"/plots/*/census-fig1.svg)"
check "with what was measured" grep -q 'census/openmp' "$tree"/plots/*/census-fig1.svg
check "pages are as their sources say" env -C "$tree" DEPTHBENCH=build/release/depthbench scripts/docs --check
git -C "$tree" add -A
changed=$(git -C "$tree" diff --cached --name-only --diff-filter=a "$before" | sort | paste -sd ' ')
check "nothing that was there changed, but for one list and what is generated ($changed)" \
    test "$changed" = 'README.md docs/PAPERS.md harness/registry.c results/expected.csv tests/defaults.txt'
check "a row a claim, and no column more" test "$(git -C "$tree" diff --cached --numstat "$before" -- results/expected.csv | cut -f 1,2)" = "1	0"
if command -v clang-format >/dev/null; then check "it is formatted" make -C "$tree" format-check; fi
finish
