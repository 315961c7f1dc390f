#!/bin/bash
# test_transfer.sh - transfer = copy | mapped | managed: an axis of GPU variants alone, and the same outputs whichever it is
. tests/checks.sh transfer
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
expect "another word is refused, and the words are named" 2 "transfer: expected one of copy|mapped|managed, found 'pinned'" \
    "$DEPTHBENCH" list "$tmp/small.ini" -S transfer=pinned
only "no GPU: nothing is mapped or managed" grep -q '^gpu=' <("$DEPTHBENCH" env)
on_failure "$tmp/out" "$tmp/err"
check "a GPU variant has three" test "$(grep -c rdp/gpu-opt "$tmp/cells")" = 3
expect "verified and timed" 0 '' "$DEPTHBENCH" run "$tmp/small.ini" --results "$tmp/results"
# no variant of any problem gives another output
while read -r problem lines; do
    printf '[global]\nproblem = %s\nframes = 2\nvalues = 0\ntimes = 0\n%s\n[cells]\nimpl = %s/gpu-paper, %s/gpu-opt\n%s\n' "$problem" \
        "${lines// /$'\n'}" "$problem" "$problem" 'transfer = copy, mapped, managed' >"$tmp/$problem.ini"
    expect "$problem gives its output, none is skipped" 0 ', 0 configurations skipped, 0 failed, 0 wrong' \
        "$DEPTHBENCH" run "$tmp/$problem.ini" --results "$tmp/results"
done <<'END'
rdp input=scene width=300 height=256
stixels input=scene block=8 semantic=off
som input=map-S width=192 height=144 sigma=12 ssr=4
END
finish
