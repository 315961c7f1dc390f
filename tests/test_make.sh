#!/bin/bash
# test_make.sh - two builds in one tree at a time do not take each other's files away
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
for name in profiles report_css schema_sql; do
    target=$tmp/build/$name.h
    PATH=$tmp/bin:$PATH TARGET=$target "${make[@]}" "$target" >"$tmp/said" 2>&1
    check "$name.h: a make within a make" test $? = 0
    cp "$target" "$tmp/$name.h" && rm "$target"
    "${make[@]}" "$target"
    check "$name.h: the file is whole" cmp -s "$target" "$tmp/$name.h"
done
check "nothing is left over" test -z "$(find "$tmp/build" -name '*.new')"
finish
