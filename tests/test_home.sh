#!/bin/bash
# test_home.sh - a program that is installed finds its files by itself, writes below the current folder alone, and is removed whole
. tests/checks.sh home
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
expect "check finds all of it there" 0 '^all is there: ' "$bench" check "results/$machine"
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
program "$tmp/bin/dpkg-checkbuilddeps" <<<'echo "dpkg-checkbuilddeps: error: Unmet build dependencies: libcsv-dev" >&2; exit 1'
expect "nor without libraries" 77 'skipped, Unmet build dependencies: libcsv-dev' env PATH="$tmp/bin" scripts/package "$tmp/package"

# ---- what git says of the tree, and when nobody can tell ----
needs git
on_failure "$tmp/out" "$tmp/err"
export GIT_CONFIG_GLOBAL=$tmp/.gitconfig GIT_CONFIG_SYSTEM=/dev/null HOME=$tmp
git config --file "$tmp/.gitconfig" user.name t && git config --file "$tmp/.gitconfig" user.email t@localhost
tree=$tmp/tree
mkdir -p "$tree/scripts" "$tree/harness" && cp scripts/{start,buildinfo} "$tree/scripts/" && cp .gitattributes .gitignore "$tree/"
cd "$tree" && git init -q . && echo one | tee harness/a.c >harness/b.c && git add -A && git commit -q -m one || exit 1
# is WHAT DIRTY SENTENCE [ENVIRONMENT...]: what the header of a build says, and what is said beside it
is() {
    env "${@:4}" scripts/buildinfo cc '' '' release >"$tmp/out" 2>"$tmp/err"
    check "$1: dirty is $2" grep -qx "#define BUILD_DIRTY $2" "$tmp/out"
    if [ -n "$3" ]; then check "$1: '$3' is said" grep -q -e "$3" "$tmp/err"; else check "$1: nothing is said" test ! -s "$tmp/err"; fi
}
is "a commit" 0 ''
check "its name" grep -q "BUILD_COMMIT \"$(git rev-parse HEAD)\"" "$tmp/out"
echo two >harness/a.c && is "a changed file" 1 ''
git update-index --assume-unchanged harness/a.c && is "one that git is not to look at" -1 'git was told not to look at harness/a.c'
git update-index --no-assume-unchanged harness/a.c && git update-index --skip-worktree harness/a.c && is "nor to check out" -1 'not to look at harness/a.c'
git update-index --no-skip-worktree harness/a.c && git checkout -q harness/a.c
echo three >harness/c.c
git config status.showUntrackedFiles no && is "a new file, which a setting hides" 1 ''
echo c.c >.git/info/exclude && is "or an own list of ignored files" 1 ''
rm harness/c.c .git/info/exclude && git config --unset status.showUntrackedFiles
git init -q "$tmp/other" && is "in a hook of another repository" 0 '' GIT_DIR="$tmp/other/.git" GIT_INDEX_FILE="$tmp/other/.git/index"
program "$tmp/refuses/git" <<<'echo "fatal: detected dubious ownership in repository" >&2; exit 128'
is "where git refuses" -1 'rows say so (dirty is unknown): fatal: detected dubious ownership' PATH="$tmp/refuses:$PATH"
check "no commit is named" grep -q 'BUILD_COMMIT "unknown"' "$tmp/out"
program "$tmp/gpg" <<<'echo "gpg: no public key" >&2; cat >/dev/null; echo "[GNUPG:] SIG_CREATED " >&2; echo "-----BEGIN PGP SIGNATURE-----"'
git config gpg.program "$tmp/gpg" && git config log.showSignature true && git commit -q -S --allow-empty -m signed 2>"$tmp/err"
is "a signed commit, whose signature a setting shows" 0 ''
check "has a date alone" grep -qE 'BUILD_COMMIT_DATE "[0-9]{4}-[^"]*"$' "$tmp/out"
mkdir inside && cp -r scripts harness inside/ && cd inside || exit 1
is "unpacked in another repository" -1 'is no repository, but lies in one, as inside/'
check "whose commit is not its own" grep -q 'BUILD_COMMIT "unknown"' "$tmp/out"
cd .. && rm -r inside
git -c core.autocrlf=true clone -q . "$tmp/windows" && git -C "$tmp/windows" config core.autocrlf true
cd "$tmp/windows" && is "with lines as on Windows" 0 ''

# what git archive makes knows its commit
mkdir "$tmp/archive" && git -C "$tree" archive HEAD | tar -x -C "$tmp/archive"
if cd "$tmp/archive" && touch -r harness/a.c scripts/* && mkdir build && : >build/made; then
    is "an archive" 0 ''
    check "knows its commit" grep -q "BUILD_COMMIT \"$(git -C "$tree" rev-parse HEAD)\"" "$tmp/out"
    check "and date" grep -q "BUILD_COMMIT_DATE \"$(git -C "$tree" log -1 --format=%cI)\"" "$tmp/out"
    touch harness/a.c && is "a file of it that was changed" -1 '^buildinfo: .*: ./harness/a.c is newer than the commit of this archive'
    touch -r harness/b.c harness/a.c && rm harness/b.c && is "or taken away" -1 './harness is newer'
fi
finish
