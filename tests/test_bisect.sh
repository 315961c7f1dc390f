#!/bin/bash
# test_bisect.sh - scripts/bisect on a small repository whose programs make their times up
. tests/checks.sh bisect git
. tests/house.sh

# ---- a history: the same program twice, one that does not build, one whose times vary ----
commit good 10 aaaa 1111
commit twin 10 aaaa 1111
commit alike 10 bbbb 1111
touch broken && commit broken 10 ffff 1111 && rm broken
commit varied '10 * (n % 2 ? 1.4 : 1)' abcd 1111
commit also 10 bbbb 1111
commit slow 13 cccc 1111
commit later 13 cccc 1111
commit last 13 dddd 1111

state() { cat .git/HEAD && git status --porcelain && git for-each-ref && git worktree list; }
stages=() # of regress: two, or one of as few processes as find what is slower by a third
# bisect WHAT EXIT TEXT ARGUMENT...: which leaves the repository as it was
bisect() {
    local before
    before=$(state)
    call "$1" "$2" "$3" scripts/bisect "${stages[@]}" "${@:4}"
    check "$1: the repository is as it was" test "$(state)" = "$before" -a -z "$(find build/regress -maxdepth 1 -name 'bisect-*')"
}
measured() { sed -n 's/ run .*//p' "$CALLS" | sort -u | tr '\n' ' '; }
row() { check "the table says of $1: $2" grep -qE "^$(git rev-parse "$1" | cut -c 1-7)  [0-9-]{10}  $2\$" "$tmp/out"; }

bisect "a slowed program" 0 '^The first that is slower: [0-9a-f]* slow$' good last
row good good
row last 'slower   1 of 1 configurations'
check "what is looked for stands first" grep -q '^slower  *10.* 13' "$tmp/out"
stages=(--runs 5)
check "what is one program is measured once" test -z "$(measured | grep -E 'twin|alike also|later.*slow')"
bisect "its neighbour" 0 '^The first that is slower: [0-9a-f]* slow$' also slow
bisect "the same program as the good one" 0 '^The first that is slower: [0-9a-f]* slow$' good later
check "one table" test "$(grep -c '^commit ' "$tmp/out")" = 1
bisect "with options of regress" 0 '^The first that is slower' also later --runs 8 --quick --floor 5%
check "which regress gets" grep -q '^later run .* --quick ' "$CALLS"
bisect "what is as good" 1 'also is no worse than good' good also
bisect "what does not build" 3 'does not build$' good broken
bisect "what is unclear" 3 'varied is not slower beyond doubt' good varied

# ---- what is skipped: the slow one is behind it, or among it ----
branch=$(git symbolic-ref --short HEAD)
git checkout -q --detach alike
touch broken && commit hole 10 ffff 1111
commit mended 14 dede 1111 && git rm -q broken && git commit -q -m built && git tag built
bisect "only skipped ones are left" 3 '^One of these 3 is the first that is slower' alike built
check "they are named" test "$(sed -n '/^One of/,$p' "$tmp/out" | sed 1d | cut -d ' ' -f 2 | tr '\n' ' ')" = 'built mended hole '
row hole 'skipped  does not build'

# ---- what is slower on the way, or unclear, and is not what BAD has ----
commit first 10 a1 1111
commit passing '10 : h > 40 ? 9' a2 1111
commit noisy '10 : h > 40 \&\& n % 2 ? 7' a3 1111
commit wrong '10' a4 2222
commit fourth 13 a5 1111
bisect "others do not count" 0 '^The first that is slower: [0-9a-f]* wrong$' first fourth
row noisy good
row wrong 'slower   1 of 1 configurations'
commit fifth 10 a6 1111
bisect "what was slower in between" 1 'fifth is no worse than first' first fifth
git checkout -q "$branch"

# ---- refusals ----
for bad in "" good "good last slow" "nowhere last" "good nowhere" "last good" "good good" "good last --keep x" "good last -f json" "good last --runs"; do
    # shellcheck disable=SC2086
    bisect "'$bad'" 2 '^bisect: ' $bad
    check "'$bad': one sentence" test "$(wc -l <"$tmp/err")" = 1
done
bisect "an option that regress refuses" 2 "regress: no option '--frobnicate'" good last --frobnicate
echo 99 >speed
bisect "what is not committed" 2 'commit it or stash it first$' good last
check "is still there" test "$(cat speed)" = 99
git checkout -q -- speed
git clone -q --depth 1 "file://$PWD" "$tmp/shallow" && cd "$tmp/shallow" || exit 1
expect "a shallow clone" 2 'there is no commit .* this clone is shallow' scripts/bisect "$(git -C "$house" rev-parse good)" HEAD
git fetch -q --depth 1 origin "$(git -C "$house" rev-parse slow)"
expect "its commits have no history" 2 'is not before HEAD, as far as this shallow clone knows' scripts/bisect FETCH_HEAD HEAD
expect "regress says so, too" 2 "there is no commit 'good' here; this clone is shallow" scripts/regress good
cd "$house" || exit 1
FAKE=int bisect "interrupted" 130 '' good last
FAKE=nothing bisect "nothing to run" 77 'nothing of it could run here' good last
FAKE=breaks bisect "programs that break off" 3 'skipped: the program of .* broke off' good last
mkdir -p build/regress/bisect-999999999
bisect "what a killed one left" 0 '' good last
git bisect start last good >/dev/null
bisect "a bisection of the user's" 0 '' good last
check "goes on" test "$(git bisect log | grep -c '^git bisect start')" = 1
git bisect reset >/dev/null 2>&1
bisect "its help" 0 '^bisect GOOD BAD ' --help
check "it fits 80 columns" test -z "$(awk 'length > 80' "$tmp/out")"
finish
