#!/bin/bash
# test_bootstrap.sh - scripts/bootstrap against made-up machines: fakes on PATH note how they were called
#
# The fakes are all that is on PATH, so nothing of this machine is asked or changed.
set -u
. tests/checks.sh
tmp=$(scratch bootstrap) || exit 1
on_failure "$tmp/out" "$tmp/err" "$tmp/calls"
bootstrap=$(realpath scripts/bootstrap) || exit 1
needed=$(sed -n '/^need="/,/"$/p' "$bootstrap" | tr -d '\\"' | sed 's/^need=//')

fake() { # NAME: its body on stdin
    { echo '#!/bin/sh' && cat; } >"$tmp/bin/$1"
    chmod +x "$tmp/bin/$1"
}
# machine UID MISSING...: a Debian that has all packages but those
machine() {
    local uid=$1
    shift
    rm -rf "${tmp:?}/bin"
    mkdir "$tmp/bin"
    fake id <<<"echo $uid"
    fake dpkg-query <<EOF
for package; do :; done
case " $* " in
*" \$package "*) echo "dpkg-query: no packages found matching \$package" >&2; exit 1 ;;
esac
printf 'install ok installed'
EOF
    # \$DEBIAN_FRONTEND: no question may stop an installation
    fake apt-get <<EOF
echo "apt-get \$* [\$DEBIAN_FRONTEND]" >>"$tmp/calls"
EOF
}
run() {
    : >"$tmp/calls"
    PATH=$tmp/bin /bin/sh "$bootstrap" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}
lines() { wc -l <"$tmp/$1"; }
calls() { # exactly these calls, a line each
    [ "$(cat "$tmp/calls")" = "$(printf '%s\n' "$@")" ]
}
update='apt-get update -qq [noninteractive]'
install='apt-get install -y -qq --no-install-recommends'
by_hand='apt-get update && apt-get install -y --no-install-recommends'

check "the list of packages is read" grep -qw libhwloc-dev <<<"$needed"
check "no driver and no toolkit in it" test -z "$(grep -iE 'nvidia|cuda' <<<"$needed")"

machine 0
run
check "all there: exit 0" test "$status" = 0
check "all there: nothing is called" test "$(lines calls)" = 0
check "all there: says so" grep -q 'all packages are there' "$tmp/out"
machine 1000
run
check "all there, not root: exit 0" test "$status" = 0
check "all there, not root: nothing is called" test "$(lines calls)" = 0

machine 0 libcsv-dev libhwloc-dev
run
check "root: exit 0" test "$status" = 0
check "root: installs what is missing" calls "$update" "$install libhwloc-dev libcsv-dev [noninteractive]"

machine 1000 libcsv-dev
run
check "not root, no sudo: fails" test "$status" = 1
check "not root, no sudo: one line" test "$(lines err)" = 1 -a "$(lines out)" = 0
check "not root, no sudo: the line to run" grep -qF -- "$by_hand libcsv-dev" "$tmp/err"
check "not root, no sudo: nothing is called" test "$(lines calls)" = 0

machine 1000 libcsv-dev libpng-dev
fake sudo <<<'exit 1' # asks for a password
run
check "sudo with a password: fails" test "$status" = 1
check "sudo with a password: the line to run" grep -qF -- "$by_hand libcsv-dev libpng-dev" "$tmp/err"
check "sudo with a password: nothing is called" test "$(lines calls)" = 0

machine 1000 zlib1g-dev
# shellcheck disable=SC2016
fake sudo <<<'[ "$1" = -n ] && exit 0; echo sudo >>"'"$tmp"'/calls"; exec "$@"'
run
check "sudo: exit 0" test "$status" = 0
check "sudo: everything through it" calls sudo "$update" sudo "$install zlib1g-dev [noninteractive]"

machine 0 gnuplot-nox gcc git
for program in gnuplot gcc git; do fake $program <<<'exit 0'; done
run
check "programs that came another way: exit 0" test "$status" = 0
check "programs that came another way: nothing is called" test "$(lines calls)" = 0
machine 0 gnuplot-nox
run
check "no gnuplot at all: installed" calls "$update" "$install gnuplot-nox [noninteractive]"

machine 0
# removed, its configuration left: dpkg-query still knows it
fake dpkg-query <<<'for package; do :; done; [ "$package" = libpng-dev ] && printf "deinstall ok config-files" || printf "install ok installed"'
run
check "a removed package is missing" calls "$update" "$install libpng-dev [noninteractive]"

for step in update install; do
    machine 0 libcsv-dev
    # shellcheck disable=SC2016
    fake apt-get <<<'[ "$1" != '$step' ]'
    run
    check "a failing $step fails" test "$status" != 0
    check "a failing $step is not done" test -z "$(grep -w 'done' "$tmp/out")"
done

machine 1000
rm "$tmp/bin/dpkg-query"
run
check "no Debian: fails" test "$status" = 1
check "no Debian: one line with the packages" test "$(lines err)" = 1
check "no Debian: names them" grep -q 'libhwloc-dev' "$tmp/err"
finish
