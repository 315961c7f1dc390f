#!/bin/bash
# test_transfer.sh - transfer = copy | mapped | managed: an axis of GPU variants alone, and the same outputs whichever it is
set -u
. tests/checks.sh
tmp=$(scratch transfer) || exit 1
cat >"$tmp/small.ini" <<'END'
[global]
problem = rdp
input   = scene
frames  = 2
width   = 64
height  = 48
samples = 3..3
min_time = 0
scope   = kernel, device, end_to_end
[cells]
impl     = rdp/serial, rdp/gpu-paper, rdp/gpu-opt
transfer = copy, mapped, managed
END
"$DEPTHBENCH" list "$tmp/small.ini" >"$tmp/cells" 2>&1
check "a CPU variant has one configuration" test "$(grep -c rdp/serial "$tmp/cells")" = 1
"$DEPTHBENCH" list "$tmp/small.ini" -S transfer=pinned >"$tmp/refused" 2>&1
check "another word is refused (exit 2)" test $? = 2
check "and the words are named" grep -q "transfer: expected one of copy|mapped|managed, found 'pinned'" "$tmp/refused"
if ! "$DEPTHBENCH" env | grep -q '^gpu='; then
    skip "no GPU: nothing is mapped or managed"
    finish
fi
on_failure "$tmp/log"
check "a GPU variant has three" test "$(grep -c rdp/gpu-opt "$tmp/cells")" = 3
check "verified and timed" "$DEPTHBENCH" run "$tmp/small.ini" --results "$tmp/results" >"$tmp/log" 2>&1
# no variant of any problem gives another output
for problem in rdp stixels som; do
    case $problem in
    rdp) lines='input = scene,width = 300,height = 256' ;;
    stixels) lines='input = scene,block = 8,semantic = off' ;;
    som) lines='input = map-S,width = 192,height = 144,sigma = 12,ssr = 4' ;;
    esac
    { printf '[global]\nproblem = %s\nframes = 2\nvalues = 0\ntimes = 0\n' "$problem" && echo "$lines" | tr , '\n' &&
        printf '[cells]\nimpl = %s/gpu-paper, %s/gpu-opt\ntransfer = copy, mapped, managed\n' "$problem" "$problem"; } >"$tmp/$problem.ini"
    check "$problem gives its output" "$DEPTHBENCH" run "$tmp/$problem.ini" --results "$tmp/results" >"$tmp/log" 2>&1
    check "$problem: none is skipped" grep -q ', 0 cells skipped, 0 failed, 0 wrong' "$tmp/log"
done
finish
