#!/bin/bash
# test_make.sh - two builds in one tree at a time do not take each other's files away; what make refuses before it compiles; make docs
set -u
. tests/checks.sh
tmp=$(scratch make) || exit 1
on_failure "$tmp/said"
if [ ! -e Makefile ]; then
    skip "this pack has no Makefile"
    finish
fi
unset MAKEFLAGS MAKELEVEL
make=(make -s CUDA=no "B=$tmp/build")

# a compiler that is asked for its version while another make makes the same file
cat >"$tmp/cc" <<END
#!/bin/sh
[ "\$*" = --version ] && ${make[*]} CC=cc "$tmp/build/buildinfo.h"
exec cc "\$@"
END
chmod +x "$tmp/cc"
"${make[@]}" "CC=$tmp/cc" "$tmp/build/buildinfo.h" >"$tmp/said" 2>&1
check "a make within a make" test $? = 0
check "the file is whole" test "$(tail -n 1 "$tmp/build/buildinfo.h")" = '#define BUILD_MODE "release"'

# an od that lets another make make the same file, when it has written a half of it
mkdir "$tmp/bin"
cat >"$tmp/bin/od" <<END
#!/bin/sh
"$(command -v od)" "\$@"
PATH=$PATH ${make[*]} "\$TARGET"
END
chmod +x "$tmp/bin/od"
for name in presets report_css schema_sql; do
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
mkdir -p "$tmp/refused"
echo '-std=c11 -DHAVE_CUDA=0' >"$tmp/refused/flags"
refuses "GPU code over a CPU build" "was built without CUDA; B=build/cuda keeps both" CUDA=yes NVCC=/bin/true all
"${make[@]:0:2}" "B=$tmp/refused" CUDA=auto NVCC=/bin/true -n "$tmp/refused/harness/base/text.c.o" >"$tmp/said" 2>&1
check "auto: as the folder was built" grep -q 'DHAVE_CUDA=0' "$tmp/said"

# ---- pages ----
check "the tables of README and PAPERS are those of figures.ini (make docs)" scripts/docs --check
mkdir -p "$tmp/house/docs" && cp -r scripts experiments plots "$tmp/house/" && cp README.md "$tmp/house/" && cp docs/PAPERS.md "$tmp/house/docs/" && sed -i 's/^result .*/result = another/' "$tmp/house/experiments/som/figures.ini"
check "others are stale" test "$("$tmp/house/scripts/docs" --check 2>&1 | grep -c 'older than')$?" = 10
"$tmp/house/scripts/docs" >/dev/null
check "and are made anew" "$tmp/house/scripts/docs" --check
check "with what the file says" grep -q 'make som-fig8` | another |' "$tmp/house/README.md"
finish
