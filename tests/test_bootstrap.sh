#!/bin/bash
# test_bootstrap.sh - scripts/bootstrap against machines of stand-ins: these are all that is on
# PATH, so nothing of this machine is asked or changed, and they note how they were called
. tests/checks.sh bootstrap
on_failure "$tmp/out" "$tmp/err" "$tmp/calls"
bootstrap=$(realpath scripts/bootstrap) || exit 1
needed=$(sed -n '/^need="/,/"$/p' "$bootstrap" | tr -d '\\"' | sed 's/^need=//')
check "the list of packages is read" grep -qw libhwloc-dev <<<"$needed"
check "no driver and no toolkit in it" test -z "$(grep -iE 'nvidia|cuda' <<<"$needed")"

# machine UID MISSING [NAME=BODY...]: a Debian that has all packages but those; and stand-ins of these names, none where BODY is empty
machine() {
    local fake
    rm -rf "${tmp:?}/bin" && mkdir "$tmp/bin" && : >"$tmp/calls"
    # $DEBIAN_FRONTEND: no question may stop an installation
    for fake in "id=echo $1" "apt-get=echo \"apt-get \$* [\$DEBIAN_FRONTEND]\" >>'$tmp/calls'" "dpkg-query=for package; do :; done
        case ' $2 ' in *\" \$package \"*) exit 1 ;; *\" -\$package \"*) printf 'deinstall ok config-files' ;; *) printf 'install ok installed' ;; esac" "${@:3}"; do
        program "$tmp/bin/${fake%%=*}" <<<"${fake#*=}"
        [ -n "${fake#*=}" ] || rm "$tmp/bin/${fake%%=*}"
    done
}
update='apt-get update -qq [noninteractive]'
install='apt-get install -y -qq --no-install-recommends'
by_hand='apt-get update && apt-get install -y --no-install-recommends'
# of a machine what is said, with which status, and exactly these calls, with ; between them; -NAME: it was removed, its configuration is left
while IFS='|' read -r what user missing fakes status said calls; do
    IFS=, read -ra fakes <<<"$fakes"
    machine "$user" "$missing" "${fakes[@]}"
    calls=${calls//UPDATE/$update} calls=${calls//INSTALL/$install} said=${said//BY_HAND/"$by_hand"}
    expect "$what" "$status" "$said" env PATH="$tmp/bin" /bin/sh "$bootstrap"
    check "$what: what is called" test "$(paste -sd ';' "$tmp/calls")" = "$calls"
    [ "$status" = 0 ] || check "$what: one line" test "$(wc -l <"$tmp/err")$(wc -l <"$tmp/out")" = 10
done <<END
all there|0|||0|all packages are there|
all there, not root|1000|||0|all packages are there|
root|0|libcsv-dev libhwloc-dev||0|done|UPDATE;INSTALL libhwloc-dev libcsv-dev [noninteractive]
not root, no sudo|1000|libcsv-dev||1|BY_HAND libcsv-dev|
sudo with a password|1000|libcsv-dev libpng-dev|sudo=exit 1|1|BY_HAND libcsv-dev libpng-dev|
sudo|1000|zlib1g-dev|sudo=[ "\$1" = -n ] && exit 0; echo sudo >>'$tmp/calls'; exec "\$@"|0|done|sudo;UPDATE;sudo;INSTALL zlib1g-dev [noninteractive]
programs that came another way|0|gnuplot-nox gcc git|gnuplot=:,gcc=:,git=:|0|all packages are there|
no gnuplot at all|0|gnuplot-nox||0|done|UPDATE;INSTALL gnuplot-nox [noninteractive]
a removed package|0|-libpng-dev||0|done|UPDATE;INSTALL libpng-dev [noninteractive]
no Debian|1000||dpkg-query=|1|libhwloc-dev|
END
for step in update install; do
    machine 0 libcsv-dev "apt-get=[ \"\$1\" != $step ]"
    expect "a failing $step" 1 installing env PATH="$tmp/bin" /bin/sh "$bootstrap"
    check "a failing $step is not done" test -z "$(grep -w 'done' "$tmp/out")"
done

# libraries of the build are those of the package, one list in two words
for package in $needed; do
    case $package in *-dev) check "debian/control has $package" grep -q "^ $package\b" debian/control ;; esac
done
finish
