#!/bin/bash
# test_make.sh - two builds in one tree at a time do not take each other's files away; what make
# refuses before it compiles, and says; make docs
. tests/checks.sh make
on_failure "$tmp/said"
unset MAKEFLAGS MAKELEVEL
make=(make -s CUDA=no "B=$tmp/build")

# a compiler that is asked for its version while another make makes the same file
program "$tmp/cc" <<END
[ "\$*" = --version ] && ${make[*]} CC=cc "$tmp/build/buildinfo.h"
exec cc "\$@"
END
"${make[@]}" "CC=$tmp/cc" "$tmp/build/buildinfo.h" >"$tmp/said" 2>&1
check "a make within a make" test $? = 0
check "the file is whole" test "$(tail -n 1 "$tmp/build/buildinfo.h")" = '#define BUILD_MODE "release"'

# an od that lets another make make the same file, when it has written a half of it
program "$tmp/bin/od" <<END
"$(command -v od)" "\$@"
PATH=$PATH ${make[*]} "\$TARGET"
END
for name in presets schema_sql; do
    target=$tmp/build/$name.h
    PATH=$tmp/bin:$PATH TARGET=$target "${make[@]}" "$target" >"$tmp/said" 2>&1
    check "$name.h: a make within a make" test $? = 0
    cp "$target" "$tmp/$name.h" && rm "$target"
    "${make[@]}" "$target"
    check "$name.h: the file is whole" cmp -s "$target" "$tmp/$name.h"
done
check "nothing is left over" test -z "$(find "$tmp/build" -name '*.new')"

# refuses WHAT SENTENCE ARGUMENT...: and compiles nothing
refuses() {
    "${make[@]:0:2}" "B=$tmp/refused" "${@:3}" >"$tmp/said" 2>&1
    check "$1: refused" test $? = 2
    check "$1: a sentence" grep -qF "$2" "$tmp/said"
    check "$1: nothing is compiled" test ! -e "$tmp/refused/depthbench"
}
refuses "bench without an experiment" "make bench: expected EXP=rdp/fig9" CUDA=no bench
refuses "history without a configuration" "make history: expected OF=" CUDA=no history
refuses "a processor that nobody knows" "ARCH=arm64: expected a -march that cc knows" CUDA=no ARCH=arm64 all
ARCH=arm64 "${make[@]}" -n "$tmp/build/harness/base/text.c.o" >"$tmp/said" 2>&1
check "ARCH of those who build kernels is said to be no -march" grep -q 'ARCH=arm64 of the environment is no -march' "$tmp/said"
check "and native is taken" grep -q -e '-march=native' "$tmp/said"
mkdir -p "$tmp/refused"
echo '-std=c11 -DHAVE_CUDA=0' >"$tmp/refused/flags"
refuses "GPU code over a CPU build" "was built without CUDA; B=build/cuda keeps both" CUDA=yes NVCC=/bin/true all
"${make[@]:0:2}" "B=$tmp/refused" CUDA=auto NVCC=/bin/true -n "$tmp/refused/harness/base/text.c.o" >"$tmp/said" 2>&1
check "auto: as the folder was built" grep -q 'DHAVE_CUDA=0' "$tmp/said"

# ---- what it says ----
# says WHAT SENTENCE ARGUMENT...: a build of the folder's flags alone
says() {
    "${make[@]:0:2}" "B=$tmp/said-folder" "${@:3}" "$tmp/said-folder/flags" >"$tmp/said" 2>&1
    check "$1: exits 0" test $? = 0
    if [ -n "$2" ]; then
        check "$1: a line" grep -qxF "building $tmp/said-folder for $2" "$tmp/said"
    else
        check "$1: nothing" test ! -s "$tmp/said"
    fi
}
says "a first build" 'the CPU only (CUDA=no)' CUDA=no
says "the same again" '' CUDA=no
program "$tmp/bin/nvcc" <<<'echo release 13.0'
sed -i 's/HAVE_CUDA=0/HAVE_CUDA=1/g' "$tmp/said-folder/flags"
says "a CPU build over a GPU one" 'the CPU only (CUDA=no); it had CUDA, B=build/cpu keeps both' CUDA=no
rm -r "$tmp/said-folder"
says "a GPU build" 'CPU and GPU (sm 90): minutes, CUDA=no does without' CUDA=yes SM=90 "NVCC=$tmp/bin/nvcc"
program "$tmp/bin/nvcc-10" <<<'echo release 10.1'
refuses "nvcc without -MMD" "nvcc-10 is of CUDA 10.1, which is too old: 10.2 or newer (JetPack 4.4); CUDA=no does without" CUDA=auto "NVCC=$tmp/bin/nvcc-10" "B=$tmp/old" all
"${make[@]:0:2}" CUDA=no CXX=none "B=$tmp/no-cxx" -n all test >"$tmp/said" 2>&1
check "without a C++ compiler: said once" test "$(grep -c 'echo "no C++ compiler.*(apt-get install g++)"' "$tmp/said")$(grep -c '^make: ' "$tmp/said")" = 10
says "older instructions" 'CPU and GPU (sm 90): minutes, CUDA=no does without' CUDA=yes SM=90 FALLBACK=75 "NVCC=$tmp/bin/nvcc"
check "they are those of FALLBACK" grep -q 'arch=compute_75,code=sm_90 -gencode arch=compute_75,code=compute_75' "$tmp/said-folder/flags"
"${make[@]:0:2}" CUDA=no "B=$tmp/said-folder" -n all >"$tmp/said" 2>&1
picture=$(sed -n 's/.*a first picture: [^ ]*depthbench \([^"]*\).*/\1/p' "$tmp/said")
check "the end of a build names a first picture" test -n "$picture"
check "of the same scene as README" grep -qF "${picture%% --picture*}" README.md
# shellcheck disable=SC2086
(cd "$tmp" && "$DEPTHBENCH" $picture >"$tmp/said" 2>&1)
check "and makes it" test -s "$tmp/${picture##* }"

