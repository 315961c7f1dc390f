#!/bin/bash
# test_bootstrap.sh - scripts/bootstrap against machines of stand-ins: these are all that is on
# PATH, so nothing of this machine is asked or changed, and they note how they were called
. tests/checks.sh bootstrap
on_failure "$tmp/out" "$tmp/err" "$tmp/calls"
bootstrap=$(realpath scripts/bootstrap) || exit 1
needed=$(sed -n '/^need="/,/"$/p' "$bootstrap" | tr -d '\\"' | sed 's/^need=//')

fake() { # NAME BODY
    printf '#!/bin/sh\n%s\n' "$2" >"$tmp/bin/$1"
    chmod +x "$tmp/bin/$1"
}
# machine UID MISSING...: a Debian that has all packages but those
machine() {
    rm -rf "${tmp:?}/bin"
    mkdir "$tmp/bin"
    fake id "echo $1"
    shift
    fake dpkg-query "for package; do :; done
case ' $* ' in
*\" \$package \"*) echo \"dpkg-query: no packages found matching \$package\" >&2; exit 1 ;;
esac
printf 'install ok installed'"
    # \$DEBIAN_FRONTEND: no question may stop an installation
    fake apt-get "echo \"apt-get \$* [\$DEBIAN_FRONTEND]\" >>'$tmp/calls'"
}
# answers WHAT EXIT TEXT CALL...: what it says, and exactly these calls
answers() {
    : >"$tmp/calls"
    expect "$1" "$2" "" env PATH="$tmp/bin" /bin/sh "$bootstrap"
    check "$1: '$3' is said" grep -qF -- "$3" "$tmp/out" "$tmp/err"
    check "$1: what is called" test "$(cat "$tmp/calls")" = "$(printf '%s\n' "${@:4}")"
}
# refuses WHAT TEXT: one line on stderr, and nothing is called
refuses() {
    answers "$1" 1 "$2"
    check "$1: one line" test "$(wc -l <"$tmp/err")$(wc -l <"$tmp/out")" = 10
}
update='apt-get update -qq [noninteractive]'
install='apt-get install -y -qq --no-install-recommends'
by_hand='apt-get update && apt-get install -y --no-install-recommends'

check "the list of packages is read" grep -qw libhwloc-dev <<<"$needed"
check "no driver and no toolkit in it" test -z "$(grep -iE 'nvidia|cuda' <<<"$needed")"

machine 0
answers "all there" 0 'all packages are there'
machine 1000
answers "all there, not root" 0 'all packages are there'
machine 0 libcsv-dev libhwloc-dev
answers "root" 0 'done' "$update" "$install libhwloc-dev libcsv-dev [noninteractive]"
machine 1000 libcsv-dev
refuses "not root, no sudo" "$by_hand libcsv-dev"
machine 1000 libcsv-dev libpng-dev
fake sudo 'exit 1' # asks for a password
refuses "sudo with a password" "$by_hand libcsv-dev libpng-dev"
machine 1000 zlib1g-dev
fake sudo "[ \"\$1\" = -n ] && exit 0; echo sudo >>'$tmp/calls'; exec \"\$@\""
answers "sudo" 0 'done' sudo "$update" sudo "$install zlib1g-dev [noninteractive]"
machine 0 gnuplot-nox gcc git
for program in gnuplot gcc git; do fake $program 'exit 0'; done
answers "programs that came another way" 0 'all packages are there'
machine 0 gnuplot-nox
answers "no gnuplot at all" 0 'done' "$update" "$install gnuplot-nox [noninteractive]"
machine 0
# removed, its configuration left: dpkg-query still knows it
# shellcheck disable=SC2016
fake dpkg-query 'for package; do :; done; [ "$package" = libpng-dev ] && printf "deinstall ok config-files" || printf "install ok installed"'
answers "a removed package" 0 'done' "$update" "$install libpng-dev [noninteractive]"
machine 1000
rm "$tmp/bin/dpkg-query"
refuses "no Debian" libhwloc-dev

for step in update install; do
    machine 0 libcsv-dev
    fake apt-get "[ \"\$1\" != $step ]"
    expect "a failing $step" 1 installing env PATH="$tmp/bin" /bin/sh "$bootstrap"
    check "a failing $step is not done" test -z "$(grep -w 'done' "$tmp/out")"
done

# libraries of the build are those of the package, one list in two words
for package in $needed; do
    case $package in *-dev) check "debian/control has $package" grep -q "^ $package\b" debian/control ;; esac
done
finish
