#!/bin/bash
# test_home.sh - a program that is installed finds its files by itself, writes below the current folder alone, and is removed whole
set -u
. tests/checks.sh
tmp=$(scratch home) || exit 1
on_failure "$tmp/out" "$tmp/err"
if [ ! -e Makefile ]; then
    skip "this pack has no Makefile"
    finish
fi
unset MAKEFLAGS MAKELEVEL MFLAGS DEPTHBENCH_HOME DEPTHBENCH_CACHE DEPTHBENCH_DATA
# the program as it is: nothing is compiled
make=(make -s -o "$B/depthbench" "B=$B" "DESTDIR=$tmp/root" PREFIX=/opt/bench)
share=$tmp/root/opt/bench/share
bench=$tmp/root/opt/bench/bin/depthbench

expect "it is installed" 0 '' "${make[@]}" install-program
found() { (cd "$tmp/root" && find . -type f -exec md5sum {} + | sort -k 2); }
found >"$tmp/before"

# another project's folder, with words of ours
mkdir -p "$tmp/elsewhere/experiments/rdp" "$tmp/elsewhere/results" && cd "$tmp/elsewhere" || exit 5
expect "it runs" 0 '0 failed, 0 wrong' "$bench" run rdp/fig5 --quick -i rdp/serial -S eps=4
machine=$("$bench" env --machine)
check "rows are below the current folder" test "$(find results -name '*.env.txt')" -ef "$(echo "results/$machine"/*.env.txt)"
check "and nothing else is" test "$(find . ! -path './results*' | tr '\n' ' ')" = ". ./experiments ./experiments/rdp "
expect "show finds them" 0 'rdp/fig5' "$bench" show rdp/fig5
expect "and by the machine's name" 0 "==== $machine" "$bench" claims "$machine" -q
expect "gather does, too" 0 '' "$bench" gather "$tmp/elsewhere/results" --results "$tmp/gathered"
expect "values of the papers are there" 0 '[1-9]' "$bench" sql -q -f csv 'SELECT count(*) FROM printed'
expect "a name of no folder" 2 'its name in results/, found none' "$bench" claims nowhere
expect "who fetches data is named by its place" 0 "$share/depthbench/scripts/fetch_data" "$bench" list inputs
expect "regress wants a checkout" 2 "expected a checkout.*$share/depthbench" "$bench" regress HEAD~1
expect "--results is obeyed" 0 '' "$bench" run rdp/fig5 --quick -i rdp/serial -S eps=4 --results "$tmp/told"
check "rows are where they were told to be" compgen -G "$tmp/told/*.env.txt" >"$tmp/out"
mkdir -p "$tmp/own/experiments/rdp" && cp -r "$share/depthbench/experiments/inputs" "$tmp/own/experiments/"
cp "$share/depthbench/experiments/rdp/fig5.ini" "$tmp/own/experiments/rdp/mine.ini"
expect "DEPTHBENCH_HOME is obeyed" 0 '' env DEPTHBENCH_HOME="$tmp/own" "$bench" run rdp/mine --quick -i rdp/serial -S eps=4
check "rows are below it" compgen -G "$tmp/own/results/$machine/*.env.txt" >"$tmp/out"
if command -v gnuplot >/dev/null; then
    # a program of changed sources has no place beside the others
    expect "its figures are drawn" 0 "$PWD/plots/.*/rdp-fig5.svg" env -u B -u DEPTHBENCH "$share/depthbench/scripts/plot" rdp-fig5
    check "below the current folder" compgen -G "plots/*/rdp-fig5.svg" >"$tmp/out"
else
    skip "gnuplot is not there (apt-get install gnuplot-nox)"
fi
expect "the man page" 0 '' test -s "$share/man/man1/depthbench.1"
COMP_WORDS=(depthbench run '') COMP_CWORD=2
sed "s|/opt/bench/share|$share|" "$share/bash-completion/completions/depthbench" >"$tmp/completion"
# shellcheck disable=SC1091
. "$tmp/completion" && _depthbench
check "experiments are completed" grep -qw rdp/fig5 <<<"${COMPREPLY[*]}"
check "by the place of the prefix" grep -q "cd '/opt/bench/share/depthbench/experiments'" "$share/bash-completion/completions/depthbench"

found >"$tmp/after"
on_failure "$tmp/after"
check "nothing is written where it is installed" cmp -s "$tmp/before" "$tmp/after"
cd "$OLDPWD" || exit 5
expect "it is removed" 0 '' "${make[@]}" uninstall-program
check "whole" test -z "$(find "$tmp/root" ! -type d)"
check "with its folder" test ! -e "$share/depthbench"

# who cannot build packages says so
mkdir "$tmp/bin"
for program in dirname mkdir realpath bash; do ln -s "$(command -v $program)" "$tmp/bin/$program"; done
expect "no package without its tools" 77 'skipped, dpkg-buildpackage is not there' env PATH="$tmp/bin" scripts/package "$tmp/package"
for program in dpkg-buildpackage dh lintian; do ln -s /bin/true "$tmp/bin/$program"; done
printf '#!/bin/sh\necho "dpkg-checkbuilddeps: error: Unmet build dependencies: libcsv-dev" >&2\nexit 1\n' >"$tmp/bin/dpkg-checkbuilddeps"
chmod +x "$tmp/bin/dpkg-checkbuilddeps"
expect "nor without libraries" 77 'skipped, Unmet build dependencies: libcsv-dev' env PATH="$tmp/bin" scripts/package "$tmp/package"

# what git archive makes knows its commit
if git rev-parse -q --verify HEAD >"$tmp/out" 2>&1; then
    mkdir "$tmp/archive" && git archive HEAD scripts/buildinfo | tar -x -C "$tmp/archive"
    (cd "$tmp/archive" && scripts/buildinfo cc '' '' release) >"$tmp/out"
    check "an archive knows its commit" grep -q "BUILD_COMMIT \"$(git rev-parse HEAD)\"" "$tmp/out"
    check "its date" grep -q "BUILD_COMMIT_DATE \"$(git show -s --format=%cI HEAD)\"" "$tmp/out"
    check "and that nothing is changed" grep -q 'BUILD_DIRTY 0' "$tmp/out"
else
    skip "no commit is there"
fi
finish