# a figure announces itself before it measures
for name in b/depthbench scripts/plot; do program "$tmp/figure/$name" <<<'echo "measured $*"'; done
cp scripts/start scripts/figure "$tmp/figure/scripts/" && mkdir -p "$tmp/figure/experiments/p"
: >"$tmp/figure/experiments/p/fig1.ini"
B=b PROTOCOL='' "$tmp/figure/scripts/figure" p fig1 >"$tmp/said" 2>&1
check "a figure announces minutes and the quick way" test "$(head -n 1 "$tmp/said")" = "p-fig1: full protocol, minutes; quick: make p-fig1 PROTOCOL=quick"
check "then it measures" grep -q '^measured run p/fig1' "$tmp/said"
B=b PROTOCOL=quick "$tmp/figure/scripts/figure" p fig1 >"$tmp/said" 2>&1
check "quickly" test "$(head -n 1 "$tmp/said")" = "p-fig1: quick protocol, few samples"
B=b STEP=draw "$tmp/figure/scripts/figure" p fig1 >"$tmp/said" 2>&1
check "a drawing alone announces nothing" test "$(grep -c protocol "$tmp/said")" = 0

# ---- pages ----
# the program, which is asked once what scripts/docs asks each time
program "$tmp/program" <<END
answer=$tmp/answer-\$(printf '%s\\n' "\$@" | md5sum | cut -c 1-32)
if [ ! -e "\$answer" ]; then
    "$(realpath "${B:-build/release}/depthbench")" "\$@" >"\$answer.new" || exit
    mv "\$answer.new" "\$answer"
fi
cat "\$answer"
END
export DEPTHBENCH=$tmp/program DEPTHBENCH_CACHE=$PWD/build/cache
check "pages are as their sources say (make docs)" scripts/docs --check
house=$tmp/house
mkdir "$house" && cp -r scripts experiments docs README.md CONTRIBUTING.md "$house/"
{ git ls-files plots 2>/dev/null | grep . || find plots -type f; } | xargs cp --parents -t "$house"
for name in results harness examples LICENSE NOTICE.md CITATION.cff; do ln -s "$PWD/$name" "$house/$name"; done
# faults WHAT EXPECTED...: what --check finds in the copy
faults() {
    "$house/scripts/docs" --check >"$tmp/said" 2>&1
    check "$1: refused" test $? = 1
    check "$1: all of it" test "$(wc -l <"$tmp/said")" = $(($# - 1))
    for line in "${@:2}"; do check "$1: $line" grep -q "$line" "$tmp/said"; done
}
sed -i 's/^result .*/result = another | and more/; s/^says .*/says = Another./' "$house/experiments/som/figures.ini"
sed -i 's/ AS goal,/ AS aim,/' "$house/docs/queries.sql"
faults "what they show has changed" "README.md is older" "PAPERS.md is older" "RDP.md is older" "STIXELS.md is older" "SOM.md is older"
"$house/scripts/docs" >/dev/null
check "they are made anew" "$house/scripts/docs" --check
check "what has no figure has no heading" test -z "$(awk '/^###? / { if ($1 == "##" && last == "##") print; last = $1 } END { if (last == "##") print last }' "$house/docs/GALLERY.md")"
check "with what the files say" grep -q '^| `som-fig10` |.*| here | another \\| and more |' "$house/docs/PAPERS.md"
sed -i '0,/^result .*/s//result = nothing at eps 4 px in 8 x 8 px,\n         and then 46 times/; s/^answer .*/&a b c d e f g h i j k l m n o p/' "$house/experiments/rdp/figures.ini"
sed -i 's/WHERE ms1024 > 0/WHERE 0/' "$house/docs/queries.sql"
"$house/scripts/docs" >/dev/null 2>&1
faults "a typed number" '\[table1\] result has a typed number: .* and then 46' "rdp/figures.ini: answer has more than 25 words"
check "no row" grep -q '1024 rows take not measured times' "$house/docs/PAPERS.md"
sed -i 's/{rdp-gpu.growth}/{rdp-gpu.nothing}/; s/, and then 46 times//' "$house/experiments/rdp/figures.ini"
sed -i 's/WHERE 0/WHERE 1/' "$house/docs/queries.sql"
check "a column that is not there" test "$("$house/scripts/docs" 2>&1 >/dev/null)$?" = "docs: 'rdp-gpu' of docs/queries.sql has no column 'nothing'1"
sed -i 's/{rdp-gpu.nothing}/{rdp-gpu.growth}/; /^ *and then 46 times/d; s/a b c d e f g h i j k l m n o p//' "$house/experiments/rdp/figures.ini"
"$house/scripts/docs" >/dev/null
printf '[a](nowhere.md) [b](SOM.md#nothing) [c](SOM.md#variants)\n\n| a | b |\n| --- | --- |\n| 1 | 2 | 3 |\n' >>"$house/docs/RDP.md"
faults "links and tables" "there is no docs/nowhere.md" "docs/SOM.md has no heading #nothing" "docs/RDP.md: a row has other cells"
echo '<!-- ask nothing -->
<!-- end -->' >>"$house/docs/RDP.md"
check "a query that is not there" test "$("$house/scripts/docs" 2>&1)$?" = "docs: docs/queries.sql has no query 'nothing'1"
check "no program" test "$(DEPTHBENCH=nowhere "$house/scripts/docs" 2>&1)$?" = "docs: nowhere is not there; run make first1"
finish
