#!/bin/bash
# test_on_gpu.sh - the steps of a pack: processes side by side have a processor each, and one that fails is told
. tests/checks.sh on_gpu
mkdir "$tmp/pack" "$tmp/started"
cp scripts/start scripts/on_gpu "$tmp/pack/"
# a program that writes down where it may run and who runs there already, and ends when PROCESSES of them have started
program "$tmp/pack/depthbench" <<END
if [ "\$1" = env ]; then echo a-machine; exit; fi
value=\${4#*=}
echo "\$*" >"$tmp/words.\$value"
where=\$(taskset -pc \$\$ | sed 's/.*: //')
[ ! -e "$tmp/on.\$where" ] || echo "\$value \$(cat "$tmp/on.\$where")" >>"$tmp/together"
echo "\$value" >"$tmp/on.\$where"
trap 'rm -f "$tmp/on.\$where"' EXIT
echo "\$where" >"$tmp/started/\$value"
while [ "\$(find "$tmp/started" -type f | wc -l)" -lt "\$PROCESSES" ]; do :; done
[ "\$value" != bad ]
END
side() { ON_GPU_OUT=$tmp/out timeout 60 bash "$tmp/pack/on_gpu" "side:som/table2:input=$1:-g+small-*+-S+seed=1,2" >"$tmp/log" 2>&1; }
tells() {
    side "$1"
    test $? = 1
}
on_failure "$tmp/log"

n=$(nproc)
[ "$n" -le 4 ] || n=4
export PROCESSES=$n
check "a process for each value, all at once" side "$(seq -s, "$n")"
check "each on a processor of its own" test "$(sort -u "$tmp"/started/* | wc -l)" = "$n"
check "with the options" grep -Fqx "run som/table2 -S input=1 --results $tmp/out/results/a-machine -g small-* -S seed=1,2" "$tmp/words.1"
check "no two at once" test ! -e "$tmp/together"
rm -f "$tmp"/started/*
PROCESSES=1
check "more than there are processors" side "a,b,c,d,e,f,g,h"
check "one after the other on each" test ! -e "$tmp/together"
check "one that fails is told" tells 1,bad,last
check "by its name" grep -qx "on_gpu: input=bad failed: $tmp/out/side.bad.log.failed" "$tmp/log"
check "behind it the others run" test -e "$tmp/words.last"
finish
