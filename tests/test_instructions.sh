#!/bin/bash
# test_instructions.sh - scripts/instructions on a small repository whose programs make their counts up; what valgrind says is what 3.19.0 said
. tests/checks.sh instructions git
. tests/house.sh
export VALGRIND=$tmp/valgrind
# of rdp/serial as many as the program's time says, of each other variant a million
program "$VALGRIND" <<'END'
[ "$1 $2" = "--tool=callgrind --toggle-collect=measure_time_series" ] || exit 1
impl=$(sed -n 's/^impl=//p' "$6") n=1000000
[ "$impl" != rdp/serial ] || n=$(awk '/height=40 takes/ { printf "%d", 1000000 * $6 + 0.5 }' "$4")
[ "$impl" != rdp/unknown ] || { n=0 && echo "depthbench: no variant 'rdp/unknown'" >&2; }
cat >&2 <<SAID
==559== Callgrind, a call-graph generating cache profiler
==559== Copyright (C) 2002-2017, and GNU GPL'd, by Josef Weidendorfer et al.
==559== Using Valgrind-3.19.0 and LibVEX; rerun with -h for copyright info
==559== Command: $4 run $6 --profile -q -S threads=1 --results rows
==559== 
==559== For interactive control, run 'callgrind_control -h'.
hwloc x86 backend cannot work under Valgrind, disabling.
May be reenabled by dumping CPUIDs with hwloc-gather-cpuid
and reloading them under Valgrind with HWLOC_CPUID_PATH.
==559== 
==559== Events    : Ir
==559== Collected : $n
==559== 
==559== I   refs:      $n
SAID
END
commit base 10 aaaa 1111
commit noise 10.002 bbbb 1111
touch broken && commit broken 12 cccc 1111 && rm broken
commit slow 10.302 dddd 1111
commit also 10.302 dede 1111
commit fast 9 eeee 1111
commit slower 9.9 ffff 1111
commit last 9.92 abcd 1111

count() { call "$1" "$2" "$3" scripts/instructions "${@:4}"; }
since() { check "since $1" test "$(sed -n 's/^    since [0-9a-f]* //p' "$tmp/out" | paste -sd , -)" = "${1#-}"; }
# EXIT RISE COMMIT of rdp/serial, and BASE HEAD; 0.02 % are malloc's, 0.1 % are the floor
while read -r status rise commit range; do
    # shellcheck disable=SC2086
    count "$range" "$status" "^rdp/serial .* [+]*$rise %$" $range rdp/serial som/openmp
    since "$commit"
    check "$range: the other is as it was" grep -q '^som/openmp  *1000000  *1000000  *+0.00 %$' "$tmp/out"
done <<'END'
0 +0.02 - base noise
1 +3.02 slow base slow
1 +3.00 slow noise also
0 -10.00 - base fast
1 +10.22 slower,last fast last
0 -0.80 - base last
END
git checkout -q --detach slower
count "what is checked out, and its parent" 1 ' +10.00 %$'
since slower
check "one of each kind" test "$(grep -c ' 1000000  *1000000  *+0.00 %$' "$tmp/out")" = 8

# ---- a commit that means it, and two of them ----
while read -r status text; do
    git checkout -q --detach slow && git commit -q --amend -m "it costs

$text"
    count "$text" "$status" ' +3.00 %$' noise HEAD rdp/serial
done <<'END'
1 Instructions: rdp/serial +3 %
1 Instructions: rdp/cpu-simd +3 % another variant
1 Instructions: rdp/serial +2.8 % less than it is
0 Instructions: rdp/serial +2.95% within the floor
0 Instructions: rdp/serial +3 % any number of rows
END
commit another 10.51 acdc 1111
count "it and another one" 1 ' +5.08 %$' noise HEAD rdp/serial
since another
git commit -q --amend -m "Instructions: rdp/serial +2.1 % any number of columns"
count "both mean it" 0 ' +5.08 %$' noise HEAD rdp/serial

# ---- what cannot be counted ----
refuses "a variant that HEAD lacks" 5 "rdp/unknown of [0-9a-f]*: depthbench: no variant" scripts/instructions base slow rdp/unknown
refuses "what does not build" 5 'does not build' scripts/instructions base broken
refuses "a base that does not" 77 "nothing of [0-9a-f]* could be counted" scripts/instructions broken slow rdp/serial
check "and why" grep -q '^note: .*does not build' "$tmp/err"
refuses "no such commit" 2 "there is no commit 'nowhere'" scripts/instructions nowhere
VALGRIND=$tmp/nothing refuses "no valgrind" 77 'no valgrind (apt-get install valgrind), and nothing was counted' scripts/instructions
git -c advice.detachedHead=false clone -q --depth 1 "file://$house" "$tmp/shallow" && cp scripts/instructions "$tmp/shallow/scripts/" && cd "$tmp/shallow" || exit 1
refuses "a shallow clone without the parent" 77 'this clone is shallow' scripts/instructions

# ---- valgrind itself ----
cd "$house" && export VALGRIND=valgrind
if command -v valgrind >/dev/null && command -v cc >/dev/null; then
    cat >program.c <<'END'
__attribute__((noinline)) int measure_time_series(void)
{
    volatile int i;

    for (i = 0; i < SPEED; i++)
        ;
    return i;
}
int main(void)
{
    return measure_time_series() != SPEED;
}
END
    printf 'all:\n\tmkdir -p build/release && cc -O1 -DSPEED=%s -o build/release/depthbench program.c\n' '$(shell cat speed)' >Makefile
    commit real 100000 1 1
    commit more 103000 1 1
    count "it counts" 1 '^rdp/serial .* +3.00 %$' real more rdp/serial
    since more
else
    skip "no valgrind, or no compiler"
fi
finish
